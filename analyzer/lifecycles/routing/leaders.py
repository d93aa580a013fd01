"""Who leads each partition of an internal topic, and by which partition count that broker works (RULES B 7, E 4)."""

from pyspark.sql import Column, DataFrame, functions as F

from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles.logs.authority import epoch_entries, leaders
from analyzer.lifecycles.placing import PARTITION
from analyzer.stages.combining import first_of_each
from analyzer.stages.few import with_few

TOPIC = ("capture", "topic")
SHOWN = 5
"""Ids of a broker that are named at most."""


def served(rows: DataFrame, batches: DataFrame, observations: DataFrame, places: DataFrame) -> DataFrame:
    """Return, for each state partition and old count, whether its leader still works by it, or is shown not to.

    A broker learns the count when it starts, and a restarted leader has a new leader epoch. So a record in the newest
    leader epoch that only the old count explains shows a leader that has not restarted since: `served`. newest_epoch is
    the newest entry of leader-epoch-checkpoint on any replica; old_epoch is the leader epoch of the last such record.
    leader_by_new: a partition that this leader leads has, in its newest leader epoch, a record that only the new count
    explains. cut: every copy of the partition ends before that epoch begins, so records of older epochs are missing.
    `rows` are those of `routing`, `observations` the placed ones.
    """
    known = _written(rows, batches).join(_newest_epochs(observations), list(PARTITION), "left")
    led = _leaders(observations, places, rows)
    moved = known.where("new_epoch >= newest_epoch").join(led, list(PARTITION)).select("capture", "leader").distinct()
    return (
        known.where("old_epoch IS NOT NULL")
        .join(led, list(PARTITION), "left")
        .join(moved.withColumn("moved", F.lit(True)), ["capture", "leader"], "left")
        .join(_ends(batches, places), list(PARTITION), "left")
        .select(
            *PARTITION, "placed_by", "old_epoch", "newest_epoch", "epoch_ref",
            F.coalesce(F.col("log_end") < F.col("epoch_start"), F.lit(False)).alias("cut"),
            (F.col("old_epoch") >= F.col("newest_epoch")).alias("served"),
            F.coalesce("moved", F.lit(False)).alias("leader_by_new"),
        )
    )  # fmt: skip


def excerpts(places: DataFrame) -> DataFrame:
    """Return the partitions of __transaction_state of which every copy is an excerpt: records are missing."""
    whole = F.max(F.coalesce(F.col("ending") != "excerpt", F.lit(True)))
    of_copies = _state_logs(places).groupBy(*PARTITION, "replica", "segment").agg(whole.alias("whole"))
    complete = of_copies.groupBy(*PARTITION, "replica").agg(F.min("whole").alias("whole"))
    return complete.groupBy(*PARTITION).agg((~F.max("whole")).alias("excerpt")).where("excerpt")


def _written(rows: DataFrame, batches: DataFrame) -> DataFrame:
    """Return the leader epoch of the last record that only an old count explains, and of that by the new one alone.

    A row for each old count (`placed_by`), and one for the new count, where that is null.
    """
    last = (
        rows.where((F.col("topic") == STATE_TOPIC) & (F.col("by_old_only") | F.col("by_new_only")))
        .groupBy(*PARTITION, F.when(F.col("by_old_only"), F.col("placed_by")).alias("placed_by"))
        .agg(
            F.max(F.when(F.col("by_old_only"), F.col("last_offset"))).alias("old_offset"),
            F.max(F.when(F.col("by_new_only"), F.col("last_offset"))).alias("new_offset"),
        )
    )
    holding = with_few(batches.where(F.col("topic") == STATE_TOPIC), last, PARTITION)

    def epoch_of(offset: str) -> Column:
        inside = F.col(offset).between(F.col("base_offset"), F.col("last_offset"))
        return F.max(F.when(inside, F.col("partition_leader_epoch")))

    return holding.groupBy(*PARTITION, "placed_by").agg(
        epoch_of("old_offset").alias("old_epoch"), epoch_of("new_offset").alias("new_epoch")
    )


def _newest_epochs(observations: DataFrame) -> DataFrame:
    entries = epoch_entries(observations).where(F.col("topic") == STATE_TOPIC)
    return entries.groupBy(*PARTITION).agg(
        F.max("epoch").alias("newest_epoch"),
        F.max(F.struct("epoch", "start_offset"))["start_offset"].alias("epoch_start"),
        F.max(F.struct("epoch", "epoch_ref"))["epoch_ref"].alias("epoch_ref"),
    )


def _ends(batches: DataFrame, places: DataFrame) -> DataFrame:
    """Return where the longest copy of each state partition ends; a last segment without batches counts."""
    last = batches.where(F.col("topic") == STATE_TOPIC).select(*PARTITION, (F.col("last_offset") + 1).alias("end"))
    begun = _state_logs(places).select(*PARTITION, F.col("segment").alias("end"))
    return last.unionByName(begun).groupBy(*PARTITION).agg(F.max("end").alias("log_end"))


def _state_logs(places: DataFrame) -> DataFrame:
    return places.where((F.col("kind") == "log") & (F.col("topic") == STATE_TOPIC) & F.col("partition").isNotNull())


def _leaders(observations: DataFrame, places: DataFrame, rows: DataFrame) -> DataFrame:
    """Return the leader of each state partition where it is known.

    It is the one that kafka-topics.sh names, otherwise the broker of the only copy if the topic has one replica: every
    partition of the new count is here, on several brokers, and each of them once. A capture of a single broker does not
    show that.
    """
    led = leaders(observations.where(F.col("topic") == STATE_TOPIC))
    named = led.select(*PARTITION, F.col("leader").alias("named"))
    copies = (
        _state_logs(places)
        .groupBy(*PARTITION)
        .agg(F.countDistinct("replica").alias("copies"), F.min("replica").alias("only_replica"))
    )
    counts = rows.where(F.col("topic") == STATE_TOPIC).groupBy("capture").agg(F.max("new_count").alias("new_count"))
    alone = (
        copies.groupBy("capture")
        .agg(
            F.count("*").alias("partitions"),
            F.max("copies").alias("most"),
            F.countDistinct("only_replica").alias("brokers"),
        )
        .join(counts, "capture")
        .where("partitions >= new_count AND most = 1 AND brokers > 1")
        .select("capture", F.lit(True).alias("alone"))
    )
    known = copies.join(alone, "capture", "left").join(named, list(PARTITION), "full")
    leader = F.coalesce("named", F.when(F.col("alone"), F.col("only_replica")))
    return known.select(*PARTITION, leader.alias("leader")).where("leader IS NOT NULL")


def with_moment(
    windows: DataFrame, rows: DataFrame, seen: DataFrame, counts: DataFrame, broker_counts: DataFrame
) -> DataFrame:
    """Add to rows of `cutovers` the last expansion by the controllers' log, and the brokers by the count they use.

    `rows` are those of `routing`, `seen` the placed observations.
    """
    grown = counts.where("previous_count IS NOT NULL AND changed_ms IS NOT NULL")
    last = first_of_each(grown, TOPIC, [F.desc("offset")], 1).select(
        *TOPIC, F.col("changed_ms").alias("expanded_ms"), F.col("previous_count").alias("expanded_from"),
        F.col("partition_count").alias("expanded_to"), F.col("ref").alias("expanded_ref"),
    )  # fmt: skip
    ids = _ids_of_leaders(rows, seen)
    counted = broker_counts.where("works_by IS NOT NULL").join(ids, [*TOPIC, "broker"], "left")
    broker = F.struct("broker", "works_by", "started_ms", F.coalesce("ids", F.lit(0)).alias("ids"), "some_ids", "ref")
    listed = counted.groupBy(*TOPIC).agg(F.array_sort(F.collect_list(broker)).alias("brokers"))
    return windows.join(last, list(TOPIC), "left").join(listed, list(TOPIC), "left")


def by_start(serving: DataFrame, seen: DataFrame, broker_counts: DataFrame) -> DataFrame:
    """Return who serves each state partition, corrected by when its leader started.

    A leader that started after the expansion works by the new count, and one that started before it serves what the
    old count put there.
    """
    started = broker_counts.where((F.col("topic") == STATE_TOPIC) & F.col("works_by").isNotNull())
    started = started.select("capture", "broker", (F.col("works_by") == F.col("count_now")).alias("knows_new"))
    led = _brokers(seen).join(started, ["capture", "broker"]).select(*PARTITION, "knows_new")
    joined = serving.join(led, list(PARTITION), "left")
    return joined.withColumn("served", F.coalesce(~F.col("knows_new"), "served")).withColumn(
        "leader_by_new", F.coalesce("knows_new", "leader_by_new")
    ).drop("knows_new")  # fmt: skip


def _brokers(seen: DataFrame) -> DataFrame:
    return leaders(seen).select(*PARTITION, F.col("leader").cast("int").alias("broker"))


def _ids_of_leaders(rows: DataFrame, seen: DataFrame) -> DataFrame:
    """Return the live ids that only the old count explains, by the broker that leads their partition."""
    here = rows.where("by_old_only AND alive").join(_brokers(seen), list(PARTITION))
    named = F.array_sort(F.collect_set("id"))
    return here.groupBy(*TOPIC, "broker").agg(
        F.countDistinct("id").alias("ids"), F.concat_ws(", ", F.slice(named, 1, SHOWN)).alias("some_ids")
    )
