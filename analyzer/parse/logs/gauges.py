r"""Reads the gauges of brokers that tell of open transactions or of lost markers, as tools print what JMX answers.

"time","kafka.cluster:type=Partition,name=LastStableOffsetLag,topic=orders,partition=3:Value"      (kafka-jmx, original)
1699766295879,17
kafka.cluster:type=Partition,name=LastStableOffsetLag,topic=orders,partition=3:Value=17             (its other formats)
#mbean = kafka.cluster:type=Partition,name=LastStableOffsetLag,topic=orders,partition=3:            (jmxterm)
Value = 17;
"Time","kafka_cluster_partition_laststableoffsetlag{partition=""3"", topic=""orders""}"             (Grafana)
2026-09-20 10:00:00,17
"Time","{group=""readers"", partition=""3"", topic=""orders""}"                     (of a query that computes)
"""

import csv
import re
from collections.abc import Iterator

from analyzer.kafka.log_lines.of_metrics import OF_METRICS, UNCLEAN, UNNAMED
from analyzer.parse.logs.layouts import logged_ms
from analyzer.parse.logs.line import MOST_TEXT, LogLine
from analyzer.parse.rows import within

SAYS = {
    "LastStableOffsetLag": "stable_offset_lag",
    "PartitionsWithLateTransactionsCount": "late_transactions",
    "UncleanLeaderElectionsPerSec:Count": UNCLEAN,
}
_GAUGE = re.compile(rf"kafka\.(?:server|cluster):[^\s\":]{{0,400}}\bname=(?:{'|'.join(SAYS)})\b[^\s\":]{{0,400}}")
_COLUMNS = re.compile(r'"time"(?:,"[^"]{1,600}")+')
_ROW = re.compile(r"(\d{13}|[^,]{1,40})((?:,-?\d{1,19}(?:\.\d{1,20})?)+)")
_VALUE = re.compile(r'(?::Value)?\s?(?:=|,|\t)\s?"?(\d{1,19})(?:\.0{1,9})?"?;?')
_SERIES = re.compile(
    r'"?[Tt]ime"?[,;].*(?:(?i:last_?stable_?offset_?lag|late_?transactions_?count)|\btopic(?:_name)?="").*'
)
_LABELS = re.compile(
    r"\{(?=[^}]*\btopic(?:_name)?=\"(?P<topic>[A-Za-z0-9._-]{1,249})\")(?=[^}]*\bpartition(?:_id)?=\"(?P<partition>\d{1,10})\").*"
)
"""How Grafana names a series whose query computes, and so has lost the metric's name."""
_MOST_UNNAMED = 20
_POINT = re.compile(r"(\d{13}|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^\s,]{0,10})((?:,(?:-?\d{1,19}(?:\.\d{1,20})?)?)+)")
_HEAD = re.compile(r"#mbean = (\S{1,600}):")


def gauge(name: str, value: object, at: int | None = None) -> LogLine | None:
    """Return what a gauge says by its object name, None if it is none of these or its value is no number."""
    properties = dict(part.partition("=")[::2] for part in name.partition(":")[2].split(","))
    says = SAYS.get(properties.get("name", ""))
    if says is None or not name.startswith("kafka.") or isinstance(value, bool) or not isinstance(value, int | float):
        return None
    topic, partition = properties.get("topic"), properties.get("partition", "")
    if says == "stable_offset_lag" and not (topic and partition.isdigit()):
        return None
    if says == UNCLEAN and value <= 0:
        return None
    line: LogLine = {"says": says, "source": "metric", "number": within(int(value), "bigint")}
    line |= {"text": f"{name} {int(value)}"[:MOST_TEXT], "logged_ms": at}
    if topic and partition.isdigit():
        line |= {"topic": topic[:249], "partition": within(int(partition), "int")}
    return line


def exported(series: str, value: str, at: int | None = None) -> LogLine | None:
    """Return what a value of a series says, named as Prometheus names it; None if it is none of these."""
    text = f"{series} {value}"
    for pattern in OF_METRICS:
        found = pattern.regex.search(text)
        if found:
            told = found.groupdict()
            number = within(int(float(told["number"])), "bigint")
            line: LogLine = {"says": pattern.says, "source": "metric", "number": number}
            if told.get("topic"):
                line |= {"topic": told["topic"], "partition": within(int(told["partition"]), "int")}
            return line | {"text": text[:MOST_TEXT], "logged_ms": at}
    return None


def _unnamed(series: re.Match[str]) -> LogLine:
    partition = within(int(series["partition"]), "int")
    line: LogLine = {"says": UNNAMED, "source": "metric", "topic": series["topic"], "partition": partition}
    return line | {"text": series[0][:MOST_TEXT]}


class Gauges:
    """What the lines before told: the columns of JmxTool, or the gauge whose value jmxterm prints next."""

    def __init__(self) -> None:
        """Begin without any."""
        self._columns: list[str] = []
        self._series: list[str] = []
        self._name = ""

    def take(self, text: str) -> list[LogLine] | None:
        """Return what a line tells, perhaps nothing; None if it is no line of such a tool."""
        text = text.strip()
        if _COLUMNS.fullmatch(text):
            self._columns = [name.removesuffix(":Value") for name in text.strip('"').split('","')][1:]
            return []
        if _SERIES.fullmatch(text):
            self._series = next(csv.reader([text]), [])[1:]
            return [*map(_unnamed, filter(None, map(_LABELS.fullmatch, self._series)))][:_MOST_UNNAMED]
        if self._series and (point := _POINT.fullmatch(text)):
            return list(self._of_point(point))
        if self._columns and (row := _ROW.fullmatch(text)):
            return list(self._of_row(row))
        if head := _HEAD.fullmatch(text):
            self._name = head[1]
            return []
        name, self._name = self._name, ""
        if found := _GAUGE.match(text):
            name, text = found[0], text[found.end() :]
        elif not (name and text.startswith("Value")):
            return None
        value = _VALUE.fullmatch(text.removeprefix("Value") if not text.startswith(":") else text)
        line = gauge(name, int(value[1])) if value else None
        return [line] if line else None

    def _of_row(self, row: re.Match[str]) -> Iterator[LogLine]:
        at = int(row[1]) if row[1].isdigit() else None
        for name, value in zip(self._columns, row[2].split(",")[1:], strict=False):
            if line := gauge(name, int(value.partition(".")[0]), at):
                yield line

    def _of_point(self, point: re.Match[str]) -> Iterator[LogLine]:
        at = int(point[1]) if point[1].isdigit() else logged_ms(point[1])
        for series, value in zip(self._series, point[2].split(",")[1:], strict=False):
            if line := exported(series, value, at):
                yield line
