"""From stored tables, logs and groups to what became of keyed topics (KIP-253): counts, thresholds, faults."""

import dataclasses

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from analyzer.lifecycles.build import Lifecycles
from analyzer.lifecycles.groups.build import Groups
from analyzer.lifecycles.inputs import Hold, Inputs
from analyzer.lifecycles.keyed import faults
from analyzer.lifecycles.keyed import shapes as keyed_shapes
from analyzer.lifecycles.keyed import thresholds as limits
from analyzer.lifecycles.keyed.expansions import expansions, keyed_topics
from analyzer.lifecycles.keyed.records import TOPIC, disorder, key_homes, keyed_records

SHOWN = 1_000
"""Rows of each capture that a report lists."""


@dataclasses.dataclass(frozen=True, slots=True)
class Keyed:
    """What the detectors and the report ask about keyed topics; all empty where no topic's keys were read."""

    homes: DataFrame
    topics: DataFrame
    """Partitioner, counts and boundary of each keyed topic."""
    thresholds: DataFrame
    """One row per prior partition and new home, as KIP-253's map."""
    reads: DataFrame
    stale: DataFrame
    below: DataFrame
    broken: DataFrame


def build_keyed(inputs: Inputs, lifecycles: Lifecycles, groups: Groups) -> Keyed:
    """Return the keyed topics of the captures.

    Where no topic was named nothing is read, and where none was expanded nothing more than the counts: what could be
    wrong is empty then. Keys never come to the driver but for a bounded sample: Spark sorts and counts them.
    """
    hold = inputs.hold
    asked = keyed_topics(inputs.captures)
    empty = inputs.captures.sparkSession.createDataFrame
    shapes = [getattr(keyed_shapes, field.name.upper()) for field in dataclasses.fields(Keyed)]
    nothing = Keyed(*[hold.nothing(empty([], shape)) for shape in shapes])
    if not asked:
        return nothing
    logs = lifecycles.logs
    records = hold.keep(keyed_records(inputs.read("keyed_records"), logs.places, logs.logs))
    homes = hold.keep(key_homes(records))
    counts, expanded = expansions(homes, asked, logs.places, logs.observations)
    if not expanded:
        unmoved = nothing.topics.drop(*counts.columns[2:])
        return dataclasses.replace(nothing, homes=homes, topics=counts.join(unmoved, list(TOPIC), "left"))
    return _judged(records, homes, counts, lifecycles, groups, hold)


def _judged(
    records: DataFrame, homes: DataFrame, counts: DataFrame, lifecycles: Lifecycles, groups: Groups, hold: Hold
) -> Keyed:
    """Return everything behind the counts: what moved, since when, and what went wrong with it."""
    logs = lifecycles.logs
    moved = hold.keep(limits.moved_records(records, counts))
    bounds = hold.settle(limits.boundaries(moved, disorder(logs.batches, counts), counts))
    stale = hold.keep(limits.stale_records(moved, bounds))
    each = hold.settle(limits.thresholds(records, bounds, stale, logs.logs, logs.epochs, logs.txns))
    told = each.join(F.broadcast(bounds.select(*TOPIC, "boundary_from")), list(TOPIC))
    positions = groups.positions.join(F.broadcast(bounds.select(*TOPIC)), list(TOPIC), "left_semi")
    reading = hold.settle(faults.ahead(positions, faults.moved_in(moved)))
    late = hold.settle(faults.stale_producers(stale, moved, lifecycles.coordinator.producers))
    broken = hold.settle(faults.broken_order(reading, moved, bounds))
    topics = counts.join(bounds.select(*TOPIC, "boundary_ms", "boundary_from", "slack_ms"), list(TOPIC), "left")
    return Keyed(
        homes=homes,
        topics=topics,
        thresholds=limits.links(bounds).join(each, list(limits.PRIOR)),
        reads=faults.partition_reads(positions, each),
        stale=hold.settle(_stale_lines(late, logs.batches)),
        below=hold.settle(faults.below_threshold(reading, told, moved)),
        broken=hold.settle(_broken_lines(broken, logs.batches)),
    )


def _stale_lines(rows: DataFrame, batches: DataFrame) -> DataFrame:
    """Add the lines of the first and the last batch that a stale producer wrote."""
    first = faults.with_batch(rows, batches, "partition", "first_offset", "first_ref")
    return faults.with_batch(first, batches, "partition", "last_offset", "last_ref")


def _broken_lines(rows: DataFrame, batches: DataFrame) -> DataFrame:
    """Spread the example of a broken order into columns and add the lines of both batches."""
    example = rows.select(
        "*",
        *[
            F.col(f"example.{side}.{name}").alias(f"{side}_{short}")
            for side in ("unread", "read")
            for name, short in (("offset", "offset"), ("timestamp", "ms"), ("replica", "replica"))
        ],
        F.col("example.group").alias("group_name"),
        *[
            F.col(f"example.at.{name}").alias(name)
            for name in ("position", "position_ref", "home_position", "home_ref")
        ],
    ).drop("example")
    unread = faults.with_batch(
        example.withColumn("replica", F.col("unread_replica")),
        batches,
        "prior_partition",
        "unread_offset",
        "unread_ref",
    )
    return faults.with_batch(
        unread.withColumn("replica", F.col("read_replica")), batches, "home_partition", "read_offset", "read_ref"
    )


def bounded(rows: DataFrame, hold: Hold, *order: str) -> DataFrame:
    """Return the first rows of each capture and topic in this order: what a report may list."""
    if hold.is_empty(rows):
        return rows
    turn = F.row_number().over(Window.partitionBy(*TOPIC).orderBy(*order))
    return rows.withColumn("turn", turn).where(F.col("turn") <= SHOWN).drop("turn")
