"""The moment that each capture is judged at, how its clocks stand, and how far its state files reach (RULES A 15)."""

from pyspark.sql import DataFrame

from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles.coverage.states import state_coverage
from analyzer.lifecycles.matching.timing import longest_timeouts
from analyzer.lifecycles.placing import PRODUCER_NO
from analyzer.lifecycles.routing.fit import sure_counts


def moments(
    captures: DataFrame,
    judged: DataFrame,
    clocks: DataFrame,
    places: DataFrame,
    seen: DataFrame,
    newest: DataFrame,
    beyond: DataFrame,
    decisions: DataFrame,
    counts: DataFrame,
) -> DataFrame:
    """Return rows of `moments`.

    `judged` is `judged_at`; `newest` and `beyond` are the newest state records and the markers beyond them; `counts`
    are the partition counts that ids prove.
    """
    marker = [*PRODUCER_NO, "marker_offset"]
    unmatched = beyond.join(decisions.select(*marker), marker, "left_anti")
    states = state_coverage(captures, places, seen, newest, unmatched, sure_counts(counts, STATE_TOPIC))
    timeouts = longest_timeouts(captures, seen)
    stand = clocks.drop("apart", "untold_ms")
    return judged.join(stand, "capture", "left").join(states, "capture", "left").join(timeouts, "capture")
