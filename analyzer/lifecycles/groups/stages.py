"""The stages of groups: their commits, who wrote them, and which groups wait."""

from pyspark.sql import DataFrame

from analyzer.lifecycles.groups import conflicts as taking_turns
from analyzer.lifecycles.groups import impact, tables
from analyzer.lifecycles.groups.commits import (
    commit_rows,
    committed_positions,
    group_commits,
    judged_places,
    newest_commits,
    offsets_markers,
    rebalances,
)
from analyzer.lifecycles.groups.settled import settled_waits
from analyzer.lifecycles.stage import Kept, Stage

OFFSETS = "offsets_partition"


def _committers(commits: DataFrame, known: DataFrame, opens: DataFrame) -> DataFrame:
    return taking_turns.committers(taking_turns.counting_commits(commits, known, opens))


def _turns(commits: DataFrame, who: DataFrame, changes: DataFrame, known: DataFrame, opens: DataFrame) -> DataFrame:
    return taking_turns.group_turns(taking_turns.counting_commits(commits, known, opens), who, changes)


STAGES = (
    Stage("offsets_places", judged_places, ("places",), ("logs",)),
    Stage("commit_rows", commit_rows, ("offset_commits",), ("offsets_places",), kept=Kept.PLAN),
    Stage("rebalances", rebalances, ("group_metadata",), ("offsets_places",), kept=Kept.PLAN),
    Stage("offsets_markers", offsets_markers, ("partition_txns",)),
    Stage(tables.COMMITS, group_commits, ("commit_rows", "offsets_markers", "rebalances"), shared_by=OFFSETS),
    Stage("committers", _committers, ("group_commits",), ("producers", "opens"), shared_by=OFFSETS),
    Stage(
        "group_turns", _turns, ("group_commits", "committers", "rebalances"), ("producers", "opens"),
        shared_by=OFFSETS,
    ),
    Stage(tables.CONFLICTS, taking_turns.conflicts, ("group_turns",)),
    Stage(tables.STYLES, taking_turns.styles, ("committers",), kept=Kept.PLAN),
    Stage("newest_commits", newest_commits, ("group_commits",), kept=Kept.PLAN, shared_by=OFFSETS),
    Stage("undecided_commits", impact.undecided_commits, ("group_commits",)),
    Stage(tables.PENDING, impact.pending_commits, ("undecided_commits",)),
    Stage(
        tables.SETTLED, settled_waits, ("placed_log_lines", "group_commits"), ("partition_txns", "logs"),
        kept=Kept.PLAN,
    ),
    Stage(tables.POSITIONS, committed_positions, ("newest_commits", "placed_observations"), kept=Kept.PLAN),
    Stage(
        tables.PENDING_POSITIONS, impact.pending_positions, ("undecided_commits",), ("group_positions",),
        kept=Kept.PLAN,
    ),
    Stage(tables.IMPACT, impact.group_impact, ("opens", "group_positions", "pending_commits"), kept=Kept.PLAN),
    Stage(tables.TOLD, impact.groups_told, ("group_commits", "placed_observations"), kept=Kept.PLAN),
)  # fmt: skip
