"""The words about data that another transaction's marker decided: whose it was, and who has to know."""

import dataclasses

from analyzer.detectors import checks
from analyzer.detectors.model import Action, Confidence, Explanation, Readers, Ref, Step, step_if
from analyzer.detectors.subject import OfData
from analyzer.detectors.wording import article, by_number, counted, offsets, producer
from analyzer.kafka.topics import OFFSETS_TOPIC
from analyzer.tables.moments import moment


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence(OfData):
    """Batches that a later transaction's marker ends: written before it had this partition, or left by a lost marker.

    Of the first kind `own_decision` is null; of the second appended_by_ms, spread_ms and proven_last are. begin_epoch:
    with which the transaction around it began, or went on from newer_offset if no record tells of its begin; null for
    the second kind.
    """

    first_ref: Ref | None
    appended_by_ms: int | None
    registered_ms: int | None
    registered_ref: Ref | None
    begin_epoch: int | None
    spread_ms: int | None
    proven_last: int | None
    newer_offset: int | None
    newer_ref: Ref | None
    previous_marker: str | None
    previous_marker_offset: int | None
    decision: str | None
    marker_offset: int | None
    marker_ref: Ref | None
    own_decision: str | None
    own_decided_ms: int | None
    own_ref: Ref | None
    new_epoch: int | None
    epoch_offset: int | None
    epoch_ref: Ref | None
    parted: bool | None
    snapshot_ref: Ref | None


def left_over(e: Evidence) -> Explanation:
    """Put data whose own marker was lost into words."""
    records, was = counted(e.records, "record"), by_number(e.records, "was", "were")
    them = by_number(e.records, "it", "them")
    by_luck = e.decision == e.own_decision
    fate = "the same way, by luck" if by_luck else f"as {e.decision}"
    epoch = f"leader epoch {e.new_epoch} begins at offset {e.epoch_offset}, inside the span"
    how = "an unclean election, a truncation, the cleaner"
    rebuilt = "a snapshot in between shows that they had been ended before: only a replica that rebuilds its state errs"
    return Explanation(
        headline=f"{records} of {e.who} {was} decided {e.own_decision} and its next marker ended {them} {fate}",
        label="ended by the next transaction",
        confidence=_sure_of_left_over(e),
        steps=(
            Step(
                f"{offsets(e.first_offset, e.last_offset)} ({producer(e.producer_id, e.producer_epoch)}) have no "
                "marker of their own transaction after them",
                e.first_ref,
            ),
            Step(
                f"the coordinator decided {e.own_decision} for them at {moment(e.own_decided_ms)} and completed it: it "
                "made one decision more than this log has markers",
                e.own_ref,
            ),
            *step_if(e.new_epoch is not None, epoch, e.epoch_ref),
            end_step(e),
            *step_if(e.snapshot_ref, rebuilt, e.snapshot_ref),
        ),
        cause=(f"the marker was lost ({how}) and the producer, which saw no error, went on",),
        refuted_by=f"{article(e.own_decision)} marker of producer {e.producer_id} between offset {e.last_offset} and "
        f"{e.marker_offset} in another copy",
        otherwise=None if e.parted else "records of the next transaction, if the earlier one wrote nothing here",
        settled_by="the copies of this partition on the other brokers",
        readers=readers(e),
        action=action(e, records, _sure_of_left_over(e)),
    )


def _sure_of_left_over(e: Evidence) -> Confidence:
    if e.snapshot_ref is not None:
        return "possible"
    return "certain" if e.parted else "likely"


def end_step(e: Evidence) -> Step:
    """Return the step that says what ended the data."""
    if e.decision is None:
        return Step("that transaction is still open: its marker will decide these records too")
    return Step(f"its {e.decision} marker at offset {e.marker_offset} decided these records too", e.marker_ref)


def _ask(e: Evidence) -> str:
    """Return how to find out what was decided for them: the marker before them may be of their own transaction."""
    if e.previous_marker is None:
        return "Ask the producer's owners whether it was told COMMIT or ABORT; if ABORT, "
    return (
        f"The marker before them here is {article(e.previous_marker)} (offset {e.previous_marker_offset}). Confirm "
        "with the producer's owners what was decided for them; if ABORT, "
    )


def readers(e: Evidence) -> Readers | None:
    """Return what readers were given by that marker; nothing yet while it is to come."""
    if e.decision is None or e.decision == e.own_decision:
        return None
    return Readers("wrong_data" if e.decision == "COMMIT" else "lost_data", e.records)


def action(e: Evidence, records: str, confidence: Confidence) -> Action:
    """Return what to do: nothing can be ended, but the owners on either side must be notified."""
    where = f"{e.place} {offsets(e.first_offset, e.last_offset)}"
    check = None
    if e.topic != OFFSETS_TOPIC:
        check = checks.of_records(e.topic, e.partition, e.first_offset, e.last_offset)
    if e.decision is None:
        text = (
            f"WAIT, then look at {where}: when this transaction commits, {records} of an ended one "
            f"{by_number(e.records, 'becomes', 'become')} visible with it. Ask the producer's owners what was decided "
            "for the ended one."
        )
        return Action(kind="wait", word="wait", summary=text, check=check)
    if e.decision == e.own_decision:
        text = f"NOTHING TO DO HERE. By luck, {records} ({where}) ended as decided. Check the id's other partitions."
        return Action(kind="none", word="nothing to do here", summary=text, check=check)
    if e.decision == "COMMIT":
        text = f"NOTIFY THE CONSUMERS' OWNERS. Nothing hangs, but {_given(e, records, where, confidence)}"
        return Action(kind="none", word="notify consumers", summary=text, check=check)
    were = by_number(e.records, "was", "were")
    lost = f"Nothing hangs, but {records} ({where}) {were} discarded with a later transaction."
    again = (
        f"COMMIT was decided, so {by_number(e.records, 'it has', 'they have')} to be sent again."
        if e.own_decision
        else "If the producer was told COMMIT for them, it has to send them again."
    )
    text = f"NOTIFY THE PRODUCER'S OWNERS. {lost} {again}"
    return Action(kind="none", word="notify the producer", summary=text, check=check)


def _given(e: Evidence, records: str, where: str, confidence: Confidence) -> str:
    """Return which records readers were given, and what has to be undone."""
    belong = by_number(e.records, "belongs", "belong")
    belong = belong if confidence == "certain" else f"probably {belong}"
    them = by_number(e.records, "it has", "they have")
    undone = f"{_ask(e)}{them} to be undone downstream."
    if e.own_decision:
        undone = f"ABORT was decided, so {them} to be undone downstream."
    ended = f"{belong} to a transaction that had ended before"
    return f"read_committed readers got {records} ({where}) that {ended}. {undone}"
