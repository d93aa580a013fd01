"""The stages of routing: where ids lie, the partition counts that explain it, and what is wrong (RULES B 1 to 9)."""

from analyzer.lifecycles.routing import faults, tables
from analyzer.lifecycles.routing.fit import fitted, grown, topic_bounds
from analyzer.lifecycles.routing.places import group_ends, group_extents, group_rows, routing
from analyzer.lifecycles.stage import Kept, Stage, of_others

OFFSETS = "offsets_partition"


STAGES = (
    Stage("group_rows", group_rows, ("offset_commits", "group_metadata"), ("places",), kept=Kept.PLAN),
    Stage("group_extents", group_extents, ("group_rows",), shared_by=OFFSETS),
    Stage("group_ends", group_ends, ("group_extents", "group_rows"), kept=Kept.PLAN, shared_by=OFFSETS),
    Stage(tables.HELD, routing, ("coordinator_records", "group_extents", "group_ends"), kept=Kept.STORED),
    Stage("topic_bounds", topic_bounds, ("captures", "places", "placed_observations"), kept=Kept.PLAN),
    Stage(tables.COUNTS, fitted, ("held_ids",), ("topic_bounds",), kept=Kept.PLAN),
    Stage("grown_topics", grown, ("routing_counts",)),
    Stage(tables.LOCATED, faults.located, ("held_ids",), ("routing_counts",), kept=Kept.PLAN),
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
