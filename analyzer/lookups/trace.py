"""A timeline as a trace: lanes for ids and for partitions, spans for transactions, instants for markers and elections.

The form is the JSON of the Trace Event Format (Google, "Trace Event Format", 2016), which Perfetto and chrome://tracing
open. Times are microseconds.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from analyzer.lookups.asking import Row
from analyzer.lookups.events import controller
from analyzer.lookups.outcome import DECIDED
from analyzer.lookups.window import Part, first_rows

IDS, PARTITIONS, CLUSTER = 1, 2, 3
PROCESSES = {IDS: "transactional ids", PARTITIONS: "partitions", CLUSTER: "cluster"}
"""What a trace has in the place of processes."""


class Lanes:
    """Lanes of one process: spans of one name that overlap are put side by side, so that every viewer nests them."""

    def __init__(self, process: int) -> None:
        """Start without lanes."""
        self._process = process
        self._numbers: dict[tuple[str, int], int] = {}
        self._free_at: dict[str, list[int]] = {}

    def lane(self, name: str, begin: int, end: int) -> int:
        """Return the number of a lane of this name that is free from `begin` on, taken until `end`."""
        free = self._free_at.setdefault(name, [])
        at = next((place for place, until in enumerate(free) if until <= begin), len(free))
        free[at : at + 1] = [end]
        return self._numbers.setdefault((name, at), len(self._numbers) + 1)

    def first(self, name: str) -> int:
        """Return the number of the first lane of this name."""
        self._free_at.setdefault(name, [0])
        return self._numbers.setdefault((name, 0), len(self._numbers) + 1)

    def named(self) -> Iterator[Row]:
        """Yield the events that name the lanes."""
        for (name, at), number in self._numbers.items():
            shown = name if at == 0 else f"{name} ({at + 1})"
            yield _meta("thread_name", self._process, number, {"name": shown})


class Trace(NamedTuple):
    """The events of a trace, and how many spans and instants of each kind are left out."""

    events: list[Row]
    left_out: dict[str, int]


def trace(part: Part, limit: int) -> Trace:
    """Return the trace of a part of a capture: at most `limit` spans of each kind, those that begin first."""
    ids, partitions, cluster = Lanes(IDS), Lanes(PARTITIONS), Lanes(CLUSTER)
    left_out: dict[str, int] = {}
    decided = part.asked.table("id_txns", *part.within("begun_ms"), *part.of_ids())
    spans = part.spans("first_ms")
    told = controller(part, limit)
    events = list(_of_ids(_first(decided, "begun_ms", limit, left_out, "id spans"), ids, part))
    events += _of_logs(_first(spans, "first_ms", limit, left_out, "partition spans"), partitions, part)
    events += [_election(one, cluster, partitions) for one in told.rows]
    if told.total > len(told.rows):
        left_out["cluster events"] = told.total - len(told.rows)
    names = [_meta("process_name", number, 0, {"name": name}) for number, name in PROCESSES.items()]
    return Trace([*names, *ids.named(), *partitions.named(), *cluster.named(), *events], left_out)


def _first(rows: Any, column: str, limit: int, left_out: dict[str, int], kind: str) -> list[Row]:  # noqa: ANN401 - pyarrow is Any to us
    if rows.num_rows > limit:
        left_out[kind] = rows.num_rows - limit
    found: list[Row] = first_rows(rows, column, limit).to_pylist()
    return found


def _of_ids(txns: Iterable[Row], lanes: Lanes, part: Part) -> Iterator[Row]:
    """Yield a span for each transaction of an id: from its begin to its completion, or to the capture."""
    for one in txns:
        end = _end(one["begun_ms"], one["completed_ms"], part)
        lane = lanes.lane(one["transactional_id"], one["begun_ms"], end)
        word = DECIDED.get(one["decision"] or "", "open")
        args = {name: one[name] for name in ("producer_id", "decision_epoch", "state", "timeout_ms", "coordinator_txn")}
        yield _span(f"{word}", "transaction", IDS, lane, one["begun_ms"], end, args)
        if one["decided_ms"] is not None:
            yield _instant(f"decided {one['decision']}", "decision", IDS, lane, one["decided_ms"], {})


def _of_logs(spans: Iterable[Row], lanes: Lanes, part: Part) -> Iterator[Row]:
    """Yield a span for each transaction in a log: from its first batch to its marker, which is an instant."""
    for one in spans:
        name = f"{one['topic']}-{one['partition']}"
        begin, end = one["first_ms"], _end(one["first_ms"], one["marker_ms"], part)
        lane = lanes.lane(name, begin, end)
        word = DECIDED.get(one["marker"] or "", "open" if one["marker_offset"] is None else "ended")
        kept = ("producer_id", "producer_epoch", "first_offset", "last_offset", "records", "marker_offset", "replica")
        yield _span(
            f"{word} {one['producer_id']}", "data", PARTITIONS, lane, begin, end, {key: one[key] for key in kept}
        )
        if one["marker_ms"] is not None:
            args = {"offset": one["marker_offset"], "epoch": one["marker_epoch"]}
            yield _instant(f"{one['marker'] or 'marker'}", "marker", PARTITIONS, lane, one["marker_ms"], args)


def _end(begin: int, end: int | None, part: Part) -> int:
    """Return where a span ends: where it was ended, else at the capture; clocks that differ make none negative."""
    last = end if end is not None else part.asked.captured_at
    return max(begin, begin if last is None else last)


def _election(one: Row, cluster: Lanes, partitions: Lanes) -> Row:
    """Return an event of the controllers' log: in the lane of its partition, else in that of the cluster."""
    args = {"message": one["message"], "broker": one["broker"]}
    if one["topic"] is not None and one["partition"] is not None:
        lane = partitions.first(f"{one['topic']}-{one['partition']}")
        return _instant(one["event"], "controller", PARTITIONS, lane, one["at_ms"], args)
    return _instant(one["event"], "controller", CLUSTER, cluster.first("controllers' log"), one["at_ms"], args)


def _span(name: str, kind: str, process: int, lane: int, begin: int, end: int, args: Row) -> Row:
    times = {"ts": begin * 1000, "dur": (end - begin) * 1000}
    return {"name": name, "cat": kind, "ph": "X", **times, "pid": process, "tid": lane, "args": args}


def _instant(name: str, kind: str, process: int, lane: int, at: int, args: Row) -> Row:
    return {
        "name": name, "cat": kind, "ph": "i", "ts": at * 1000, "pid": process, "tid": lane, "s": "t", "args": args,
    }  # fmt: skip


def _meta(name: str, process: int, lane: int, args: Row) -> Row:
    return {"name": name, "ph": "M", "pid": process, "tid": lane, "args": args}
