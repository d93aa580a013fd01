"""The plan of what to collect or read next: each segment that is known, not read, and why it would tell more."""

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.lifecycles.coordinator.transactions import TXN, without_timeout
from analyzer.lifecycles.logs.authority import checkpoints, in_order, leaders, own_epochs
from analyzer.lifecycles.placing import LOG, PARTITION
from analyzer.stages.combining import first_of_each
from analyzer.tables.fetch_steps import COPIES, DATA, NAMED, OLDER, OPEN, SINCE
from analyzer.tables.unions import union_filled


def plan(unread: DataFrame, wanted: DataFrame, places: DataFrame, seen: DataFrame) -> DataFrame:
    """Return one row per unread segment: LOG, segment, bytes, step, why.

    `wanted` are rows of `wanted_partitions`. Of each partition the copy that leads, as far as the small files tell, is
    read first; other copies only where the leader has changed since. A partition of which neither a log nor a list of
    segments is here has one row, with null for segment and bytes, and for the replica if no file names one.
    """
    judged = _judged(places, unread, seen)
    return _segments(unread, wanted, places, judged).unionByName(_whole(unread, wanted, places, judged))


def _segments(unread: DataFrame, wanted: DataFrame, places: DataFrame, judged: DataFrame) -> DataFrame:
    blind_from = places.where("file_kind = 'snapshot' OR kind = 'snapshot'").groupBy(*LOG)
    segments = (
        _known(unread, places)
        .join(blind_from.agg(F.max("segment").alias("blind_from")), list(LOG), "left")
        .join(judged, list(LOG), "left")
        .join(wanted.withColumnRenamed("step", "first_step"), list(PARTITION), "left")
        .where("path IS NOT NULL")
    )
    return segments.withColumn("step", _step()).select(*LOG, "segment", "bytes", "step", _why().alias("why"))


def _whole(unread: DataFrame, wanted: DataFrame, places: DataFrame, judged: DataFrame) -> DataFrame:
    """Return the partitions of which no segment is known, those that transactions name without any file too."""
    known = union_filled(unread.select(*PARTITION), places.where("kind = 'log'").select(*PARTITION)).distinct()
    every = judged.drop("judged").join(wanted, list(PARTITION), "full").join(known, list(PARTITION), "left_anti")
    none = dict.fromkeys(("segment", "bytes", "blind_from", "end"), F.lit(None).cast("bigint"))
    row = every.withColumns({**none, "step": F.coalesce("step", F.lit(SINCE))})
    return row.select(*LOG, "segment", "bytes", "step", _why().alias("why"))


def _known(unread: DataFrame, places: DataFrame) -> DataFrame:
    """Return every segment of the logs with unread ones, and where the next two begin; only unread ones have a path."""
    read = places.where("kind = 'log'").join(unread.select(*LOG).distinct(), list(LOG), "left_semi")
    every = union_filled(unread, read.select(*LOG, "segment").distinct())
    order = Window.partitionBy(*LOG).orderBy("segment")
    return every.withColumn("end", F.lead("segment", 1).over(order)).withColumn(
        "end_of_next", F.lead("segment", 2).over(order)
    )


def _judged(places: DataFrame, unread: DataFrame, seen: DataFrame) -> DataFrame:
    """Return the copy of each partition to read first: the leader's, else that of the newest epoch and most offsets."""
    named = places.where("topic IS NOT NULL AND partition IS NOT NULL").select(*LOG)
    copies = union_filled(named, unread.select(*LOG)).distinct()
    told = (
        copies.join(leaders(seen), list(PARTITION), "left")
        .join(own_epochs(seen), list(LOG), "left")
        .join(checkpoints(seen), list(LOG), "left")
    )
    leads = F.coalesce(F.col("leader") == F.col("replica"), F.lit(False))
    first = first_of_each(told, PARTITION, in_order(leads, "checkpoint_epoch", "high_watermark"), 1)
    return first.select(*LOG, F.lit(True).alias("judged"))


def _reaches(offset: Column, end: str = "end") -> Column:
    """Return whether a segment that ends there holds offsets at or after this one."""
    return F.col(end).isNull() | (F.col(end) > offset)


def _blind() -> Column:
    """Return whether a segment holds offsets that no snapshot knows of."""
    return _reaches(F.coalesce("blind_from", F.lit(0)))


def _step() -> Column:
    """Return the first step that asks for the segment.

    Where only a snapshot shows that something is open, what came after it is first: it may have ended there.
    """
    from_offset = F.coalesce("from_offset", "blind_from", F.lit(0))
    is_open = F.col("first_step") == OPEN
    # The segment before the first open offset's may hold the producer's last marker.
    before = is_open & _reaches(from_offset, "end_of_next")
    needed = F.col("first_step").isNotNull() & (_reaches(from_offset) | before)
    judged = F.coalesce("judged", F.lit(False))
    return (
        F.when(judged & needed & is_open & (F.coalesce("has_log", F.lit(False)) | _blind()), OPEN)
        .when(judged & needed & is_open, DATA)
        .when(judged & needed, NAMED)
        .when(needed & F.coalesce("elected", F.lit(False)), COPIES)
        .when(judged & _blind(), SINCE)
        .otherwise(OLDER)
    )


def _why() -> Column:
    from_offset = F.col("from_offset").cast("string")
    blind_from = F.coalesce("blind_from", F.lit(0)).cast("string")
    holds = F.when(_reaches(F.col("from_offset")), "its data, or what came after").otherwise("the marker before it")
    told = F.concat("who", F.lit(" is open from offset "), from_offset, F.lit(": "))
    return (
        F.when(F.col("step") == OPEN, F.concat(told, F.lit("its end may be here")))
        .when(F.col("step") == DATA, F.concat(told, holds))
        .when(F.col("step") == COPIES, F.lit("another copy, since the leader has changed"))
        .when(F.col("step") == SINCE, F.concat(F.lit("no snapshot shows what is open after offset "), blind_from))
        .when(F.col("step") == OLDER, F.lit("nothing open depends on it"))
        .otherwise(F.concat("who", F.lit(" is "), "state", F.lit(" and names this partition")))
    )


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
