"""Everything about keyed topics that were expanded (KIP-253), stage by stage: counts, thresholds, faults."""

import dataclasses
import functools
from typing import Annotated

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.build import Lifecycles
from analyzer.lifecycles.combining import first_of_each
from analyzer.lifecycles.groups.build import Groups
from analyzer.lifecycles.inputs import ByShares, Hold, Inputs
from analyzer.lifecycles.keyed import faults, tables
from analyzer.lifecycles.keyed import thresholds as limits
from analyzer.lifecycles.keyed.expansions import expansions, keyed_topics
from analyzer.lifecycles.keyed.records import TOPIC, disorder, judged_places, key_homes, keyed_records

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
    by_key, in_shares = _by_key(hold)
    facts = inputs.read("keyed_records")
    places = hold.few(judged_places(facts, logs.places, logs.logs))
    records = by_key(lambda only: keyed_records(only(facts), places))
    homes = by_key(lambda only: key_homes(only(records)))
    counts, expanded = expansions(homes, asked, logs.places, logs.observations, in_shares)
    if not expanded:
        unmoved = nothing.topics.drop(*counts.columns[2:])
        return dataclasses.replace(nothing, homes=homes, topics=counts.join(unmoved, list(TOPIC), "left"))
    return _judged(records, homes, counts, lifecycles, groups, hold)


def _judged(
    records: DataFrame, homes: DataFrame, counts: DataFrame, lifecycles: Lifecycles, groups: Groups, hold: Hold
) -> Keyed:
    """Return what follows from the counts: which records moved, since when, and what went wrong with them."""
    logs = lifecycles.logs
    by_key, in_shares = _by_key(hold)
    moved = by_key(lambda only: limits.moved_records(only(records), counts))
    bounds = hold.settle(limits.boundaries(moved, disorder(logs.batches, counts), counts))
    exact = hold.few(limits.first_moved(moved))
    stale = by_key(lambda only: limits.stale_records(only(moved), exact, bounds))
    each = hold.settle(limits.thresholds(records, bounds, stale, logs.logs, logs.epochs, logs.txns))
    told = each.join(F.broadcast(bounds.select(*TOPIC, "boundary_from")), list(TOPIC))
    positions = groups.positions.join(F.broadcast(bounds.select(*TOPIC)), list(TOPIC), "left_semi")
    reading = hold.settle(faults.ahead(positions, faults.moved_in(moved)))
    late = hold.settle(faults.stale_producers(stale, moved, lifecycles.coordinator.producers, in_shares))
    broken = by_key(lambda only: faults.out_of_order(reading, only(moved)))
    orders = hold.settle(faults.broken_order(broken, reading, bounds, in_shares))
    topics = counts.join(bounds.select(*TOPIC, "boundary_ms", "boundary_from", "slack_ms"), list(TOPIC), "left")
    return Keyed(
        homes=homes,
        topics=topics,
        thresholds=limits.links(bounds).join(each, list(limits.PRIOR)),
        reads=faults.partition_reads(positions, each),
        stale=hold.settle(_stale_lines(late, logs.batches)),
        below=hold.settle(faults.below_threshold(reading, told, moved, in_shares)),
        broken=hold.settle(_broken_lines(orders, logs.batches)),
    )


def _by_key(hold: Hold) -> tuple[ByShares, ByShares]:
    """Return how to take steps in shares of the keys: the first settles what it makes, the second need not."""
    return functools.partial(hold.by_shares, "key_murmur2"), functools.partial(hold.in_shares, "key_murmur2")


def _stale_lines(rows: DataFrame, batches: DataFrame) -> DataFrame:
    """Add the lines of the first and the last batch that a stale producer wrote."""
    first = faults.with_batch(rows, batches, "partition", "first_offset", "first_ref")
    return faults.with_batch(first, batches, "partition", "last_offset", "last_ref")


def _broken_lines(rows: DataFrame, batches: DataFrame) -> DataFrame:
    """Add the lines of the two batches of a broken order's example."""
    unread = faults.with_batch(
        rows.withColumn("replica", F.col("unread_replica")), batches, "prior_partition", "unread_offset", "unread_ref"
    )
    both = faults.with_batch(
        unread.withColumn("replica", F.col("read_replica")), batches, "home_partition", "read_offset", "read_ref"
    )
    return both.select(*tables.BROKEN_ORDERS.names)


def bounded(rows: DataFrame, hold: Hold, *order: str) -> DataFrame:
    """Return the first rows of each capture and topic in this order: those that a report may list."""
    return rows if hold.is_empty(rows) else first_of_each(rows, TOPIC, order, SHOWN).drop("turn")
