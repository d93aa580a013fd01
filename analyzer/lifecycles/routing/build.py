"""From facts and lifecycles to everything about routing: where ids lie, the counts, and what is wrong with it."""

import dataclasses

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.inputs import Hold
from analyzer.lifecycles.placing import partition_name
from analyzer.lifecycles.routing import faults
from analyzer.lifecycles.routing.counts import DEFAULT_COUNT
from analyzer.lifecycles.routing.fit import fitted, topic_bounds

NAMED_DATA = 10
"""Open data transactions that an orphan's row names."""


@dataclasses.dataclass(frozen=True, slots=True)
class Routing:
    """Where coordinator state lies: `held` by id and partition, `counts` by topic, both joined, and what is wrong."""

    held: DataFrame
    located: DataFrame
    counts: DataFrame
    cutovers: DataFrame
    misplaced: DataFrame
    splits: DataFrame


def build_routing(
    held: DataFrame, captures: DataFrame, places: DataFrame, seen: DataFrame, batches: DataFrame, hold: Hold
) -> Routing:
    """Return where ids lie and which counts explain it; `seen` are the placed observations.

    Where one count explains every topic of every capture, what could be wrong is empty and costs no Spark job.
    """
    counts, changed = fitted(held, topic_bounds(captures, places, seen))
    rows = faults.located(held, counts)
    windows = faults.cutovers(rows, seen)
    misplaced = faults.misplaced(rows, windows, batches, seen)
    splits = faults.split(rows)
    if changed:
        windows = hold.settle(windows)
        misplaced = hold.settle(faults.misplaced(rows, windows, batches, seen))
        splits = hold.settle(splits)
    else:
        windows, misplaced, splits = (hold.nothing(table) for table in (windows, misplaced, splits))
    return Routing(held, rows, counts, windows, misplaced, splits)


def orphans(routing: Routing, opens: DataFrame, hold: Hold) -> DataFrame:
    """Return the orphaned states with the data they leave open: open_count, open_data (names), open_first (a struct).

    `opens` carry `orphan`.
    """
    data = opens.where("orphan IS NOT NULL AND authority AND last_offset IS NOT NULL")
    name = partition_name()
    at = F.struct(
        "topic", "partition", "first_offset", "last_offset", "records", F.col("first_batch.batch_ref").alias("ref")
    )
    held = data.groupBy("capture", F.col("orphan.id").alias("id"), F.col("orphan.state_partition").alias("partition"))
    open_data = held.agg(
        F.count("*").alias("open_count"),
        F.sum("records").alias("open_records"),
        F.concat_ws(", ", F.slice(F.array_sort(F.collect_list(name)), 1, NAMED_DATA)).alias("open_data"),
        F.min(at).alias("open_first"),
    )
    rows = faults.orphans(routing.misplaced).join(open_data, ["capture", "id", "partition"], "left")
    return hold.nothing(rows) if hold.is_empty(routing.misplaced) else hold.settle(rows)


def sure_counts(counts: DataFrame, topic: str) -> DataFrame:
    """Return per capture the count that the ids of this topic prove: `inferred`.

    A count below Kafka's default only where the topic is known to have no more: the first 10 partitions of 50 lie by 10
    as well.
    """
    alone = (F.col("topic") == topic) & (F.size("rivals") == 0)
    proven = counts.where(alone & (F.col("bound_exact") | (F.col("new_count") >= DEFAULT_COUNT)))
    return proven.select("capture", F.col("new_count").alias("inferred"))
