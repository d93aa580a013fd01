"""One transaction has its marker in one partition, and none or the opposite one in another.

How it looks
  __transaction_state
    state=PrepareCommit partitions=[payments-2, payments-3]
    state=CompleteCommit
  payments-3
    8  data, 9 COMMIT      producer 2 epoch 0
  payments-2
    8  data                producer 2 epoch 0   <- no COMMIT, or an ABORT

Why it happens
  One of the markers was lost (an election, a truncation, the cleaner), or
  somebody ended the transaction by hand: kafka-transactions.sh abort writes
  ABORT into one partition, whatever the coordinator decided. Or a marker of an
  earlier transaction came again while this one ran (KAFKA-19446). While it
  runs, its client knows nothing of that: when it commits, it is torn.

What waits
  If the marker is missing: read_committed readers of that partition.
  Everywhere else nothing waits: readers see one half of the transaction.

Is an abort safe
  NO: it makes the damage final. The half in the other partitions stays
  committed, and no command takes a marker back.

How sure
  certain   one partition has the decision's marker, and this one has none or
            the opposite
  likely    the opposite marker belongs to no decision in the capture: it came
            after the decision, or while the transaction ran and its own marker
            then ended none of this data, or is not here; or it still runs

What it is not
  A transaction whose markers are still on their way (completing), or whose
  coordinator still says Prepare (prepare_stuck, TXN006); one that was ended
  by hand once its timeout was over.

What would refute it
  The missing marker in a newer copy of this partition's leader.

Versions
  All.

See also
  KIP-664, KAFKA-19446; txn-forensics explain TXN004, TXN008
  Rules: A 12.
"""

import dataclasses

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors import actions
from analyzer.detectors.certainty import by_decision, certainty
from analyzer.detectors.model import Action, Detector, Explanation, Readers, Ref, Step, Sure, Way, step_if
from analyzer.detectors.subject import OfData, evidence_of
from analyzer.detectors.transactions import lost_decision
from analyzer.detectors.wording import article, offsets
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.tables.moments import moment

EARLIER = ("by hand", "alone", "running", "forgotten", "stale")
"""What ended data while its transaction ran: an ABORT marker of no decision (alone: the decision's own is not here;
running: it runs on), a COMMIT marker of a lost one, or one that the same coordinator wrote, for an earlier one."""


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence(OfData):
    """Data of a complete transaction without its marker, or with the contrary one."""

    transactional_id: str
    first_ref: Ref | None
    decision: str | None
    decided_ms: int | None
    state: str
    marker: str | None
    marker_offset: int | None
    marker_ref: Ref | None
    decision_ref: Ref | None
    closer: str
    elsewhere: str | None
    elsewhere_offset: int | None
    elsewhere_ref: Ref | None


def find(unmarked: DataFrame, opens: DataFrame) -> DataFrame:
    """Return what one partition lacks of a decision that another has, and data ended against it (RULES A 12)."""
    contrary = F.col("marker").isNotNull() & (F.col("marker") != F.col("decision"))
    nothing = (F.col("closer") == "open") & (F.col("decision") == "COMMIT") & F.col("delivered_marker").isNotNull()
    by_next = (F.col("closer") == "later") & F.col("delivered_marker").isNotNull()
    by_hand = (
        (F.col("closer") == "unmatched")
        & F.col("history_whole")
        & F.col("state_horizon_ms").isNull()
        & (F.col("marker_ms") >= F.col("decided_ms"))
    )
    name = F.concat_ws("-", "delivered_marker.topic", F.col("delivered_marker.partition").cast("string"))
    broker_has_it = (F.col("closer") != "open") | F.col("broker_open")
    return evidence_of(
        Evidence,
        lost_decision.complete(unmarked, opens).where(broker_has_it & (nothing | (contrary & (by_next | by_hand)))),
        decision_ref=F.coalesce("prepared_ref", "completed_ref"),
        elsewhere=F.when(F.col("delivered_marker").isNotNull(), name),
        elsewhere_offset="delivered_marker.offset",
        elsewhere_ref="delivered_marker.marker_ref",
    )


def find_earlier(ended: DataFrame) -> DataFrame:
    """Return data that was ended while its transaction ran, against what was decided of it afterwards (RULES A 12)."""
    nowhere = F.lit(None)
    commit = F.when(F.coalesce("same_coordinator", F.lit(False)), "stale").otherwise("forgotten")
    running = F.when(F.col("decision").isNull(), "running")
    alone = running.when(~F.col("has_own_marker"), "alone")
    closer = alone.when(F.col("marker") == "ABORT", "by hand").otherwise(commit)
    return evidence_of(
        Evidence,
        ended,
        closer=closer,
        elsewhere=nowhere.cast("string"),
        elsewhere_offset=nowhere.cast("bigint"),
        elsewhere_ref=F.when(F.lit(False), F.col("marker_ref")),
    )


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    fate = "has no marker" if e.closer == "open" else f"ended as {e.marker}"
    if e.closer == "running":
        headline = f"{e.transactional_id} still runs, but its data in {e.place} {fate}"
    elif e.elsewhere is None:
        headline = f"{e.decision} was decided for {e.transactional_id}, but its data in {e.place} {fate}"
    else:
        headline = f"{e.transactional_id} is torn: {e.decision} in {e.elsewhere}, while {e.place} {fate}"
    there = f"{e.elsewhere} has the {e.decision} marker at offset {e.elsewhere_offset}"
    came = ", which would end no data any more, is not in this copy"
    came = came if e.closer == "alone" else " came after that, and ended none of it"
    return Explanation(
        headline=headline,
        label="torn: partitions disagree",
        confidence="likely" if e.closer in {"unmatched", *EARLIER} else "certain",
        steps=(
            Step(f"{e.wrote} here", e.first_ref),
            _decided(e),
            *step_if(e.elsewhere, there, e.elsewhere_ref),
            _here(e),
            *step_if(e.closer in EARLIER and e.closer != "running", f"its own {e.decision} marker{came}"),
        ),
        cause=(_cause(e),),
        refuted_by=f"a decision {e.marker} of {e.transactional_id} in {STATE_TOPIC} before that {_before(e)}"
        if e.closer in EARLIER
        else f"{article(e.decision)} marker of producer {e.producer_id} in a newer copy of {e.place}",
        certainty=_certainty(e) if e.closer == "open" else (),
        readers=_readers(e),
        action=_action(e),
    )


def _before(e: Evidence) -> str:
    return "marker" if e.closer == "running" else "one"


def _decided(e: Evidence) -> Step:
    if e.decided_ms is None:
        return Step("the coordinator has it running, and its records go on beyond the marker below", e.decision_ref)
    return Step(f"the coordinator decided {e.decision} at {moment(e.decided_ms)} and completed it", e.decision_ref)


def _cause(e: Evidence) -> str:
    if e.closer == "forgotten":
        return (
            "the coordinator lost its decision, in an unclean election of its partition or as files were lost, and "
            "ended the transaction again: only coordinators write COMMIT markers"
        )
    if e.closer == "stale":
        return (
            "the COMMIT marker of an earlier transaction of the producer came again, late (KAFKA-19446): it has the "
            "coordinator epoch of the marker after it, and a coordinator that went on leading lost no decision"
        )
    if e.closer == "running":
        return (
            "somebody ended it here by hand (kafka-transactions.sh abort), or the marker of an earlier transaction "
            "came again, late (KAFKA-19446)"
        )
    if e.closer in {"unmatched", "by hand", "alone"}:
        return "the transaction was ended by hand: kafka-transactions.sh abort always writes ABORT"
    return "the marker of this partition was lost (see the other finding of this partition)"


def _certainty(e: Evidence) -> tuple[Sure, ...]:
    return certainty(
        ("certain", "its coordinator counts every marker as written and will not send another", e.decision_ref),
        ("possible", "the other finding of this partition says how the marker was lost", None),
        by_decision(e.decision, e.decision_ref, e.topic),
    )


def _here(e: Evidence) -> Step:
    if e.closer == "open":
        return Step("here no marker follows")
    whose = "the next transaction's" if e.closer == "later" else "of no decision of its coordinator"
    return Step(f"here it was ended by the {e.marker} marker at offset {e.marker_offset}, {whose}", e.marker_ref)


def _action(e: Evidence) -> Action:
    if e.decision is None:
        return Action(
            kind="none",
            word="notify the producer",
            summary=f"NOTIFY THE PRODUCER'S OWNERS AT ONCE: {e.transactional_id} must not commit. "
            f"{e.place} {offsets(e.first_offset, e.last_offset)} is aborted already, and the client does not know. If "
            "it aborts and sends all of it again, nothing is lost; if it commits, only the rest is committed.",
        )
    if e.closer == "open":
        return actions.save_then_abort(
            e,
            f"{e.elsewhere} shows this transaction as committed: an abort here makes the tear final, "
            "and kafka-transactions.sh can only write ABORT.",
            e.state,
            e.decision,
        )
    where = f"{e.place} {offsets(e.first_offset, e.last_offset)}"
    if e.closer != "forgotten":
        return actions.wrongly_ended(e.decision, where)
    return Action(
        kind="none",
        word="notify the producer",
        summary=f"NOTIFY THE PRODUCER'S OWNERS. {where} was committed, and what the same transaction wrote elsewhere "
        "was aborted afterwards: it has to be sent again. Do not undo the committed part: the producer may have been "
        "told that all of it was.",
    )


def _readers(e: Evidence) -> Readers | None:
    """Return what readers were given: half of a transaction where another partition has the other outcome."""
    if e.closer in {"open", "running"}:
        return None
    if e.closer == "forgotten":
        return Readers("lost_data")
    torn = e.elsewhere is not None or e.decision == "ABORT"
    return Readers("wrong_data" if torn else "lost_data", e.records)


DETECTOR = Detector(
    "TXN010",
    "critical",
    Way(("unmarked",), Evidence, find, explain, beside=("opens",)),
    others=(Way(("ended_earlier",), Evidence, find_earlier, explain),),
)
