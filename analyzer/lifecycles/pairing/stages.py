"""The stages that put both sides together: decisions and their markers (RULES A 4, A 15)."""

from pyspark.sql import DataFrame

from analyzer.lifecycles.pairing import by_order, by_time, decided, leader_clocks, tables
from analyzer.lifecycles.pairing.common_clocks import common_clocks, measured_logs, paired_logs
from analyzer.lifecycles.placing import PRODUCER_NO, with_log
from analyzer.stages.stage import Stage, planned

LOG_NO = "log_no"


def _by_order(txns: DataFrame, decided: DataFrame, agreed: DataFrame, logs: DataFrame) -> DataFrame:
    return with_log(by_order.matched_by_order(txns, decided, agreed).drop("capture"), logs)


def _by_epoch(pairs: DataFrame, unsettled: DataFrame, found: DataFrame, logs: DataFrame) -> DataFrame:
    return with_log(by_order.matched_by_epoch(pairs, unsettled, found).drop("capture"), logs)


def _by_time(
    unsettled: DataFrame,
    found: DataFrame,
    agreed: DataFrame,
    timed: DataFrame,
    doubtful: DataFrame,
    clocks: DataFrame,
    measured: DataFrame,
    txns: DataFrame,
    logs: DataFrame,
) -> DataFrame:
    sure = unsettled.join(doubtful, [*PRODUCER_NO, "rank"], "left_anti")
    told = by_time.matched_by_time(sure, found, agreed.unionByName(timed))
    return with_log(by_time.within_reach(told, txns, logs, clocks, measured).drop("capture"), logs)


SIDES = (
    planned("markers", decided.markers, ("partition_txns",)),
    planned(
        "listed_decisions", decided.listed_decisions, ("coordinator_txns", "registrations"), ("logs",),
        shared_by="state_partition",
    ),
    Stage("recovered_decisions", decided.recovered, ("coordinator_txns",), ("markers", "repeated_markers")),
    Stage("histories", decided.histories, ("coordinator_txns",)),
    Stage(
        "decided", decided.decisions, ("listed_decisions", "recovered_decisions"), ("histories",), shared_by=LOG_NO,
    ),
)  # fmt: skip
"""The decisions in each log, and its markers."""

IN_ORDER = (
    Stage("agreed", by_order.agreeing, ("partition_txns", "repeated_markers", "decided"), shared_by=LOG_NO),
    Stage("matched_by_order", _by_order, ("partition_txns", "decided", "agreed"), ("logs",), shared_by=LOG_NO),
    Stage("unsettled_decisions", by_order.unsettled_decisions, ("decided", "agreed"), shared_by=LOG_NO),
    Stage(
        "unsettled_markers", by_order.unsettled_markers, ("unsettled_decisions",), ("partition_txns",),
        narrowed={"partition_txns": ("unsettled_decisions", "producer_id")},
    ),
    Stage(
        "agreed_epochs", by_order.agreeing_epochs, ("unsettled_decisions",), ("unsettled_markers", "repeated_markers"),
    ),
    Stage("matched_by_epoch", _by_epoch, ("agreed_epochs",), ("unsettled_decisions", "unsettled_markers", "logs")),
    planned(
        "matched_in_order", DataFrame.unionByName, ("matched_by_epoch",), ("matched_by_order",),
        otherwise="matched_by_order",
    ),
)  # fmt: skip
"""What agrees one by one needs no clock."""

CLOCKS = (
    Stage("common_clocks", common_clocks, ("matched_in_order", "logs"), settings=("verdicts",)),
    Stage("paired_logs", paired_logs, ("matched_in_order",)),
    Stage("measured_logs", measured_logs, ("matched_by_order", "matched_by_epoch"), ("repeated_markers",)),
    Stage("captures_apart", leader_clocks.captures_apart, ("common_clocks",)),
    Stage("coordinated", leader_clocks.coordinated, ("captures_apart",), ("coordinator_txns", "leader_epochs")),
    Stage(
        "measured_pairs", leader_clocks.measured_pairs, ("captures_apart",),
        ("matched_in_order", "partition_txns", "coordinated"),
    ),
    Stage("leader_clocks", leader_clocks.leader_clocks, ("measured_pairs",)),
    Stage("unmeasured", leader_clocks.unmeasured, ("leader_clocks",), ("coordinated", "partition_txns")),
    planned(
        "clocks", leader_clocks.clocks_apart, ("leader_clocks",), ("common_clocks", "unmeasured"),
        otherwise="common_clocks",
    ),
    Stage("shifted_decisions", leader_clocks.shifted_decisions, ("leader_clocks",), ("coordinated",)),
    Stage("shifted_markers", leader_clocks.shifted_markers, ("leader_clocks",), ("logs",)),
)  # fmt: skip
"""How the clocks stand, as these pairs show it."""

BY_TIME = (
    Stage(
        "timed_pairs", by_time.timed_pairs, ("unsettled_decisions", "unsettled_markers"),
        ("agreed_epochs", "clocks", "shifted_decisions", "shifted_markers"), shared_by=LOG_NO,
    ),
    Stage(
        "doubtful_decisions", by_time.doubtful_decisions, ("unsettled_decisions", "unsettled_markers"),
        ("agreed_epochs", "timed_pairs", "clocks", "measured_logs"), shared_by=LOG_NO,
    ),
    Stage(
        "matched_by_time", _by_time, ("unsettled_decisions",),
        (
            "unsettled_markers", "agreed_epochs", "timed_pairs", "doubtful_decisions", "clocks", "measured_logs",
            "partition_txns", "logs",
        ),
        shared_by=LOG_NO,
    ),
    planned(
        tables.DECISIONS, DataFrame.unionByName, ("matched_by_time",), ("matched_by_order",),
        otherwise="matched_by_order",
    ),
)  # fmt: skip
"""All others go by the times, and every decision has what it has."""

STAGES = (*SIDES, *IN_ORDER, *CLOCKS, *BY_TIME)
