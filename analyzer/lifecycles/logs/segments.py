"""What the batches of each segment say together: bounds, order, what is missing. They are read once for all of it."""

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.lifecycles.placing import LOG, with_log


def segments(batches: DataFrame, names: DataFrame, corrupt: DataFrame) -> DataFrame:
    """Return rows of `segments`, one per segment of a copy of a log; `names` maps log_no to the log's key.

    `corrupt` are the `corrupt_ends`: up to there, what no batch has is missing. Offsets that the cleaner took leave no
    bytes behind (`thinned`).
    """
    spanned = F.when(F.col("spanned").isNotNull(), F.greatest("spanned", "corrupt_end"))
    rows = _counted(batches).join(corrupt, ["log_no", "segment"], "left").withColumns({
        "missing_bytes": spanned - F.col("bytes"),
        "corrupt_end": F.coalesce(F.col("corrupt_end") >= F.col("spanned"), F.lit(False)),
    })  # fmt: skip
    whole = Window.partitionBy("log_no")
    cleaned = (F.col("missing_offsets") > 0) & (F.coalesce("missing_bytes", F.lit(0)) == 0)
    return with_log(
        rows.drop("spanned", "bytes").withColumns({
            "next_segment": F.lead("segment").over(whole.orderBy("segment")),
            "thinned": F.max(cleaned).over(whole),
        }),
        names,
    )  # fmt: skip


def _counted(batches: DataFrame) -> DataFrame:
    """Return what the batches of each segment span, with `bytes` of those and where they end (`spanned`).

    Where every batch begins at the position and the offset at which another one ends, these places cancel out but for
    the first and the last: `links` are then the same as `ends`, and order is known without sorting.
    """
    shown = F.sum(F.col("last_offset") - F.col("base_offset") + 1)
    by_broker = F.col("is_control") | F.col("stamped")
    untyped = "is_control AND marker IS NULL AND producer_id >= 0 AND coalesce(count, 1) > 0"
    begin_at = link(F.col("position"), F.col("base_offset"))
    end_at = link(F.col("position") + F.col("size"), F.col("last_offset") + 1)
    end = F.max(F.col("position") + F.col("size"))
    return batches.groupBy("log_no", "segment").agg(
        F.count("*").alias("batches"),
        F.min("base_offset").alias("segment_start"),
        F.max("last_offset").alias("segment_end"),
        (F.max("last_offset") - F.min("base_offset") + 1 - shown).alias("missing_offsets"),
        F.when(F.count("size") == F.count("*"), end).alias("spanned"),
        F.sum("size").alias("bytes"),
        F.min("position").alias("begins_at"),
        F.min_by("base_offset", "position").alias("head_offset"),
        F.max_by("last_offset", "position").alias("tail_offset"),
        F.sum(begin_at - end_at).alias("links"),
        (F.min_by(begin_at, "position") - F.max_by(end_at, "position")).alias("ends"),
        F.max("partition_leader_epoch").alias("leader_epoch"),
        F.min(F.coalesce("partition_leader_epoch", F.lit(-1))).alias("lowest_epoch"),
        F.max(F.when(by_broker, F.col("max_timestamp"))).alias("newest_ms"),
        F.max("max_timestamp").alias("reaches_ms"),
        F.count(F.when(F.expr(untyped), 1)).alias("untyped_markers"),
    )


def torn(segments: DataFrame) -> DataFrame:
    """Return the segments of which bytes are in no batch here: lines were cut out or lost, or bytes are damaged."""
    return segments.where("missing_bytes > 0 AND (missing_offsets > 0 OR begins_at > 0 OR corrupt_end)")


def bounds(segments: DataFrame) -> DataFrame:
    """Return what the batches of each copy of a log span: offsets, leader epoch, and the newest timestamps."""
    return segments.groupBy(*LOG).agg(
        F.min("segment_start").alias("first_offset"),
        (F.max("segment_end") + 1).alias("end_of_batches"),
        F.max("leader_epoch").alias("batch_epoch"),
        F.min("lowest_epoch").alias("lowest_epoch"),
        F.max_by("corrupt_end", "segment").alias("corrupt_end"),
        F.sum("batches").alias("batches"),
        F.max("newest_ms").alias("newest_ms"),
        F.max("reaches_ms").alias("reaches_ms"),
    )


def link(*place: Column) -> Column:
    """Return a number for this place in a segment or log, small enough that those of all batches can be added up."""
    return F.pmod(F.xxhash64(*place), F.lit(1 << 32))
