"""The bounds of each copy of a log, and which copy is judged (RULES A 1)."""

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.kafka.clocks import COPYING_MS
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles.logs.authority import (
    checkpoints,
    elsewhere,
    in_time,
    leaders,
    logged_leaders,
    own_epochs,
    together,
    with_standing,
)
from analyzer.lifecycles.placing import LOG, PARTITION
from analyzer.tables import RAW_KINDS
from analyzer.tables.unions import union_filled

OPEN_ENDS = ("cut", "died", "excerpt")
"""Endings of a section whose last batch may be missing."""


def replica_logs(
    bounds: DataFrame,
    places: DataFrame,
    seen: DataFrame,
    producer_states: DataFrame,
    unread: DataFrame,
    held: DataFrame,
) -> DataFrame:
    """Return rows of `logs`, one per copy of a log; `seen` are the placed observations, `unread` known segments.

    `held` are `holders` of copies, of which some may not be here.

    Which copy is judged (`authority`), and who leads: see `with_standing` (RULES A 1). A copy of which only producer
    snapshots are here (`has_log` false) ends at the newest of them and reaches the newest timestamp in it; it counts
    only where no copy has a log.
    """
    joined = _told(bounds, places, seen, producer_states, unread).join(together(held), list(PARTITION), "left")
    bounded = joined.select(*_bounded())
    beyond = F.coalesce(F.col("known_end") > F.col("log_end_offset"), F.lit(False))
    unproven = F.col("excerpted") & ~F.col("known_end").eqNullSafe(F.col("log_end_offset"))
    missing = F.coalesce(F.col("has_log") & (beyond | unproven | F.col("corrupt_end")), F.lit(False))
    ended = bounded.withColumn("tail_missing", missing).drop("known_end", "excerpted", "corrupt_end")
    ended = ended.withColumn("absent", elsewhere()).drop("leader", "holders")
    return with_standing(_with_snapshot(ended, producer_states))


def _bounded() -> list[Column | str]:
    """Return the columns of a copy's bounds, and of who leads its partition as far as files name it."""
    first_here = F.least("listed_start", "first_segment", "first_offset")
    # leader-epoch-checkpoint begins with the first batch of message format 2, unless the broker cut it off at a later
    # log start.
    own_start = F.when(F.col("lowest_epoch") >= 0, F.greatest("epoch_start", first_here))
    own_epoch = F.greatest("checkpoint_epoch", "batch_epoch")
    # No broker's files know of a newer leader epoch, or of more offsets that were acknowledged.
    newest = own_epoch >= F.coalesce("known_epoch", F.lit(-1))
    is_current = newest & (F.col("end_of_batches") >= F.coalesce("known_mark", F.lit(0)))
    end = F.coalesce(
        F.greatest("end_of_batches", "last_segment"), "last_segment", F.greatest("known_offset", "high_watermark")
    )
    # The cleaner writes whole segments (`Cleaner.groupSegmentsBySize`): all of the one that holds its checkpoint.
    uncleaned = F.array_min(F.filter("segments", lambda base: base >= F.col("cleaner_checkpoint")))
    return [
        *LOG, "log_no", "first_segment", "last_segment", "first_offset",
        end.alias("log_end_offset"),
        F.coalesce(F.greatest("log_start", own_start), first_here, F.lit(0)).alias("log_start_offset"),
        F.coalesce(F.greatest("log_start", "epoch_start") < first_here, F.lit(False)).alias("start_missing"),
        F.coalesce(
            F.greatest("log_start", "epoch_start"),
            F.when(F.col("lowest_name") >= F.col("raw_start"), F.least("raw_start", "listed_start")),
        ).alias("proven_start"),
        "has_log",
        _known_end().alias("known_end"),
        "excerpted",
        F.coalesce("corrupt_end", F.lit(False)).alias("corrupt_end"),
        "high_watermark", "cleaner_checkpoint",
        F.when(F.col("cleaner_checkpoint").isNotNull(), F.coalesce(uncleaned, end)).alias("cleaned_end"),
        F.coalesce(own_epoch, F.lit(-1)).alias("log_epoch"),
        F.coalesce("batches", F.lit(0)).alias("batches"),
        F.when(F.col("has_log"), F.col("newest_ms")).otherwise(F.col("known_ms")).alias("newest_ms"),
        "reaches_ms", "taken_ms", "copied_ms",
        F.when(is_current, F.col("copied_ms") - COPYING_MS).alias("shown_ms"),
        F.coalesce((F.col("leader") == F.col("replica")) & in_time(own_epoch), F.lit(False)).alias("named_leader"),
        "named_by", "logged_leader", "logged_epoch",
        F.when(in_time(own_epoch), F.col("leader")).alias("leader"),
        "holders",
    ]  # fmt: skip


def _told(
    bounds: DataFrame, places: DataFrame, seen: DataFrame, producer_states: DataFrame, unread: DataFrame
) -> DataFrame:
    """Return one row per copy of a log, with all that the files here tell of it and of its partition."""
    logs = places.where("kind = 'log' AND topic IS NOT NULL AND partition IS NOT NULL")
    whole = ~F.coalesce(F.col("ending").isin(*OPEN_ENDS), F.lit(False))
    raw = F.when(F.col("file_kind").isin(*RAW_KINDS), F.col("segment"))
    segments = logs.groupBy(*LOG).agg(
        F.min("segment").alias("first_segment"), F.max("segment").alias("last_segment"), F.min(raw).alias("raw_start"),
        F.collect_set("segment").alias("segments"),
        (~F.max(F.struct("segment", whole.alias("whole")))["whole"]).alias("excerpted"),
    )  # fmt: skip
    copies = segments.join(_newest_snapshots(producer_states), list(LOG), "full")
    copies = copies.withColumn("has_log", F.col("first_segment").isNotNull())
    some = F.max("has_log").over(Window.partitionBy("capture", "topic", "partition"))
    copies = copies.withColumn("some", some).where("has_log OR NOT some").drop("some")
    joined = copies.join(bounds, list(LOG), "left").join(checkpoints(seen), list(LOG), "left")
    joined = joined.join(_newest_known(seen), list(PARTITION), "left")
    listed = unread.groupBy(*LOG).agg(F.min("segment").alias("listed_start"), F.max("segment").alias("listed_end"))
    joined = joined.join(listed, list(LOG), "left").join(_moments(places), list(LOG), "left")
    lowest = F.min(F.least("first_segment", "lowest_name")).over(Window.partitionBy(*PARTITION))
    joined = joined.join(_named(places), list(LOG), "left").withColumn("lowest_name", lowest)
    joined = joined.join(own_epochs(seen), list(LOG), "left")
    joined = joined.join(logged_leaders(seen), list(PARTITION), "left")
    return joined.join(leaders(seen), list(PARTITION), "left")


def _known_end() -> Column:
    """Return how far the log reached by what is no batch: high watermark, epochs, snapshots, names of other files."""
    beyond = [F.when(F.col(one) > F.col("last_segment"), F.col(one) + 1) for one in ("listed_end", "named_index")]
    return F.greatest("high_watermark", "epoch_end", "known_offset", "named_snapshot", *beyond)


def _newest_known(seen: DataFrame) -> DataFrame:
    """Return the highest leader epoch and high watermark of each partition in the files of any broker."""
    epochs = own_epochs(seen).select(*PARTITION, F.col("checkpoint_epoch").alias("known_epoch"))
    marks = checkpoints(seen).select(*PARTITION, F.col("high_watermark").alias("known_mark"))
    return union_filled(epochs, marks).groupBy(*PARTITION).agg(
        F.max("known_epoch").alias("known_epoch"), F.max("known_mark").alias("known_mark")
    )  # fmt: skip


def _named(places: DataFrame) -> DataFrame:
    """Return each copy's number, and the offsets that files are named after: snapshots, and segments with an index."""
    files = places.where("topic IS NOT NULL AND partition IS NOT NULL")
    kind = F.coalesce("kind", "file_kind")
    return files.groupBy(*LOG).agg(
        F.min("log_no").alias("log_no"),
        F.max(F.when(kind == "snapshot", F.col("segment"))).alias("named_snapshot"),
        F.max(F.when(kind == "txnindex", F.col("segment"))).alias("named_index"),
        F.min(F.when(kind.isin("snapshot", "txnindex"), F.col("segment"))).alias("lowest_name"),
    )


def _moments(places: DataFrame) -> DataFrame:
    """Return as of when the newest file of each copy shows it, and when that file's archive was begun."""
    told = places.where("topic IS NOT NULL AND partition IS NOT NULL AND copied_at IS NOT NULL")
    files = told.where((F.col("kind") == "log") | (F.col("kind") == "snapshot"))
    newest = F.max(F.struct((F.col("kind") == "log").alias("is_log"), "segment", "copied_at", "taken_at"))
    return files.groupBy(*LOG).agg(newest.alias("newest")).select(
        *LOG, F.col("newest.taken_at").alias("taken_ms"), F.col("newest.copied_at").alias("copied_ms")
    )  # fmt: skip


def with_data(logs: DataFrame) -> DataFrame:
    """Return the captures of which a copy of a data partition is here, its log or a producer snapshot (RULES D 6)."""
    return logs.where(F.col("topic") != STATE_TOPIC).select("capture").distinct()


def _newest_snapshots(producer_states: DataFrame) -> DataFrame:
    """Return of each copy its newest snapshot's offset, and the newest timestamp of a producer in that snapshot."""
    known_ms = F.max(F.struct("snapshot_offset", "timestamp"))["timestamp"].alias("known_ms")
    named = producer_states.where("topic IS NOT NULL AND partition IS NOT NULL")
    return named.groupBy(*LOG).agg(F.max("snapshot_offset").alias("known_offset"), known_ms)


def _with_snapshot(logs: DataFrame, producer_states: DataFrame) -> DataFrame:
    """Add the newest snapshot at or below the log end. A snapshot without producers has no rows and does not count."""
    snapshots = producer_states.groupBy(*LOG).agg(F.collect_set("snapshot_offset").alias("snapshots"))
    usable = F.filter("snapshots", lambda at: at <= F.col("log_end_offset"))
    return logs.join(snapshots, list(LOG), "left").withColumn("snapshot_offset", F.array_max(usable)).drop("snapshots")
