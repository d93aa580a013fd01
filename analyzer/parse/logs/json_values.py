"""Reads JSON that is no message of a log: statistics of librdkafka, answers of Jolokia and of Prometheus."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from analyzer.kafka.log_lines.of_metrics import SILENT_METRIC
from analyzer.parse.logs.gauges import exported, gauge
from analyzer.parse.logs.line import MOST_TEXT, LogLine
from analyzer.parse.rows import json_number, within

_MOMENTS = ("timeMillis", "timestamp", "ts", "time")
_DIGITS_OF_SECONDS = 10
_MOST_LINES, _MOST_CHARACTERS = 20_000, 1 << 20
_PRINTED = re.compile(r'\s*\**\s*(?:"[^"]{0,300}"\s?(?::|,?\s*$)|[\]}]|[\[{]\s*$|-?\d|true\b|false\b|null\b)')
"""A line of a JSON value that was printed over several; people mark some of them in bold."""


def values_of(value: object) -> Iterator[LogLine] | None:
    """Return what statistics of librdkafka, answers of Jolokia or of Prometheus say, None for another value."""
    if isinstance(value, list):
        answers = [one for one in value if isinstance(one, dict) and "request" in one and "value" in one]
        return (line for one in answers for line in _gauges(one)) if answers else None
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("topics"), dict) and "client_id" in value:
        return _statistics(value)
    if isinstance(data := value.get("data"), dict) and isinstance(data.get("result"), list) and "resultType" in data:
        series = [one for one in data["result"] if isinstance(one, dict) and isinstance(one.get("metric"), dict)]
        return _told_of(series) if series else None
    return _gauges(value) if isinstance(value.get("request"), dict) and "value" in value else None


def moment_of(value: dict[str, Any]) -> int | None:
    """Return when a line was written whose JSON tells it as a number: seconds, or thousandths of them and so on."""
    instant = value.get("instant")
    seconds = json_number(instant.get("epochSecond"), "bigint") if isinstance(instant, dict) else None
    if seconds is not None and isinstance(instant, dict):
        return seconds * 1000 + (json_number(instant.get("nanoOfSecond"), "bigint") or 0) // 1_000_000
    told = next((value[name] for name in _MOMENTS if isinstance(value.get(name), int | float | str)), None)
    if isinstance(told, bool) or not re.fullmatch(r"\d{10}(?:(?:\d{3}){0,3}|\.\d{1,9})", str(told)):
        return None
    whole, _, fraction = str(told).partition(".")
    digits = whole + (fraction + "000" if len(whole) == _DIGITS_OF_SECONDS else "")
    return int((digits + "000")[: _DIGITS_OF_SECONDS + 3])


class JsonBlock:
    """A JSON value that is printed over several lines, as far as it has come."""

    def __init__(self, others: Callable[[object], list[Any] | None] = lambda _: None) -> None:
        """Begin outside any; `others` tells what a value says that is none of those of this module."""
        self._others = others
        self._lines: list[str] = []
        self._size = 0
        self._indent = 0
        self.unread: list[str] = []
        """The lines of the value that the last line ended, if nobody knows what it says."""

    @property
    def opens(self) -> bool:
        """Whether a value began with the last line."""
        return len(self._lines) == 1

    def take(self, text: str) -> list[Any] | None:
        """Take the next line; return what a value says that it ends, perhaps nothing, None if it is no line of one."""
        stripped, self.unread = text.strip(), []
        if not self._lines:
            if stripped in ("{", "["):
                self._lines, self._size, self._indent = [text], len(text), len(text) - len(text.lstrip())
                return []
            return None
        too_long = len(self._lines) >= _MOST_LINES or self._size + len(text) > _MOST_CHARACTERS
        if too_long or (stripped and not _PRINTED.match(text)):
            self._lines = []
            return None
        self._lines.append(text)
        self._size += len(text)
        if stripped not in ("}", "]") or len(text) - len(text.lstrip()) > self._indent:
            return []
        given, self._lines = self._lines, []
        try:
            value = json.loads("\n".join(given).replace("**", ""))
            found = values_of(value) or self._others(value)
        except (ValueError, RecursionError):
            found = None
        self.unread = given if found is None else []
        return list(found or ())


def _gauges(answer: dict[str, Any]) -> Iterator[LogLine]:
    """Yield the gauges of one answer of Jolokia: of one bean, or of all that a pattern names."""
    asked, value, seconds = answer["request"], answer["value"], json_number(answer.get("timestamp"), "bigint")
    at = None if seconds is None else within(seconds * 1000, "bigint")
    names = {asked.get("mbean"): value} if isinstance(asked, dict) else {}
    if isinstance(value, dict) and not isinstance(value.get("Value"), int | float):
        names = value
    for name, told in names.items():
        number = told.get("Value") if isinstance(told, dict) else told
        if isinstance(name, str) and (line := gauge(name, number, at)):
            yield line


def _told_of(series: list[dict[str, Any]]) -> Iterator[LogLine]:
    """Yield what series of Prometheus say; one line if none of them is about transactions."""
    found = [line for one in series if (line := _newest(one))]
    silent: LogLine = {"says": SILENT_METRIC, "source": "metric", "text": json.dumps(series[0])[:MOST_TEXT]}
    yield from found or [silent]


def _newest(series: dict[str, Any]) -> LogLine | None:
    """Return what the newest value of a series of Prometheus says."""
    labels = dict(series["metric"])
    name, values = labels.pop("__name__", ""), series.get("values") or [series.get("value")]
    newest = values[-1] if isinstance(values, list) else None
    if not isinstance(newest, list) or len(newest) != 2:  # noqa: PLR2004 - a moment and a value
        return None
    shown = ",".join(f'{label}="{told}"' for label, told in sorted(labels.items()))
    at = moment_of({"timestamp": newest[0]})
    return exported(f"{name}{{{shown}}}", str(newest[1]), at)


def _statistics(value: dict[str, Any]) -> Iterator[LogLine]:
    """Yield the offsets that a client of librdkafka knows of each partition, and the state of its transaction."""
    eos = value.get("eos")
    if isinstance(eos, dict) and eos.get("txn_state"):
        producer, epoch = json_number(eos.get("producer_id"), "bigint"), json_number(eos.get("producer_epoch"), "int")
        text = f"txn_state {eos['txn_state']}, producer_id {producer}"[:MOST_TEXT]
        yield {
            "says": "client_state",
            "source": "client",
            "producer_id": producer,
            "producer_epoch": epoch,
            "text": text,
        }
    for topic, known in value["topics"].items():
        partitions = known.get("partitions") if isinstance(known, dict) else None
        for number, one in (partitions or {}).items():
            high, low = (json_number(one.get(name), "bigint") for name in ("hi_offset", "ls_offset"))
            if number.isdigit() and high is not None and low is not None and low >= 0:
                text = f"hi_offset {high}, ls_offset {low}, committed_offset {one.get('committed_offset')}"[:MOST_TEXT]
                place = {"topic": str(topic)[:249], "partition": within(int(number), "int")}
                yield {
                    "says": "stable_offset",
                    "source": "client",
                    **place,
                    "number": high,
                    "offset": low,
                    "text": text,
                }
