"""Notes on logs of which the beginning is not here, where no snapshot says what was open there (RULES D 7)."""

from pyspark.sql import DataFrame, Window, functions as F

from analyzer.kafka.settings import REMOTE_STORAGE
from analyzer.lifecycles.coverage.note import note, worded
from analyzer.lifecycles.coverage.notes import offset_hole
from analyzer.lifecycles.placing import LOG, PARTITION

UNUSED = ("bad_crc", "bad_count", "unknown_version", "cut_tail", "empty_file")
"""Damage of a snapshot of which nothing is used."""


def late_starts(logs: DataFrame, places: DataFrame, damage: DataFrame, snapshots: DataFrame) -> DataFrame:
    """Return the judged logs that start above offset 0 without a snapshot of their own that proves what was open there.

    A sound producer snapshot at or above the first segment is proof, even an empty one: what was open at the start and
    is not in it has ended. `other_path` and `other_at` are those of a snapshot of another copy, null for none.
    """
    late = logs.where("authority AND first_segment > 0").select(*LOG, "log_no", "first_segment", "first_offset")
    sound = _sound_snapshots(places, damage, snapshots)
    own = sound.groupBy(*LOG).agg(F.max("reached").alias("own_at"))
    unproven = late.join(own, list(LOG), "left").where("own_at IS NULL OR own_at < first_segment").drop("own_at")
    return unproven.join(_of_another_copy(unproven, sound), list(PARTITION), "left")


def carried_starts(late: DataFrame, snapshots: DataFrame) -> DataFrame:
    """Return what those snapshots of another copy have open from before the log's start."""
    states = snapshots.where("current_txn_first_offset IS NOT NULL")
    states = states.select("capture", F.col("path").alias("other_path"), "producer_id", "current_txn_first_offset")
    named = late.select(*PARTITION, "log_no", "first_segment", "other_path", "other_at")
    return named.join(states, ["capture", "other_path"]).where("current_txn_first_offset < first_segment")


def without_start(late: DataFrame, carried: DataFrame, txns: DataFrame, known: DataFrame) -> DataFrame:
    """Return a note on each of these logs that starts without proof of what was open there.

    A snapshot of another copy is proof unless a transaction is open in it from before the start that no later marker of
    this log ends (`carried`). Earlier segments of a topic with tiered storage, by the `known_settings`, are not asked
    for: no broker has them, and nothing in them is open (`RemoteLogManager` uploads what is below the LSO).
    """
    unended = _unended(carried, txns)
    left = late.join(unended, list(PARTITION), "left").where("other_at IS NULL OR since IS NOT NULL")
    left = left.join(_tiered(known), ["capture", "topic"], "left")
    other = worded(
        "{other_path} of another copy has transactions open from before it ({producers}, the first since offset "
        "{since}), which no marker in this log ends"
    )
    nothing = F.lit("no producer snapshot shows which transactions were open at that point")
    earlier = F.when(
        F.col("tiered"),
        "; earlier segments are in remote storage, where nothing is open: what is open is never uploaded",
    ).otherwise(", or its earlier segments")
    fetch = worded("the .snapshot files of {topic}-{partition}{earlier}", earlier=earlier)
    text = worded(
        "the log starts at offset {start}, and {why}",
        start=F.coalesce("first_offset", "first_segment"),
        why=F.when(F.col("since").isNull(), nothing).otherwise(other),
    )
    return note(left, "missing_start", text, fetch, number="first_segment")


def missing_first(logs: DataFrame, known: DataFrame) -> DataFrame:
    """Return a note on each judged log that begins, by its checkpoint files, before the first of its files here.

    Not of topics with tiered storage: there they tell where what is in remote storage begins.
    """
    named = logs.where("authority AND start_missing").join(_tiered(known), ["capture", "topic"], "left_anti")
    first = F.least("first_segment", "first_offset")
    rows = named.withColumns({"gap_offset": F.col("proven_start"), "gap_end": first})
    return offset_hole(rows, ", although the log begins with them by its checkpoint files")


def _tiered(known: DataFrame) -> DataFrame:
    """Return the topics that have tiered storage now."""
    now = known.where((F.col("config") == REMOTE_STORAGE) & (F.col("resource_type") == "topic"))
    now = now.where("setting = 'true' AND until_ms IS NULL")
    return now.select("capture", F.col("resource").alias("topic"), F.lit(True).alias("tiered")).distinct()


def _sound_snapshots(places: DataFrame, damage: DataFrame, snapshots: DataFrame) -> DataFrame:
    """Return the snapshots that can be used: LOG, path, and the offset up to which each surely reaches.

    That is the offset in its name or, where a dump does not tell it, the one after its newest batch.
    """
    broken = damage.where(F.col("damage").isin(*UNUSED)).select("capture", "path").distinct()
    corrupt = F.coalesce(F.col("note").contains("corrupt"), F.lit(False))
    complete = (F.coalesce("ending", F.lit("complete")) == "complete") & ~corrupt
    named = places.where("kind = 'snapshot' OR (kind IS NULL AND file_kind = 'snapshot')").where(complete)
    sound = named.join(broken, ["capture", "path"], "left_anti").select(*LOG, "path", "segment")
    newest = snapshots.groupBy("capture", "path").agg((F.max("last_offset") + 1).alias("after"))
    reached = F.coalesce(F.greatest("segment", "after"), "segment").alias("reached")
    return sound.join(newest, ["capture", "path"], "left").select(*LOG, "path", reached)


def _of_another_copy(unproven: DataFrame, sound: DataFrame) -> DataFrame:
    """Return the newest snapshot of another copy that covers the start of each log."""
    starts = unproven.select(*PARTITION, F.col("replica").alias("judged"), "first_segment")
    there = sound.join(starts, list(PARTITION)).where("replica <> judged AND reached >= first_segment")
    newest = Window.partitionBy(*PARTITION).orderBy(F.col("reached").desc(), "path")
    first = there.withColumn("turn", F.row_number().over(newest)).where("turn = 1")
    return first.select(*PARTITION, F.col("path").alias("other_path"), F.col("reached").alias("other_at"))


def _unended(carried: DataFrame, txns: DataFrame) -> DataFrame:
    """Return what of it no later marker here ends."""
    markers = txns.where("marker_offset IS NOT NULL").select("log_no", "producer_id", "marker_offset")
    ended = carried.join(markers, ["log_no", "producer_id"]).where("marker_offset >= other_at")
    left = carried.join(ended.select("log_no", "producer_id").distinct(), ["log_no", "producer_id"], "left_anti")
    return left.groupBy(*PARTITION).agg(
        F.min("current_txn_first_offset").alias("since"), F.countDistinct("producer_id").alias("producers")
    )  # fmt: skip
