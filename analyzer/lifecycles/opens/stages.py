"""The stages of what is open: each answers one question about the transactions, the last has all answers."""

import functools

from pyspark.sql import DataFrame, functions as F

from analyzer.lifecycles.coordinator.record_refs import refs_told
from analyzer.lifecycles.logs.lines import MARKER, line_stages
from analyzer.lifecycles.matching.stamps import lagless, lags_of_logs, own_lags
from analyzer.lifecycles.opens import ahead, elapsed, gone, history, idle, leaderless, over, rest, times, together
from analyzer.lifecycles.opens.above import above
from analyzer.lifecycles.opens.tables import OPENS, TOLD
from analyzer.lifecycles.opens.unfinished_states import unfinished_states
from analyzer.lifecycles.pairing.by_time import with_margin
from analyzer.lifecycles.placing import PRODUCER_NO
from analyzer.lifecycles.routing.faults import orphans_of
from analyzer.stages.stage import Kept, Stage, planned, rows_of

BY_PRODUCER = ("broker_opens", "producer_id")
BY_ID = ("txns_of_opens", "transactional_id")
NARROWED_HISTORY = dict.fromkeys(("partition_txns", "repeated_markers", "decisions", "producers"), BY_PRODUCER)


def _by_open(own: DataFrame, others: DataFrame, opens: DataFrame) -> DataFrame:
    of_id = ["capture", "producer_id"]
    told = own.withColumn("lag_is_own", F.lit(True)).unionByName(others.withColumn("lag_is_own", F.lit(False)))
    return opens.select("capture", *PRODUCER_NO).join(told, of_id).drop("capture")


def _with_stop(opens: DataFrame, brokers: DataFrame) -> DataFrame:
    return opens.join(brokers, ["capture", "replica"]).select(*PRODUCER_NO, "stopped_states")


def _margins(opens: DataFrame, clocks: DataFrame, paired: DataFrame) -> DataFrame:
    asked = opens.select("capture", *PRODUCER_NO, F.col("newest.state_partition").alias("state_partition"))
    return with_margin(asked, clocks, paired).select(*PRODUCER_NO, "margin_ms")


HISTORY = (
    planned("txns_of_opens", rows_of, ("coordinator_txns",), narrowed={"coordinator_txns": BY_PRODUCER}),
    Stage(
        "opens_with_history", history.with_history, ("broker_opens",),
        ("partition_txns", "repeated_markers", "decisions", "txns_of_opens", "registrations", "producers"),
        narrowed=NARROWED_HISTORY | {"registrations": BY_ID},
    ),
)  # fmt: skip
"""What the markers and the coordinator's records say of them."""

ANSWERS = (
    *line_stages("opens_with_marker", "opens_with_history", {}, MARKER, drop=("marker_offset",), kept=Kept.PLAN),
    Stage(
        "told_refs", functools.partial(refs_told, names=TOLD), ("opens_with_history",), ("coordinator_records",),
        narrowed={"coordinator_records": BY_ID},
    ),
    Stage("refs_of_opens", together.refs_of_opens, ("opens_with_history",), ("told_refs",)),
    planned("orphans_of_opens", orphans_of, ("broker_opens",), ("misplaced",)),
    Stage(
        "times_of_opens", times.times_of, ("broker_opens",),
        ("decisions", "log_batches", "judged_at", "logs", "moments", "clocks", "measured_logs"),
    ),
    Stage("unfinished_states", unfinished_states, ("stuck_txns",), ("decisions", "moments")),
    Stage(
        "rest_of_opens", rest.rest_of, ("opens_with_history",),
        ("coordinator_records", "state_copies", "overruled", "unfinished_states"),
        narrowed={"coordinator_records": ("opens_with_history", "transactional_id")},
    ),
    Stage(
        "leaderless_opens", leaderless.unled_throughout, ("opens_with_history",),
        ("elections", "partition_changes", "quorum_topics", "quorum_logs"),
    ),
    Stage("above_opens", above, ("broker_opens",), ("log_batches", "captures")),
    Stage(
        "idle_opens", idle.idle_of, ("opens_with_history",), ("above_opens", "partition_txns"),
        narrowed={"partition_txns": BY_PRODUCER},
    ),
    Stage(
        "own_lags", own_lags, ("broker_opens",), ("partition_txns", "decisions"),
        narrowed=dict.fromkeys(("partition_txns", "decisions"), BY_PRODUCER),
    ),
    Stage("lagless_opens", lagless, ("broker_opens",), ("own_lags",)),
    Stage(
        "lags_of_logs", lags_of_logs, ("lagless_opens",), ("partition_txns", "decisions"),
        narrowed=dict.fromkeys(("partition_txns", "decisions"), ("lagless_opens", "log_no")),
    ),
    planned("stamp_lags", _by_open, ("own_lags", "lags_of_logs"), ("broker_opens",)),
    Stage(
        "proofs_of_opens", gone.proofs_of, ("broker_opens",),
        ("logs", "segments", "damage", "placed_snapshots", "disputed"),
    ),
    Stage("holes_of_opens", gone.holes_of, ("unread_holes",), ("broker_opens", "placed_snapshots")),
    planned("stopped_opens", _with_stop, ("broker_opens",), ("stopped_brokers",)),
    Stage("markers_ahead", ahead.markers_ahead, ("several_copies",), ("logs", "partition_txns")),
    Stage("over_opens", over.over_of, ("opens_with_history",), ("answers", "places", "times_of_opens")),
    Stage("untold_opens", elapsed.untold, ("opens_with_history",)),
    planned("margins_of_opens", _margins, ("opens_with_history",), ("clocks", "paired_logs")),
    Stage("elapsed_opens", elapsed.elapsed, ("untold_opens",), ("log_batches",)),
)  # fmt: skip
"""One question each."""

STAGES = (
    *HISTORY,
    *ANSWERS,
    Stage(
        OPENS, together.together, ("opens_with_marker",),
        (
            "refs_of_opens", "orphans_of_opens", "times_of_opens", "rest_of_opens", "above_opens", "idle_opens",
            "proofs_of_opens", "holes_of_opens", "elapsed_opens", "over_opens", "markers_ahead", "stamp_lags",
            "stopped_opens", "margins_of_opens", "leaderless_opens",
        ),
    ),
)  # fmt: skip
