"""The stages that put both sides together: decisions and their markers, and what is open (RULES A 4 to 10, D)."""

import functools

from pyspark.sql import DataFrame

from analyzer.lifecycles.coordinator.moments import refs_told, with_ref_at, with_refs
from analyzer.lifecycles.coverage.states import beyond_records, newest_records
from analyzer.lifecycles.judging.judgement import with_judgement
from analyzer.lifecycles.logs.lines import batch_stages, marker_stages
from analyzer.lifecycles.matching import client_clocks, pairs, tables, timing
from analyzer.lifecycles.matching.decisions import closed_spans, early_decisions
from analyzer.lifecycles.matching.gone import behind_holes, with_proofs
from analyzer.lifecycles.matching.idle import with_idle
from analyzer.lifecycles.matching.moments import moments
from analyzer.lifecycles.matching.open_transactions import producers_of, with_history
from analyzer.lifecycles.matching.rest import with_rest
from analyzer.lifecycles.matching.slips import batches_inside, early_spans, with_decision_before, with_extent
from analyzer.lifecycles.matching.unmarked_stages import UNMARKED
from analyzer.lifecycles.matching.unread import UNREAD, without_holes
from analyzer.lifecycles.matching.unseen import unseen
from analyzer.lifecycles.placing import LOG, with_log
from analyzer.lifecycles.routing.faults import orphaned_data, orphans
from analyzer.lifecycles.stage import Kept, Stage, rows_of

LOG_NO = "log_no"
OPEN_PRODUCERS = ("broker_opens", "producer_id")
OPEN_IDS = ("txns_of_opens", "transactional_id")


def _with_log(logs: DataFrame) -> DataFrame:
    return logs.where("has_log")


def _by_order(txns: DataFrame, decided: DataFrame, agreed: DataFrame, logs: DataFrame) -> DataFrame:
    return with_log(pairs.matched_by_order(txns, decided, agreed).drop("capture"), logs)


def _by_time(txns: DataFrame, decided: DataFrame, agreed: DataFrame, clocks: DataFrame, logs: DataFrame) -> DataFrame:
    return with_log(pairs.matched_by_time(txns, decided, agreed, clocks).drop("capture"), logs)


def _both(others: DataFrame, in_order: DataFrame) -> DataFrame:
    return in_order.unionByName(others)


PAIRS = (
    Stage("judged_by_brokers", timing.judged_at, ("captures",), ("logs", "known_records")),
    Stage("bare_captures", client_clocks.bare, ("judged_by_brokers",)),
    Stage(
        "judged_at", client_clocks.with_agreed, ("bare_captures",),
        ("judged_by_brokers", "log_batches", "placed_snapshots", "placed_answers"), otherwise="judged_by_brokers",
    ),
    Stage("logs_read", _with_log, ("logs",), kept=Kept.PLAN),
    Stage("markers", pairs.markers, ("partition_txns",), kept=Kept.PLAN),
    Stage(
        "listed_decisions", pairs.listed_decisions, ("coordinator_txns", "registrations"), ("logs_read",),
        kept=Kept.PLAN, shared_by="state_partition",
    ),
    Stage(
        "recovered_decisions", pairs.recovered, ("coordinator_txns",), ("markers", "repeated_markers"), kept=Kept.FEW,
    ),
    Stage("histories", pairs.histories, ("coordinator_txns",), kept=Kept.FEW),
    Stage("decided", pairs.decisions, ("listed_decisions", "recovered_decisions"), ("histories",), shared_by=LOG_NO),
    Stage("agreed", pairs.agreeing, ("partition_txns", "repeated_markers", "decided"), shared_by=LOG_NO),
    Stage("matched_by_order", _by_order, ("partition_txns", "decided", "agreed"), ("logs",), shared_by=LOG_NO),
    Stage("clocks", pairs.clocks, ("matched_by_order", "logs"), settings=("verdicts",)),
    Stage("matched_by_time", _by_time, ("partition_txns", "decided", "agreed"), ("clocks", "logs"), shared_by=LOG_NO),
    Stage(
        tables.DECISIONS, _both, ("matched_by_time",), ("matched_by_order",), kept=Kept.PLAN,
        otherwise="matched_by_order",
    ),
    Stage("newest_records", newest_records, ("known_records",), kept=Kept.FEW),
    Stage("beyond_records", beyond_records, ("markers",), ("newest_records",), kept=Kept.FEW),
    Stage(
        tables.MOMENTS, moments, ("captures",),
        (
            "judged_at", "clocks", "places", "placed_observations", "newest_records", "beyond_records", "decisions",
            "routing_counts",
        ),
    ),
    Stage(tables.UNSEEN, unseen, ("coordinator_txns", "coordinator_records", "registrations"), ("logs", "moments")),
)  # fmt: skip
"""Each decision in each log with its marker, and the moment that a capture is judged at."""


def _in_time(
    told: DataFrame,
    decisions: DataFrame,
    batches: DataFrame,
    judged: DataFrame,
    misplaced: DataFrame,
    logs: DataFrame,
    moments: DataFrame,
) -> DataFrame:
    """Return the open transactions with the moments that they are compared with."""
    opens = orphaned_data(timing.appended_by(told, decisions, batches, moments), orphans(misplaced))
    horizons = timing.horizons(decisions, logs, judged)
    return timing.beyond_states(opens.join(horizons, list(LOG)).join(moments, "capture"))


OF_OPENS = dict.fromkeys(("partition_txns", "repeated_markers", "decisions", "producers"), OPEN_PRODUCERS)

OPENS = (
    Stage(
        "txns_of_opens", rows_of, ("coordinator_txns",), kept=Kept.PLAN,
        narrowed={"coordinator_txns": OPEN_PRODUCERS},
    ),
    Stage("open_producers", producers_of, ("broker_opens",), kept=Kept.FEW),
    Stage(
        "opens_with_history", with_history, ("broker_opens",),
        (
            "partition_txns", "repeated_markers", "decisions", "txns_of_opens", "registrations", "producers",
            "open_producers",
        ),
        narrowed=OF_OPENS | {"registrations": OPEN_IDS},
    ),
    *marker_stages("opens_with_marker", "opens_with_history", drop=("marker_offset",)),
    Stage(
        "refs_of_opens", functools.partial(refs_told, names=tables.TOLD), ("opens_with_marker",),
        ("coordinator_records",), narrowed={"coordinator_records": OPEN_IDS},
    ),
    Stage(
        "opens_with_refs", functools.partial(with_refs, names=tables.TOLD), ("opens_with_marker",),
        ("refs_of_opens",),
    ),
    Stage(
        "opens_in_time", _in_time, ("opens_with_refs",),
        ("decisions", "log_batches", "judged_at", "misplaced", "logs", "moments"),
    ),
    Stage(
        "opens_with_rest", with_rest, ("opens_in_time",),
        ("coordinator_records", "state_copies", "decisions", "logs", "log_batches"),
        narrowed={"coordinator_records": ("opens_with_marker", "transactional_id")},
    ),
    Stage(
        "opens_with_idle", with_idle, ("opens_with_rest",), ("partition_txns",),
        narrowed={"partition_txns": OPEN_PRODUCERS},
    ),
    Stage(
        "opens_with_proofs", with_proofs, ("opens_with_idle",),
        ("logs", "segments", "damage", "placed_snapshots", "disputed"),
    ),
    Stage(
        "opens_behind_holes", behind_holes, ("unread_holes",), ("opens_with_proofs", "placed_snapshots"),
        otherwise="opens_with_proofs",
    ),
    Stage("untold_opens", client_clocks.untold, ("opens_behind_holes",)),
    Stage(
        "opens_with_elapsed", client_clocks.with_elapsed, ("untold_opens",), ("opens_behind_holes", "log_batches"),
        otherwise="opens_behind_holes",
    ),
    Stage(tables.OPENS, with_judgement, ("opens_with_elapsed",)),
)  # fmt: skip
"""What markers, clocks and the coordinator's records say of each open transaction."""


def _registered(early: DataFrame, records: DataFrame) -> DataFrame:
    told = with_ref_at(early, "registered_at", records, "registered_ref")
    return told.drop("state_partition", "registered_at")


SLIPS = (
    Stage("early_decisions", early_decisions, ("decisions",), kept=Kept.FEW),
    Stage("closed_spans", closed_spans, ("early_decisions",), ("partition_txns", "registrations")),
    Stage(
        "closed_in_time", timing.appended_by, ("closed_spans",), ("decisions", "log_batches", "moments"),
        kept=Kept.PLAN,
    ),
    Stage("closed_without_holes", without_holes, ("closed_in_time",), ("unread_holes",), kept=Kept.PLAN),
    Stage("early_spans", early_spans, ("closed_without_holes", "opens"), ("moments",)),
    Stage(
        "registered_spans", _registered, ("early_spans",), ("coordinator_records",),
        narrowed={"coordinator_records": ("early_spans", "transactional_id")},
    ),
    *batch_stages(
        "spans_with_batch", "registered_spans", {"first_batch": "first_offset"}, drop=("first_ms",), kept=Kept.PLAN,
    ),
    *marker_stages("spans_with_marker", "spans_with_batch", drop=("log_no",)),
    Stage(
        "batches_inside", batches_inside, ("spans_with_marker",), ("log_batches",),
        narrowed={"log_batches": ("spans_with_marker", "producer_id")},
    ),
    Stage(
        "batches_after_decision", with_decision_before, ("batches_inside",), ("decisions",),
        narrowed={"decisions": ("spans_with_marker", "producer_id")},
    ),
    Stage(tables.SLIPS, with_extent, ("spans_with_marker",), ("batches_after_decision", "log_batches", "decisions")),
)  # fmt: skip
"""Data that was appended before its transaction had the partition."""

STAGES = (*UNREAD, *PAIRS, *OPENS, *SLIPS, *UNMARKED)
