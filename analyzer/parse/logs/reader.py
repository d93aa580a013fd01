"""Reads a log of a broker or client, metrics, or statistics of librdkafka into rows of `log_lines` (RULES F 5).

What a program wrote counts as understood: a log has thousands of lines that say nothing about transactions. Plain words
between its lines do not.
"""

import json
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any, Protocol

from analyzer.kafka.log_lines.of_clients import INITIALIZED
from analyzer.kafka.log_lines.of_coordinator import COORDINATES, COORDINATOR
from analyzer.kafka.log_lines.of_java import CLUSTER_ID
from analyzer.kafka.log_lines.pattern import CLUSTER, OFFSET_PRINTED
from analyzer.kafka.log_lines.registry import first_fit, telling
from analyzer.kafka.pasting.characters import as_typed, without_colours
from analyzer.kafka.pasting.fences import unfenced
from analyzer.kafka.pasting.json_messages import MOST_OF_JSON, errors_of, ids_of, lines_in, message_of
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.kafka.wrapped_lines import NAMED, unwrapped
from analyzer.parse.logs.dull import DullLines
from analyzer.parse.logs.json_values import moment_of, values_of
from analyzer.parse.logs.layouts import logged_ms
from analyzer.parse.logs.line import MOST_TEXT, LogLine
from analyzer.parse.logs.prose import Prose
from analyzer.parse.rows import Rows, within
from analyzer.parse.sections import Section, close_file
from analyzer.parse.stream import Lines
from analyzer.parse.unclaimed import Unclaimed
from analyzer.tables import NO_EVIDENCE
from analyzer.tables.answer_facts import LOG_LINES
from analyzer.tables.fact_columns import PLACE

_COLUMNS = LOG_LINES.names[len(PLACE) :]
_TYPES = {column.name: column.type for column in LOG_LINES.columns}
TOO_LONG = "longer than is looked at"
MOST_CHARACTERS = 4_000
"""Of a longer line only the beginning is searched: some patterns look far ahead."""
_BEFORE_JSON = 400
"""Characters that may stand before a JSON line."""

_OF_LEADERS = frozenset({"leads", "follows"})
"""Lines of which a broker writes one for each of its partitions."""


class Placed(Protocol):
    """Where a line is: its number and its byte offset in the file."""

    @property
    def number(self) -> int:
        """The number of the line."""

    @property
    def offset(self) -> int:
        """Its byte offset."""


LogTaker = Callable[[Lines, Section], bool]
"""What takes the line at the cursor."""


def read_log(
    lines: Lines, rows: Rows, take: LogTaker, close: Callable[[int], None], *, bulk: bool = True
) -> Iterator[None]:
    """Read a log of any layout, or metrics as Prometheus prints them, with the tables that stand between its lines.

    `close` is called with the number of the last line. `bulk` passes over many lines at once, with equal rows.
    """
    section = Section(0, 1, 0, kind="broker_log")
    unclaimed, prose, dull = Unclaimed(), Prose(), DullLines(lines) if bulk else None
    while not lines.ended:
        if dull:
            dull.pass_over()
        count = rows.count
        if prose.take(lines.line, taken=take(lines, section)):
            unclaimed.add(lines, NO_EVIDENCE, maybe_text=False)
        elif rows.count == count and _hides(lines):
            unclaimed.add(lines, TOO_LONG, maybe_text=False)
        section.batches += rows.count - count
        lines.next()
        yield
    unclaimed.resolve(rows, section, text_allowed=False)
    close(max(lines.number - 1, 1))
    close_file(section, rows, lines)


def _hides(lines: Lines) -> bool:
    """Return whether a long line may say something where nobody looks."""
    if len(lines.line) <= MOST_CHARACTERS:
        return False
    rest = lines.line[len(beginning(lines).encode("utf-8", "replace")) :].lower()
    return lines.long or any(word.encode() in rest for word in telling())


def beginning(lines: Lines) -> str:
    """Return so much of the line at the cursor as is looked at; JSON says nothing before its end."""
    head = lines.text(MOST_CHARACTERS * 4)
    most = MOST_OF_JSON if '{"' in head[:_BEFORE_JSON] else MOST_CHARACTERS
    return (head if most == MOST_CHARACTERS else lines.text(most))[:most].rstrip("\n")


def add(rows: Rows, lines: Placed, line: LogLine, section: int = 0) -> None:
    """Add what a line says; a changed count is an observation, too, who leads and a cluster's id are nothing else.

    A coordinator leads its partition of __transaction_state, under the leader epoch that it names.
    """
    place = (section, lines.number, lines.offset)
    if line["says"] in _OF_LEADERS:
        values = (line["topic"], line["partition"], None, line["number"], line["offset"], line["text"])
        rows.add_row(("observations", ("leader_logged", *values)), place)
        return
    if line["says"] == CLUSTER:
        found = CLUSTER_ID.search(line["text"])
        whose = "client" if "clientId=" in line["text"] else None
        rows.add_row(("observations", ("cluster_id", None, None, whose, None, None, found and found[1])), place)
        return
    rows.add("log_lines", place, **{name: line.get(name) for name in _COLUMNS})
    if line["says"] == COORDINATES and (found := COORDINATOR.search(line["text"])):
        leads = (STATE_TOPIC, line["number"], None, int(found[1]), line["offset"], line["text"])
        rows.add_row(("observations", ("leader_logged", *leads)), place)
    if line["says"] == "count_changed":
        values = (line["topic"], None, None, line["offset"], line["number"], line["text"])
        rows.add_row(("observations", ("count_changed", *values)), place)


def said(text: str) -> Iterator[LogLine]:
    """Yield what a line says: of patterns that fit, the first. Of offsets that a program printed, each."""
    text = without_colours(text)
    typed = unfenced(as_typed(text))
    if typed.startswith('[{"'):
        yield from _of_json(typed.strip()) or ()
        return
    before, brace, json_text = typed.partition("{")
    if brace and '"' in json_text and _stands_before_lines(before):
        told = _of_json(brace + json_text.strip())
        if told is not None:
            yield from told
            return
    if fit := first_fit(typed[:MOST_CHARACTERS]):
        pattern, first = fit
        several = pattern.says == OFFSET_PRINTED
        for match in pattern.regex.finditer(typed[:MOST_CHARACTERS]) if several else (first,):
            yield _line(pattern.says, pattern.source, match.groupdict(), text)


def _stands_before_lines(text: str) -> bool:
    return not text.strip() or not NAMED.sub("", unwrapped(text), count=1)


def _line(says: str, source: str, told: dict[str, Any], text: str) -> LogLine:
    line: LogLine = {"says": says, "source": source}
    for name, value in told.items():
        kind = _TYPES[name]
        number = value is not None and kind in ("int", "bigint")
        line[name] = within(int(value if value.lstrip("-").isdigit() else Decimal(value)), kind) if number else value
    if says == "count_changed":
        line["topic"] = STATE_TOPIC
    return line | {"text": text.strip()[:MOST_TEXT]}


def _of_json(text: str) -> Iterator[LogLine] | None:
    """Return what a JSON line says: messages of logs, statistics of librdkafka, an answer of Jolokia; else None."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if (told := values_of(value)) is not None:
        return told
    return (line for one in lines_in(value) for line in _of_message(one))


def _of_message(value: dict[str, Any]) -> Iterator[LogLine]:
    """Yield what the message of a JSON line says, and when: its own time counts, not the one at which it was stored."""
    message = message_of(value) or ""
    if message.lstrip().startswith("{"):
        return
    found: list[LogLine] = []
    for text in (message, *errors_of(value)):
        found = found or list(said(text[:MOST_CHARACTERS]))
    if message == INITIALIZED:
        found = list(said(f"{message}; id: {value.get('id')}, epoch: {value.get('epoch')}"))
    if not found:
        return
    at = logged_ms(message) or logged_ms(json.dumps(value)) or moment_of(value)
    for line in found:
        beside = {name: _kept(name, one) for name, one in ids_of(value).items() if line.get(name) is None}
        yield line | beside | ({} if at is None else {"logged_ms": at})


def _kept(name: str, value: str | int) -> str | int | None:
    return value[:MOST_TEXT] if isinstance(value, str) else within(value, _TYPES[name])
