"""What is wrong with routing: cut-overs, misplaced ids, ids alive twice, and orphaned states."""

from pyspark.sql import DataFrame, functions as F

from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles.placing import partition_name, ref
from analyzer.lifecycles.routing.fit import lies_by
from analyzer.lifecycles.routing.leaders import by_start, excerpts, served, with_moment
from analyzer.lifecycles.routing.tables import CHANGED
from analyzer.tables.unions import union_filled

TOPIC = ("capture", "topic")
SHOWN = 5
"""Ids that a headline names at most."""
NAMED_DATA = 10
"""Open transactions that an orphan's row names at most."""


def located(held: DataFrame, counts: DataFrame) -> DataFrame:
    """Return rows of `routing`: where ids lie, with what the counts of their topic say of it (RULES B 5).

    An id is misrouted if it is alive in a partition that is wrong under every new count that still fits.
    """
    joined = held.join(F.broadcast(counts.where("new_count IS NOT NULL")), list(TOPIC))
    by_new, by_old, by_older = map(lies_by, ("new_count", "old_count", "older_count"))
    nowhere = F.forall("news", lambda count: F.col("hash") % count != F.col("partition"))
    return (
        joined.withColumn("belongs", (F.col("hash") % F.col("new_count")).cast("int"))
        .withColumn("belonged", (F.col("hash") % F.col("old_count")).cast("int"))
        .withColumn("by_new_only", by_new & ~by_old & ~by_older)
        .withColumn("by_old_only", (by_old | by_older) & ~by_new)
        .withColumn("placed_by", F.when(by_old | ~by_older, F.col("old_count")).otherwise(F.col("older_count")))
        .withColumn("misrouted", F.col("alive") & nowhere & F.col("new_exact") & F.col("old_count").isNotNull())
        .withColumn("possible_homes", F.transform("news", lambda count: (F.col("hash") % count).cast("int")))
    )


def cutovers(
    told: DataFrame, rows: DataFrame, seen: DataFrame, counts: DataFrame, broker_counts: DataFrame
) -> DataFrame:
    """Return rows of `cutovers`: topics whose ids need two counts, with the window of the change (RULES B 4).

    A topic of which only a broker's log says so (`told`) has a row without a window (RULES B 9). `rows` are those of
    `routing`, `seen` the placed observations; `counts` and `broker_counts` are the controllers' log's.
    """
    old, new = F.col("by_old_only"), F.col("by_new_only")
    lowest = F.array_sort(F.collect_set(F.when(F.col("misrouted"), F.col("id"))))
    window = (
        rows.where("how IN ('two', 'three', 'unused')")
        .groupBy(*TOPIC, *CHANGED)
        .agg(
            F.min(F.when(new, F.col("first_ms"))).alias("first_new_ms"),
            F.min_by(F.when(new, F.col("first_ref")), F.when(new, F.col("first_ms"))).alias("first_new_ref"),
            F.max(F.when(old, F.col("last_ms"))).alias("last_old_ms"),
            F.max_by(F.when(old, F.col("last_ref")), F.when(old, F.col("last_ms"))).alias("last_old_ref"),
            F.min(F.struct(F.coalesce("first_ms", F.lit(-1)), "first_ref"))["first_ref"].alias("any_ref"),
            F.count_if("by_new_only").alias("new_ids"),
            F.count_if("by_old_only").alias("old_ids"),
            F.count_if("misrouted").alias("misrouted_ids"),
            F.countDistinct("id").alias("distinct_ids"),
            F.concat_ws(", ", F.slice(lowest, 1, SHOWN)).alias("some_ids"),
        )
    )
    by_ids = window.join(told, list(TOPIC), "left")
    only = told.where("told_from IS NOT NULL AND told_to IS NOT NULL").join(window, list(TOPIC), "left_anti")
    every = union_filled(by_ids, _told_only(only)).select(*by_ids.columns)
    return with_moment(every, rows, seen, counts, broker_counts)


def _told_only(told: DataFrame) -> DataFrame:
    """Return the rows of topics whose ids do not show the change that a broker's log tells of."""
    none = {name: F.lit(0).cast("bigint") for name in ("new_ids", "old_ids", "misrouted_ids", "distinct_ids")}
    return told.withColumns({
        "how": F.lit("told"), "old_count": F.col("told_from").cast("int"), "new_count": F.col("told_to").cast("int"),
        "new_exact": F.lit(True), "counts_confidence": F.lit("likely"), "rivals": F.array().cast("array<string>"),
        "unexplained": F.lit(0).cast("bigint"), "some_ids": F.lit(""), **none,
    })  # fmt: skip


def told_changes(observations: DataFrame) -> DataFrame:
    """Return the first line of a broker's own log that says that the partition count of a topic has changed."""
    said = observations.where("observed = 'count_changed'")
    return said.groupBy(*TOPIC).agg(
        F.min("number").alias("told_from"), F.max("other_number").alias("told_to"), F.min(ref()).alias("told_ref")
    )


def misplaced(
    rows: DataFrame,
    windows: DataFrame,
    batches: DataFrame,
    seen: DataFrame,
    places: DataFrame,
    broker_counts: DataFrame,
) -> DataFrame:
    """Return rows of `misplaced`: misrouted ids, with the id's right partition and who serves it (`served`).

    cut also where the state partition is one of `excerpts`. `rows` are those of `routing`, `windows` the `cutovers`.
    """
    service = by_start(served(rows, batches, seen, places), seen, broker_counts)
    first_new = windows.select(*TOPIC, "first_new_ms")
    right = rows.where("partition = belongs").select(*TOPIC, "id", F.col("last_record").alias("other"))
    return (
        rows.where("misrouted")
        .join(F.broadcast(first_new), list(TOPIC))
        .withColumn("written_after", F.col("last_ms") >= F.col("first_new_ms"))
        .join(right, [*TOPIC, "id"], "left")
        .join(service, [*TOPIC, "partition", "placed_by"], "left")
        .join(excerpts(places), [*TOPIC, "partition"], "left")
        .withColumn("cut", F.coalesce("cut", F.lit(False)) | F.coalesce("excerpt", F.lit(False)))
        .drop("excerpt")
    )


def split(rows: DataFrame) -> DataFrame:
    """Return rows of `splits`: ids that are alive in two or more partitions, the newest side first (RULES B 6)."""
    newest = ("state", "producer_id", "producer_epoch", "offset", "ref")
    side = F.struct(
        F.col("last_record.timestamp").alias("timestamp"),
        "partition",
        *[F.col(f"last_record.{name}").alias(name) for name in newest],
    )
    alive = rows.where("alive AND how IN ('two', 'three')").groupBy(*TOPIC, "id", "belongs", "counts_confidence")
    return alive.agg(F.sort_array(F.collect_list(side), asc=False).alias("sides")).where("size(sides) > 1")


def orphans(rows: DataFrame) -> DataFrame:
    """Return the misplaced unfinished states that no broker looks for, or that may be such (RULES B 7)."""
    unfinished = F.col("last_record.state").isin("Ongoing", "PrepareCommit", "PrepareAbort")
    return rows.where((F.col("topic") == STATE_TOPIC) & unfinished & ~F.coalesce("served", F.lit(False)))


def orphans_of(opens: DataFrame, misplaced: DataFrame) -> DataFrame:
    """Return `orphan` of the open transactions that have one: their id's state, where it lies and where it belongs."""
    states = orphans(misplaced).select(
        "capture",
        F.col("last_record.producer_id").alias("producer_id"),
        F.explode("last_record.partitions").alias("name"),
        F.struct(
            "id", F.col("partition").alias("state_partition"), "belongs", F.col("last_record.state").alias("state"),
            (F.col("served").isNotNull() & ~F.col("cut")).alias("proven"), "first_offset",
        ).alias("orphan"),
    )  # fmt: skip
    known = states.groupBy("capture", "producer_id", "name").agg(F.max("orphan").alias("orphan"))
    asked = opens.select("capture", "log_no", "producer_id", partition_name().alias("name"))
    return asked.join(known, ["capture", "producer_id", "name"]).select("log_no", "producer_id", "orphan")


def orphans_with_data(misplaced: DataFrame, opens: DataFrame) -> DataFrame:
    """Return rows of `orphans`: the orphaned states, with the data that they leave open by the `orphan` of `opens`."""
    data = opens.where("orphan IS NOT NULL AND authority AND last_offset IS NOT NULL")
    ref = F.col("first_batch.batch_ref").alias("ref")
    at = F.struct("topic", "partition", "first_offset", "last_offset", "records", ref)
    held = data.groupBy("capture", F.col("orphan.id").alias("id"), F.col("orphan.state_partition").alias("partition"))
    open_data = held.agg(
        F.count("*").alias("open_count"),
        F.sum("records").alias("open_records"),
        F.concat_ws(", ", F.slice(F.array_sort(F.collect_list(partition_name())), 1, NAMED_DATA)).alias("open_data"),
        F.min(at).alias("open_first"),
    )
    return orphans(misplaced).join(open_data, ["capture", "id", "partition"], "left")
