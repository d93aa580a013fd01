"""PAGE hanging_never_registered"""

import dataclasses

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from analyzer.detectors import situation
from analyzer.detectors.commands import abort_command, describe_command, producers_command, save_command
from analyzer.detectors.model import Action, Confidence, Detector, Explanation, Ref, Step
from analyzer.detectors.wording import counted, offsets, producer


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence:
    """Data in a partition that no transaction of its producer id has on its list."""

    topic: str
    partition: int
    replica: str
    transactional_id: str | None
    producer_id: int
    producer_epoch: int
    first_offset: int
    last_offset: int
    records: int | None
    captured_at: int
    first_ref: Ref | None
    last_ref: Ref | None
    named_nowhere: bool
    history_whole: bool
    coordinator_txns: int
    latest_state: str | None
    latest_decision: str | None
    latest_ref: Ref | None
    list_ref: Ref | None
    previous_marker_offset: int | None


def find(opens: DataFrame) -> DataFrame:
    """Return the open transactions whose partition is on no list that they can belong to (RULES A 10)."""
    return situation.judged(opens).where(situation.never_registered() | situation.unknown_id()).select(
        *situation.subject(),
        F.col("last_named_txn").isNull().alias("named_nowhere"),
        F.coalesce("history_whole", F.lit(False)).alias("history_whole"),
        F.coalesce("coordinator_txns", F.lit(0)).alias("coordinator_txns"),
        F.col("latest_txn.state").alias("latest_state"),
        F.col("latest_txn.decision").alias("latest_decision"),
        F.col("latest_txn.latest.ref").alias("latest_ref"),
        F.col("latest_txn.begun.ref").alias("list_ref"),
        "previous_marker_offset",
    )


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    who = e.transactional_id or f"producer {e.producer_id}"
    records = counted(e.records, "record")
    wrote = Step(
        f"{who} ({producer(e.producer_id, e.producer_epoch)}) wrote {offsets(e.first_offset, e.last_offset)} as part "
        "of a transaction; no marker follows",
        e.first_ref,
    )
    return Explanation(
        headline=f"{records} of {who} stand in a partition that none of its transactions registered",
        label=_label(e),
        confidence=_confidence(e),
        steps=(wrote, *_lists(e)),
        cause=(
            "the client wrote without AddPartitionsToTxn, or the request was lost, and the leader did not verify it "
            "(before 3.6, or transaction.partition.verification.enable=false, KIP-890)",
        ),
        refuted_by=f"a record of {who} in __transaction_state that names {e.topic}-{e.partition}",
        otherwise="a batch that came late, after its transaction had ended, looks alike (TXN002); the action is the same"
        if not e.named_nowhere
        else None,
        settled_by=None if e.transactional_id else "an older copy of __transaction_state, from before the id expired",
        action=_action(e, who, records),
    )


def _confidence(e: Evidence) -> Confidence:
    if e.transactional_id is None:
        return "possible"
    return "certain" if e.named_nowhere and e.history_whole and e.previous_marker_offset is None else "likely"


def _label(e: Evidence) -> str:
    return "id unknown" if e.transactional_id is None else "never registered"


def _lists(e: Evidence) -> tuple[Step, ...]:
    if e.transactional_id is None:
        return (
            Step("every partition of __transaction_state is here and no record in them has this producer id: the "
                 "transactional id expired, or its records were compacted away"),
        )  # fmt: skip
    if e.named_nowhere:
        text = f"none of the id's {counted(e.coordinator_txns, 'transaction')} in __transaction_state names this partition"
    else:
        text = "the id's transaction after the last marker here does not name this partition"
    return (
        Step(text, e.list_ref),
        Step(f"the id's newest state is {e.latest_state}: the coordinator will send no marker here", e.latest_ref),
    )


def _action(e: Evidence, who: str, records: str) -> Action:
    command = abort_command(e.topic, e.partition, e.first_offset)
    check = describe_command(e.transactional_id) if e.transactional_id else producers_command(e.topic, e.partition)
    if e.latest_decision == "ABORT":
        return Action(
            kind="abort",
            summary=f"ABORT IT. The last decision of {who} was ABORT: nothing that the producer counts as written is "
            "lost. Check first, then abort:",
            check_command=check,
            check_expect=e.latest_state,
            command=command,
        )
    told = "The producer was told COMMIT" if e.latest_decision == "COMMIT" else "What the producer was told is not known"
    return Action(
        kind="save_then_abort",
        summary=f"DO NOT ABORT YET. {told}, and kafka-transactions.sh can only write ABORT: it throws away {records} "
        "that the producer may count as written. Save them, check, abort, produce them again:",
        save_command=save_command(e.topic, e.partition, e.first_offset, e.records or 1),
        check_command=check,
        check_expect=e.latest_state,
        command=command,
        warning=f"an abort throws away {records}",
        loses_records=e.records,
    )


DETECTOR = Detector(
    code="TXN003",
    name="hanging_never_registered",
    severity="critical",
    reads=("opens",),
    evidence=Evidence,
    find=find,
    explain=explain,
    page=__doc__,
)
