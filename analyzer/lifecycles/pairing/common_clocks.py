"""How the clocks of a capture's brokers stand, taken as one (RULES A 15)."""

from pyspark.sql import DataFrame, Window, functions as F

from analyzer.config import VerdictsConfig
from analyzer.kafka.clocks import SKEW_MS
from analyzer.lifecycles.placing import PARTITION, PRODUCER_NO


def common_clocks(in_order: DataFrame, logs: DataFrame, config: VerdictsConfig) -> DataFrame:
    """Return per capture how its clocks stand, measured on the decisions that were `matched_by_order`.

    A marker is written after its decision and before its completion: these bound how far a partition's clock is ahead
    of the coordinator's. shift_ms: how far decisions must move so that markers follow their own, 0 where nothing says
    that they must. behind_ms: how far a partition's clock may be behind. spread_ms: how far clocks may be apart,
    untold_ms where nothing tells: 0 where one broker wrote everything, otherwise 2,000. apart: no single offset is
    within all bounds. marker_bound_ms: longer than any marker should take: a multiple of the 95th percentile of the
    capture's own latencies, within bounds.
    """
    lags = in_order.select(
        "capture", "log_no", "state_partition", (F.col("marked_ms") - F.col("decided_ms")).alias("lag_ms"),
        (F.col("marked_ms") - F.col("completed_ms")).alias("done_ms"),
    )  # fmt: skip
    of_copies = lags.groupBy("log_no", "state_partition").agg(F.min("lag_ms").alias("lag_ms"))
    placed = of_copies.join(logs.select(*PARTITION, "log_no"), "log_no")
    fastest = placed.groupBy(*PARTITION, "state_partition").agg(F.min("lag_ms").alias("lag_ms"))
    spread = fastest.groupBy("capture").agg((F.max("lag_ms") - F.min("lag_ms")).alias("measured_ms"))
    latency = (
        _latency(lags)
        .groupBy("capture")
        .agg(
            F.min(F.when(F.col("up_to") * 100 >= F.col("pairs") * 95, F.col("lag_ms"))).alias("latency_ms"),
            F.max("done_ms").alias("least_ms"),
            F.min("lag_ms").alias("most_ms"),
        )
    )
    one_clock = (F.col("least_ms") <= F.col("most_ms")) & ((F.col("least_ms") > 0) | (F.col("most_ms") < 0))
    shift = F.when(one_clock, F.col("least_ms")).otherwise(F.least("most_ms", F.lit(0)))
    untold = F.when(F.col("brokers") == 1, 0).otherwise(SKEW_MS)
    behind = F.coalesce(F.greatest(-F.col("least_ms"), F.lit(0)), untold)
    brokers = logs.groupBy("capture").agg(F.countDistinct("replica").alias("brokers"))
    shortest, longest = F.lit(config.marker_delivery_min_ms), F.lit(config.marker_delivery_max_ms)
    bound = F.least(F.greatest(F.col("latency_ms") * config.marker_delivery_factor, shortest), longest)
    return (
        brokers.join(spread, "capture", "left")
        .join(latency, "capture", "left")
        .select(
            "capture",
            F.coalesce(shift, F.lit(0)).alias("shift_ms"),
            behind.alias("behind_ms"),
            F.coalesce(F.when(F.col("brokers") > 1, F.col("measured_ms")), untold).alias("spread_ms"),
            F.coalesce(bound, longest).alias("marker_bound_ms"),
            untold.cast("bigint").alias("untold_ms"),
            F.coalesce(F.col("least_ms") > F.col("most_ms"), F.lit(False)).alias("apart"),
        )
    )


def _latency(pairs: DataFrame) -> DataFrame:
    """Return each lag_ms of a capture once, with the pairs that it has, those up to it, and the largest done_ms."""
    lags = pairs.groupBy("capture", "lag_ms").agg(F.count("lag_ms").alias("here"), F.max("done_ms").alias("done_ms"))
    whole = Window.partitionBy("capture")
    rising = whole.orderBy("lag_ms").rowsBetween(Window.unboundedPreceding, Window.currentRow)
    return lags.withColumns({"pairs": F.sum("here").over(whole), "up_to": F.sum("here").over(rising)})


def paired_logs(in_order: DataFrame) -> DataFrame:
    """Return the logs and state partitions of which some marker was stamped in time: log_no, state_partition."""
    return in_order.where("completed_ms IS NOT NULL").select("log_no", "state_partition").distinct()


def measured_logs(by_order: DataFrame, by_epoch: DataFrame, repeated: DataFrame) -> DataFrame:
    """Return the logs and state partitions between whose clocks some pair tells: log_no, state_partition.

    What agrees only because its times do says nothing of clocks: where markers repeat, or decisions may be compacted
    away (`agreeing`).
    """
    pair = ["log_no", "state_partition", "completed_ms"]
    again = repeated.select(*PRODUCER_NO).distinct()
    plain = by_order.where("history_whole").select(*PRODUCER_NO, *pair[1:]).join(again, list(PRODUCER_NO), "left_anti")
    told = plain.select(*pair).unionByName(by_epoch.select(*pair)).where("completed_ms IS NOT NULL")
    return told.select("log_no", "state_partition").distinct()
