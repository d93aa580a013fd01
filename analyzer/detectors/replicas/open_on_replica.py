"""marker_cleaned_away (TXN007) on one replica: the marker was empty when it came, so the transaction never closed."""

import dataclasses

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors import checks, conditions
from analyzer.detectors.model import Action, Explanation, Ref, Step, Way
from analyzer.detectors.subject import OfData, evidence_of
from analyzer.tables.unions import union_all


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence(OfData):
    """A transaction that one replica has open, after an emptied control batch, and another one has not.

    `leader` is who is taken for the leader, and `leads` why; both None where nothing here tells.
    """

    emptied_offset: int
    closed_on: str
    leader: str | None
    leads: str | None
    first_ref: Ref | None


def find(opens: DataFrame, logs: DataFrame, disputes: DataFrame) -> DataFrame:
    """Return what a copy has open after an emptied control batch of its producer, and others do not (RULES D 9)."""
    mine = opens.where("has_log AND emptied_offset IS NOT NULL")
    judged = logs.where("authority AND has_log").select(
        *conditions.PARTITION, F.col("replica").alias("other"), F.col("log_end_offset").alias("other_end"), "led_by"
    )
    held = opens.where("authority").select(*conditions.PARTITION, "producer_id", "first_offset")
    follower = mine.where("NOT authority").join(judged, list(conditions.PARTITION)).where("other_end > emptied_offset")
    alone = follower.join(held, [*conditions.PARTITION, "producer_id", "first_offset"], "left_anti")
    key = [*conditions.PRODUCER, "first_offset"]
    unranked = mine.join(disputes, key).withColumn("closed_on", F.array_join("not_open_on", ", "))
    known = alone.join(unranked.select(*key), key, "left_anti").withColumns(
        {"closed_on": F.col("other"), "leader": F.when(F.col("led_by").isNotNull(), F.col("other"))}
    )
    nobody = {"leader": F.lit(None).cast("string"), "led_by": F.lit(None).cast("string")}
    ways = [evidence_of(Evidence, one, **conditions.subject(), leads="led_by")
            for one in (known, unranked.withColumns(nobody))]  # fmt: skip
    return union_all(ways)


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    return Explanation(
        headline=f"{e.place}: broker {e.replica} has a transaction of {e.who} open that broker "
        f"{e.closed_on} has closed",
        label=f"open on broker {e.replica}",
        confidence="certain",
        severity="warning",
        steps=(
            Step(e.wrote, e.first_ref),
            Step(
                f"on broker {e.replica} the control batch after it, at offset {e.emptied_offset}, has no record: the "
                "cleaner had emptied it before this replica fetched it, and nothing else ends the transaction there"
            ),
            Step(f"broker {e.closed_on} has the same offsets and nothing of this producer open"),
            Step(
                f"broker {e.leader} is taken for the leader: {e.leads}"
                if e.leads and e.leader
                else "nothing here says which of them leads"
            ),
        ),
        cause=("the replica lagged by more than delete.retention.ms, and markers are kept no longer for it",),
        refuted_by=f"describe-producers --broker-id {e.replica} without producer {e.producer_id}",
        settled_by=None if e.leads else f"kafka-topics.sh --describe --topic {e.topic}, which names the leader",
        action=_action(e),
    )


def _action(e: Evidence) -> Action:
    now = "Nothing hangs now" if e.leads else f"Nothing hangs unless broker {e.replica} leads"
    expect = f"a row with ProducerId {e.producer_id}, CurrentTransactionStartOffset {e.first_offset}"
    return Action(
        kind="none",
        word="rebuild the replica",
        summary=f"REBUILD THE REPLICA of {e.place} on broker {e.replica}. {now}; if it becomes the leader, readers "
        f"stop at offset {e.first_offset}. While another broker leads, take it out of the replicas and add it again, "
        "or delete its folder of the partition while it is down: it then fetches the cleaned log.",
        check=checks.of_partition(e.topic, e.partition, expect, broker=e.replica),
    )


ON_ONE_REPLICA = Way(("opens",), Evidence, find, explain, beside=("logs", "disputed"), needs=("batches",))
