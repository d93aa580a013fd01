"""What the detectors of lost decisions share: which rows of `unmarked` hold, and which cause each has (RULES A 6)."""

from pyspark.sql import Column, DataFrame, functions as F

from analyzer.detectors import conditions
from analyzer.detectors.conditions import PARTITION

KEY = (*conditions.PRODUCER, "txn_no")
CUT = ("replica", "first", "last", "records", "committed", "plain", "producers", "names", "ref")
"""What the evidence says of other records that were cut off, as `cut_replica` and so on."""


def cleaned_away(unmarked: DataFrame, opens: DataFrame) -> DataFrame:
    """Return the data whose ABORT marker the cleaner removed: it left a gap after the data (RULES A 6 b).

    The cleaner's map stops at an open transaction (`LogCleanerManager.cleanableOffsets`); only in the segment where it
    stopped can it take others' aborted data out after one. So a gap alone is no more than a possibility, and none at
    all where the coordinator's records of the producer say nothing of an end, or where a producer snapshot from after
    the gap has the transaction open: the broker never saw a marker. Nor where it is over by a later answer.
    """
    aborted = (F.col("decision") == "ABORT") & F.col("completed_ms").isNotNull()
    told = aborted & ((F.col("closer") != "unmatched") | F.col("snapshot_ref").isNotNull())
    alone = F.col("decision").isNull() & (F.col("closer") == "open")
    by_itself = alone & (F.col("snapshot_ref").isNotNull() | F.col("transactional_id").isNull())
    carried = opens.where("has_log AND snapshot_ref IS NOT NULL")
    carried = carried.select(*conditions.PRODUCER, F.col("snapshot_offset").alias("open_at"))
    seen = unmarked.join(carried, list(conditions.PRODUCER), "left")
    never_marked = F.coalesce(F.col("open_at") > F.col("gap.offset"), F.lit(False))
    gaps = seen.where(F.col("gap").isNotNull() & (F.col("records") > 0) & (told | (by_itself & ~never_marked)))
    over = opens.where("over").select(*conditions.PRODUCER, F.lit("open").alias("closer"))
    return gaps.drop("open_at").join(over, [*conditions.PRODUCER, "closer"], "left_anti")


def complete(unmarked: DataFrame, opens: DataFrame) -> DataFrame:
    """Return the data of transactions that the coordinator counts as complete, with the marker missing for certain.

    Open data counts where the verdict's own rule lets it (delivery, old files and skew explain nothing); closed data
    needs no such rule: a later marker, or a snapshot, shows that these files are newer than the decision. Where this
    copy does not show the offsets after the data, the marker may have been there, and nothing is missing (RULES A 6 f).
    """
    done = unmarked.where("decision IS NOT NULL AND completed_ms IS NOT NULL AND unread_offset IS NULL")
    missing = conditions.of_kind(conditions.judged(opens), "marker_missing_commit", "marker_missing_abort")
    standing = missing.select(*conditions.PRODUCER, F.lit(True).alias("standing"))
    joined = done.join(standing, list(conditions.PRODUCER), "left")
    return joined.where(closed() | F.coalesce("standing", F.lit(False)))


def closed() -> Column:
    """Return whether a later transaction's marker ended the data, or one that no decision explains."""
    return F.col("closer") != "open"


def taken(truncated: DataFrame) -> DataFrame:
    """Return what the truncation took of each partition in one column, `cut`."""
    names = F.array_join(F.transform("producer_ids", lambda one: one.cast("string")), ", ").alias("names")
    counts = [F.col(name) for name in ("replica", "records", "committed", "plain", "producers")]
    offsets_ = [F.col("first_offset").alias("first"), F.col("last_offset").alias("last")]
    cut = F.struct(F.col("new_epoch").alias("epoch"), *counts, *offsets_, names, F.col("first_ref").alias("ref"))
    return truncated.select(*PARTITION, cut.alias("cut"))


def with_replicas(rows: DataFrame, opens: DataFrame) -> DataFrame:
    """Add open_on, other replicas that have the same transaction open, and disputed: copies that may lead disagree."""
    same = [*PARTITION, "producer_id", "first_offset"]
    held = opens.groupBy(*same).agg(F.collect_set("replica").alias("holders"), F.max("disputed").alias("disputed"))
    others = F.array_sort(F.array_except("holders", F.array("replica")))
    told = F.nullif(F.array_join(others, " or "), F.lit(""))
    return rows.join(held, same, "left").withColumn("open_on", told).drop("holders")
