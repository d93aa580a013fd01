"""The stages of what a report shows in addition to findings, and of what stored results add to lifecycles."""

import functools
from collections.abc import Callable

from pyspark.sql import DataFrame, Window, functions as F

from analyzer.detectors.verdicts import open_rows, with_answers, with_states
from analyzer.lifecycles import ALL
from analyzer.lifecycles.answers.lines_shown import lines_chosen, lines_shown
from analyzer.lifecycles.controller.events import asked_of_quorum, first_served, newest_events, quorum_summary
from analyzer.lifecycles.keyed.records import TOPIC
from analyzer.lifecycles.leadership.unled import with_unled
from analyzer.lifecycles.logs.authority import in_sync
from analyzer.lifecycles.logs.last_stable_offset import partition_health
from analyzer.lifecycles.placing import PARTITION, PRODUCER
from analyzer.lifecycles.registry import ROOMS as LIFECYCLES
from analyzer.stages.combining import first_of_each
from analyzer.stages.stage import Stage, planned
from analyzer.tables import UNREAD_KINDS
from analyzer.tables.unions import union_all

NAMES = 2_000
"""Names of each kind by which the clients of ids are recognised."""
LISTED_FILES = 100
"""Files of one kind that were not read and that a document lists; the others are counted."""
RESCUED = 100_000
"""Committed transactions, of records that only a doomed copy has, that a case keeps for `rescue --lost`."""
SHOWN = 1_000
"""Rows of each keyed topic that a report lists at most."""


def _with_epochs(opens: DataFrame, txns: DataFrame) -> DataFrame:
    """Add `coordinator_epoch`: that of the marker before each open transaction, also by a snapshot; null for none."""
    markers = txns.where("marker_offset IS NOT NULL").select(
        *PRODUCER, F.col("marker_offset").alias("previous_marker_offset"), "marker_coordinator_epoch"
    )
    newest = F.greatest("marker_coordinator_epoch", "snapshot_coordinator_epoch")
    return opens.join(markers, [*PRODUCER, "previous_marker_offset"], "left").withColumn("coordinator_epoch", newest)


def _opens(opens: DataFrame, limit: int) -> DataFrame:
    """Return the first open transactions of each capture, and how many there are."""
    order = ("topic", "partition", "first_offset", "producer_id", "replica")
    return first_of_each(_counted(opens), ("capture",), order, limit)


def _counted(rows: DataFrame) -> DataFrame:
    return rows.withColumn("total", F.count("*").over(Window.partitionBy("capture")))


def _first_to_fetch(rows: DataFrame, most: int) -> DataFrame:
    """Return the first rows of each plan, the smallest partition of each step first, and how many there are."""
    together = Window.partitionBy("capture", "step", "topic", "partition")
    sized = rows.withColumn("partition_bytes", F.coalesce(F.sum("bytes").over(together), F.lit(0)))
    order = ("step", "partition_bytes", "topic", "partition", "replica", "segment")
    return first_of_each(_counted(sized), ("capture",), order, most).drop("partition_bytes")


def _captures(
    captures: DataFrame, moments: DataFrame, records: DataFrame, seen: DataFrame, named: DataFrame
) -> DataFrame:
    """Return the captures with the moment judged at, how far the state files reach, and what files tell of the cluster.

    oldest_state_ms: how far back __transaction_state reaches; compaction may have taken what came before. cluster_ids:
    those that the files name, one if they belong together. named_in: by which file. redpanda: whether a file is of its
    brokers. ways: how pasted commands reach the brokers, and where.
    """
    judged = moments.select(
        "capture", "captured_at", "captured_at_source", "newest_state_ms", "state_horizon_ms", "state_count",
        "state_count_told",
        F.size("missing_states").alias("missing_states"),
    )  # fmt: skip
    oldest = records.groupBy("capture").agg(F.min("timestamp").alias("oldest_state_ms"))
    cluster = F.when(F.col("observed") == "cluster_id", F.col("text"))
    way = F.when(F.col("observed") == "way", F.struct("path", "line", "text"))
    told = seen.where("observed IN ('cluster_id', 'way', 'redpanda')").groupBy("capture").agg(
        F.sort_array(F.collect_set(cluster)).alias("cluster_ids"), F.sort_array(F.collect_set(way)).alias("ways"),
        F.max(F.col("observed") == "redpanda").alias("redpanda"),
    )  # fmt: skip
    named_in = named.groupBy("capture").agg(F.sort_array(F.collect_set(F.struct("path", "cluster"))).alias("named_in"))
    rows = captures.drop("captured_at", "captured_at_source")
    for one in (judged, oldest, told, named_in):
        rows = rows.join(one, "capture", "left")
    return rows


def _file_counts(files: DataFrame) -> DataFrame:
    """Return how many files each capture has and their bytes; those of an archive count, the archive does not."""
    known = files.where("file_id IS NOT NULL OR problem IS NOT NULL").where("file_kind NOT IN ('archive', 'folder')")
    return known.groupBy("capture").agg(F.count("*").alias("files"), F.sum("bytes").alias("bytes"))


def _not_read(files: DataFrame) -> DataFrame:
    """Return the files of each kind that no reader opens: how many, their bytes, and the first of them by path."""
    listed = F.slice(F.array_sort(F.collect_list(F.struct("path", "bytes"))), 1, LISTED_FILES).alias("listed")
    unread = files.where(F.col("file_kind").isin(*UNREAD_KINDS) & F.col("problem").isNull())
    amount = F.count("*").alias("files"), F.sum("bytes").alias("bytes")
    return unread.groupBy("capture", "file_kind").agg(*amount, listed)


def _fact_counts(
    moments: DataFrame,
    logs: DataFrame,
    records: DataFrame,
    commits: DataFrame,
    seen: DataFrame,
    routed: DataFrame,
    keyed: DataFrame,
    answers: DataFrame,
) -> DataFrame:
    """Return how much of each thing that detectors need a capture has."""
    positions = seen.where("observed = 'group_position'").select("capture").unionByName(commits.select("capture"))
    counts = (
        logs.groupBy("capture").agg(F.sum("batches").alias("batches")),
        records.groupBy("capture").agg(F.count("*").alias("coordinator_states")),
        commits.groupBy("capture").agg(F.count("*").alias("offset_commits")),
        positions.groupBy("capture").agg(F.count("*").alias("group_positions")),
        routed.groupBy("capture").agg(F.sum("ids").alias("routed_ids")),
        keyed.groupBy("capture").agg(F.sum("records").alias("keyed_records")),
        answers.groupBy("capture").agg(F.count("*").alias("answers")),
    )
    return functools.reduce(lambda rows, count: rows.join(count, "capture", "left"), counts, moments.select("capture"))


def _unparsed(runs: DataFrame) -> DataFrame:
    text = F.coalesce("text", F.lit("")).alias("text")
    return runs.groupBy("capture", "path").agg(
        F.sum("lines").alias("lines"), F.min(F.struct("line", text, "reason")).alias("first")
    )


def _client_names(known: DataFrame, positions: DataFrame, logs: DataFrame) -> DataFrame:
    """Return the names of ids, groups and topics by which an id's client may be known: the first NAMES of each kind."""
    parts = ((known, "transactional_id", "id"), (positions, "group", "group"), (logs, "topic", "topic"))
    named = [
        rows.where(F.col(column).isNotNull()).select("capture", F.lit(kind).alias("kind"), F.col(column).alias("name"))
        for rows, column, kind in parts
    ]
    return first_of_each(union_all(named).distinct(), ("capture", "kind"), ("name",), NAMES).drop("turn")


def _rescuable(rows: DataFrame) -> DataFrame:
    """Return the first of each capture, and how many there are."""
    order = ("topic", "partition", "replica", "first_offset")
    return first_of_each(_counted(rows), ("capture",), order, RESCUED).drop("turn")


def _first(*order: str) -> Callable[[DataFrame], DataFrame]:
    """Return what keeps the first rows of each capture and topic in this order: those that a report may list."""
    return lambda rows: first_of_each(rows, TOPIC, order, SHOWN).drop("turn")


REPORTED = (
    planned(
        "captures_shown", _captures, ("captures",),
        ("moments", "coordinator_records", "placed_observations", "named_clusters"),
    ),
    planned("client_names", _client_names, ("producers", "group_positions", "logs")),
    planned("open_rows", open_rows, ("opens",)),
    planned(
        "open_rows_told", _with_epochs, ("open_rows",), ("partition_txns",),
        narrowed={"partition_txns": ("opens", "producer_id")},
    ),
    planned("open_rows_answered", with_answers, ("answered",), ("open_rows_told",), otherwise="open_rows_told"),
    planned("open_rows_asked", with_states, ("told_states",), ("open_rows_answered",), otherwise="open_rows_answered"),
    planned("open_rows_led", with_unled, ("unled",), ("open_rows_asked",), otherwise="open_rows_asked"),
    planned("opens_shown", _opens, ("open_rows_led",), settings=("limits.open_transactions",)),
    planned("health_shown", partition_health, ("logs",), ("opens", "disputed", "partition_txns", "log_batches")),
    planned("in_sync", in_sync, ("placed_observations",)),
    planned(
        "health_told", lambda health, told: health.join(told, list(PARTITION), "left"), ("health_shown",), ("in_sync",),
    ),
    planned("file_counts", _file_counts, ("files_of_captures",)),
    planned("files_not_read", _not_read, ("files_of_captures",)),
    planned(
        "fact_counts", _fact_counts, ("moments",),
        (
            "logs", "coordinator_records", "group_commits", "placed_observations", "routing_counts", "keyed_topics",
            "placed_answers",
        ),
    ),
    Stage("lines_chosen", lines_chosen, ("placed_log_lines",), ("logs",)),
    planned("lines_shown", lines_shown, ("lines_chosen",), ("log_lines",)),
    planned("fetch_shown", _first_to_fetch, ("fetch_plan",), settings=("limits.fetch_files",)),
    planned("rescuable_shown", _rescuable, ("rescuable",)),
    planned("quorum_summary", quorum_summary, ("quorum_logs",), ("coordinator_reigns",)),
    planned("events_shown", newest_events, ("quorum_events",)),
    planned("served_shown", first_served, ("served_by",), ("opens",)),
    planned("asked_of_quorum", asked_of_quorum, ("placed_observations",)),
    planned("thresholds_shown", _first("prior_partition", "home_partition"), ("thresholds",)),
    planned("reads_shown", _first("may_read", "prior_partition", "group"), ("partition_reads",)),
    planned("unparsed_shown", _unparsed, ("unparsed_runs",)),
)  # fmt: skip

ROOMS = {**LIFECYCLES, "report": REPORTED}
"""Every stage that an analysis has, by the room that it is written in."""
STAGES = (*ALL, *REPORTED)

SHOWN_AS = {
    "captures": "captures_shown",
    "opens": "opens_shown",
    "partitions": "health_told",
    "coverage": "every_note",
    "files": "file_counts",
    "not_read": "files_not_read",
    "facts": "fact_counts",
    "client_names": "client_names",
    "fetch": "fetch_shown",
    "rescuable": "rescuable_shown",
    "quorum": "quorum_summary",
    "quorum_events": "events_shown",
    "served": "served_shown",
    "settings": "known_settings",
    "asked": "asked_of_quorum",
    "impact": "group_impact",
    "pending_positions": "pending_positions",
    "expiry": "expiry",
    "routing": "routing_counts",
    "cutovers": "cutovers",
    "keyed": "keyed_topics",
    "thresholds": "thresholds_shown",
    "reads": "reads_shown",
    "unparsed": "unparsed_shown",
    "log_lines": "lines_shown",
}
"""What is collected in addition to findings, by the names that `Parts` gives it, and the table of each."""

DRAWN_AS = {
    "near": "neighbours",
    "bars": "bars",
    "bars_elsewhere": "bars_elsewhere",
    "states": "states_around",
    "epoch_starts": "epoch_starts",
    "growth": "growth",
    "id_places": "id_places",
}
"""The same of what a report draws around its findings."""
