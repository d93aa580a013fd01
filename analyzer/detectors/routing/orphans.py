"""An orphaned state as evidence, how sure each part of that is, and what to do about it."""

import dataclasses

from analyzer.detectors.certainty import RESUMES, Part, by_decision, certainty
from analyzer.detectors.model import Action, Confidence, Ref, Sure
from analyzer.detectors.routing.words import OtherRecord, confidence_of
from analyzer.detectors.wording import counted
from analyzer.tables.action_words import ActionWord

_DECIDED = {"Ongoing": "nothing", "PrepareAbort": "ABORT"}
"""What the states without a COMMIT say was decided."""


@dataclasses.dataclass(frozen=True, slots=True)
class Orphan(OtherRecord):
    """A misplaced state that is not finished; `served` is false, or null if the files cannot tell."""

    topic: str
    partition: int
    transactional_id: str
    producer_id: int
    producer_epoch: int
    state: str
    state_ms: int | None
    state_ref: Ref | None
    named: str
    belongs: int
    old_count: int
    new_count: int
    counts_confidence: str
    served: bool | None
    leader_by_new: bool | None
    old_epoch: int | None
    last_epoch: int | None
    epoch_ref: Ref | None
    open_count: int | None
    open_data: str | None
    open_records: int | None
    open_topic: str | None
    open_partition: int | None
    open_first: int | None
    open_last: int | None
    open_ref: Ref | None


def confidence(e: Orphan) -> Confidence:
    """Return how sure it is that no broker serves this state: never surer than the two counts."""
    sure = "possible" if e.served is None else confidence_of(e.counts_confidence)
    return "likely" if sure == "certain" and not e.leader_by_new else sure


def how_sure(e: Orphan) -> tuple[Sure, ...]:
    """Return how sure it is that it hangs, why, and that an abort is safe."""
    owner = f"but {RESUMES} believes that it is committed: ask the owner, and save the records first"
    safe: Part = "ask", f"nothing was decided, and no coordinator can commit it any more; {owner}", e.state_ref
    if e.served is None:
        safe = "no", "a broker may still serve this state and end it", None
    elif e.state != "Ongoing":
        safe = by_decision(e.state.removeprefix("Prepare").upper(), e.state_ref, e.open_topic or "")
    return certainty(
        (confidence(e), f"no broker looks for the id in {e.topic}-{e.partition}, so none ends it", e.epoch_ref),
        (confidence_of(e.counts_confidence), f"{e.topic} was expanded from {e.old_count} to {e.new_count}", None),
        safe,
    )


def action(e: Orphan) -> Action:
    """Return what to do, by the state and the open data."""
    if e.served is None:
        return Action(
            kind="fetch",
            word="fetch files first",
            summary="FETCH FILES FIRST: the leader-epoch-checkpoint of that partition. DO NOT ABORT before that: these "
            "files do not show whether a broker still serves this state. Or wait until all brokers were restarted.",
        )
    if not e.open_count or e.open_topic is None or e.open_partition is None or e.open_first is None:
        return Action(
            kind="none",
            word="leave it",
            summary=f"LEAVE IT. {e.transactional_id} has no open data here; start its client again: it gets another "
            "producer id. Check the partitions that the state names and that are not in this capture.",
        )
    more = "" if e.open_count == 1 else f" Do the same for each of {e.open_data}, each with its own first offset."
    if e.state == "PrepareCommit":
        return Action(
            kind="save_then_abort",
            word="do not abort yet",
            summary=f"DO NOT ABORT YET. COMMIT is decided. Restart the leader of {e.topic}-{e.partition}: it sends the "
            "COMMIT markers again when it loads the record. Only if the data is still open then: rescue the records, "
            f"abort, produce them again.{more}",
            state=e.state,
            warning=f"an abort discards {counted(e.open_records, 'committed record')}",
            loses_records=e.open_records,
            discards=e.open_records,
            decided="COMMIT",
        )
    word, text = _ends(e)
    return Action(
        kind="abort",
        word=word,
        summary=f"{text}{more}",
        state=e.state,
        discards=e.open_records,
        decided=_DECIDED.get(e.state),
        warning="stop the client of this id first, and start it again afterwards: it gets another producer id",
    )


def _ends(e: Orphan) -> tuple[ActionWord, str]:
    """Return how an orphan without a COMMIT is ended: by its decided markers, sent again, or by hand."""
    nothing, ask = "Nothing was committed, and no client can end it any more.", ""
    if e.state == "Ongoing":
        nothing = (
            f"Nothing was committed, and no client can end it any more, not even {RESUMES}: it believes that these "
            "records are committed and does not send them again, so save them first."
        )
        ask = "then ask its owner, and "
    when = "once the check matches and every broker uses the new count"
    if confidence(e) == "possible":
        return "check first", f"CHECK FIRST whether the counts are right; {ask}abort {when}. {nothing}"
    if e.state == "PrepareAbort":
        again = f"of {e.topic}-{e.partition}: it sends the ABORT markers again when it loads the record."
        return "restart the leader", f"RESTART THE LEADER {again} Abort by hand what is still open then. {nothing}"
    return "ask the owner", f"ASK ITS OWNER, then abort it {when}. {nothing}"
