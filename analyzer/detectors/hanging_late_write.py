"""PAGE hanging_late_write"""

import dataclasses

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from analyzer.detectors import situation
from analyzer.detectors.commands import abort_command, describe_command, save_command
from analyzer.detectors.model import Action, Detector, Explanation, Ref, Step
from analyzer.detectors.wording import clock, counted, offsets, producer


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence:
    """Data behind the marker of its own transaction, with nothing of the id after it."""

    topic: str
    partition: int
    replica: str
    transactional_id: str
    producer_id: int
    producer_epoch: int
    first_offset: int
    last_offset: int
    records: int | None
    captured_at: int
    first_ref: Ref | None
    last_ref: Ref | None
    marker: str
    marker_offset: int
    marker_ms: int
    marker_ref: Ref | None
    decision: str
    decided_ms: int
    decision_ref: Ref | None
    is_last: bool
    appended_by_ms: int | None
    next_begun_ms: int | None


def find(opens: DataFrame) -> DataFrame:
    """Return the open transactions that began behind the marker of the id's last or then current transaction.

    Certain: that transaction is the id's last one, or the data was appended before the next began (RULES A 10).
    """
    return situation.judged(opens).where(situation.late_write()).select(
        *situation.subject(),
        F.col("previous_marker").alias("marker"),
        F.col("previous_marker_offset").alias("marker_offset"),
        "marker_ms",
        "marker_ref",
        F.col("ended.decision").alias("decision"),
        F.col("ended.decided_ms").alias("decided_ms"),
        F.coalesce("ended.prepared.ref", "ended.completed.ref").alias("decision_ref"),
        F.col("ended.is_last").alias("is_last"),
        "appended_by_ms",
        F.col("ended.next_begun_ms").alias("next_begun_ms"),
    )


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    records = counted(e.records, "record")
    last = (
        f"nothing of producer {e.producer_id} comes after, and its coordinator has no later transaction: "
        "nobody is left who would end it"
        if e.is_last
        else f"they were appended by {clock(e.appended_by_ms)}, before the id's next transaction began "
        f"({clock(e.next_begun_ms)})"
    )
    return Explanation(
        headline=f"{records} of {e.transactional_id} came after their own {e.marker} marker",
        label="late",
        confidence="certain",
        steps=(
            Step(f"the coordinator decided {e.decision} at {clock(e.decided_ms)}", e.decision_ref),
            Step(f"the marker is at offset {e.marker_offset}, {clock(e.marker_ms)}", e.marker_ref),
            Step(
                f"{offsets(e.first_offset, e.last_offset)} follow it, same {producer(e.producer_id, e.producer_epoch)}",
                e.first_ref,
            ),
            Step(last, e.last_ref),
        ),
        cause=(
            "a Produce request was delayed and appended after the transaction's marker (KAFKA-12671)",
            "the leader did not verify the transaction: before 3.6, or transaction.partition.verification.enable=false "
            "(KIP-890)",
        ),
        refuted_by=f"a record of {e.transactional_id} after the marker that says Ongoing and names this partition",
        otherwise="the data of a later transaction that never registered this partition looks alike (TXN003); the "
        "action is the same"
        if not e.is_last
        else None,
        action=_action(e, records),
    )


def _action(e: Evidence, records: str) -> Action:
    complete = "CompleteCommit" if e.decision == "COMMIT" else "CompleteAbort"
    command = abort_command(e.topic, e.partition, e.first_offset)
    check = describe_command(e.transactional_id)
    if e.decision == "ABORT":
        return Action(
            kind="abort",
            summary="ABORT IT. The coordinator decided ABORT and the client knows: nothing that the producer counts "
            "as written is lost. Check first, then abort:",
            check_command=check,
            check_expect=complete,
            command=command,
        )
    return Action(
        kind="save_then_abort",
        summary=f"DO NOT ABORT YET. The id's last decision was COMMIT: the {records} may be ones that the producer "
        "counts as written, and kafka-transactions.sh can only write ABORT. Save them, check, abort, produce them again:",
        save_command=save_command(e.topic, e.partition, e.first_offset, e.records or 1),
        check_command=check,
        check_expect=complete,
        command=command,
        warning=f"an abort throws away {records}",
        loses_records=e.records,
    )


DETECTOR = Detector(
    code="TXN002",
    name="hanging_late_write",
    severity="critical",
    reads=("opens",),
    evidence=Evidence,
    find=find,
    explain=explain,
    page=__doc__,
)
