"""The moments that an open transaction is compared with: how far its log, its replica and the state files reach."""

from pyspark.sql import DataFrame, functions as F

from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles.matching.timing import appended_by
from analyzer.lifecycles.placing import PRODUCER_NO


def times_of(
    opens: DataFrame,
    decisions: DataFrame,
    batches: DataFrame,
    judged: DataFrame,
    logs: DataFrame,
    moments: DataFrame,
    clocks: DataFrame,
    measured: DataFrame,
) -> DataFrame:
    """Return, for each open transaction, when it was appended at the latest, up to when files reach, and `moments`.

    reach_ms: the newest time in this log that a broker set, or of a decision that is carried out in it, or of its copy;
    replica_reach_ms: the newest of any data partition of the same replica and archive. horizon_ms, tail_missing and
    copied_ms: see `horizons`. For data that came later than the state files' copy, in a copy of its log that was made
    after theirs, the state files end at their copy.
    """
    written_ms = F.coalesce("first_batch.max_timestamp", "snapshot_ms").alias("written_ms")
    asked = opens.select("capture", *PRODUCER_NO, "first_offset", written_ms)
    told = (
        appended_by(asked, decisions, batches, clocks, measured)
        .join(horizons(decisions, logs, judged), "log_no")
        .join(moments, "capture")
        .join(_reach(decisions, logs), "log_no", "left")
    )
    later = (F.col("copied_ms") > F.col("captured_at")) & (F.col("written_ms") > F.col("captured_at"))
    ended = F.when(later, F.least("state_horizon_ms", "captured_at")).otherwise(F.col("state_horizon_ms"))
    return told.withColumn("state_horizon_ms", ended).drop("capture", "first_offset", "written_ms")


def horizons(decisions: DataFrame, logs: DataFrame, judged: DataFrame) -> DataFrame:
    """Return per log up to when its files reach, epoch ms, and whether its end is missing (`tail_missing`).

    `horizon_ms` is the capture's moment, or that of an older copy, unless the coordinator's history proves that the
    files are older: then the newest decision whose marker is here. Proof is the markers of two producers or more
    missing at the end that the coordinator counts as written (Complete*), with no other matched marker after them
    (whether a new leader epoch makes that a loss instead of an old copy is asked where the horizon is used).
    `decisions` has log_no, producer_id, decided_ms, marker_offset (null where no marker matches).
    """
    seen_ms = F.max(F.when(F.col("marker_offset").isNotNull(), F.col("decided_ms"))).alias("seen_ms")
    settled = decisions.groupBy("log_no").agg(seen_ms)
    missing = "marker_offset IS NULL AND (seen_ms IS NULL OR decided_ms > seen_ms)"
    behind = decisions.join(settled, "log_no").where(missing)
    finished = F.when(F.col("completed_ms").isNotNull(), F.col("producer_id"))
    old = behind.groupBy("log_no").agg(F.countDistinct(finished).alias("waiting"), F.first("seen_ms").alias("seen_ms"))
    return (
        logs.join(old, "log_no", "left")
        .join(judged.select("capture", "captured_at"), "capture")
        .select(
            "log_no",
            F.when(F.col("waiting") > 1, F.coalesce("seen_ms", F.lit(0)))
            .otherwise(F.least("captured_at", "copied_ms"))
            .alias("horizon_ms"),
            "tail_missing",
            "copied_ms",
        )
    )


def _reach(decisions: DataFrame, logs: DataFrame) -> DataFrame:
    """Return per copy of a data partition the newest moment that it is shown to reach, by its contents or by its copy.

    replica_reach_ms is that by its contents: it speaks for all that was copied with it, in the archive of taken_ms.
    """
    carried = decisions.where("marker_offset IS NOT NULL").groupBy("log_no")
    matched = carried.agg(F.max(F.coalesce("completed_ms", "decided_ms")).alias("matched_ms"))
    data = logs.where(F.col("topic") != STATE_TOPIC).join(matched, "log_no", "left")
    by_content = F.greatest("newest_ms", "matched_ms")
    each = data.select(
        "log_no", "capture", "replica", "has_log", F.coalesce("taken_ms", F.lit(0)).alias("taken_ms"),
        by_content.alias("content_ms"),
        F.greatest(by_content, F.when(F.col("has_log"), F.col("shown_ms"))).alias("reach_ms"),
    )  # fmt: skip
    together = ["capture", "replica", "taken_ms"]
    whole = each.where("has_log").groupBy(*together).agg(F.max("content_ms").alias("replica_reach_ms"))
    return each.join(whole, together, "left").select("log_no", "reach_ms", "replica_reach_ms")
