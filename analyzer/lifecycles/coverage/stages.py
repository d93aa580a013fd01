"""The stages of what a capture does not show, and of files that contradict each other."""

from pyspark.sql import DataFrame

from analyzer.lifecycles.coverage.cross_checks import cross_checks
from analyzer.lifecycles.coverage.notes import coverage
from analyzer.lifecycles.coverage.unjudged import running_unseen
from analyzer.lifecycles.stage import Kept, Stage
from analyzer.tables.unions import union_all


def _together(*parts: DataFrame) -> DataFrame:
    return union_all(parts)


STAGES = (
    Stage(
        "notes", coverage,
        ("files_of_captures", "places", "segments", "moments", "logs", "damage", "decisions", "unread_segments"),
        kept=Kept.PLAN,
    ),
    Stage(
        "contradictions", cross_checks,
        ("logs", "partition_txns", "broker_opens", "placed_aborted_ranges", "placed_snapshots", "coordinator_reigns"),
        kept=Kept.PLAN,
    ),
    Stage("notes_of_unseen", running_unseen, ("unseen",), kept=Kept.PLAN),
    Stage("every_note", _together, ("notes", "contradictions", "notes_of_unseen"), kept=Kept.PLAN),
)  # fmt: skip
