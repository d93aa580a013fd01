"""The stages of the plan of what to collect or read next."""

from analyzer.lifecycles.collecting.plan import plan, wanted_partitions
from analyzer.stages.stage import planned

STAGES = (
    planned(
        "wanted_partitions", wanted_partitions, ("open_rows", "coordinator_txns", "registrations", "moments"),
        ("leader_epochs",),
    ),
    planned("fetch_plan", plan, ("unread_segments", "wanted_partitions", "places", "placed_observations")),
)  # fmt: skip
