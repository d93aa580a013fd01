"""Copies of state partitions that seem to end before the Complete record of a transaction (RULES D 1)."""

from pyspark.sql import DataFrame, functions as F

from analyzer.kafka.clocks import COPYING_MS
from analyzer.lifecycles.coordinator.transactions import TXN
from analyzer.lifecycles.placing import PARTITION


def unfinished_states(stuck: DataFrame, decisions: DataFrame, moments: DataFrame) -> DataFrame:
    """Return the state partitions where an id's newest record is a Prepare whose markers were written long ago.

    A coordinator writes the Complete record right after the last of them: a copy without any record from after
    complete_by_ms, epoch ms, lacks it, as what came next may be missing. One that goes on shows that its coordinator
    forgot it. `stuck` are the `stuck_txns`; each partition on the list whose log is here must have the marker, in some
    copy.
    """
    each = decisions.join(stuck.select(*TXN), list(TXN), "left_semi").groupBy(*TXN, *PARTITION[1:]).agg(
        F.max("marked_ms").alias("marked_ms"), F.max("decided_ms").alias("decided_ms")
    )  # fmt: skip
    last_ms = F.max(F.greatest("marked_ms", "decided_ms")).alias("last_ms")
    whole = each.groupBy(*TXN).agg(last_ms, F.min(F.col("marked_ms").isNotNull()).alias("marked")).where("marked")
    by_ms = F.col("last_ms") + F.col("marker_bound_ms") + F.col("spread_ms")
    late = whole.join(moments, "capture").where(F.coalesce("state_horizon_ms", "captured_at") - by_ms >= COPYING_MS)
    return late.groupBy("capture", "state_partition").agg(F.max(by_ms).alias("complete_by_ms"))
