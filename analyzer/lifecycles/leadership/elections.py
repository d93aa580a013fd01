"""Who led each partition by the controllers' log, and by which coordinator epochs whose markers were written."""

from pyspark.sql import DataFrame, Window, functions as F

from analyzer.kafka.clocks import SKEW_MS
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles.leadership.tables import COORDINATOR_REIGNS
from analyzer.lifecycles.placing import PARTITION, PRODUCER, PRODUCER_NO
from analyzer.stages.few import with_few


def elections(partitions: DataFrame, topics: DataFrame) -> DataFrame:
    """Return rows of `elections`: of the topics that still exist, each leader epoch that has a leader."""
    created = F.col("changed_ms").alias("topic_created_ms")
    born = topics.where("removed_offset IS NULL").select("capture", "topic_id", created)
    here = partitions.where("leader_epoch IS NOT NULL AND (elected OR change <> 'changed')")
    here = here.join(born, ["capture", "topic_id"])
    order = Window.partitionBy(*PARTITION).orderBy("leader_epoch")
    ended = F.when(F.col("leader_id") >= 0, F.col("led_until_ms"))
    since = F.last(ended, ignorenulls=True).over(order.rowsBetween(Window.unboundedPreceding, -1))
    told = here.withColumn("led_until_ms", F.lead("changed_ms").over(order)).withColumn("since", since)
    leaderless = F.when(F.col("since") < F.col("changed_ms"), F.col("since"))
    return told.where("leader_id >= 0").select(
        *PARTITION, "leader_epoch", "leader_id", "unclean", "previous_leader_id", "previous_isr", "previous_elr",
        "changed_ms", "led_until_ms", leaderless.alias("leaderless_ms"), "topic_created_ms", "ref",
    )  # fmt: skip


def coordinator_reigns(elected: DataFrame, decisions: DataFrame, txns: DataFrame, logs: DataFrame) -> DataFrame:
    """Return rows of `coordinator_reigns`, with the fields of `first_marker` instead of it and without its line.

    A marker carries the leader epoch of its state partition at that moment (`TransactionStateManager`). Clocks may be
    2 s apart.
    """
    judged = logs.where("authority").select("log_no")
    carried = decisions.where("marker_offset IS NOT NULL")
    marked = with_few(carried, judged, ["log_no"]).select(*PRODUCER_NO, "txn_no", "state_partition")
    written = txns.where("marker_coordinator_epoch IS NOT NULL AND marker_ms IS NOT NULL").select(
        "log_no", *PRODUCER, "txn_no", "marker_offset", "marker_ms",
        F.col("marker_coordinator_epoch").alias("coordinator_epoch"),
    )  # fmt: skip
    reigns = elected.where(F.col("topic") == STATE_TOPIC).select(
        "capture", F.col("partition").alias("state_partition"), "leader_epoch",
        F.coalesce("changed_ms", F.lit(0)).alias("from_ms"), "led_until_ms",
    )  # fmt: skip
    each = marked.join(written, [*PRODUCER_NO, "txn_no"]).join(reigns, ["capture", "state_partition"])
    inside = (F.col("marker_ms") >= F.col("from_ms") - SKEW_MS) & F.coalesce(
        F.col("marker_ms") <= F.col("led_until_ms") + SKEW_MS, F.lit(True)
    )
    own = F.col("leader_epoch") == F.col("coordinator_epoch")
    strictly = inside & (F.col("marker_ms") >= F.col("from_ms"))
    judged_markers = each.groupBy(
        "log_no", *PRODUCER, "txn_no", "state_partition", "coordinator_epoch", "marker_ms", "marker_offset"
    ).agg(
        F.max(own & inside).alias("consistent"),
        F.max(F.when(strictly, F.col("leader_epoch"))).alias("expected_epoch"),
    )
    told = F.struct("marker_ms", "topic", "partition", "marker_offset", "producer_id", "log_no")
    found = (
        judged_markers.where("expected_epoch IS NOT NULL")
        .groupBy("capture", "state_partition", "coordinator_epoch", "consistent")
        .agg(
            F.count("*").alias("markers"),
            F.min(told).alias("first_marker"),
            F.min_by("expected_epoch", told).alias("expected_epoch"),
        )
    )
    return found.select("*", "first_marker.*").drop("first_marker")


def with_first_marker(rows: DataFrame) -> DataFrame:
    """Return rows of `coordinator_reigns`, of those that have a marker_ref."""
    first = F.struct("marker_ms", "topic", "partition", "marker_offset", "producer_id", "marker_ref")
    return rows.withColumn("first_marker", first).select(*COORDINATOR_REIGNS.names)


OF_PRODUCER = ("capture", "producer_id")


def served_by(elected: DataFrame, txns: DataFrame, logs: DataFrame, answers: DataFrame, known: DataFrame) -> DataFrame:
    """Return rows of `served_by` (RULES E 6).

    The transactional ids are those of pasted `answers` of coordinators. `known` are the producer ids of
    __transaction_state. A marker carries the leader epoch that its state partition had then, so only partitions fit
    that had those epochs at those moments. Where no partition fits all markers of a producer id, it has no row.
    """
    judged = logs.where("authority").select("log_no")
    marked = txns.where("marker_coordinator_epoch IS NOT NULL AND marker_ms IS NOT NULL").join(judged, "log_no")
    unknown = marked.join(known.select(*OF_PRODUCER), list(OF_PRODUCER), "left_anti")
    spans = unknown.groupBy(*OF_PRODUCER, F.col("marker_coordinator_epoch").alias("leader_epoch")).agg(
        F.count("*").alias("markers"),
        F.min("marker_ms").alias("first_ms"),
        F.max("marker_ms").alias("newest_ms"),
    )
    reigns = elected.where(F.col("topic") == STATE_TOPIC).select(
        "capture", "leader_epoch", "partition", "leader_id", F.col("changed_ms").alias("since_ms"), "led_until_ms"
    )
    inside = (F.coalesce("since_ms", F.lit(0)) - SKEW_MS <= F.col("first_ms")) & F.coalesce(
        F.col("newest_ms") <= F.col("led_until_ms") + SKEW_MS, F.lit(True)
    )
    fitting = (
        spans.join(reigns, ["capture", "leader_epoch"])
        .where(inside)
        .groupBy(*OF_PRODUCER, "partition")
        .agg(F.sum("markers").alias("fitting"), F.max(F.struct("newest_ms", "since_ms", "leader_id")).alias("reign"))
    )
    named = answers.where("transactional_id IS NOT NULL AND producer_id >= 0")
    names = named.groupBy(*OF_PRODUCER).agg(F.max("transactional_id").alias("transactional_id"))
    total = spans.groupBy(*OF_PRODUCER).agg(F.sum("markers").alias("markers"))
    return (
        fitting.join(total, list(OF_PRODUCER))
        .where("fitting = markers")
        .groupBy(*OF_PRODUCER, "markers")
        .agg(
            F.array_sort(F.collect_set("partition")).alias("state_partitions"),
            F.max("reign").alias("reign"),
            F.count("*").alias("fits"),
        )
        .join(names, list(OF_PRODUCER), "left")
        .select(
            *OF_PRODUCER, "transactional_id", "markers", "state_partitions",
            F.when(F.col("fits") == 1, F.col("reign.leader_id")).alias("coordinator"),
            F.when(F.col("fits") == 1, F.col("reign.since_ms")).alias("since_ms"),
        )
    )  # fmt: skip
