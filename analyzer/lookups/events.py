"""What happened in a capture, as events from each source: coordinator, markers, elections, log lines, admin answers."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import pyarrow as pa

from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lookups.asking import Row
from analyzer.lookups.window import Part, first_rows
from analyzer.report.sentences.cells import visible

SAID = {
    "election": "leader of {topic}-{partition} is broker {broker} (before: {was})",
    "unclean_election": "UNCLEAN election: leader of {topic}-{partition} is broker {broker} (before: {was})",
    "no_leader": "{topic}-{partition} has no leader (before: {was})",
    "topic_created": "topic {topic} was created",
    "topic_deleted": "topic {topic} was deleted",
    "partitions_added": "topic {topic} has {now} partitions (before: {was})",
    "quorum_leader": "controller {broker} leads the quorum, epoch {now}",
    "feature": "feature {subject} is {now} (before: {was})",
    "setting": "setting {subject} is {now} (before: {was})",
}
"""The words of events of the controllers' log; those of brokers are `broker N: event`."""


class Events(NamedTuple):
    """The first events of a source in order of time, and how many it has in all."""

    source: str
    rows: list[Row]
    total: int


Source = Callable[[Part, int], Events]


def event(at_ms: int, kind: str, message: str, source: str, **more: Any) -> Row:  # noqa: ANN401 - values of rows
    """Return an event: when, what kind of time that is, one sentence, from where."""
    return {"at_ms": at_ms, "timestamp_desc": kind, "message": visible(message), "source": source, **more}


def coordinator(part: Part, limit: int) -> Events:
    """Return the records of `__transaction_state`: each move of a transaction, with its partitions."""
    where = [("file_id", "in", part.files), *part.within("timestamp"), *part.of_ids()]
    rows = part.asked.table("coordinator_states", *where)
    if part.place is not None:
        rows = rows.filter(pa.array([part.names_place(one) for one in rows["partitions"].to_pylist()], pa.bool_()))
    rows = _once(part, rows)
    found = first_rows(rows, "timestamp", limit, "transactional_id", "offset").to_pylist()
    places = [one for one in part.asked.places if one["topic"] == STATE_TOPIC]
    once = {(one["file_id"], one["byte_offset"], one["record"]): one for one in part.asked.placed(found, places)}
    return Events("coordinator", [_of_coordinator(one) for one in once.values()], rows.num_rows)


def _once(part: Part, rows: pa.Table) -> pa.Table:
    """Return each record once: a state partition of which several copies or dumps are here has it several times."""
    files = {
        (one["file_id"], one["section"]): one["partition"] for one in part.asked.places if one["topic"] == STATE_TOPIC
    }
    shown = [
        (one["partition"], one["segment"])
        for one in part.asked.places
        if one["topic"] == STATE_TOPIC and one["kind"] == "log"
    ]
    if len(shown) == len(set(shown)):
        return rows
    columns = (rows[name].to_pylist() for name in ("file_id", "section", "offset", "line"))
    seen: set[tuple[Any, ...]] = set()
    keep = []
    for file, section, offset, line in zip(*columns, strict=True):
        key = (files.get((file, section or 0)), line if offset is None else offset)
        keep.append(key not in seen)
        seen.add(key)
    return rows.filter(pa.array(keep, pa.bool_()))


def _of_coordinator(one: Row) -> Row:
    whose, parts = one["transactional_id"], ", ".join(one["partitions"] or ())
    said = "the id was deleted" if one["tombstone"] else f"{one['state']}{f' with {parts}' if parts else ''}"
    return event(
        one["timestamp"], "Coordinator Record Time",
        f"{whose}: {said} (producer {one['producer_id']}, epoch {one['producer_epoch']})", "coordinator",
        transactional_id=whose, producer_id=one["producer_id"], state=one["state"], offset=one["offset"],
        topic=STATE_TOPIC, partition=one["place"]["partition"], file=one["place"]["path"], line=one["line"],
    )  # fmt: skip


def data(part: Part, limit: int) -> Events:
    """Return where transactions begin in the judged logs, by the clocks of their producers."""
    rows = part.spans("first_ms")
    found = first_rows(rows, "first_ms", limit, "topic", "partition", "first_offset").to_pylist()
    return Events("log", [_begun(one) for one in found], rows.num_rows)


def _begun(one: Row) -> Row:
    place = f"{one['topic']}-{one['partition']}"
    said = (
        f"{place}: data of producer {one['producer_id']}, epoch {one['producer_epoch']} from {one['first_offset']} on"
    )
    return event(one["first_ms"], "First Batch Time", said, "log", offset=one["first_offset"], **_where(one))


def markers(part: Part, limit: int) -> Events:
    """Return the markers in the judged logs, by the clocks of their leaders."""
    rows = part.spans("marker_ms")
    found = first_rows(rows, "marker_ms", limit, "topic", "partition", "marker_offset").to_pylist()
    return Events("marker", [_marked(one) for one in found], rows.num_rows)


def _marked(one: Row) -> Row:
    ended = "with nothing open" if one["first_offset"] is None else f"ends {one['first_offset']}..{one['last_offset']}"
    said = (
        f"{one['topic']}-{one['partition']}: {one['marker'] or 'unprinted'} marker of producer {one['producer_id']}, "
        f"epoch {one['marker_epoch']} at {one['marker_offset']} {ended}"
    )
    return event(
        one["marker_ms"], "Marker Append Time", said, "marker", offset=one["marker_offset"], marker=one["marker"],
        **_where(one),
    )  # fmt: skip


def _where(one: Row) -> Row:
    return {name: one[name] for name in ("topic", "partition", "replica", "producer_id")}


def controller(part: Part, limit: int) -> Events:
    """Return what the controllers' log dates: elections, registrations of brokers, settings."""
    rows = part.asked.table("cluster_events", *part.within("changed_ms"))
    wanted = _touched(part)
    if wanted is not None:
        keep = [
            wanted(topic, at)
            for topic, at in zip(*(rows[one].to_pylist() for one in ("topic", "partition")), strict=True)
        ]
        rows = rows.filter(pa.array(keep, pa.bool_()))
    found = first_rows(rows, "changed_ms", limit, "offset", "event").to_pylist()
    return Events("controller", [_of_controller(one) for one in found], rows.num_rows)


def _touched(part: Part) -> Callable[[str | None, int | None], bool] | None:
    """Return which events count: those of brokers, and of the place or the partitions of the id asked about."""
    if part.place is not None:
        topic, number = part.place
        return lambda name, at: name is None or (name == topic and (number is None or at in {None, number}))
    if part.producer_ids is None:
        return None
    used = part.asked.rows("log_txns", *part.of_producers(), columns=["topic", "partition"])
    places = {(one["topic"], one["partition"]) for one in used}
    topics = {topic for topic, _ in places}
    return lambda name, at: name is None or (name, at) in places or (at is None and name in topics)


def _of_controller(one: Row) -> Row:
    told = SAID.get(one["event"], "broker {broker}: {event}")
    said = told.format(**{name: "nothing" if value is None else value for name, value in one.items()})
    return event(
        one["changed_ms"], "Controller Record Time", said.replace("_", " ") if told not in SAID.values() else said,
        "controller", event=one["event"], topic=one["topic"], partition=one["partition"], broker=one["broker"],
        offset=one["offset"], file=one["path"], line=one["line"],
    )  # fmt: skip


def log_lines(part: Part, limit: int) -> Events:
    """Return the lines of logs of brokers and clients that say something about a transaction or a partition."""
    return _pasted(part, limit, "log_lines", "logged_ms", "Log Line Time", lambda one: f"{one['says']}: {one['text']}")


def answers(part: Part, limit: int) -> Events:
    """Return the answers of admin tools, where they tell when they were given."""
    return _pasted(part, limit, "answers", "answered_ms", "Answer Time", lambda one: f"{one['asked']}: {one['text']}")


def _pasted(part: Part, limit: int, name: str, column: str, kind: str, said: Callable[[Row], str]) -> Events:
    where = [("file_id", "in", part.files), *part.within(column), *part.of_place()]
    rows = part.asked.table(name, *where)
    if part.whose is not None:
        ids, producers = part.transactional_ids or [], part.producer_ids or []
        own = zip(rows["transactional_id"].to_pylist(), rows["producer_id"].to_pylist(), strict=True)
        rows = rows.filter(pa.array([one in ids or number in producers for one, number in own], pa.bool_()))
    source = "line" if name == "log_lines" else "answer"
    found = part.asked.placed(first_rows(rows, column, limit, "file_id", "byte_offset").to_pylist())
    return Events(source, list(_events(found, column, kind, said, source)), rows.num_rows)


def _events(found: Iterable[Row], column: str, kind: str, said: Callable[[Row], str], source: str) -> Iterator[Row]:
    for one in found:
        yield event(
            one[column], kind, said(one), source, topic=one["topic"], partition=one["partition"],
            transactional_id=one["transactional_id"], producer_id=one["producer_id"], file=one["place"]["path"],
            line=one["line"],
        )  # fmt: skip


SOURCES: tuple[Source, ...] = (coordinator, data, markers, controller, log_lines, answers)
"""Every source of events."""
