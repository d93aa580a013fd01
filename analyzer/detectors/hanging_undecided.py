"""PAGE hanging_undecided"""

import dataclasses

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from analyzer.detectors import situation
from analyzer.detectors.commands import abort_command, describe_command
from analyzer.detectors.model import Action, Detector, Explanation, Ref, Step
from analyzer.detectors.wording import clock, counted, offsets, producer, span

CERTAIN_AFTER_MS = 60_000
"""The coordinator looks for overdue transactions every 10 s (60 s before 2.5)."""


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence:
    """An open transaction that its coordinator still calls Ongoing, over its timeout."""

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
    begun_ms: int
    timeout_ms: int
    state_ref: Ref | None
    state_partition: int


def find(opens: DataFrame) -> DataFrame:
    """Return the open transactions whose Ongoing state names this partition and is over its timeout (RULES A 10)."""
    return situation.judged(opens).where(situation.running() & situation.overdue()).select(
        *situation.subject(),
        F.col("running.begun_ms").alias("begun_ms"),
        F.col("running.timeout_ms").alias("timeout_ms"),
        F.col("running.latest.ref").alias("state_ref"),
        F.col("running.state_partition").alias("state_partition"),
    )


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    over_ms = e.captured_at - e.begun_ms - e.timeout_ms
    return Explanation(
        headline=f"the transaction of {e.transactional_id} is {span(over_ms)} over its timeout and nobody ended it",
        label="over its timeout",
        confidence="certain" if over_ms > CERTAIN_AFTER_MS else "likely",
        steps=(
            Step(
                f"{e.transactional_id} ({producer(e.producer_id, e.producer_epoch)}) wrote "
                f"{offsets(e.first_offset, e.last_offset)}; no marker follows",
                e.first_ref,
            ),
            Step(
                f"the coordinator says Ongoing since {clock(e.begun_ms)}, timeout {span(e.timeout_ms)}, "
                "and has this partition in the transaction",
                e.state_ref,
            ),
            Step(f"the capture is {span(over_ms)} later than that allows"),
        ),
        cause=(
            "the coordinator has not run its check for overdue transactions, or cannot: it is down, still loading, "
            "or reads its state from another partition (KAFKA-20029)",
            "transaction.abort.timed.out.transaction.cleanup.interval.ms is long on this cluster",
        ),
        refuted_by=f"a newer record of {e.transactional_id} in __transaction_state-{e.state_partition}",
        otherwise="if the files were taken within seconds of the timeout, the coordinator may end it by itself"
        if over_ms <= CERTAIN_AFTER_MS
        else None,
        action=Action(
            kind="abort",
            summary="ABORT IT if the coordinator does not by itself. Nothing was decided: the producer was never told "
            f"that {counted(e.records, 'record')} are committed. Check first, then abort:",
            check_command=describe_command(e.transactional_id),
            check_expect="Ongoing, with this start time",
            command=abort_command(e.topic, e.partition, e.first_offset),
            warning="the producer gets an error at its next commit and has to send the transaction again",
        ),
    )


DETECTOR = Detector(
    code="TXN001",
    name="hanging_undecided",
    severity="warning",
    reads=("opens",),
    evidence=Evidence,
    find=find,
    explain=explain,
    page=__doc__,
)
