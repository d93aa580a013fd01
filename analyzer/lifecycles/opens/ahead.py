"""What other copies of a log show beyond the end of the judged one, which was copied earlier (RULES A 6 a)."""

from pyspark.sql import DataFrame, functions as F

from analyzer.lifecycles.placing import PARTITION, PRODUCER_NO
from analyzer.stages.few import with_few


def markers_ahead(several: DataFrame, logs: DataFrame, txns: DataFrame) -> DataFrame:
    """Return the first marker of each producer id that another copy has beyond the end of the judged one.

    log_no is the judged copy's, `ahead_on` the broker that has the marker; ahead_marker and ahead_ms are its type and
    timestamp. Only a marker under the judged copy's newest leader epoch, or a later one, was written after it was
    copied: one of an older epoch is what the leader never had, or has cut off (KIP-101). `several` are the partitions
    of which more than one copy is here.
    """
    here = logs.where("has_log").join(F.broadcast(several.select(*PARTITION)), list(PARTITION), "left_semi")
    judged = here.where("authority").select(
        *PARTITION, F.col("log_no").alias("judged_no"), F.col("log_end_offset").alias("judged_end"), "log_epoch"
    )
    ahead_on = F.col("replica").alias("ahead_on")
    others = here.where("NOT authority").select(*PARTITION, "log_no", ahead_on, "log_end_offset")
    longer = others.join(judged, list(PARTITION)).where("log_end_offset > judged_end")
    pairs = longer.select("log_no", "ahead_on", "judged_no", "judged_end", "log_epoch")
    since = F.coalesce(F.col("marker_leader_epoch"), F.lit(-1)) >= F.col("log_epoch")
    beyond = with_few(txns, pairs, ["log_no"]).where((F.col("marker_offset") >= F.col("judged_end")) & since)
    told = F.min(F.struct("marker_offset", "ahead_on", "marker", "marker_ms")).alias("told")
    first = beyond.groupBy(F.col("judged_no").alias("log_no"), "producer_id").agg(told)
    marker, at = F.col("told.marker").alias("ahead_marker"), F.col("told.marker_ms").alias("ahead_ms")
    return first.select(*PRODUCER_NO, "told.ahead_on", marker, at)
