"""The life of a transactional id, or of a producer id without one: its transactions in order, and what is odd."""

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

from analyzer.errors import UsageError
from analyzer.lookups import ids
from analyzer.lookups.asking import Asking, Row, with_moments
from analyzer.lookups.changes import changes, fenced_in, oddities
from analyzer.lookups.outcome import DECIDED
from analyzer.report.sentences.cells import name


@dataclasses.dataclass(frozen=True, slots=True)
class Window:
    """Which transactions are wanted: begun at or after `since_ms` and before `until_ms`, at most `limit` (0: all)."""

    since_ms: int | None = None
    until_ms: int | None = None
    limit: int = 0
    odd_first: bool = False

    def has(self, at_ms: int | None) -> bool:
        """Return whether a moment lies in the window; one that is not known does."""
        if at_ms is None:
            return True
        return (self.since_ms is None or at_ms >= self.since_ms) and (self.until_ms is None or at_ms < self.until_ms)


def txn(asked: Asking, whose: str, window: Window) -> Row:
    """Return the life of an id. Raises UsageError if nothing in the capture names it."""
    named = resolved(asked, whose)
    if named:
        return _of_ids(asked, named, window)
    if whose.isdigit() and (spans := asked.rows("log_txns", ("producer_id", "=", int(whose)))):
        return _of_producer(asked, int(whose), spans, window)
    raise UsageError(
        f"nothing in the capture {name(asked.capture)} names the id {name(whose)}.",
        wanted="a transactional id or a producer id of it",
        do="txn-forensics top lists ids with the most transactions",
    )


def resolved(asked: Asking, whose: str) -> list[str]:
    """Return the transactional ids that a word names: itself, or those that had it as producer id."""
    if asked.rows("coordinator_states", ("transactional_id", "=", whose), columns=["file_id"]):
        return [whose]
    return ids.ids_of_producer(asked, int(whose)) if whose.isdigit() else []


def _of_ids(asked: Asking, named: Sequence[str], window: Window) -> Row:
    told = ids.records(asked, *named)
    txns = ids.id_txns(asked, *named)
    found = list(changes(told))
    of_txn, logs = ids.by_txn(txns, told), ids.logs_of(asked, txns)
    every = [_transaction(asked, one, of_txn, logs[ids.key_of(one)], found) for one in txns]
    return {
        "capture": asked.capture,
        "transactional_ids": list(named),
        "producer_ids": sorted({one["producer_id"] for one in told if one["producer_id"] not in {None, -1}}),
        "records": [_record(one) for one in told],
        "changes": [one for one in found if window.has(one["timestamp"])],
        "findings": _findings(asked, ("transactional_id", "in", named)),
        "open": _open(asked, ("transactional_id", "in", named)),
        **_wanted(every, window),
    }


def _wanted(every: Sequence[Row], window: Window) -> Row:
    """Return the transactions in the window, how many there are of each outcome, and how many are left out."""
    inside = [one for one in every if window.has(one["begun_ms"])]
    inside.sort(key=lambda one: (one["begun_ms"] or 0, one["number"]))
    if window.odd_first:
        inside.sort(key=lambda one: -len(one["odd"]))
    shown = inside[: window.limit] if window.limit else inside
    latencies = sorted(one["latency_ms"] for one in inside if one["latency_ms"] is not None)
    counts = {
        word: sum(one["outcome"] == word for one in inside) for word in sorted({one["outcome"] for one in inside})
    }
    return {
        "outcomes": counts,
        "latency_ms": {"median": latencies[len(latencies) // 2], "longest": latencies[-1]} if latencies else None,
        "transactions": shown,
        "left_out": len(inside) - len(shown),
        "outside": len(every) - len(inside),
    }


def _transaction(
    asked: Asking, one: Row, of_txn: dict[tuple[Any, ...], list[Row]], logs: Sequence[Row], found: Iterable[Row]
) -> Row:
    """Return a transaction by its coordinator, with what it did in each log that its list names."""
    told = of_txn.get(ids.key_of(one), [])
    judged = [log for log in logs if log["judged"]]
    marked = [log["marked_ms"] for log in judged if log["marked_ms"] is not None]
    here = {f"{log['topic']}-{log['partition']}" for log in logs}
    return {
        "number": one["coordinator_txn"],
        **{key: one[key] for key in ("state_partition", "transactional_id", "producer_id", "begun_ms", "timeout_ms")},
        "producer_epoch": one["decision_epoch"] if one["decision_epoch"] is not None else one["begin_epoch"],
        **{key: one[key] for key in ("decision", "state", "decided_ms", "completed_ms")},
        "outcome": DECIDED.get(one["decision"] or "", "open"),
        "latency_ms": max(marked) - one["decided_ms"] if marked and one["decided_ms"] is not None else None,
        "records": sum((log["data"] or {}).get("records") or 0 for log in judged),
        "logs": [_log(log) for log in logs],
        "not_here": [place for place in ids.partitions_of(told) if place not in here],
        "offsets": [record["offset"] for record in told],
        "odd": oddities(one, logs, fenced_in(found, of_txn, one), asked.captured_at),
    }


def _log(one: Row) -> Row:
    data = one["data"] or dict.fromkeys(("first_offset", "last_offset", "records", "marker"))
    return {
        **{name: one[name] for name in ("topic", "partition", "replica", "judged")},
        **{name: data[name] for name in ("first_offset", "last_offset", "records", "marker")},
        "marker_offset": one["marker_offset"], "marked_ms": one["marked_ms"],
    }  # fmt: skip


def _record(one: Row) -> Row:
    names = (
        "state_partition", "offset", "timestamp", "transactional_id", "state", "producer_id", "producer_epoch",
        "partitions", "timeout_ms", "tombstone",
    )  # fmt: skip
    return {**{name: one[name] for name in names}, "file": one["place"]["path"], "line": one["line"]}


def _findings(asked: Asking, about: tuple[str, str, Any]) -> list[Row]:
    return asked.rows("findings", about, columns=["id", "code", "name", "severity", "confidence", "headline"])


def _open(asked: Asking, whose: tuple[str, str, Any]) -> list[Row]:
    """Return what of an id is open in the judged logs, and what the report says of it."""
    rows = asked.rows("open_transactions", whose, ("authority", "=", True))
    told = ("capture", "authority")
    return [{name: value for name, value in with_moments(row).items() if name not in told} for row in rows]


def _of_producer(asked: Asking, producer_id: int, spans: Sequence[Row], window: Window) -> Row:
    """Return the life of a producer id of which no record of a coordinator is here: each log by itself."""
    judged = ids.judged_copies(asked)
    opened = {
        (one["topic"], one["partition"], one["replica"]): one
        for one in asked.rows("open_transactions", ("producer_id", "=", producer_id))
    }
    every = []
    for span in sorted(spans, key=lambda one: (one["topic"], one["partition"], one["replica"], one["txn_no"])):
        copy = (span["topic"], span["partition"], span["replica"])
        if span["first_offset"] is None or copy not in judged:
            continue
        told = opened.get(copy) if span["marker_offset"] is None else None
        log = {**span, "judged": True, "data": span, "marked_ms": span["marker_ms"]}
        every.append({
            "number": span["txn_no"], "transactional_id": None, "producer_id": producer_id,
            "producer_epoch": span["producer_epoch"], "begun_ms": span["first_ms"], "timeout_ms": None,
            "decision": None, "state": None, "decided_ms": None, "completed_ms": None,
            "outcome": DECIDED.get(span["marker"] or "", "open" if span["marker_offset"] is None else "ended"),
            "latency_ms": None, "records": span["records"] or 0, "logs": [_log(log)], "not_here": [], "offsets": [],
            "odd": [f"{told['verdict']}: {told['why']}"] if told else [],
        })  # fmt: skip
    return {
        "capture": asked.capture, "transactional_ids": [], "producer_ids": [producer_id], "records": [], "changes": [],
        "findings": _findings(asked, ("producer_id", "=", producer_id)),
        "open": _open(asked, ("producer_id", "=", producer_id)), **_wanted(every, window),
    }  # fmt: skip
