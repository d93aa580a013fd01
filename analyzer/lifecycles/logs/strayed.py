"""Batches whose base offset or leader epoch is damaged: no checksum covers these, but the batches around them do."""

from pyspark.sql import DataFrame, Window, functions as F

from analyzer.lifecycles.logs.leader_epochs import LED
from analyzer.lifecycles.placing import LOG
from analyzer.stages.few import with_few

SEGMENT = (*LOG, "segment")
BATCH = (*SEGMENT, "position")
RELATIVE_OFFSETS = 1 << 31
"""Offsets of a segment differ by less than this, because its indexes store them in 32 bits (LogSegment)."""
FIRST = Window.unboundedPreceding


def strayed(doubtful: DataFrame, batches: DataFrame) -> DataFrame:
    """Return rows of `strayed`: batches that cannot have their offset, with the offset that their place implies.

    Offsets of a segment begin at its name, end before the next segment's name, and grow from batch to batch
    (LogSegment). A batch has strayed if it breaks that and the batches beside it agree without it; its place is right
    after the one before it. The place is null where another segment has the same batch: nothing is damaged then, and
    files of two copies, which began their segments at different offsets, are in one folder. Only segments out of these
    bounds, or whose batches do not follow one another without a hole, are read in order: the `doubtful` ones. If the
    others do not grow either, none is moved.
    """
    order = Window.partitionBy(*SEGMENT).orderBy("position")
    within = with_few(batches, doubtful, SEGMENT).select(
        *BATCH, "base_offset", "last_offset", "size", "is_control", "batch_ref", "crc", "lower", "upper",
        F.coalesce(F.lag("last_offset").over(order), F.col("lower") - 1).alias("previous"),
        F.lead("base_offset").over(order).alias("after"),
    )  # fmt: skip
    outside = (F.col("base_offset") < F.col("lower")) | (F.col("last_offset") >= F.col("upper"))
    follows = F.col("base_offset") == F.col("previous") + 1
    agree = F.coalesce((F.col("last_offset") >= F.col("after")) & (F.col("previous") < F.col("after")), F.lit(False))
    high = within.withColumn("high", outside | (agree & ~follows))
    last_sound = F.last(F.when(~F.col("high"), F.col("last_offset")), ignorenulls=True)
    known = high.withColumn("before", F.coalesce(last_sound.over(order.rowsBetween(FIRST, -1)), F.col("lower") - 1))
    low = (F.col("base_offset") <= F.col("before")) & F.coalesce(F.col("after") > F.col("before"), F.lit(True))
    judged = known.withColumn("wrong", F.col("high") | low)
    sound = F.last(F.when(~F.col("wrong"), F.col("last_offset")), ignorenulls=True).over(order.rowsBetween(FIRST, -1))
    odd = ~F.col("wrong") & F.coalesce(F.col("base_offset") <= sound, F.lit(False))
    whole = judged.withColumn("odd", odd).withColumn("odds", F.count_if("odd").over(Window.partitionBy(*SEGMENT)))
    found = whole.where("wrong AND odds = 0")
    place = F.when(F.col("twice").isNull(), F.col("before") + 1).alias("place")
    return found.join(_had_twice(found, batches), list(BATCH), "left").select(
        *BATCH, place, "base_offset", "last_offset", "size", "is_control", "batch_ref"
    )


def _had_twice(found: DataFrame, batches: DataFrame) -> DataFrame:
    """Return the batches that another segment of the log has, too: files of two copies are in one folder."""
    same = [*LOG, "base_offset", "last_offset", "crc"]
    others = batches.select(*same, F.col("segment").alias("other"))
    both = F.broadcast(found.select(*BATCH, *same[len(LOG) :])).join(others, same).where("other <> segment")
    return both.select(*BATCH).distinct().withColumn("twice", F.lit(True))


def doubtful_logs(ranges: DataFrame) -> DataFrame:
    """Return the logs, by log_no, in which a leader epoch begins before a lower one ends; `ranges` are `epoch_ranges`.

    Leader epochs only grow from batch to batch: each leader appends with its own, and followers copy (KIP-101).
    """
    lower = Window.partitionBy("log_no").orderBy("epoch").rowsBetween(FIRST, -1)
    crossed = ranges.withColumn("lower_ends", F.max("ends_at").over(lower)).where("lower_ends >= begins_at")
    return crossed.select("log_no").distinct()


def wrong_epochs(doubtful: DataFrame, batches: DataFrame) -> DataFrame:
    """Return the batches that cannot have their leader epoch: the two beside them agree without it.

    At an end of the log these are the two next ones. The epoch is theirs where both have the same, else null.
    """
    order = Window.partitionBy("log_no").orderBy("segment", "position")
    beside = {"one_before": -1, "two_before": -2, "one_after": 1, "two_after": 2}
    led = with_few(batches.where(LED), doubtful, ["log_no"])
    told = led.withColumns({name: F.lead("partition_leader_epoch", by).over(order) for name, by in beside.items()})
    lower = F.expr("if(one_after IS NULL, two_before, coalesce(one_before, one_after))")
    upper = F.expr("if(one_before IS NULL, two_after, coalesce(one_after, one_before))")
    too_low = F.col("one_before").isNotNull() & (F.col("partition_leader_epoch") < lower)
    too_high = F.col("one_after").isNotNull() & (F.col("partition_leader_epoch") > upper)
    return told.where((lower <= upper) & (too_low | too_high)).select(
        *BATCH, F.when(lower == upper, lower).alias("epoch"), "partition_leader_epoch", "base_offset", "last_offset",
        "size", "is_control", "batch_ref",
    )  # fmt: skip


def restored(wrong: DataFrame, epochs: DataFrame, batches: DataFrame) -> DataFrame:
    """Return the batches, those that have strayed at the offset that their place implies, and each of two once.

    Those of `epochs`, which are `wrong_epochs`, have the leader epoch of the batches beside them.
    """
    places = wrong.select(*BATCH, "place", F.lit(True).alias("found"))
    led = epochs.select(*BATCH, "epoch", F.lit(True).alias("misled"))
    few = F.broadcast(places.join(led, list(BATCH), "full"))
    # The few stand on the left (see few.py); every batch stays.
    joined = few.join(batches, list(BATCH), "right").where("found IS NULL OR place IS NOT NULL")
    moved = F.coalesce(F.col("place") - F.col("base_offset"), F.lit(0))
    columns = {name: F.col(name) for name in batches.columns}
    columns |= {name: (F.col(name) + moved).alias(name) for name in ("base_offset", "last_offset")}
    epoch = F.when(F.col("misled"), F.col("epoch")).otherwise(F.col("partition_leader_epoch"))
    columns["partition_leader_epoch"] = epoch.alias("partition_leader_epoch")
    return joined.select(*columns.values())


def doubtful_segments(segments: DataFrame, places: DataFrame) -> DataFrame:
    """Return the segments with offsets out of bounds or out of order, with these bounds: lower, upper (exclusive).

    A dump that does not name its segment counts as segment 0: the bounds of that one begin at its first batch, and the
    next segment's name is none if it lies below.
    """
    names = places.where("kind = 'log' AND topic IS NOT NULL AND partition IS NOT NULL").select(*SEGMENT).distinct()
    after = F.lead("segment").over(Window.partitionBy(*LOG).orderBy("segment"))
    named = F.col("segment") > 0
    begin = F.when(named, F.col("segment")).otherwise(F.col("head_offset"))
    next_one = F.when(named | (F.col("head_offset") < F.col("next")), F.col("next"))
    bounded = segments.join(names.withColumn("next", after), list(SEGMENT)).select(
        *SEGMENT, "segment_start", "segment_end", "head_offset", "tail_offset", "links", "ends",
        F.col("segment").alias("lower"),
        F.least(next_one, begin + RELATIVE_OFFSETS).alias("upper"),
    )  # fmt: skip
    odd = (
        "segment_start < lower OR segment_end >= upper OR segment_start <> head_offset OR segment_end <> tail_offset "
        "OR NOT links <=> ends"
    )
    return bounded.where(odd).select(*SEGMENT, "lower", "upper")
