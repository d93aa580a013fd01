"""Whose a record is: its batch, its transaction, what became of it, and the lines that prove it."""

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

from analyzer.kafka import admin_tools
from analyzer.kafka.reaching.reach import UNKNOWN, Reach
from analyzer.lookups import ids
from analyzer.lookups.asking import Asking, Row
from analyzer.lookups.contents import absent, contents_of
from analyzer.lookups.faults import findings_at, with_findings
from analyzer.lookups.logs import Copy, batch_at, batches_of, copies, ended_by, first_from, span_at
from analyzer.lookups.outcome import DECIDED, Outcome, Visible, decision_of, outcome_of, visible_of
from analyzer.lookups.place import Spot, unknown_partition
from analyzer.tables.moments import stated

SEQUENCES = 1 << 31
"""Sequences of a producer begin at 0 again after so many."""
MOST_PARTITIONS = 100
"""Partitions of a transaction that are listed; the others are counted."""


def who(asked: Asking, spot: Spot, given: Reach = UNKNOWN) -> Row:
    """Return what each copy of a partition says of a record, the judged one first. Raises UsageError for none.

    `given`: how commands of the next step reach the brokers, if options tell; else as the case has it.
    """
    there = copies(asked, spot.topic, spot.partition)
    if not there:
        raise unknown_partition(asked, spot.topic, spot.partition)
    told = [_in_copy(asked, copy, spot) for copy in there]
    asks = {"offset": spot.offset, "time_ms": spot.time_ms}
    reach = given or asked.reach
    steps = [_by(step, reach) for step in _next(spot, told)]
    return {
        "capture": asked.capture, "topic": spot.topic, "partition": spot.partition, "asked": asks,
        "copies": told, "next": steps, **({"reach": reach.told()} if reach else {}),
    }  # fmt: skip


def _by(step: Row, reach: Reach) -> Row:
    """Return a step whose command goes this way."""
    return {**step, "command": reach.command(step["command"])} if step.get("command") else step


def _in_copy(asked: Asking, copy: Copy, spot: Spot) -> Row:
    bounds = ("log_start_offset", "lso", "log_end_offset")
    head = {"replica": copy.replica, "judged": copy.judged, "bounds": {name: copy.health[name] for name in bounds}}
    offset = spot.offset if spot.offset is not None else first_from(asked, copy, spot.time_ms or 0)
    batch = None if offset is None else batch_at(asked, copy, offset)
    if offset is None or batch is None:
        return {**head, "offset": offset, **absent(asked, copy, offset)}
    return {**head, "offset": offset, **_record(asked, copy, batch, offset)}


def _record(asked: Asking, copy: Copy, batch: Row, offset: int) -> Row:
    producer_id, inside = batch["producer_id"], batch["is_transactional"] and batch["producer_id"] is not None
    span = None
    if inside and batch["is_control"]:
        span = ended_by(asked, copy, producer_id, batch["base_offset"])
    elif inside:
        span = span_at(asked, copy, producer_id, offset)
    ends: list[Row] = []
    if span is not None and span["marker_offset"] is not None and not batch["is_control"]:
        ends = batches_of(asked, copy, producer_id, offset, span["marker_offset"])
    outcome = outcome_of(asked, copy, batch, span, offset, ends)
    found = findings_at(asked, copy, offset, span)
    outcome, visible = with_findings(outcome, visible_of(asked, copy, batch, outcome, offset), found, offset)
    thinned, visible = _thinned(asked, batch, offset, visible)
    txn = _transaction(asked, copy, span, outcome)
    return {
        "outcome": outcome.word,
        **stated({"why": f"{outcome.why}{thinned}"}),
        "fetch": outcome.fetch,
        "visible": _written(visible),
        "batch": _batch(batch, offset),
        "contents": contents_of(asked, copy, offset, outcome),
        "transaction": txn,
        "findings": found,
        "evidence": list(_evidence(asked, copy, batch, ends[-1:], visible, txn)),
    }


def _thinned(asked: Asking, batch: Row, offset: int, visible: Visible) -> tuple[str, Visible]:
    """Return what became of the record itself, and who is given it, where the cleaner took some of its batch."""
    offsets, count = batch["last_offset"] - batch["base_offset"] + 1, batch["count"]
    if batch["is_control"] or count is None or count >= offsets:
        return "", visible
    few = f"{count} of the {offsets} records of its batch"
    left = frozenset[int]() if count == 0 else asked.offsets_left(batch)
    if left is None:
        unsure = dataclasses.replace(visible, to_read_committed=None, why=f"{visible.why}, if the cleaner left it")
        return f"; the cleaner left {few}, perhaps not this one", unsure if visible.to_read_committed else visible
    if offset in left:
        return f"; the cleaner left {few}, this one too", visible
    return f"; the cleaner took the record itself: {few} are left", Visible(
        to_read_committed=False, why="the cleaner took it"
    )


def _written(visible: Visible) -> Row:
    return {
        "read_committed": visible.to_read_committed, **stated({"why": visible.why}), "since_ms": visible.since_ms,
        "since_offset": visible.since_offset,
    }  # fmt: skip


def _batch(batch: Row, offset: int) -> Row:
    names = (
        "base_offset", "last_offset", "count", "base_sequence", "last_sequence", "producer_id", "producer_epoch",
        "partition_leader_epoch", "is_transactional", "is_control", "marker", "coordinator_epoch", "timestamp_type",
        "max_timestamp", "size", "codec", "crc_valid",
    )  # fmt: skip
    first = batch["base_sequence"]
    numbered = first is not None and first >= 0
    sequence = (first + offset - batch["base_offset"]) % SEQUENCES if numbered else None
    return {**{name: batch[name] for name in names}, "sequence": sequence}


def _transaction(asked: Asking, copy: Copy, span: Row | None, outcome: Outcome) -> Row | None:
    """Return the transaction that a record is part of: by its coordinator, and in each partition that it touched."""
    if span is None:
        return None
    decided = decision_of(asked, copy, span)
    if decided is not None:
        parts = ids.logs_of(asked, [decided])[ids.key_of(decided)]
        return _by_coordinator(asked, decided, [_part(one, one["data"]) for one in parts])
    named = ids.ids_of_producer(asked, span["producer_id"])
    opened = outcome.opened or {}
    whose = opened.get("transactional_id") or (named[0] if len(named) == 1 else None)
    here = {**span, "judged": copy.judged, "marker_offset": span["marker_offset"], "marked_ms": span["marker_ms"]}
    return {
        "transactional_id": whose, "producer_id": span["producer_id"], "producer_epoch": span["producer_epoch"],
        "decision": None, "verdict": opened.get("verdict"), "finding": opened.get("finding"),
        "newest": _newest(asked, whose), "partitions": [_part(here, span)], "records": [],
    }  # fmt: skip


def _newest(asked: Asking, whose: str | None) -> Row | None:
    """Return what the coordinator's records say last of an id."""
    if whose is None or not (told := ids.records(asked, whose)):
        return None
    last = max(told, key=lambda one: (one["timestamp"] or 0, one["offset"]))
    names = ("state", "producer_id", "producer_epoch", "partitions", "timestamp", "tombstone")
    return {**{name: last[name] for name in names}, "evidence": asked.quote_fact(last)}


def _by_coordinator(asked: Asking, txn: Row, parts: list[Row]) -> Row:
    told = ids.by_txn(ids.id_txns(asked, txn["transactional_id"]), ids.records(asked, txn["transactional_id"]))
    own = told[ids.key_of(txn)]
    moves = [
        one for before, one in zip([None, *own], own, strict=False) if before is None or one["state"] != before["state"]
    ]
    here = {f"{one['topic']}-{one['partition']}" for one in parts}
    names = (
        "transactional_id", "producer_id", "decision", "state", "begun_ms", "decided_ms", "completed_ms", "timeout_ms",
        "coordinator_txn", "state_partition",
    )  # fmt: skip
    return {
        **{name: txn[name] for name in names},
        "producer_epoch": txn["decision_epoch"],
        "partitions": parts[:MOST_PARTITIONS],
        "partitions_left_out": max(0, len(parts) - MOST_PARTITIONS),
        "partitions_not_here": [one for one in ids.partitions_of(own) if one not in here],
        "records": [_state_record(asked, one) for one in moves],
    }


def _state_record(asked: Asking, record: Row) -> Row:
    names = ("offset", "state", "timestamp", "producer_epoch")
    return {**{name: record[name] for name in names}, "evidence": asked.quote_fact(record)}


def _part(one: Row, data: Row | None) -> Row:
    """Return what a transaction did in one copy of a log."""
    told = data or dict.fromkeys(("first_offset", "last_offset", "records", "marker"))
    return {
        **{name: one[name] for name in ("topic", "partition", "replica", "judged")},
        **{name: told[name] for name in ("first_offset", "last_offset", "records", "marker")},
        "marker_offset": one["marker_offset"],
        "marker_ms": one["marked_ms"],
        "outcome": DECIDED.get(told["marker"] or "", "open" if one["marker_offset"] is None else "ended"),
    }


def _evidence(
    asked: Asking, copy: Copy, batch: Row, marker: Sequence[Row], visible: Visible, txn: Row | None
) -> Iterator[Row]:
    """Yield the lines that an answer rests on: the batch, its marker, what let it through, the coordinator's."""
    shown = [("the batch", batch), *(("its marker", one) for one in marker)]
    if visible.since_offset is not None and visible.since_offset not in {one["base_offset"] for one in marker}:
        let = batch_at(asked, copy, visible.since_offset)
        shown += [("the marker that let it through", let)] if let is not None else []
    for label, row in shown:
        at = ("marker_line", "marker_byte_offset") if row["marker_byte_offset"] is not None else ("line", "byte_offset")
        quote = asked.quote(row["place"]["path"], row[at[0]], row[at[1]])
        if quote is not None:
            yield {"label": label, **quote}
    for record in txn["records"] if txn else ():
        if record["evidence"] is not None:
            yield {"label": f"the coordinator: {record['state']}", **record["evidence"]}


def _next(spot: Spot, told: Sequence[Row]) -> Iterator[Row]:
    """Yield the commands of the next step, each with what it is for."""
    first = told[0]
    txn: dict[str, Any] = first.get("transaction") or {}
    for finding in first.get("findings") or ():
        yield {"for": f"what to do about {finding['id']}", "explain": finding["id"]}
    if txn.get("transactional_id") is not None:
        yield {"for": "the life of its id", "txn": txn["transactional_id"]}
    elif txn:
        yield {"for": "the life of its producer", "txn": str(txn["producer_id"])}
    if first["outcome"] == "open":
        yield {"for": "whether it is still open", "command": admin_tools.describe_producers(spot.topic, spot.partition)}
        if txn.get("transactional_id") is not None:
            yield {"for": "what its coordinator says now", "command": admin_tools.describe_id(txn["transactional_id"])}
    if first.get("fetch"):
        yield {"for": "what would tell", "fetch": first["fetch"]}
    if first["outcome"] in {"committed", "aborted", "open", "unknown", "plain"} and first["offset"] is not None:
        read = admin_tools.print_range(spot.topic, spot.partition, first["offset"], first["offset"])
        yield {"for": "its content, by a consumer with read_uncommitted", "command": read}
