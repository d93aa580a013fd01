"""The section on what lines of logs, statistics and metrics say, in words, and which questions settle it."""

from collections.abc import Collection, Iterator, Sequence

from analyzer.kafka import admin_tools
from analyzer.kafka.log_lines.of_metrics import AT_LSO, GROUP_LAG, STANDS, UNDECODED_RECORD, UNNAMED
from analyzer.kafka.log_lines.pattern import OFFSET_PRINTED
from analyzer.kafka.reaching.reach import Reach
from analyzer.kafka.topics import OFFSETS_TOPIC, STATE_TOPIC
from analyzer.report.actions.reached import reach_of
from analyzer.report.actions.steps import Step, commands
from analyzer.report.document.log_rows import LogLine
from analyzer.report.document.types import Document, Note
from analyzer.report.outline.parts import Item, Part, Section, Text
from analyzer.report.sentences.cells import name
from analyzer.report.sentences.commands import before_commands
from analyzer.report.sentences.quantities import counted
from analyzer.report.sentences.times import Clock

SHOWN, MOST_QUESTIONS = 10, 6
Place = tuple[str, int]
"""Topic and partition."""
_WAITS = frozenset(
    {
        "unstable_offsets", "append_failed", "out_of_order", "no_leader", "stable_offset_lag", "marker_refused",
        "loading_failed", GROUP_LAG, STANDS, AT_LSO, OFFSET_PRINTED, "not_answered", "abort_failed", "few_in_sync",
        "unclean_election", UNNAMED,
    }
)  # fmt: skip
_CALM = frozenset({
    "initialized", "producer_id_asked", "producer_id_set", "rolled_back", "coordinates", "coordinates_no_more",
    "coordinator_found",
})  # fmt: skip
"""What is no trouble by itself: a client started, or a transaction was ended."""
_OF_REPLICAS = frozenset({"append_failed", "few_in_sync", "no_leader", "marker_refused", "unclean_election"})
"""Lines that may have their reason in who leads the partition, and in who is in sync."""

_OF_BROKERS = frozenset({"marker_unreachable", "not_connected", "broker_fenced", "coordinator_found"})
"""Lines whose number is a broker's."""


def log_lines(document: Document, clock: Clock) -> Section:
    """Return the section, empty where no line of a log says anything."""
    told = document.get("log_lines")
    if not told:
        return Section("", ())
    lines = told["lines"]
    items: list[Part] = [
        Item(log_sentence(line, clock), (f"{line['file']}:{line['line']}",), quote=line["text"])
        for line in some_of_each_kind(lines, SHOWN)
    ]
    left = told["total"] - len(items)
    if left > 0:
        items.append(Text(f"and {left} more lines, in the JSON report and in the table log_lines", "quiet"))
    return Section("What the logs say", (tuple(items), tuple(_asked(document, lines))))


def some_of_each_kind(lines: Sequence[LogLine], most: int) -> list[LogLine]:
    """Return so many lines in their order, of each kind the first and the last ones: what is rare tells most."""
    kinds: dict[str, list[int]] = {}
    for at, line in enumerate(lines):
        kinds.setdefault(line["says"], []).append(at)
    nearest = {at: min(nth, len(of) - 1 - nth) for of in kinds.values() for nth, at in enumerate(of)}
    return [lines[at] for at in sorted(sorted(nearest, key=lambda at: (nearest[at], at))[:most])]


def _asked(document: Document, lines: Sequence[LogLine]) -> Iterator[Part]:
    """Yield what to ask the cluster, ready to paste; what every command needs is said above if there are findings."""
    reach = reach_of(document)
    unled = [note for note in document["coverage"]["notes"] if note["kind"] == "no_leader"]
    first = [_leader_first(note, reach) for note in unled]
    asked = list(questions(lines, reach, {place for note in unled if (place := _place(note))}))
    if not asked and not first:
        return
    if not document["findings"]:
        every = (*(one.text for step in first for one in step.commands if one.text), *asked)
        yield from map(Text, before_commands(every, reach))
    yield from first
    told = "a broker's log shows what was so at that moment, a client's log what the client believed. Ask the cluster:"
    if asked:
        yield Step("look", told, commands(*((command, "") for command in asked)), number=len(first) + 1)


def _leader_first(note: Note, reach: Reach) -> Step:
    """Return what comes before every question about partitions without a leader: nobody answers for them (F 9)."""
    asked = reach.command(admin_tools.describe_topic(note.get("topic") or "") or admin_tools.UNAVAILABLE)
    return Step("look", f"bring back {note.get('fetch')}", commands((asked, "")), number=1)


def log_sentence(line: LogLine, clock: Clock) -> str:
    """Return one line: when, who, what it is about and what it proves."""
    written = line.get("at")
    at = "at an unknown time" if written is None else clock.moment(written)
    return f"{at}: {_about(line)}: {line['proves']}"


def questions(lines: Sequence[LogLine], reach: Reach, unled: Collection[Place] = ()) -> Iterator[str]:
    """Yield the commands that settle what the lines leave open, the most telling first: ids, then partitions.

    An id of which lines tell only that its client started, or that its transaction was ended, comes last; of
    partitions one where a group only lags, or of which only an offset is told. One where it is one offset short, as
    after every transaction's marker, is asked about only if no other lags; of those that are `unled`, nobody answers.
    Where clients tell of trouble, or metrics of markers that wait, and nobody of an id, all ids are listed.
    """
    ids = dict.fromkeys(id_ for line in lines if (id_ := line.get("transactional_id")))
    troubled = {line.get("transactional_id") for line in lines if line["says"] not in _CALM}
    last = sorted(lines, key=lambda line: line["says"] in (GROUP_LAG, OFFSET_PRINTED, UNNAMED))
    waiting = [line for line in last if _waits(line) and _place(line)]
    far = [line for line in waiting if not _one_short(line)] or waiting
    places = dict.fromkeys(place for line in far if (place := _place(line)) and place not in unled)
    asked = [admin_tools.describe_id(one) for one in ids if one in troubled]
    if any(line["says"] == "unstable_offsets" and line.get("topic") != OFFSETS_TOPIC for line in lines):
        asked.append(admin_tools.find_hanging_in(OFFSETS_TOPIC))
    for topic, partition in places:
        if topic == STATE_TOPIC:
            asked.append(admin_tools.describe_topic(topic))
        else:
            hanging = None if reach.launch.rpk else admin_tools.find_hanging(topic, partition)
            asked += [hanging, admin_tools.describe_producers(topic, partition)]
    refused = dict.fromkeys(one for line in lines if line["says"] in _OF_REPLICAS and (one := line.get("topic")))
    asked += [command for one in refused if (command := admin_tools.describe_topic(one)) not in asked]
    asked += [admin_tools.describe_id(one) for one in ids if one not in troubled]
    if not asked and any(_of_an_id(line) for line in lines):
        asked = [admin_tools.LIST]
    yield from [reach.command(command) for command in asked if command][:MOST_QUESTIONS]


def _of_an_id(line: LogLine) -> bool:
    """Return whether the line is of a transaction that its coordinator knows, whether or not it names the id."""
    return line["says"] == "markers_waiting" or (line["source"] == "client" and line["says"] not in _CALM)


def _waits(line: LogLine) -> bool:
    """Return whether something is open in the line's partition, as far as it tells.

    Unstable offsets are of the partition that a group reads; the transaction is open in the one that holds its offsets.
    """
    if line["says"] == "unstable_offsets" and line.get("topic") != OFFSETS_TOPIC:
        return False
    if line["says"] == "stable_offset":
        return (line.get("offset") or 0) < (line.get("number") or 0)
    return line["says"] in _WAITS and not (line["says"] == "stable_offset_lag" and line.get("number") == 0)


def _one_short(line: LogLine) -> bool:
    return line["says"] == GROUP_LAG and line.get("number") == 1


def _place(line: LogLine | Note) -> Place | None:
    topic, partition = line.get("topic"), line.get("partition")
    return None if topic is None or partition is None else (topic, partition)


def _offsets(line: LogLine) -> str:
    offset, number = line.get("offset"), line.get("number")
    if line["says"] == "stable_offset" and offset is not None and number is not None:
        waiting = f", {number - offset:,} above it" if number > offset else ""
        return f", LSO {offset} of high watermark {number}{waiting}"
    if line["says"] in (STANDS, AT_LSO, GROUP_LAG) and line["source"] == "tool" and number is not None:
        at = "" if offset is None else f" at {offset},"
        return f"{at} {number:,} before the end{', which a marker alone takes up' if _one_short(line) else ''}"
    return "" if offset is None else f" at {offset}"


def _about(line: LogLine) -> str:
    parts = []
    if id_ := line.get("transactional_id"):
        parts.append(name(id_))
    if line.get("producer_id") is not None:
        epoch = f" epoch {line['producer_epoch']}" if line.get("producer_epoch") is not None else ""
        parts.append(f"producer {line['producer_id']}{epoch}")
    if place := _place(line):
        parts.append(f"{name(place[0])}-{place[1]}{_offsets(line)}")
    counts = line["source"] == "metric" and line["says"] != "stable_offset"
    if (counts or line["says"] == "open_at_start") and line.get("number") is not None:
        parts.append(f"{line['number']:,}")
    if line["says"] in _OF_BROKERS and line.get("number") is not None:
        parts.append(f"broker {line['number']}")
    if line["says"] == UNDECODED_RECORD and (number := line.get("number")) is not None:
        parts.append(counted(number, "record"))
    source = line["source"] if line["source"] in {"metric", "tool"} else f"{line['source']} log"
    return f"{source}, {line['says'].replace('_', ' ')}{': ' if parts else ''}{', '.join(parts)}"
