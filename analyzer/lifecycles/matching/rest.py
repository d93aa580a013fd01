"""Whether the coordinator has done with the id of an open transaction, and how far both files reach (RULES D 1)."""

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles.few import with_few
from analyzer.lifecycles.placing import LOG, PRODUCER

OPEN = (*PRODUCER, "first_offset")
"""What names an open transaction."""


def with_rest(
    opens: DataFrame, records: DataFrame, copies: DataFrame, decisions: DataFrame, logs: DataFrame, batches: DataFrame
) -> DataFrame:
    """Add what RULES D 1 asks about an open transaction.

    rest: the record that put the id to rest, null while a record of this transaction may be the id's newest. Fields:
    kind (ended; moved: to another producer id or a higher epoch), ms, decided_ms, state, producer_id, producer_epoch,
    offset, state_partition, ref, now (the state in the id's newest record there). state_sound, state_newest_ms and
    state_newest_here: of the copy of that state partition; states_sound: whether all copies are sound. reach_ms: the
    newest time in this log that a broker set, or of a decision that is carried out in it; replica_reach_ms: the newest
    of any data partition of the same replica and archive. Of what follows in the log: newer_epoch_ms, the oldest
    timestamp above the data in a newer leader epoch; same_epoch_ms, the newest in the data's own; later_marker_ms, the
    oldest of a marker; emptied_offset, a marker of the producer id that the cleaner emptied; pin_offset, the first
    offset, or the base offset of the next batch where that offset is gone: there the broker's LSO stands (RULES A 2).
    """
    reach = _reach(decisions, logs)
    together = ["capture", "replica", "taken_ms"]
    whole = reach.where("has_log").groupBy(*together).agg(F.max("replica_reach_ms").alias("replica_reach_ms"))
    reach = reach.drop("replica_reach_ms").join(whole, together, "left").drop("has_log", "taken_ms")
    sound = copies.select(
        "capture", "state_partition", F.col("sound").alias("state_sound"), F.col("newest_ms").alias("state_newest_ms"),
        F.col("newest_here").alias("state_newest_here"),
    )  # fmt: skip
    every = copies.groupBy("capture").agg(F.min("sound").alias("states_sound"))
    return (
        opens.join(_rests(opens, records), list(OPEN), "left")
        .withColumn("state_partition", F.coalesce("rest.state_partition", "newest.state_partition"))
        .join(sound, ["capture", "state_partition"], "left")
        .drop("state_partition")
        .withColumn("state_newest_here", F.coalesce("state_newest_here", F.lit(True)))
        .join(reach, list(LOG), "left")
        .join(every, "capture", "left")
        .join(_above(opens, batches), list(OPEN), "left")
    )


def _rests(opens: DataFrame, records: DataFrame) -> DataFrame:
    """Return of each open transaction the first record after the last that may be its own, in every state partition.

    Nothing where some state partition's newest record of the id may be its own.
    """
    asked = opens.where("transactional_id IS NOT NULL").select(
        *OPEN, "transactional_id", F.col("producer_id").alias("data_id"),
        F.coalesce("highest_data_epoch", "snapshot_epoch").alias("data_epoch"),
    )  # fmt: skip
    story = records.select(
        "capture", "transactional_id", "state_partition", "offset", "state", "tombstone", "timestamp",
        "last_update_ms", F.col("producer_id").alias("record_id"), "producer_epoch", "ref",
    )  # fmt: skip
    in_order = Window.partitionBy(*OPEN, "state_partition")
    told = asked.join(story, ["capture", "transactional_id"]).withColumn(
        "last_own", F.max(F.when(_may_be_own(), F.col("offset"))).over(in_order)
    )
    since = told.withColumn("newest_offset", F.max("offset").over(in_order)).withColumn(
        "running", F.coalesce(F.col("last_own") == F.col("newest_offset"), F.lit(False))
    )
    everywhere = Window.partitionBy(*OPEN)
    resting = since.withColumn("anywhere", F.max("running").over(everywhere)).where(
        ~F.col("anywhere") & (F.col("last_own").isNull() | (F.col("offset") > F.col("last_own")))
    )
    newest = F.max_by(_state(), "offset").alias("now")
    first = resting.groupBy(*OPEN, "state_partition").agg(F.min_by(_record(), "offset").alias("rest"), newest)
    first = first.withColumn("rest", F.struct("rest.*", "now"))
    return first.groupBy(*OPEN).agg(F.max_by("rest", F.struct("rest.ms", "state_partition")).alias("rest"))


def _may_be_own() -> Column:
    """Return whether a record says that the data's transaction, or a decided one of its producer id, is under way."""
    same = F.col("record_id") == F.col("data_id")
    ongoing = (F.col("state") == "Ongoing") & (F.col("producer_epoch") <= F.col("data_epoch"))
    return F.coalesce(same & (ongoing | F.col("state").startswith("Prepare")), F.lit(False))


def _state() -> Column:
    return F.when(F.col("tombstone"), "tombstone").otherwise(F.col("state"))


def _record() -> Column:
    moved = F.coalesce(
        (F.col("record_id") != F.col("data_id")) | (F.col("producer_epoch") > F.col("data_epoch")), F.lit(False)
    )
    complete = F.coalesce(F.col("state").startswith("Complete"), F.lit(False))
    decided = F.when(complete & (F.col("last_update_ms") > 0), F.col("last_update_ms")).otherwise(F.col("timestamp"))
    return F.struct(
        F.when(moved & ~complete, "moved").otherwise("ended").alias("kind"),
        F.col("timestamp").alias("ms"),
        decided.alias("decided_ms"),
        _state().alias("state"),
        F.col("record_id").alias("producer_id"),
        "producer_epoch",
        "offset",
        "state_partition",
        "ref",
    )


def _above(opens: DataFrame, batches: DataFrame) -> DataFrame:
    """Return what the batches from each open transaction's first offset on tell of it."""
    data = opens.select(*OPEN, "log_no", F.col("last_offset").alias("data_end"), "last_leader_epoch")
    rows = batches.select(
        "log_no", "base_offset", F.col("last_offset").alias("batch_end"), "is_control", "count",
        F.col("producer_id").alias("batch_id"), "max_timestamp", "partition_leader_epoch",
    )  # fmt: skip
    later = with_few(rows, data, ["log_no"]).where("batch_end >= first_offset")
    after = F.col("base_offset") > F.col("first_offset")
    stamped = F.when(F.col("max_timestamp") > 0, F.col("max_timestamp"))
    above = F.col("base_offset") > F.col("data_end")
    newer = above & (F.col("partition_leader_epoch") > F.col("last_leader_epoch"))
    same = above & (F.col("partition_leader_epoch") == F.col("last_leader_epoch"))
    marker = after & F.col("is_control") & (F.coalesce("count", F.lit(1)) > 0) & (F.col("batch_id") >= 0)
    emptied = after & F.col("is_control") & (F.col("count") == 0) & (F.col("batch_id") == F.col("producer_id"))
    return later.groupBy(*OPEN).agg(
        F.min(F.when(newer, stamped)).alias("newer_epoch_ms"),
        F.max(F.when(same, stamped)).alias("same_epoch_ms"),
        F.min(F.when(marker, stamped)).alias("later_marker_ms"),
        F.min(F.when(emptied, F.col("base_offset"))).alias("emptied_offset"),
        F.greatest(F.min("base_offset"), "first_offset").alias("pin_offset"),
    )


def _reach(decisions: DataFrame, logs: DataFrame) -> DataFrame:
    """Return per copy of a data partition the newest moment that it is shown to reach, by its contents or by its copy.

    replica_reach_ms is that by its contents: it speaks for all that was copied with it, in the archive of taken_ms.
    """
    carried = decisions.where("marker_offset IS NOT NULL").groupBy(*LOG)
    matched = carried.agg(F.max(F.coalesce("completed_ms", "decided_ms")).alias("matched_ms"))
    data = logs.where(F.col("topic") != STATE_TOPIC).select(
        *LOG, "newest_ms", "has_log", "shown_ms", F.coalesce("taken_ms", F.lit(0)).alias("taken_ms")
    )
    by_content = F.greatest("newest_ms", "matched_ms")
    reach_ms = F.greatest(by_content, F.when(F.col("has_log"), F.col("shown_ms")))
    return data.join(matched, list(LOG), "left").select(
        *LOG, "has_log", "taken_ms", by_content.alias("replica_reach_ms"), reach_ms.alias("reach_ms")
    )
