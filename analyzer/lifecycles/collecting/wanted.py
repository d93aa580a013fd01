"""Which partitions are worth reading, from which offset on, and because of whom."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.coordinator.transactions import TXN, without_timeout
from analyzer.lifecycles.placing import PARTITION
from analyzer.tables.fetch_steps import NAMED, OPEN
from analyzer.tables.unions import union_filled


def wanted_partitions(
    opens: DataFrame, txns: DataFrame, registrations: DataFrame, moments: DataFrame, epochs: DataFrame
) -> DataFrame:
    """Return one row per partition that a transaction makes worth reading, with the first step that asks for it.

    from_offset: the first offset that is open there, null where only the coordinator names the partition; has_log:
    whether a log shows that, or only a snapshot; who: whose transaction; state: what the coordinator says of it;
    elected: the leader has changed after that offset. A transaction that runs inside its timeout needs nothing.
    `opens` are rows of `open_rows`.
    """
    shown = opens.where("standing != 'running'").select(
        *PARTITION,
        F.lit(OPEN).alias("step"),
        F.col("first_offset").alias("from_offset"),
        "has_log",
        F.coalesce("transactional_id", F.concat(F.lit("producer "), "producer_id")).alias("who"),
        F.lit(None).cast("string").alias("state"),
    )
    every = union_filled(shown, _named(txns, registrations, moments))
    first = F.min(F.struct("step", "from_offset", "who", "state", "has_log"))
    one = every.groupBy(*PARTITION).agg(first.alias("first")).select(*PARTITION, "first.*")
    begun = epochs.select(*PARTITION, F.col("start_offset")).distinct()
    after = one.join(begun, list(PARTITION)).where("start_offset > coalesce(from_offset, 0)")
    elected = after.select(*PARTITION, F.lit(True).alias("elected")).distinct()
    return one.join(elected, list(PARTITION), "left")


def _named(txns: DataFrame, registrations: DataFrame, moments: DataFrame) -> DataFrame:
    """Return the partitions of transactions that are prepared, or over their timeout, by their id's newest record."""
    late = (F.col("captured_at") > F.col("deadline_ms")) | (F.col("deadline_ms").isNull() & ~without_timeout())
    unfinished = (
        txns.where("is_last AND (state = 'Ongoing' OR state LIKE 'Prepare%')")
        .join(moments.select("capture", "captured_at"), "capture")
        .where((F.col("state") != "Ongoing") | F.coalesce(late, F.lit(True)))
    )
    listed = unfinished.select(*TXN, "state").join(registrations.select(*TXN, "topic", "partition"), list(TXN))
    return listed.select(
        *PARTITION,
        F.lit(NAMED).alias("step"),
        F.lit(None).cast("bigint").alias("from_offset"),
        F.col("transactional_id").alias("who"),
        "state",
    )
