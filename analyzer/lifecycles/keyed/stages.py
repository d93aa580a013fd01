"""The stages of keyed topics that were expanded (KIP-253): counts, thresholds, faults (RULES C 6 to 10).

Without keys that were asked for, nothing is read, and without an expansion only the counts are found. Keys stay in
Spark: only a bounded sample of them comes to the driver.
"""

import functools
from collections.abc import Callable

from pyspark.sql import DataFrame, functions as F

from analyzer.lifecycles.keyed import expansions as counting, faults, order, tables, thresholds
from analyzer.lifecycles.keyed.records import EXPANSION, TOPIC, delivered, judged_places, key_homes, keyed_records
from analyzer.stages.combining import added_up, first_of_each
from analyzer.stages.stage import Stage, of_others, planned, rows_of

KEY = "key_murmur2"


def _with_boundary(counts: DataFrame, bounds: DataFrame) -> DataFrame:
    return counts.join(bounds.select(*EXPANSION, "boundary_ms", "boundary_from", "slack_ms"), list(EXPANSION), "left")


def _positions(bounds: DataFrame, positions: DataFrame) -> DataFrame:
    return positions.join(F.broadcast(bounds.select(*TOPIC)), list(TOPIC), "left_semi")


def _first(
    table: str,
    rows: Callable[..., DataFrame],
    reads: str,
    few: tuple[tuple[str, ...], tuple[str, ...], int],
    beside: tuple[str, ...] = (),
) -> Stage:
    """Return the stage that keeps the first few of these rows, which are made in shares of the keys.

    `few` says of which groups, in which order, and how many.
    """
    group, order, limit = few
    first = functools.partial(first_of_each, group=group, order=order, limit=limit)

    def make(*tables: DataFrame) -> DataFrame:
        return first(rows(*tables))

    return planned(table, make, (reads,), beside, shared_by=KEY, combine=first)


def _added(table: str, count: Callable[..., DataFrame], reads: str, group: tuple[str, ...], *beside: str) -> Stage:
    """Return the stage that counts rows of each group, in shares of the keys, and adds up the shares."""
    add = functools.partial(added_up, group=group)
    return planned(table, count, (reads,), beside, shared_by=KEY, combine=add)


COUNTS = (
    Stage("asked_captures", counting.asked_captures, ("captures",)),
    Stage("keyed_places", of_others(judged_places), ("asked_captures",), ("keyed_records", "places", "logs")),
    planned("asked_records", of_others(rows_of), ("asked_captures",), ("keyed_records",)),
    Stage("records_of_keys", keyed_records, ("asked_records",), ("keyed_places",), shared_by=KEY),
    Stage(tables.KEY_HOMES, key_homes, ("records_of_keys",), shared_by=KEY),
    _first("first_keys", rows_of, "key_homes", counting.FIRST_KEYS),
    _added("key_totals", counting.key_totals, "key_homes", TOPIC),
    Stage("key_sample", counting.key_sample, ("first_keys",), ("key_totals",)),
    planned(
        "sampled_counts", functools.partial(counting.expansions, None), ("key_sample",),
        ("captures", "places", "placed_observations"),
    ),
    Stage("partly_sampled", counting.partly_sampled, ("key_sample",)),
    planned("homes_outside", of_others(rows_of), ("partly_sampled",), ("key_homes",)),
    _first("odd_keys", counting.odd_keys, "homes_outside", counting.ODD_KEYS, ("sampled_counts",)),
    planned(
        "key_counts", counting.expansions, ("odd_keys",), ("key_sample", "captures", "places", "placed_observations"),
        otherwise="sampled_counts",
    ),
    Stage("grown_keys", counting.grown, ("key_counts",)),
    planned(tables.KEYED_TOPICS, _with_boundary, ("key_counts",), ("key_boundaries",)),
)  # fmt: skip
"""The partition counts that the keys of a topic prove."""

BOUNDARIES = (
    planned("records_of_grown", of_others(rows_of), ("grown_keys",), ("records_of_keys",)),
    Stage("moved_records", thresholds.moved_records, ("records_of_grown",), ("key_counts",), shared_by=KEY),
    Stage("key_boundaries", thresholds.boundaries, ("grown_keys",), ("moved_records", "log_batches")),
    Stage("first_moved", thresholds.first_moved, ("moved_records",)),
    Stage(
        "stale_records", thresholds.stale_records, ("moved_records",), ("first_moved", "key_boundaries"),
        shared_by=KEY,
    ),
    Stage(
        "partition_thresholds", thresholds.thresholds, ("key_boundaries",),
        ("records_of_keys", "stale_records", "logs", "leader_epochs", "partition_txns"),
    ),
    planned(tables.THRESHOLDS, thresholds.links, ("key_boundaries",), ("partition_thresholds",)),
    planned("keyed_positions", _positions, ("key_boundaries",), ("group_positions",)),
    planned(tables.PARTITION_READS, faults.partition_reads, ("keyed_positions",), ("partition_thresholds",)),
)  # fmt: skip
"""Since when which records moved, and up to where each prior partition has to be read."""

FAULTS = (
    _first("first_stale_keys", faults.stale_keys, "stale_records", faults.FIRST_STALE),
    _added("stale_key_counts", faults.stale_key_counts, "stale_records", faults.STALE),
    Stage(
        "stale_by_offset", faults.stale_producers, ("stale_records",),
        ("first_stale_keys", "stale_key_counts", "moved_records", "producers"),
    ),
    Stage(tables.STALE_PRODUCERS, faults.with_stale_batches, ("stale_by_offset",), ("log_batches",)),
    Stage("delivered_records", delivered, ("moved_records",), ("partition_txns", "grown_keys"), shared_by=KEY),
    Stage("reading_ahead", faults.ahead, ("keyed_positions",), ("delivered_records",)),
    planned("readers_below", faults.readers_below, ("reading_ahead",), ("key_boundaries", "partition_thresholds")),
    _added("unread_below", faults.unread_below, "delivered_records", faults.READERS, "readers_below"),
    Stage(tables.BELOW_THRESHOLDS, faults.below_threshold, ("readers_below",), ("unread_below",)),
    Stage("out_of_order", order.out_of_order, ("delivered_records",), ("reading_ahead",), shared_by=KEY),
    _first("first_broken_keys", rows_of, "out_of_order", order.FIRST_BROKEN),
    _added("broken_keys", order.broken_keys, "out_of_order", faults.MOVED),
    Stage(
        "broken_by_offset", order.broken_order, ("out_of_order",),
        ("first_broken_keys", "broken_keys", "reading_ahead", "key_boundaries"),
    ),
    Stage(tables.BROKEN_ORDERS, order.with_broken_batches, ("broken_by_offset",), ("log_batches",)),
)  # fmt: skip
"""What went wrong: stale producers, groups that read on too early, keys out of order."""

STAGES = (*COUNTS, *BOUNDARIES, *FAULTS)
