"""Reads a log of a broker or client, metrics, or statistics of librdkafka into rows of `log_lines` (RULES F 5).

Every line counts as understood: a log has thousands of lines that say nothing about transactions.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

from analyzer.kafka.log_lines.registry import ALL
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.kafka.wrapped_lines import NAMED, as_typed, message_of, unwrapped, without_escapes
from analyzer.parse.rows import Rows, json_number, within
from analyzer.parse.sections import Section, close_file
from analyzer.parse.stream import Lines
from analyzer.tables.answer_facts import LOG_LINES
from analyzer.tables.fact_columns import PLACE

LogLine = dict[str, Any]
"""A row of `log_lines`, by column, without its place in the file."""

_COLUMNS = LOG_LINES.names[len(PLACE) :]
_TYPES = {column.name: column.type for column in LOG_LINES.columns}
MOST_CHARACTERS = 4_000
"""Of a longer line only the beginning is searched: some patterns look far ahead."""
_MOST_OF_JSON = 1 << 18
_BEFORE_JSON = 400
"""Characters that may stand before a JSON line."""
_TEXT = 500


_OF_LEADERS = frozenset({"leads", "follows"})
"""Lines of which a broker writes one for each of its partitions."""

LogTaker = Callable[[Lines, Section], bool]
"""What takes the line at the cursor."""


def read_log(lines: Lines, rows: Rows, take: LogTaker) -> Iterator[None]:
    """Read a log of any layout, or metrics as Prometheus prints them, with the tables that stand between its lines."""
    section = Section(0, 1, 0, kind="broker_log")
    while not lines.ended:
        before = rows.count
        take(lines, section)
        section.batches += rows.count - before
        lines.next()
        yield
    close_file(section, rows, lines)


def beginning(lines: Lines) -> str:
    """Return so much of the line at the cursor as is looked at; JSON says nothing before its end."""
    head = lines.text(MOST_CHARACTERS * 4)
    most = _MOST_OF_JSON if '{"' in head[:_BEFORE_JSON] else MOST_CHARACTERS
    return (head if most == MOST_CHARACTERS else lines.text(most))[:most].rstrip("\n")


def add(rows: Rows, lines: Lines, line: LogLine, section: int = 0) -> None:
    """Add what a line says; a changed partition count is an observation, too, and who leads is nothing else."""
    place = (section, lines.number, lines.offset)
    if line["says"] in _OF_LEADERS:
        values = (line["topic"], line["partition"], None, line["number"], line["offset"], line["text"])
        rows.add_row(("observations", ("leader_logged", *values)), place)
        return
    rows.add("log_lines", place, **{name: line.get(name) for name in _COLUMNS})
    if line["says"] == "count_changed":
        values = (line["topic"], None, None, line["offset"], line["number"], line["text"])
        rows.add_row(("observations", ("count_changed", *values)), place)


def said(text: str) -> Iterator[LogLine]:
    """Yield what a line says: of patterns that fit, the first."""
    text = without_escapes(text)
    typed = as_typed(text)
    before, brace, json_text = typed.partition("{")
    if brace and '"' in json_text and _stands_before_lines(before):
        yield from _of_json(brace + json_text.strip())
        return
    for pattern in ALL:
        match = pattern.regex.search(typed, 0, MOST_CHARACTERS)
        if match:
            yield _line(pattern.says, pattern.source, match.groupdict(), text)
            return


def _stands_before_lines(text: str) -> bool:
    return not text.strip() or not NAMED.sub("", unwrapped(text), count=1)


def _line(says: str, source: str, told: dict[str, Any], text: str) -> LogLine:
    line: LogLine = {"says": says, "source": source}
    for name, value in told.items():
        kind = _TYPES[name]
        line[name] = within(int(value), kind) if value is not None and kind in ("int", "bigint") else value
    if says == "count_changed":
        line["topic"] = STATE_TOPIC
    return line | {"text": text.strip()[:_TEXT]}


def _of_json(text: str) -> Iterator[LogLine]:
    """Yield what a JSON line says: a log's message, or the statistics of librdkafka."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return
    if not isinstance(value, dict):
        return
    if isinstance(value.get("topics"), dict) and "client_id" in value:
        yield from _statistics(value)
        return
    message = message_of(value) or ""
    if not message.lstrip().startswith("{"):
        yield from said(message[:MOST_CHARACTERS])


def _statistics(value: dict[str, Any]) -> Iterator[LogLine]:
    """Yield the offsets that a client of librdkafka knows of each partition, and the state of its transaction."""
    eos = value.get("eos")
    if isinstance(eos, dict) and eos.get("txn_state"):
        producer, epoch = json_number(eos.get("producer_id"), "bigint"), json_number(eos.get("producer_epoch"), "int")
        text = f"txn_state {eos['txn_state']}, producer_id {producer}"[:_TEXT]
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
                text = f"hi_offset {high}, ls_offset {low}, committed_offset {one.get('committed_offset')}"[:_TEXT]
                place = {"topic": str(topic)[:249], "partition": within(int(number), "int")}
                yield {
                    "says": "stable_offset",
                    "source": "client",
                    **place,
                    "number": high,
                    "offset": low,
                    "text": text,
                }
