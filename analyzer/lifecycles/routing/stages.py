"""The stages of routing: where ids lie, the partition counts that explain it, and what is wrong (RULES B 1 to 9)."""

from analyzer.lifecycles.routing import faults, tables
from analyzer.lifecycles.routing.fit import fitted, grown, topic_bounds
from analyzer.lifecycles.routing.places import group_ends, group_extents, group_rows, routing
from analyzer.stages.stage import Kept, Stage, of_others, planned

OFFSETS = "offsets_partition"


STAGES = (
    planned("group_rows", group_rows, ("offset_commits", "group_metadata"), ("places",)),
    Stage("group_extents", group_extents, ("group_rows",), shared_by=OFFSETS),
    planned("group_ends", group_ends, ("group_extents", "group_rows"), shared_by=OFFSETS),
    Stage(tables.HELD, routing, ("coordinator_records", "group_extents", "group_ends"), kept=Kept.STORED),
    planned("topic_bounds", topic_bounds, ("captures", "places", "placed_observations")),
    planned(tables.COUNTS, fitted, ("held_ids",), ("topic_bounds",)),
    Stage("grown_topics", grown, ("routing_counts",)),
    planned(tables.LOCATED, faults.located, ("held_ids",), ("routing_counts",)),
    Stage("told_changes", faults.told_changes, ("placed_observations",)),
    Stage(
        tables.CUTOVERS, of_others(faults.cutovers), ("grown_topics", "told_changes"),
        ("routing", "placed_observations", "partition_counts", "broker_counts"),
    ),
    Stage(
        tables.MISPLACED, of_others(faults.misplaced), ("grown_topics",),
        ("routing", "cutovers", "log_batches", "placed_observations", "places", "broker_counts"),
    ),
    Stage(tables.SPLITS, of_others(faults.split), ("grown_topics",), ("routing",)),
    Stage(tables.ORPHANS, faults.orphans_with_data, ("misplaced",), ("opens",)),
)  # fmt: skip
