r"""Reads the gauges of brokers that tell of open transactions or of lost markers, as tools print what JMX answers.

"time","kafka.cluster:type=Partition,name=LastStableOffsetLag,topic=orders,partition=3:Value"      (kafka-jmx, original)
1699766295879,17
kafka.cluster:type=Partition,name=LastStableOffsetLag,topic=orders,partition=3:Value=17             (its other formats)
#mbean = kafka.cluster:type=Partition,name=LastStableOffsetLag,topic=orders,partition=3:            (jmxterm)
Value = 17;
"""

import re
from collections.abc import Iterator

from analyzer.kafka.log_lines.of_metrics import UNCLEAN
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
_HEAD = re.compile(r"#mbean = (\S{1,600}):")


def gauge(name: str, value: object, logged_ms: int | None = None) -> LogLine | None:
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
    line |= {"text": f"{name} {int(value)}"[:MOST_TEXT], "logged_ms": logged_ms}
    if topic and partition.isdigit():
        line |= {"topic": topic[:249], "partition": within(int(partition), "int")}
    return line


class Gauges:
    """What the lines before told: the columns of JmxTool, or the gauge whose value jmxterm prints next."""

    def __init__(self) -> None:
        """Begin without any."""
        self._columns: list[str] = []
        self._name = ""

    def take(self, text: str) -> list[LogLine] | None:
        """Return what a line tells, perhaps nothing; None if it is no line of such a tool."""
        text = text.strip()
        if _COLUMNS.fullmatch(text):
            self._columns = [name.removesuffix(":Value") for name in text.strip('"').split('","')][1:]
            return []
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
