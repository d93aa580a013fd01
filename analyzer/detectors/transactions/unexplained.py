"""The words of hanging_unexplained: what is open, why nothing will end it, which causes remain."""

import dataclasses

from analyzer.detectors import causes as causes_, id_blocks
from analyzer.detectors.causes import Cause
from analyzer.detectors.model import Confidence, Ref, Step
from analyzer.detectors.needs import CUT, before_release
from analyzer.detectors.subject import OfOpenData
from analyzer.detectors.wording import producer, span
from analyzer.kafka.known_bugs.logs import MARKER_BY_KEY
from analyzer.kafka.timeouts import LONGEST_TIMEOUT_MS
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.tables.moments import moment

ONE_OF = "unexplained"


@dataclasses.dataclass(frozen=True, slots=True)
class Unexplained(id_blocks.Given, OfOpenData):
    """An open transaction that nothing will end: its id is at rest (`rest_kind` ended or moved), or it is too old."""

    rest_kind: str | None
    rest_ms: int | None
    rest_state: str | None
    rest_producer_id: int | None
    rest_epoch: int | None
    rest_ref: Ref | None
    state_partition: int | None
    decision: str | None
    previous_marker: str | None
    previous_marker_offset: int | None
    previous_marker_ms: int | None
    previous_marker_ref: Ref | None
    written_ms: int | None
    open_since_ms: int | None
    aged_by: str | None
    open_for_ms: int | None
    outlived: str | None
    after_ms: int | None
    given_epoch: int | None
    given_by_ms: int | None
    given_ref: Ref | None
    moment_told: bool | None
    has_data: bool
    log_start_offset: int
    max_timeout_ms: int | None
    max_timeout_told: bool
    two_phase_possible: bool | None
    new_leader_epoch: bool
    cleaned: bool
    emptied_offset: int | None
    has_log: bool
    snapshot_offset: int | None
    forgotten: bool


def confidence(e: Unexplained) -> Confidence:
    """Return how sure it is that nothing will end it."""
    if e.rest_kind is not None:
        return "certain" if e.has_log and e.emptied_offset is None and not e.cleaned else "likely"
    if e.aged_by == "own":
        return "possible"
    told = e.max_timeout_told and not e.two_phase_possible
    return "certain" if told and e.aged_by == "brokers" else "likely"


def otherwise(e: Unexplained) -> str | None:
    """Return what an age would not prove: no timeout at all, or files that are not of one moment."""
    if e.rest_kind is not None:
        return None
    none = "a two-phase-commit transaction (KIP-939), which has no timeout and may stay open"
    apart = "a copy older than the newest time in the files, which is taken as now: give the moment with --captured-at"
    told = [*([none] if e.two_phase_possible else []), *([] if e.moment_told else [apart])]
    return "; or ".join(told) or None


def data(e: Unexplained) -> str:
    """Say what is open."""
    if not (e.has_log and e.has_data):
        snapshot = "newest snapshot" if e.snapshot_offset is None else f"snapshot at {e.snapshot_offset}"
        lacking = "its records are not in these files" if e.has_log else "the log is not here"
        return f"as of the {snapshot}, {e.owner} has a transaction open from offset {e.first_offset}; {lacking}"
    return f"{e.wrote} as part of a transaction; no marker follows"


def rest(e: Unexplained) -> tuple[Step, ...]:
    """Say that the coordinator has done with the id."""
    since = moment(e.rest_ms)
    text = f"the id has been idle since {since}: its record is {e.rest_state}"
    if e.rest_kind == "moved":
        text = f"the id went on with {producer(e.rest_producer_id or -1, e.rest_epoch)} ({e.rest_state}) at {since}"
    if e.outlived is not None:
        return Step(text, e.rest_ref), *_outlived(e)
    older = "older records of the id were compacted away: they would show whether this partition was on its list"
    if e.forgotten:
        older = f"epoch {e.producer_epoch} stands only in records of a copy that a newer leader epoch cut off"
    return (
        Step(text, e.rest_ref),
        Step("a running transaction would have an Ongoing record: no coordinator will write a marker here"),
        Step(older),
    )


def _outlived(e: Unexplained) -> tuple[Step, ...]:
    """Say what shows that its epoch was raised before the data came."""
    nothing = f"this data has epoch {e.producer_epoch}: nothing of that epoch ran any more"
    if e.outlived == "log":
        before = f"the {e.previous_marker} marker at offset {e.previous_marker_offset}, before it, ended a higher epoch"
        return Step(before, e.previous_marker_ref), Step(nothing)
    return (
        Step(f"by {moment(e.given_by_ms)} its producer id had epoch {e.given_epoch}", e.given_ref),
        Step(f"a broker's clock says {moment(e.after_ms)} before it in this log; {nothing}"),
    )


def age(e: Unexplained) -> tuple[Step, ...]:
    """Say since when it is open and how long a client may ask for."""
    open_for = span(e.open_for_ms or 0)
    written = moment(e.written_ms)
    own = f"by the producer's own clock it was written at {written}, {open_for} before the newest time here"
    since = {
        "brokers": f"a time that a broker set at a later offset shows that it was there by {moment(e.open_since_ms)}",
        "producers": f"by the clocks of two other producers, {open_for} went by at later offsets",
        "pace": f"{own}; even at ten times the pace of the batches here, the later offsets took longer than is allowed",
    }.get(e.aged_by or "", f"{own}; no time of a broker follows")
    source = "Kafka's default; the capture does not say"
    if e.max_timeout_told:
        source = "by capture.toml or a broker's configuration"
    elif e.max_timeout_ms != LONGEST_TIMEOUT_MS:
        source = "as kafka-configs.sh says of a broker"
    return (
        Step(since),
        Step(f"no client may ask for more than {span(e.max_timeout_ms or 0)} (transaction.max.timeout.ms, {source})"),
        Step("no record of the producer id in __transaction_state is here to show whose it is and why it hangs"),
    )


def rests_on(e: Unexplained) -> str:
    """Say in a few words why nothing will end it."""
    if e.rest_kind is None:
        return f"it is {span(e.open_for_ms or 0)} old, longer than any timeout allows"
    if e.rest_kind == "moved":
        went_on = producer(e.rest_producer_id or -1, e.rest_epoch)
        return f"its coordinator went on with {went_on} ({e.rest_state}); it ends nothing of producer {e.producer_id}"
    return f"its coordinator has no running transaction of the id ({e.rest_state})"


def late(e: Unexplained) -> tuple[Step, ...]:
    """Say where the data looks like a late write: a marker right before it, data stamped before that marker."""
    if e.previous_marker_ms is None or e.written_ms is None or e.written_ms > e.previous_marker_ms:
        return ()
    text = (
        f"the {e.previous_marker or 'marker'} of this producer at offset {e.previous_marker_offset} is of "
        f"{moment(e.previous_marker_ms)}, later than the data's own timestamp {moment(e.written_ms)}: it looks like a "
        "late write, a batch that came after its own marker (TXN002)"
    )
    return (Step(text, e.previous_marker_ref),)


def causes(e: Unexplained) -> tuple[Cause | str, ...]:
    """Return the causes that remain."""
    if e.outlived is not None:
        fenced = "a producer that was fenced went on writing; a broker takes that once it has forgotten its producer id"
        return (Cause(fenced, needs=causes_.unchecked(e.topic)),)
    unchecked, safe = causes_.unchecked(e.topic), before_release(MARKER_BY_KEY.level())
    late = Cause("a late write: a batch that came after the marker of its transaction (TXN002)", needs=unchecked)
    never = Cause("the partition was never added to the transaction (TXN003)", needs=unchecked)
    may_be_late = e.previous_marker_offset is not None or not e.has_log or e.log_start_offset > 0
    causes: list[Cause | str] = [late, never] if may_be_late else [never]
    if e.forgotten:
        causes.insert(0, f"its coordinator lost the records of this transaction: {STATE_TOPIC} was truncated")
    if e.emptied_offset is not None:
        causes.insert(0, f"the cleaner emptied the marker at offset {e.emptied_offset} before this replica fetched it")
    if e.new_leader_epoch:
        causes.append(Cause("the marker was lost: a newer leader epoch begins after this data (TXN008)", needs=CUT))
    causes.append(causes_.SKIPPED)
    if e.cleaned:
        causes.append(Cause("the log cleaner removed the marker (TXN007)", needs=safe))
    if e.rest_kind == "moved" or e.rest_kind is None:
        causes.append("the coordinator lost the transaction when it moved to another broker (TXN014)")
    return tuple(
        Cause(one, among=ONE_OF) if isinstance(one, str) else dataclasses.replace(one, among=ONE_OF) for one in causes
    )


def refuted(e: Unexplained) -> str:
    """Say what would refute it."""
    marker = f"a marker of producer {e.producer_id} in a newer copy of {e.place}"
    if e.rest_kind is None:
        return f"{marker}, or a record of producer {e.producer_id} in {STATE_TOPIC} that calls it Ongoing"
    return f"{marker}, or an Ongoing record of {e.who} in a newer copy of {STATE_TOPIC}-{e.state_partition}"


def settled(e: Unexplained) -> str:
    """Say which file would tell the cause."""
    if e.rest_kind is None:
        return f"{STATE_TOPIC}, all partitions"
    state = f"{STATE_TOPIC}-{e.state_partition}"
    return f"for the cause: an older copy of {state}, and the other replicas of {e.place}"
