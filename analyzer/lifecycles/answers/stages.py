"""The stages of pasted answers: in their place, joined with each other and with what is open (RULES F 1 to 4)."""

from analyzer.lifecycles.answers import tables
from analyzer.lifecycles.answers.answered import answered
from analyzer.lifecycles.placing import placed
from analyzer.lifecycles.stage import Stage

STAGES = (
    Stage(tables.PLACED_ANSWERS, placed, ("answers",), ("places",)),
    Stage(
        tables.ANSWERED, answered, ("placed_answers",), ("opens", "moments", "partition_txns"),
        narrowed={"partition_txns": ("placed_answers", "producer_id")},
    ),
)  # fmt: skip
