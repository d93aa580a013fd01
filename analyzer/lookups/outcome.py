"""What became of a record in one copy of a log, and who may read it since when.

The rules are those of the report: the transaction is that of `partition_txns` (RULES A 2), what is open is what
`open_transactions` says, and a marker that may be in offsets which no file shows decides nothing (RULES A 6 f, g).
"""

import dataclasses
from collections.abc import Sequence
from typing import Any

from analyzer.lookups.asking import Asking, Row
from analyzer.lookups.logs import Copy, covering, holes, opened_in
from analyzer.tables.moments import foreign, moment, moments_of, template

MOST_OPEN = 10_000
"""Open transactions that a report lists by default (`limits.open_transactions`)."""
DECIDED = {"COMMIT": "committed", "ABORT": "aborted"}


@dataclasses.dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a record: `word` (committed, aborted, open, unknown, plain or control), why, and what would tell.

    `why` is a template. `plain` is a record outside of transactions. `opened` is the row of `open_transactions` of an
    open one.
    """

    word: str
    why: str
    fetch: str | None = None
    opened: Row | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Visible:
    """Whether a consumer with read_committed is given a record: None where that is not known; `why` is a template.

    since_ms and since_offset: the marker that let it through, null where it waited for none.
    """

    to_read_committed: bool | None
    why: str
    since_ms: int | None = None
    since_offset: int | None = None


def outcome_of(asked: Asking, copy: Copy, batch: Row, span: Row | None, offset: int, ends: Sequence[Row]) -> Outcome:
    """Return what became of the record at this offset; `span` is the transaction that its batch belongs to.

    `ends` are the batches of its producer from the record up to the marker of the span.
    """
    if batch["is_control"]:
        return Outcome("control", _of_control(batch))
    if not batch["is_transactional"]:
        return Outcome("plain", "it is in no transaction: nothing has to commit it")
    if span is None:
        return Outcome("unknown", "the log shows no transaction at this offset: its batch is damaged")
    hole = next((one for one in holes(asked, copy) if _hides(one, offset, span["marker_offset"])), None)
    if hole is not None:
        lost = f"offsets {hole[0]} and after are not in the files here: its marker may be there"
        return Outcome("unknown", lost, fetch=f"the segments of {copy.topic}-{copy.partition} from offset {hole[0]} on")
    if span["marker_offset"] is None:
        return _open(asked, copy, span)
    emptied = _emptied(ends)
    if emptied is not None:
        why = f"the cleaner emptied the marker at offset {emptied}, which ended it, and nothing here says what it was"
        return Outcome("unknown", why)
    return _ended(asked, copy, span)


def _of_control(batch: Row) -> str:
    if batch["marker"] is None:
        return "it is a control record, which no consumer is given; what it says was not printed"
    whose = f"producer {batch['producer_id']}, epoch {batch['producer_epoch']}"
    return f"it is the {batch['marker']} marker of {whose}; no consumer is given it"


def _hides(hole: tuple[int, int], offset: int, marker_offset: int | None) -> bool:
    """Return whether a marker of the record's transaction may be in this hole."""
    return hole[1] > offset and (marker_offset is None or hole[0] < marker_offset)


def _open(asked: Asking, copy: Copy, span: Row) -> Outcome:
    """Return the outcome of a transaction without a marker in this copy: what the report says of it."""
    listed = opened_in(asked, copy)
    told = next((one for one in listed if one["producer_id"] == span["producer_id"]), None)
    if told is not None:
        why = template(told["why"], moments_of(told, "/why"))
        return Outcome("open", f"{told['verdict']}: {why}", fetch=told["fetch"], opened=told)
    if len(asked.few("open_transactions")) >= MOST_OPEN:
        return Outcome("open", "no marker ends it; its verdict is not among those that the report lists")
    why = "no marker of it is in this copy, but the newest producer snapshot does not have it open"
    return Outcome("unknown", why)


def _emptied(ends: Sequence[Row]) -> int | None:
    return next((one["base_offset"] for one in ends if one["is_control"] and one["count"] == 0), None)


def _ended(asked: Asking, copy: Copy, span: Row) -> Outcome:
    marker, at = span["marker"], span["marker_offset"]
    if marker is not None:
        return Outcome(DECIDED[marker], f"its producer's {marker} marker is at offset {at}")
    decided = decision_of(asked, copy, span)
    if decided is not None and decided["decision"] is not None:
        why = f"its coordinator decided {decided['decision']}; the marker at offset {at} was not printed"
        return Outcome(DECIDED[decided["decision"]], why)
    why = f"the marker at offset {at} ends it, and its type was not printed"
    return Outcome("unknown", why, fetch=f"a dump of {copy.topic}-{copy.partition} with --deep-iteration")


def decision_of(asked: Asking, copy: Copy, span: Row) -> Row | None:
    """Return the coordinator's transaction (a row of `id_txns`) whose marker ends this span, None for none known."""
    if span["marker_offset"] is None:
        return None
    own: list[Any] = [*copy.of, ("producer_id", "=", span["producer_id"]), ("txn_no", "=", span["txn_no"])]
    named = asked.rows("id_txn_logs", *own, ("marker_offset", "=", span["marker_offset"]))
    return txn_of(asked, named[0]) if named else None


def txn_of(asked: Asking, named: Row) -> Row | None:
    """Return the row of `id_txns` that a row of `id_txn_logs` names."""
    key = ("state_partition", "transactional_id", "coordinator_txn")
    rows = asked.rows("id_txns", *[(column, "=", named[column]) for column in key])
    return rows[0] if rows else None


def visible_of(asked: Asking, copy: Copy, batch: Row, outcome: Outcome, offset: int) -> Visible:
    """Return whether read_committed is given the record, and since when: the LSO is past it (RULES A 2)."""
    if outcome.word == "control":
        return Visible(to_read_committed=False, why="control records are given to no consumer")
    if outcome.word == "aborted":
        return Visible(to_read_committed=False, why="aborted records are given to no consumer with read_committed")
    if outcome.word == "unknown":
        return Visible(to_read_committed=None, why="what became of its transaction is not known")
    if not copy.health["has_log"]:
        return Visible(to_read_committed=None, why="no log of this copy is here")
    if offset < copy.health["log_start_offset"]:
        return Visible(
            to_read_committed=False, why=f"the log starts at offset {copy.health['log_start_offset']} by now"
        )
    if outcome.word == "open" or copy.health["lso"] <= offset:
        return _held(asked, copy, offset)
    return _let_through(asked, copy, batch, offset)


def _held(asked: Asking, copy: Copy, offset: int) -> Visible:
    lso = copy.health["lso"]
    first = next((one for one in opened_in(asked, copy) if one["first_offset"] <= offset), None)
    if first is None:
        return Visible(to_read_committed=False, why=f"the last stable offset is {lso}")
    whose = foreign(first["transactional_id"])
    by = f"producer {first['producer_id']}" + (f" ({whose})" if whose is not None else "")
    why = f"the last stable offset is {lso}: the transaction of {by} is open from {first['first_offset']}"
    return Visible(to_read_committed=False, why=why)


def _let_through(asked: Asking, copy: Copy, batch: Row, offset: int) -> Visible:
    """Return since when: the last marker of all transactions that were open at this offset let it through."""
    waited = [one for one in covering(asked, copy, offset) if one["marker_offset"] is not None]
    last = max(waited, key=lambda one: one["marker_offset"], default=None)
    if last is None:
        at = batch["max_timestamp"]
        why = f"since it was written and replicated ({batch['timestamp_type']} {moment(at)})"
        return Visible(to_read_committed=True, why=why, since_ms=at)
    own = last["producer_id"] == batch["producer_id"] and batch["is_transactional"]
    whose = (
        "its own marker" if own else f"the marker of producer {last['producer_id']}, open since {last['first_offset']}"
    )
    cut = any(_hides(one, offset, last["marker_offset"]) for one in holes(asked, copy))
    when = f"{'at the latest ' if cut else ''}since {whose} at offset {last['marker_offset']}"
    return Visible(to_read_committed=True, why=when, since_ms=last["marker_ms"], since_offset=last["marker_offset"])
