"""The stages of pasted answers: put in their place, and joined with each other and with what is open (RULES F)."""

from analyzer.lifecycles.answers import tables
from analyzer.lifecycles.answers.answered import answered
from analyzer.lifecycles.placing import placed
from analyzer.lifecycles.stage import Stage

STAGES = (
    Stage(tables.PLACED_ANSWERS, placed, ("answers",), ("places",)),
    Stage(tables.ANSWERED, answered, ("placed_answers",), ("opens", "moments")),
)
