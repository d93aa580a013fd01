"""The stages of data that no marker of its own closes, and of what tells one cause from another (RULES A 6)."""

from pyspark.sql import DataFrame, functions as F

from analyzer.lifecycles.coordinator.record_refs import refs_of
from analyzer.lifecycles.coordinator.transactions import TXN
from analyzer.lifecycles.logs import cleaning
from analyzer.lifecycles.logs.lines import MARKER, line_stages
from analyzer.lifecycles.matching import ended_earlier, tables, unmarked as data
from analyzer.lifecycles.matching.delivered import delivered_markers, told_marker
from analyzer.lifecycles.matching.unmarked_context import copies_elsewhere, with_context, witnesses
from analyzer.lifecycles.matching.unread import torn_states, unread_after
from analyzer.lifecycles.placing import PRODUCER
from analyzer.stages.stage import Kept, Stage, planned
from analyzer.tables.unions import union_filled

WAITING = ("waiting_producers", "producer_id")
THEIRS = ("unmarked_spans", "producer_id")


def _known_ids(producers: DataFrame) -> DataFrame:
    return producers.select("capture", "producer_id", F.col("transactional_id").alias("known_id"))


def _spans(claimed: DataFrame, unclaimed: DataFrame, logs: DataFrame, torn: DataFrame, copies: DataFrame) -> DataFrame:
    """Return both kinds of rows, but none that a later marker closed where the decisions of its id may not all be here.

    What looks like one decision more than there are markers may be one record less. No history is whole where a record
    of the id's state partition may be missing (`copies` are the `state_copies`).
    """
    partition = ["capture", "state_partition"]
    unsure = claimed.where("closer = 'later'").join(torn_states(logs, torn), partition, "left_semi")
    told = claimed.join(unsure.select(*data.CLAIM).distinct(), list(data.CLAIM), "left_anti")
    sound = F.coalesce("sound", F.lit(True))
    judged = told.join(copies.select(*partition, "sound"), partition, "left")
    return union_filled(judged.withColumn("history_whole", F.col("history_whole") & sound).drop("sound"), unclaimed)


def _delivered(rows: DataFrame, decisions: DataFrame, logs: DataFrame) -> DataFrame:
    """Return the markers that the decisions of these rows have elsewhere."""
    asked = decisions.join(F.broadcast(rows.select(*TXN).distinct()), list(TXN), "left_semi")
    return delivered_markers(asked, logs)


def _told(
    told: DataFrame,
    rows: DataFrame,
    taken: DataFrame,
    unread: DataFrame,
    delivered: DataFrame,
    logs: DataFrame,
    records: DataFrame,
    ids: DataFrame,
    moments: DataFrame,
) -> DataFrame:
    """Return rows of `unmarked`: with gaps, with the markers that the decision has elsewhere, and with its records."""
    named = told.join(unread, [*PRODUCER, "first_offset"], "left").join(delivered, list(TXN), "left")
    judged = moments.select("capture", "captured_at", "state_horizon_ms")
    return (
        cleaning.first_gap(named, taken, logs)
        .withColumn("gap", F.when(F.col("cut_offset").isNull(), F.col("gap")))
        .join(refs_of(rows, records, "prepared_ref", "completed_ref"), list(TXN), "left")
        .join(ids, ["capture", "producer_id"], "left")
        .withColumn("transactional_id", F.coalesce("transactional_id", "known_id"))
        .join(judged, "capture")
        .select(*tables.UNMARKED.names)
    )


SPANS = (
    planned("known_ids", _known_ids, ("producers",)),
    planned("judged_spans", data.judged_spans, ("partition_txns",), ("logs",)),
    Stage("waiting_producers", data.waiting_producers, ("decisions",)),
    Stage(
        "lost_decisions", data.lost_decisions, ("waiting_producers",), ("decisions",),
        narrowed={"decisions": WAITING},
    ),
    Stage(
        "claims", data.claims, ("lost_decisions",), ("judged_spans", "moments", "shifted_decisions", "shifted_markers"),
        narrowed={"judged_spans": WAITING},
    ),
    planned(
        "claimed_data", data.claimed_data, ("claims",), ("log_batches",),
        narrowed={"log_batches": ("claims", "producer_id")},
    ),
    Stage("unclaimed_spans", data.unclaimed_spans, ("judged_spans",), ("claims", "broker_opens", "known_ids")),
    *line_stages(
        "unclaimed_data", "unclaimed_spans", {"first_batch": "first_offset", "last_batch": "last_batch_offset"}, {},
        data.unclaimed_data, kept=Kept.PLAN,
    ),
    Stage("spans_without_marker", _spans, ("claimed_data", "unclaimed_data"), ("logs", "torn_logs", "state_copies")),
    *line_stages("unmarked_spans", "spans_without_marker", {}, MARKER),
)  # fmt: skip
"""The data itself, with and without a decision."""

CONTEXT = (
    Stage(
        "copies_elsewhere", copies_elsewhere, ("unmarked_spans",), ("partition_txns",),
        narrowed={"partition_txns": THEIRS},
    ),
    *line_stages("copies_with_marker", "copies_elsewhere", {"other_batch": "first_offset"}, MARKER, kept=Kept.PLAN),
    planned("witnesses", witnesses, ("copies_with_marker",), ("placed_observations",)),
    Stage(
        "unmarked_with_context", with_context, ("unmarked_spans",),
        ("leader_epochs", "placed_snapshots", "logs", "broker_opens", "witnesses"),
    ),
    Stage("first_unmarked", cleaning.first_data, ("unmarked_spans",)),
    Stage("gaps", cleaning.gaps, ("first_unmarked",), ("log_batches",)),
    planned("unread_spans", unread_after, ("unmarked_spans",), ("gaps", "unread_holes")),
    Stage(
        "delivered_markers", _delivered, ("unmarked_spans",), ("decisions", "logs"),
        narrowed={"decisions": THEIRS},
    ),
    *line_stages("delivered_marker", "delivered_markers", {}, MARKER, told_marker, kept=Kept.PLAN),
    Stage(
        tables.UNMARKED, _told, ("unmarked_with_context",),
        (
            "unmarked_spans", "gaps", "unread_spans", "delivered_marker", "logs", "coordinator_records",
            "known_ids", "moments",
        ),
        narrowed={"coordinator_records": ("unmarked_spans", "transactional_id")},
    ),
)  # fmt: skip
"""What tells one cause from another."""

OF_ASKED = ("asked_lists", "producer_id")

EARLIER = (
    Stage("bare_decisions", ended_earlier.bare_decisions, ("decisions",), ("logs",), shared_by="log_no"),
    Stage("running_inside", ended_earlier.running_inside, ("coordinator_txns",), ("moments",)),
    Stage(
        "running_lists", ended_earlier.running_lists, ("running_inside",),
        ("coordinator_records", "registrations", "state_copies", "logs", "moments"),
        narrowed=dict.fromkeys(("coordinator_records", "registrations"), ("running_inside", "transactional_id")),
    ),
    Stage("asked_lists", union_filled, ("bare_decisions", "running_lists")),
    Stage(
        "earlier_ended", ended_earlier.ended_earlier, ("asked_lists",),
        ("partition_txns", "decisions", "moments", "state_copies", "coordinator_txns"),
        narrowed=dict.fromkeys(("partition_txns", "decisions", "coordinator_txns"), OF_ASKED),
    ),
    *line_stages("earlier_markers", "earlier_ended", {"first_batch": "first_offset"}, MARKER, kept=Kept.PLAN),
    Stage(
        tables.ENDED_EARLIER, ended_earlier.with_decision, ("earlier_markers",),
        ("earlier_ended", "coordinator_records"),
        narrowed={"coordinator_records": ("earlier_ended", "transactional_id")},
    ),
)  # fmt: skip
"""Data that a marker ended against what was decided of it afterwards."""

UNMARKED = (*SPANS, *CONTEXT, *EARLIER)
