"""How far each partition of __transaction_state can be trusted: whether a sound copy is here, and its newest record."""

from pyspark.sql import DataFrame, functions as F

from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles.coordinator.merging import one_copy
from analyzer.lifecycles.logs.authority import newest_epoch
from analyzer.lifecycles.logs.leader_epochs import beyond, epochs_of_judged
from analyzer.lifecycles.logs.segments import torn
from analyzer.lifecycles.placing import LOG, PARTITION as PLACE, placed

PARTITION = ("capture", "state_partition")


def cut_records(several: DataFrame, batches: DataFrame, logs: DataFrame, epochs: DataFrame) -> DataFrame:
    """Return the records of other copies that the next leader epoch of the judged one cuts off (RULES A 3).

    `several` are the partitions with more than one copy. Columns: capture, state_partition, replica, offset.
    """
    here = logs.join(several.where(F.col("topic") == STATE_TOPIC), list(PLACE), "left_semi")
    followers = here.where("NOT authority").select(*LOG)
    cut = beyond(batches, followers, epochs_of_judged(here.where("authority"), epochs))
    offset = F.explode(F.sequence(F.greatest("base_offset", "start_offset"), "last_offset"))
    return cut.select("capture", F.col("partition").alias("state_partition"), "replica", offset.alias("offset"))


def overruled(cut: DataFrame, states: DataFrame, places: DataFrame) -> DataFrame:
    """Return what the `cut_records` say of each producer id: capture, producer_id, cut_commit_ms and overruled_epoch.

    cut_commit_ms: when they last say COMMIT, null for never. overruled_epoch: the highest epoch that they give it.
    """
    told = placed(states.where("producer_id >= 0"), places.where(F.col("topic") == STATE_TOPIC))
    here = told.withColumn("state_partition", F.col("partition"))
    own = F.broadcast(cut).join(here, ["capture", "state_partition", "replica", "offset"])
    return own.groupBy("capture", "producer_id").agg(
        F.max(F.when(F.col("state").endswith("Commit"), F.col("timestamp"))).alias("cut_commit_ms"),
        F.max("producer_epoch").alias("overruled_epoch"),
    )


def state_copies(
    states: DataFrame,
    places: DataFrame,
    logs: DataFrame,
    batches: DataFrame,
    damage: DataFrame,
    segments: DataFrame,
    known: DataFrame,
    led: DataFrame,
) -> DataFrame:
    """Return one row per state partition: sound, whether nothing says that a record is missing; newest_ms (RULES D 1).

    newest_here: no record may be missing that compaction keeps; it is false where bytes of every copy are not here, or
    its end is not shown to be the log's.

    A copy is sound where every record of its batches was understood, no byte of it is damaged, no dump of it breaks
    off, it reaches its own high watermark and all that its files name, and no other replica knows a newer leader
    epoch. Compaction leaves a copy sound. `states` is the fact table; `known`: see `known_records`; `led`: see
    `state_leaders`.
    """
    here = logs.where(F.col("topic") == STATE_TOPIC)
    data = batches.where((F.col("topic") == STATE_TOPIC) & ~F.col("is_control"))
    printed = data.groupBy(*LOG).agg(F.sum("count").alias("printed"))
    of_topic = places.where(F.col("topic") == STATE_TOPIC)
    broken = damage.where((F.col("topic") == STATE_TOPIC) & (F.col("damage") != "zero_tail")).select(*LOG)
    open_ended = of_topic.where("kind = 'log' AND ending IN ('cut', 'died', 'excerpt')").select(*LOG)
    broken = broken.unionByName(open_ended).distinct()
    lacking = torn(segments.where(F.col("topic") == STATE_TOPIC)).select(*LOG).distinct()
    judged = (
        here.join(printed, list(LOG), "left")
        .join(_understood(states, of_topic, known), list(LOG), "left")
        .join(broken.withColumn("broken", F.lit(True)), list(LOG), "left")
        .join(lacking.withColumn("torn", F.lit(True)), list(LOG), "left")
        .withColumn("newest_here", F.col("torn").isNull() & ~F.col("tail_missing"))
        .withColumn(
            "sound",
            F.col("broken").isNull()
            & (F.coalesce("understood", F.lit(0)) >= F.coalesce("printed", F.lit(0)))
            & newest_epoch()
            & ~F.col("tail_missing"),
        )
    )
    best = judged.groupBy("capture", F.col("partition").alias("state_partition")).agg(
        F.max("sound").alias("sound"), F.max("newest_here").alias("newest_here")
    )
    newest = known.select(*PARTITION, "newest_ms")
    told = {name: F.coalesce(name, F.lit(True)) for name in ("sound", "newest_here")}
    every = best.join(newest, list(PARTITION), "full").join(led, list(PARTITION), "left")
    return every.withColumns(told | {"leader_here": F.coalesce("leader_here", F.lit(False))})


def known_records(records: DataFrame) -> DataFrame:
    """Return the time of each state partition's newest record, newest_ms, and how many records it has, merged."""
    return records.groupBy(*PARTITION).agg(
        F.max("timestamp").alias("newest_ms"), F.countDistinct("offset").alias("merged")
    )


def _understood(states: DataFrame, files: DataFrame, known: DataFrame) -> DataFrame:
    """Return how many records of each copy of a log were understood: of the only copy, as many as are known."""
    named = ["capture", "partition"]
    alone = one_copy(files)
    logs = files.where("kind = 'log'").join(alone, named, "left_semi").select(*LOG).distinct()
    counts = known.select("capture", F.col("state_partition").alias("partition"), F.col("merged").alias("understood"))
    others = placed(states, files.join(alone, named, "left_anti"))
    several = others.groupBy(*LOG).agg(F.countDistinct("offset").alias("understood"))
    return logs.join(counts, named).select(*LOG, "understood").unionByName(several)
