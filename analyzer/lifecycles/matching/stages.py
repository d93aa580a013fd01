"""The stages that say what decisions and their markers mean: moments, slips, unmarked data (RULES A 6, A 7)."""

from pyspark.sql import DataFrame, functions as F

from analyzer.lifecycles.coordinator.record_refs import with_ref_at
from analyzer.lifecycles.coverage.states import beyond_records, newest_records
from analyzer.lifecycles.logs import cleaning
from analyzer.lifecycles.logs.lines import MARKER, line_stages
from analyzer.lifecycles.matching import client_clocks, slips, tables, timing
from analyzer.lifecycles.matching.unmarked_stages import UNMARKED
from analyzer.lifecycles.matching.unread import UNREAD, without_holes
from analyzer.lifecycles.matching.unseen import unseen
from analyzer.stages.stage import Stage, planned

MOMENTS = (
    Stage("judged_by_brokers", timing.judged_at, ("captures",), ("logs", "known_records", "quorum_reach")),
    Stage("bare_captures", client_clocks.bare, ("judged_by_brokers",)),
    Stage(
        "judged_at", client_clocks.with_agreed, ("bare_captures",),
        ("judged_by_brokers", "log_batches", "placed_snapshots", "placed_answers"), otherwise="judged_by_brokers",
    ),
    Stage("newest_records", newest_records, ("known_records",)),
    Stage("beyond_records", beyond_records, ("markers",), ("newest_records",)),
    Stage(
        tables.MOMENTS, timing.moments, ("captures",),
        (
            "judged_at", "clocks", "places", "placed_observations", "newest_records", "beyond_records", "decisions",
            "routing_counts",
        ),
    ),
    Stage(tables.UNSEEN, unseen, ("coordinator_txns", "coordinator_records", "registrations"), ("logs", "moments")),
)  # fmt: skip
"""The moment that a capture is judged at."""


def _registered(early: DataFrame, records: DataFrame) -> DataFrame:
    told = with_ref_at(early, "registered_at", records, "registered_ref")
    return told.drop("state_partition", "registered_at")


def _with_newer(told: DataFrame) -> DataFrame:
    return told.withColumn("newer_ref", F.col("newer_batch.batch_ref")).drop("newer_batch", "log_no")


SLIPS = (
    Stage("spans_of_two_epochs", slips.of_two_epochs, ("judged_spans",)),
    Stage(
        "told_by_epochs", slips.told_by_epochs, ("spans_of_two_epochs",), ("partition_txns", "known_ids", "moments"),
        narrowed={"partition_txns": ("spans_of_two_epochs", "producer_id")},
    ),
    Stage("early_decisions", slips.early_decisions, ("decisions",), ("logs",)),
    Stage("closed_spans", slips.closed_spans, ("early_decisions",), ("partition_txns", "registrations")),
    planned(
        "closed_in_time", timing.appended_by, ("closed_spans",),
        ("decisions", "log_batches", "clocks", "measured_logs"),
    ),
    Stage("closed_without_holes", without_holes, ("closed_in_time",), ("unread_holes",)),
    Stage(
        "early_spans", slips.early_spans, ("closed_without_holes", "opens", "told_by_epochs"),
        ("moments", "clocks", "measured_logs"),
    ),
    planned("first_early", cleaning.first_data, ("early_spans",)),
    Stage("early_gaps", cleaning.gaps, ("first_early",), ("log_batches",)),
    Stage("proven_spans", slips.shown_in_full, ("early_spans",), ("early_gaps",)),
    Stage(
        "registered_spans", _registered, ("proven_spans",), ("coordinator_records",),
        narrowed={"coordinator_records": ("proven_spans", "transactional_id")},
    ),
    *line_stages("spans_with_marker", "registered_spans", {"first_batch": "first_offset"}, MARKER, drop=("first_ms",)),
    Stage(
        "batches_inside", slips.batches_inside, ("spans_with_marker",), ("log_batches",),
        narrowed={"log_batches": ("spans_with_marker", "producer_id")},
    ),
    Stage(
        "batches_after_decision", slips.with_decision_before, ("batches_inside",), ("decisions",),
        narrowed={"decisions": ("spans_with_marker", "producer_id")},
    ),
    planned(
        "slipped", slips.with_extent, ("spans_with_marker",),
        ("batches_after_decision", "log_batches", "decisions", "clocks", "measured_logs"),
    ),
    *line_stages(tables.SLIPS, "slipped", {"newer_batch": "newer_offset"}, {}, _with_newer),
)  # fmt: skip
"""Data that was appended before its transaction had the partition."""

STAGES = (*UNREAD, *MOMENTS, *SLIPS, *UNMARKED)
