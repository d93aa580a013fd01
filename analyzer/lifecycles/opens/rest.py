"""The record that put the id of an open transaction to rest, and how sound the coordinator's files are (RULES D 1)."""

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.lifecycles.placing import PRODUCER_NO


def rest_of(
    opens: DataFrame, records: DataFrame, copies: DataFrame, overruled: DataFrame, unfinished: DataFrame
) -> DataFrame:
    """Return, for each open transaction, the record after which its id is done with it, and how sound the files are.

    rest: the record that put the id to rest, null while a record of this transaction may be the id's newest. Fields:
    kind (ended; moved: to another producer id or a higher epoch), ms, decided_ms, state, producer_id, producer_epoch,
    offset, state_partition, ref, now (the state in the id's newest record there), retired (two of its records went on
    with another producer id or a higher epoch: a single one may have been taken back). state_sound, state_newest_ms
    and state_newest_here: of the copy of that state partition; states_sound: whether all copies are sound.
    cut_commit_ms and overruled_epoch: what records say that a newer leader epoch cut off. given_ms: when the id got the
    data's epoch. A copy that ends before a Complete record that it lacks (`unfinished_states`) is not sound.
    """
    known = copies.join(unfinished, ["capture", "state_partition"], "left")
    goes_on = F.coalesce(F.col("newest_ms") > F.col("complete_by_ms"), F.col("complete_by_ms").isNull())
    copies = known.withColumn("sound", F.col("sound") & goes_on)
    sound = copies.select(
        "capture", "state_partition", F.col("sound").alias("state_sound"), F.col("newest_ms").alias("state_newest_ms"),
        F.col("newest_here").alias("state_newest_here"),
    )  # fmt: skip
    every = copies.groupBy("capture").agg(F.min("sound").alias("states_sound"))
    asked = opens.select("capture", *PRODUCER_NO, F.col("newest.state_partition").alias("newest_partition"))
    told = asked.join(overruled, ["capture", "producer_id"]).select(*PRODUCER_NO, "cut_commit_ms", "overruled_epoch")
    return (
        asked.join(_rests(opens, records), list(PRODUCER_NO), "left")
        .join(told, list(PRODUCER_NO), "left")
        .join(_given(opens, records), list(PRODUCER_NO), "left")
        .withColumn("state_partition", F.coalesce("rest.state_partition", "newest_partition"))
        .join(sound, ["capture", "state_partition"], "left")
        .join(every, "capture", "left")
        .select(
            *PRODUCER_NO, "rest", "given_ms", "state_sound", "state_newest_ms", "states_sound", "cut_commit_ms",
            "overruled_epoch",
            F.coalesce("state_newest_here", F.lit(True)).alias("state_newest_here"),
        )
    )  # fmt: skip


def _given(opens: DataFrame, records: DataFrame) -> DataFrame:
    """Return given_ms: the id's last record before it could begin a transaction with the epoch of the data.

    Its Empty record, or the Complete record of the transaction whose end raised the epoch (KIP-890): the first with
    this epoch, where nothing is missing before it.
    """
    asked = opens.where("transactional_id IS NOT NULL AND producer_epoch = highest_data_epoch")
    asked = asked.select(*PRODUCER_NO, "capture", "transactional_id", "producer_epoch")
    key = ["capture", "transactional_id", "producer_id", "producer_epoch"]
    same_id = F.col("previous.producer_id") == F.col("producer_id")
    raised = same_id & (F.col("previous.producer_epoch") < F.col("producer_epoch")) & F.col("preceded")
    begins = F.coalesce((F.col("state") == "Empty") | raised, F.lit(False))
    of_epoch = Window.partitionBy(*key, "state_partition")
    told = records.join(asked.select(*key).distinct(), key, "left_semi").withColumns({
        "is_first": F.min_by(begins, "offset").over(of_epoch),
        "begun_at": F.min(F.when(F.col("state") == "Ongoing", F.col("offset"))).over(of_epoch),
    })  # fmt: skip
    before = told.where("is_first AND (begun_at IS NULL OR offset < begun_at)")
    each = before.groupBy(*key, "state_partition").agg(F.max("timestamp").alias("given_ms"))
    return asked.join(each.groupBy(*key).agg(F.min("given_ms").alias("given_ms")), key).select(*PRODUCER_NO, "given_ms")


def _rests(opens: DataFrame, records: DataFrame) -> DataFrame:
    """Return, for each open transaction, the first record after the last that may be its own.

    Of several state partitions, the latest of these records. Nothing where the newest record of the id in some state
    partition may be its own.
    """
    asked = opens.where("transactional_id IS NOT NULL").select(
        *PRODUCER_NO, "capture", "transactional_id", F.col("producer_id").alias("data_id"),
        F.coalesce("highest_data_epoch", "snapshot_epoch").alias("data_epoch"),
    )  # fmt: skip
    story = records.select(
        "capture", "transactional_id", "state_partition", "offset", "state", "tombstone", "timestamp",
        "last_update_ms", F.col("producer_id").alias("record_id"), "producer_epoch", "ref", "previous", "begins",
    )  # fmt: skip
    in_order = Window.partitionBy(*PRODUCER_NO, "state_partition")
    told = asked.join(story, ["capture", "transactional_id"]).withColumn(
        "last_own", F.max(F.when(_may_be_own(), F.col("offset")).when(_ends_own(), F.col("offset") - 1)).over(in_order)
    )
    since = told.withColumn("newest_offset", F.max("offset").over(in_order))
    since = since.withColumn("running", F.coalesce(F.col("last_own") == F.col("newest_offset"), F.lit(False)))
    everywhere = Window.partitionBy(*PRODUCER_NO)
    resting = since.withColumn("anywhere", F.max("running").over(everywhere))
    resting = resting.where(~F.col("anywhere") & (F.col("last_own").isNull() | (F.col("offset") > F.col("last_own"))))
    newest = F.max_by(_state(), "offset").alias("now")
    retired = (F.count(F.when(_moved(), 1)) > 1).alias("retired")
    of_partition = resting.groupBy(*PRODUCER_NO, "state_partition")
    first = of_partition.agg(F.min_by(_record(), "offset").alias("rest"), newest, retired)
    latest = first.withColumn("retired", F.min("retired").over(everywhere)).withColumn(
        "rest", F.struct("rest.*", "now", "retired")
    )
    return latest.groupBy(*PRODUCER_NO).agg(F.max_by("rest", F.struct("rest.ms", "state_partition")).alias("rest"))


def _may_be_own() -> Column:
    """Return whether a record says that the data's transaction, or a decided one of its producer id, is under way."""
    same = F.col("record_id") == F.col("data_id")
    ongoing = (F.col("state") == "Ongoing") & (F.col("producer_epoch") <= F.col("data_epoch"))
    return F.coalesce(same & (ongoing | F.col("state").startswith("Prepare")), F.lit(False))


def _ends_own() -> Column:
    """Return whether a Complete record may end the data's transaction, whose other records are missing before it."""
    alone = F.col("begins") & F.col("state").startswith("Complete") & F.col("previous.state").isNotNull()
    same = (F.col("record_id") == F.col("data_id")) & (F.col("producer_epoch") >= F.col("data_epoch"))
    return F.coalesce(alone & same, F.lit(False))


def _state() -> Column:
    return F.when(F.col("tombstone"), "tombstone").otherwise(F.col("state"))


def _moved() -> Column:
    """Return whether a record is of another producer id than the data, or of a higher epoch."""
    return F.expr("coalesce(record_id <> data_id OR producer_epoch > data_epoch, false)")


def _record() -> Column:
    moved = _moved()
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
