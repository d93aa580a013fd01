"""What stands around an open transaction in its log: newer leader epochs, markers, where its LSO is (RULES D 1)."""

from pyspark.sql import DataFrame, functions as F

from analyzer.kafka.versions import LSO_OF_BATCH
from analyzer.lifecycles.placing import PRODUCER_NO
from analyzer.lifecycles.released import are_since
from analyzer.stages.few import with_few


def above(opens: DataFrame, batches: DataFrame, captures: DataFrame) -> DataFrame:
    """Return, for each open transaction, what stands around it in its log; no row where nothing does.

    newer_epoch_ms, the oldest timestamp above the data in a newer leader epoch; same_epoch_ms, the newest in the data's
    own; later_marker_ms, the oldest of any marker; emptied_offset, a marker of its own that the cleaner emptied;
    pin_offset, the first offset, or the base offset of the next batch where that offset is gone: there the broker's LSO
    stands (RULES A 2); held_offset, where it stands in brokers that move it to the batch of a log start above that.
    earlier_ms: the newest time that a broker set up to its first offset, of markers before it and of data with a
    broker's time, so its first batch was appended no earlier. own_offset: the first batch of its producer id from its
    first offset on.
    """
    behind = are_since(LSO_OF_BATCH) & (F.col("log_start_offset") > F.col("first_offset"))
    data = opens.join(captures.select("capture", "kafka_version"), "capture").select(
        *PRODUCER_NO, "first_offset", F.col("last_offset").alias("data_end"), "last_leader_epoch",
        F.when(behind, F.col("log_start_offset")).alias("held_from"),
    )  # fmt: skip
    rows = batches.select(
        "log_no", "base_offset", F.col("last_offset").alias("batch_end"), "is_control", "count", "stamped",
        F.col("producer_id").alias("batch_id"), "max_timestamp", "partition_leader_epoch",
    )  # fmt: skip
    set_by_broker = F.col("stamped") | F.col("is_control")
    here = F.col("batch_end") >= F.col("first_offset")
    around = with_few(rows, data, ["log_no"]).where(here | set_by_broker)
    after = F.col("base_offset") > F.col("first_offset")
    stamped = F.when(F.col("max_timestamp") > 0, F.col("max_timestamp"))
    earlier = set_by_broker & (F.col("base_offset") <= F.col("first_offset"))
    beyond = F.col("base_offset") > F.col("data_end")
    newer = beyond & (F.col("partition_leader_epoch") > F.col("last_leader_epoch"))
    same = beyond & (F.col("partition_leader_epoch") == F.col("last_leader_epoch"))
    marker = after & F.col("is_control") & (F.coalesce("count", F.lit(1)) > 0) & (F.col("batch_id") >= 0)
    emptied = after & F.col("is_control") & (F.col("count") == 0) & (F.col("batch_id") == F.col("producer_id"))
    told = around.groupBy(*PRODUCER_NO, "first_offset").agg(
        F.min(F.when(newer, stamped)).alias("newer_epoch_ms"),
        F.max(F.when(same, stamped)).alias("same_epoch_ms"),
        F.min(F.when(marker, stamped)).alias("later_marker_ms"),
        F.min(F.when(emptied, F.col("base_offset"))).alias("emptied_offset"),
        F.max(F.when(earlier, stamped)).alias("earlier_ms"),
        F.min(F.when(here, F.greatest("base_offset", "first_offset"))).alias("pin_offset"),
        F.min(F.when(F.col("batch_end") >= F.col("held_from"), F.col("base_offset"))).alias("held_offset"),
        F.min(F.when(here & (F.col("batch_id") == F.col("producer_id")), F.col("base_offset"))).alias("own_offset"),
    )
    return told.drop("first_offset")
