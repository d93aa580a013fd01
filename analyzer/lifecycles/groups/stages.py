"""The stages of groups: their commits, who wrote them, and which groups wait."""

from analyzer.lifecycles.groups import commits, conflicts as taking_turns, impact, tables
from analyzer.lifecycles.groups.settled import settled_waits
from analyzer.stages.stage import Stage, planned

OFFSETS = "offsets_partition"


STAGES = (
    Stage("offsets_places", commits.judged_places, ("places",), ("logs",)),
    planned("commit_rows", commits.commit_rows, ("offset_commits",), ("offsets_places",)),
    planned("rebalances", commits.rebalances, ("group_metadata",), ("offsets_places",)),
    Stage("offsets_markers", commits.offsets_markers, ("partition_txns",)),
    Stage(tables.COMMITS, commits.group_commits, ("commit_rows", "offsets_markers", "rebalances"), shared_by=OFFSETS),
    Stage("committers", taking_turns.committers, ("group_commits",), ("producers", "opens"), shared_by=OFFSETS),
    Stage(
        "group_turns", taking_turns.group_turns, ("group_commits", "committers", "rebalances"), ("producers", "opens"),
        shared_by=OFFSETS,
    ),
    Stage(tables.CONFLICTS, taking_turns.conflicts, ("group_turns",), ("committers",)),
    planned("newest_commits", commits.newest_commits, ("group_commits",), shared_by=OFFSETS),
    Stage("undecided_commits", impact.undecided_commits, ("group_commits",)),
    Stage(tables.PENDING, impact.pending_commits, ("undecided_commits",)),
    planned(tables.SETTLED, settled_waits, ("placed_log_lines", "group_commits"), ("offsets_markers", "logs")),
    planned(tables.POSITIONS, commits.committed_positions, ("newest_commits", "placed_observations")),
    planned(tables.PENDING_POSITIONS, impact.pending_positions, ("undecided_commits",), ("group_positions",)),
    planned(tables.IMPACT, impact.group_impact, ("opens", "answered", "group_positions", "pending_commits")),
)  # fmt: skip
