"""The stages of pasted answers and logs: in their place, answers joined with what is open (RULES F 1 to 4)."""

from analyzer.lifecycles.answers import tables
from analyzer.lifecycles.answers.answered import answered, told_states
from analyzer.lifecycles.answers.asking import in_tables
from analyzer.lifecycles.answers.silent import all_coordinators, silent_coordinators
from analyzer.lifecycles.answers.unplaced import with_places
from analyzer.lifecycles.placing import placed
from analyzer.stages.stage import Stage, planned

STAGES = (
    Stage(tables.PLACED_ANSWERS, placed, ("answers",), ("places",)),
    planned(tables.PLACED_LOG_LINES, placed, ("log_lines",), ("places",)),
    planned("answers_with_places", with_places, ("placed_answers",)),
    Stage("answers_in_tables", in_tables, ("answers_with_places",), ("placed_observations",)),
    planned("told_states", told_states, ("answers_in_tables",), ("places",)),
    planned("silent_coordinators", silent_coordinators, ("unled", "placed_log_lines")),
    planned("all_coordinators", all_coordinators, ("placed_observations", "placed_log_lines"), ("places",)),
    Stage(
        tables.ANSWERED, answered, ("answers_in_tables",),
        ("opens", "moments", "partition_txns", "places", "silent_coordinators", "all_coordinators", "unled"),
        narrowed={"partition_txns": ("answers_in_tables", "producer_id")},
    ),
)  # fmt: skip
