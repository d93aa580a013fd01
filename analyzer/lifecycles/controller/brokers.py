"""Brokers and the quorum over time: registrations, fencing, restarts, controllers, producer ids, partition counts."""

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.kafka.topics import INTERNAL_TOPICS
from analyzer.lifecycles.controller.records import integer, of_type, text, until
from analyzer.stages.combining import first_of_each

BLOCK = 1000
"""Producer ids in a block (`ProducerIdsBlock.PRODUCER_ID_BLOCK_SIZE`)."""
FENCED, UNFENCED = 1, -1
"""`fenced` of a BROKER_REGISTRATION_CHANGE_RECORD (BrokerRegistrationFencingChange)."""


def broker_events(records: DataFrame) -> DataFrame:
    """Return rows of `broker_events`. A broker registers fenced, and again with each start of its process."""
    rows = of_type(
        records, "REGISTER_BROKER_RECORD", "UNREGISTER_BROKER_RECORD", "BROKER_REGISTRATION_CHANGE_RECORD",
        "FENCE_BROKER_RECORD", "UNFENCE_BROKER_RECORD",
    ).where("fields IS NOT NULL")  # fmt: skip
    broker = F.coalesce(integer("brokerId"), integer("id")).alias("broker")
    epoch = F.coalesce(text("brokerEpoch"), text("epoch")).try_cast("bigint")
    order = Window.partitionBy("capture", "broker").orderBy("offset")
    so_far = order.rowsBetween(Window.unboundedPreceding, Window.currentRow)
    earlier = order.rowsBetween(Window.unboundedPreceding, -1)
    told = rows.select(
        "capture", broker, "offset", "changed_ms", _event().alias("event"), epoch.alias("broker_epoch"),
        _fenced().alias("fenced_now"), text("incarnationId").alias("told_incarnation"), "ref",
    )  # fmt: skip
    before = F.last("told_incarnation", ignorenulls=True).over(earlier)
    again = (F.col("event") == "registered") & (before != F.col("told_incarnation"))
    ends = F.when(F.col("event").isin("registered", "controlled_shutdown"), F.col("event"))
    stopped = F.last(ends, ignorenulls=True).over(earlier) == "controlled_shutdown"
    return told.select(
        "capture", "broker", "offset", "changed_ms", "event",
        F.coalesce(again, F.lit(False)).alias("restart"),
        F.coalesce(again & ~F.coalesce(stopped, F.lit(False)), F.lit(False)).alias("crashed"),
        "broker_epoch",
        F.last("fenced_now", ignorenulls=True).over(so_far).alias("fenced"),
        *until(order),
        "ref",
    )  # fmt: skip


def _event() -> Column:
    kind = F.col("record_type")
    return (
        F.when(kind == "REGISTER_BROKER_RECORD", "registered")
        .when(kind == "UNREGISTER_BROKER_RECORD", "unregistered")
        .when((kind == "FENCE_BROKER_RECORD") | (integer("fenced") == FENCED), "fenced")
        .when((kind == "UNFENCE_BROKER_RECORD") | (integer("fenced") == UNFENCED), "unfenced")
        .when(integer("inControlledShutdown") == 1, "controlled_shutdown")
        .otherwise("changed")
    )


def _fenced() -> Column:
    """Return whether the broker is fenced after a record that says so, null for another one."""
    registered = F.col("record_type") == "REGISTER_BROKER_RECORD"
    told = F.when(registered, text("fenced") == "true")
    return F.coalesce(told, F.when(_event() == "fenced", F.lit(True)), F.when(_event() == "unfenced", F.lit(False)))


def producer_id_blocks(records: DataFrame) -> DataFrame:
    """Return rows of `producer_id_blocks`; a record tells the block's broker and the producer id after its end."""
    after = text("nextProducerId").try_cast("bigint")
    rows = of_type(records, "PRODUCER_IDS_RECORD").where("fields IS NOT NULL")
    return rows.select(
        "capture",
        (after - BLOCK).alias("first_producer_id"),
        (after - 1).alias("last_producer_id"),
        F.when(integer("brokerId") >= 0, integer("brokerId")).alias("broker"),
        "offset",
        "changed_ms",
        "ref",
    )


def broker_counts(events: DataFrame, counts: DataFrame) -> DataFrame:
    """Return rows of `broker_counts`, of internal topics that were expanded inside the controllers' log (RULES E 4).

    A broker reads the count when it starts. One that started before the topic was created has the first count: the
    topic is created with the setting that the broker then works by. The count of a start before the log begins is not
    known.
    """
    internal = counts.where(F.col("topic").isin(*INTERNAL_TOPICS))
    now = internal.groupBy("capture", "topic", "topic_id").agg(
        F.max(F.struct("offset", "partition_count"))["partition_count"].alias("count_now"),
        F.max(F.col("previous_count").isNotNull()).alias("expanded"),
    )
    starts = first_of_each(events.where("event = 'registered'"), ("capture", "broker"), [F.desc("offset")], 1)
    last = events.groupBy("capture", "broker").agg(F.max_by("fenced", "offset").alias("fenced"))
    started = starts.select(
        "capture", "broker", F.col("offset").alias("started_at"), F.col("changed_ms").alias("started_ms"), "ref"
    ).join(last, ["capture", "broker"])  # fmt: skip
    steps = internal.select(
        "capture", "topic_id", "offset", "partition_count", F.col("previous_count").isNull().alias("first"),
        F.col("changed_ms").isNotNull().alias("dated"),
    )  # fmt: skip
    by_start = (
        started.join(now.where("expanded"), "capture")
        .join(steps, ["capture", "topic_id"])
        .groupBy("capture", "topic", "broker", "count_now", "started_ms", "fenced", "ref")
        .agg(
            F.max_by("partition_count", F.when(F.col("offset") <= F.col("started_at"), F.col("offset"))).alias("read"),
            F.max(F.when(F.col("first") & F.col("dated"), F.col("partition_count"))).alias("first_count"),
        )
    )
    known = F.when(F.col("started_ms").isNotNull(), F.coalesce("read", "first_count"))
    return by_start.select("capture", "topic", "broker", known.alias("works_by"), "count_now", "started_ms", "fenced",
                           "ref")  # fmt: skip
