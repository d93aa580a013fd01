"""The stages of pasted answers and logs: in their place, answers joined with what is open (RULES F 1 to 4)."""

from analyzer.lifecycles.answers import answered, asking, silent, tables, unplaced
from analyzer.lifecycles.placing import placed
from analyzer.stages.stage import Stage, planned

STAGES = (
    Stage(tables.PLACED_ANSWERS, placed, ("answers",), ("places",)),
    planned(tables.PLACED_LOG_LINES, placed, ("log_lines",), ("places",)),
    planned("answers_with_places", unplaced.with_places, ("placed_answers",)),
    Stage("answers_in_tables", asking.in_tables, ("answers_with_places",), ("placed_observations",)),
    planned("told_states", answered.told_states, ("answers_in_tables",), ("places",)),
    planned("silent_coordinators", silent.silent_coordinators, ("unled", "placed_log_lines")),
    planned("all_coordinators", silent.all_coordinators, ("placed_observations", "placed_log_lines"), ("places",)),
    Stage(
        tables.ANSWERED, answered.answered, ("answers_in_tables",),
        ("opens", "moments", "partition_txns", "places", "silent_coordinators", "all_coordinators", "unled"),
        narrowed={"partition_txns": ("answers_in_tables", "producer_id")},
    ),
)  # fmt: skip
