"""Copies of state partitions that seem to end before the Complete record of a transaction (RULES D 1)."""

from pyspark.sql import DataFrame, functions as F

from analyzer.kafka.clocks import COPYING_MS
from analyzer.lifecycles.coordinator.transactions import TXN
from analyzer.lifecycles.placing import PARTITION


def unfinished(stuck: DataFrame, decisions: DataFrame, moments: DataFrame) -> DataFrame:
    """Return (capture, state_partition) where an id's newest record is a Prepare whose markers were written long ago.

    A coordinator writes the Complete record right after the last of them: it is missing from this copy, as what came
    after it may be, or its coordinator forgot it. `stuck` are the `stuck_txns`; each partition on the list whose log is
    here must have the marker, in some copy.
    """
    each = decisions.join(stuck.select(*TXN), list(TXN), "left_semi").groupBy(*TXN, *PARTITION[1:]).agg(
        F.max("marked_ms").alias("marked_ms"), F.max("decided_ms").alias("decided_ms")
    )  # fmt: skip
    last_ms = F.max(F.greatest("marked_ms", "decided_ms")).alias("last_ms")
    whole = each.groupBy(*TXN).agg(last_ms, F.min(F.col("marked_ms").isNotNull()).alias("marked")).where("marked")
    bound = F.col("marker_bound_ms") + F.col("spread_ms") + COPYING_MS
    late = F.coalesce("state_horizon_ms", "captured_at") - F.col("last_ms") >= bound
    return whole.join(moments, "capture").where(late).select("capture", "state_partition").distinct()
