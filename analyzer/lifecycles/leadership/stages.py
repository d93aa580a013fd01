"""The stages of the controllers' log beside the other logs, and of commits that are gone (RULES E 5, E 6)."""

from pyspark.sql import DataFrame

from analyzer.lifecycles.leadership import tables
from analyzer.lifecycles.leadership.elections import coordinator_reigns, elections, served_by, with_first_marker
from analyzer.lifecycles.leadership.lost_commits import by_id, lost_commits, lost_suspects, with_elections
from analyzer.lifecycles.leadership.rescuable import cut_commits, cut_data, rescuable
from analyzer.lifecycles.leadership.unled import unled_partitions, unled_since
from analyzer.lifecycles.logs.lines import MARKER, line_stages
from analyzer.lifecycles.matching.delivered import delivered_markers
from analyzer.lifecycles.placing import LOG
from analyzer.stages.stage import Stage


def _by_id(
    lost: DataFrame,
    elected: DataFrame,
    brokers: DataFrame,
    quorum: DataFrame,
    decisions: DataFrame,
    logs: DataFrame,
    records: DataFrame,
) -> DataFrame:
    judged = with_elections(lost, elected, brokers, quorum)
    told = by_id(judged, delivered_markers(decisions, logs), records)
    return told.join(logs.select(*LOG, "log_no"), list(LOG))


STAGES = (
    Stage(tables.ELECTIONS, elections, ("partition_changes",), ("quorum_topics",)),
    Stage("unled", unled_partitions, ("placed_observations", "partition_changes"), ("captures",)),
    Stage("unled_since", unled_since, ("unled",), ("quorum_logs", "captures")),
    Stage("lost_suspects", lost_suspects, ("decisions",), ("partition_txns", "unmarked", "damage", "logs")),
    Stage(
        "commits_cut_off", lost_commits, ("lost_suspects",),
        ("decisions", "partition_txns", "log_batches", "leader_epochs"),
    ),
    Stage(
        "lost_by_id", _by_id, ("commits_cut_off",),
        ("elections", "broker_events", "quorum_logs", "decisions", "logs", "coordinator_records"),
    ),
    *line_stages(
        tables.LOST_COMMITS, "lost_by_id", {}, {"before": "before_producer_id", "after": "after_producer_id"},
        drop=("before_producer_id", "after_producer_id", "log_no"),
    ),
    Stage("cut_data", cut_data, ("divergences",), ("log_batches", "logs", "leader_epochs")),
    Stage("cut_commits", cut_commits, ("cut_data",), ("partition_txns", "decisions")),
    Stage("rescuable_rows", rescuable, ("cut_commits",), ("logs", "producers", "coordinator_records")),
    *line_stages(tables.RESCUABLE, "rescuable_rows", {}, MARKER, drop=("log_no",)),
    Stage("reigns", coordinator_reigns, ("elections",), ("decisions", "partition_txns", "logs")),
    *line_stages(tables.COORDINATOR_REIGNS, "reigns", {}, MARKER, with_first_marker),
    Stage(tables.SERVED_BY, served_by, ("elections",), ("partition_txns", "logs", "placed_answers", "producers")),
)  # fmt: skip
