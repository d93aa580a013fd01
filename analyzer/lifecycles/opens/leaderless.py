"""Whether nobody could take the marker of a decision: its partition had no leader (RULES A 6 a, c)."""

from pyspark.sql import DataFrame, functions as F

from analyzer.kafka.clocks import SKEW_MS
from analyzer.lifecycles.placing import PARTITION, PRODUCER_NO


def unled_throughout(
    opens: DataFrame, elections: DataFrame, changes: DataFrame, topics: DataFrame, quorum: DataFrame
) -> DataFrame:
    """Return for open transactions whose `lost` decision was completed in a time without a leader since when that was.

    Columns: PRODUCER_NO, lost_unled_ms, epoch ms, and lost_unled_ref, the record that says so. Such a time is one
    before an election, or that at the end of the controllers' log; clocks may be apart at both ends of it. `opens` are
    `opens_with_history`, `changes` the `partition_changes`, `quorum` the `quorum_logs`.
    """
    between = elections.where("leaderless_ms IS NOT NULL").select(
        *PARTITION, F.col("leaderless_ms").alias("lost_unled_ms"), F.col("changed_ms").alias("until_ms"),
        F.col("ref").alias("lost_unled_ref"),
    )  # fmt: skip
    here = changes.join(topics.where("removed_offset IS NULL").select("capture", "topic_id"), ["capture", "topic_id"])
    at_end = (
        here.where("next_offset IS NULL AND leader_id = -1 AND changed_ms IS NOT NULL")
        .join(quorum.select("capture", F.col("last_ms").alias("until_ms")), "capture")
        .select(
            *PARTITION, F.col("changed_ms").alias("lost_unled_ms"), "until_ms", F.col("ref").alias("lost_unled_ref"),
        )
    )  # fmt: skip
    asked = opens.where("lost.completed_ms IS NOT NULL")
    asked = asked.select(*PARTITION, *PRODUCER_NO, "lost.decided_ms", "lost.completed_ms")
    inside = f"decided_ms >= lost_unled_ms + {SKEW_MS} AND completed_ms <= until_ms - {SKEW_MS}"
    found = asked.join(between.unionByName(at_end), list(PARTITION)).where(inside)
    first = F.min_by(F.struct("lost_unled_ms", "lost_unled_ref"), "lost_unled_ms").alias("told")
    return found.groupBy(*PRODUCER_NO).agg(first).select(*PRODUCER_NO, "told.*")
