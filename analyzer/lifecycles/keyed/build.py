"""Everything about keyed topics that were expanded (KIP-253), stage by stage: counts, thresholds, faults."""

import dataclasses
from typing import Annotated

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from analyzer.lifecycles.build import Lifecycles
from analyzer.lifecycles.groups.build import Groups
from analyzer.lifecycles.inputs import Hold, Inputs
from analyzer.lifecycles.keyed import faults, tables
from analyzer.lifecycles.keyed import thresholds as limits
from analyzer.lifecycles.keyed.expansions import expansions, keyed_topics
from analyzer.lifecycles.keyed.records import TOPIC, disorder, key_homes, keyed_records

SHOWN = 1_000
"""Rows of each topic that a report lists at most."""


@dataclasses.dataclass(frozen=True, slots=True)
class Keyed:
    """What detectors and reports ask about keyed topics; all empty if no topic's keys were read. In TABLES' order."""

    homes: Annotated[DataFrame, tables.KEY_HOMES]
    topics: Annotated[DataFrame, tables.KEYED_TOPICS]
    thresholds: Annotated[DataFrame, tables.THRESHOLDS]
    reads: Annotated[DataFrame, tables.PARTITION_READS]
    stale: Annotated[DataFrame, tables.STALE_PRODUCERS]
    below: Annotated[DataFrame, tables.BELOW_THRESHOLDS]
    broken: Annotated[DataFrame, tables.BROKEN_ORDERS]


def build_keyed(inputs: Inputs, lifecycles: Lifecycles, groups: Groups) -> Keyed:
    """Return the keyed topics of the captures.

    Nothing is read if no topic was named, and only the counts are computed if none was expanded. Keys stay in Spark:
    only a bounded sample of them comes to the driver.
    """
    hold = inputs.hold
    asked = keyed_topics(inputs.captures)
    nothing = Keyed(*map(hold.nothing, tables.TABLES))
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
    """Return what follows from the counts: which records moved, since when, and what went wrong with them."""
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
    """Spread the example of a broken order into columns, and add the lines of its two batches."""
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
    both = faults.with_batch(
        unread.withColumn("replica", F.col("read_replica")), batches, "home_partition", "read_offset", "read_ref"
    )
    return both.select(*tables.BROKEN_ORDERS.names)


def bounded(rows: DataFrame, hold: Hold, *order: str) -> DataFrame:
    """Return the first rows of each capture and topic in this order: those that a report may list."""
    if hold.is_empty(rows):
        return rows
    turn = F.row_number().over(Window.partitionBy(*TOPIC).orderBy(*order))
    return rows.withColumn("turn", turn).where(F.col("turn") <= SHOWN).drop("turn")
