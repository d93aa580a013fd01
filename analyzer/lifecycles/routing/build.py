"""Everything about routing, stage by stage: where ids lie, the counts that explain it, and what is wrong."""

import dataclasses
from typing import Annotated

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.controller.build import Controller
from analyzer.lifecycles.inputs import Hold
from analyzer.lifecycles.placing import partition_name
from analyzer.lifecycles.routing import faults, tables
from analyzer.lifecycles.routing.by_controller import by_start, with_moment
from analyzer.lifecycles.routing.counts import DEFAULT_COUNT
from analyzer.lifecycles.routing.fit import fitted, topic_bounds
from analyzer.lifecycles.routing.leaders import excerpts, served

NAMED_DATA = 10
"""Open transactions that an orphan's row names at most."""


@dataclasses.dataclass(frozen=True, slots=True)
class Routing:
    """Where the ids of internal topics lie, the counts that explain it, and what is wrong with it."""

    held: Annotated[DataFrame, tables.HELD]
    located: Annotated[DataFrame, tables.LOCATED]
    counts: Annotated[DataFrame, tables.COUNTS]
    cutovers: Annotated[DataFrame, tables.CUTOVERS]
    misplaced: Annotated[DataFrame, tables.MISPLACED]
    splits: Annotated[DataFrame, tables.SPLITS]


def build_routing(
    held: DataFrame,
    captures: DataFrame,
    places: DataFrame,
    seen: DataFrame,
    batches: DataFrame,
    controller: Controller,
    hold: Hold,
) -> Routing:
    """Return where ids lie and which counts explain it; `seen` are the placed observations.

    If one count explains every topic of every capture, nothing can be wrong, and the fault tables cost no Spark job.
    """
    counts, changed = fitted(held, topic_bounds(captures, places, seen))
    rows = faults.located(held, counts)
    if changed:
        windows = hold.settle(with_moment(faults.cutovers(rows, seen), rows, seen, controller))
        serving = by_start(served(rows, batches, seen, places), seen, controller)
        misplaced = hold.settle(faults.misplaced(rows, windows, serving, excerpts(places)))
        splits = hold.settle(faults.split(rows))
    else:
        windows, misplaced, splits = map(hold.nothing, (tables.CUTOVERS, tables.MISPLACED, tables.SPLITS))
    return Routing(held, rows, counts, windows, misplaced, splits)


def orphans_with_data(routing: Routing, opens: DataFrame, hold: Hold) -> DataFrame:
    """Return rows of `orphans`: the orphaned states, with the data that they leave open by the `orphan` of `opens`."""
    if hold.is_empty(routing.misplaced):
        return hold.nothing(tables.ORPHANS)
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
    return hold.settle(rows)


def sure_counts(counts: DataFrame, topic: str) -> DataFrame:
    """Return the count that the ids of this topic prove in each capture: `inferred` (RULES B 8).

    A count below Kafka's default needs a topic that is known to have no more partitions: the ids in the first 10
    partitions of 50 also fit a count of 10. So does a count that only one or two ids explain.
    """
    alone = (F.col("topic") == topic) & (F.size("rivals") == 0)
    by_ids = (F.col("new_count") >= DEFAULT_COUNT) & (F.col("counts_confidence") == "certain")
    proven = counts.where(alone & (F.col("bound_exact") | by_ids))
    return proven.select("capture", F.col("new_count").alias("inferred"))
