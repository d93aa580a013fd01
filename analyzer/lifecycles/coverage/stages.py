"""The stages of what a capture does not show, what was not read, and files that contradict each other (RULES D 7)."""

from pyspark.sql import DataFrame

from analyzer.lifecycles.coverage.claims import unseen_claims
from analyzer.lifecycles.coverage.clusters import failed_log_dirs, named_clusters, of_pulsar, several_clusters
from analyzer.lifecycles.coverage.cross_checks import cross_checks
from analyzer.lifecycles.coverage.missing import held_states, missing_partitions, partitions_without_log
from analyzer.lifecycles.coverage.notes import coverage
from analyzer.lifecycles.coverage.short_of import short_dumps, short_of_answers, short_of_epochs, shown_again
from analyzer.lifecycles.coverage.starts import carried_starts, late_starts, missing_first, without_start
from analyzer.lifecycles.coverage.states import state_topic_untold, without_state_topic
from analyzer.lifecycles.coverage.unjudged import running_unseen, stated_too_early, stated_too_late, untold_moment
from analyzer.lifecycles.coverage.unnamed_hangs import nothing_hangs, undated
from analyzer.lifecycles.coverage.unplaced import (
    dumped_aside,
    scattered_ids,
    unplaced_batches,
    unplaced_logs,
    unplaced_states,
)
from analyzer.lifecycles.coverage.unread import notes_of_others, unparsed_runs, unread_notes
from analyzer.lifecycles.stage import Kept, Stage
from analyzer.tables.unions import union_all


def _together(*parts: DataFrame) -> DataFrame:
    return union_all(parts)


MISSING = (
    Stage(
        "lacking_logs", partitions_without_log,
        ("placed_observations", "placed_answers", "placed_log_lines", "group_positions", "registrations"),
        ("places", "unread_segments", "quorum_topics"),
    ),
    Stage("notes_of_missing", missing_partitions, ("lacking_logs",), kept=Kept.PLAN),
    Stage("held_states", held_states, ("lacking_logs", "places"), kept=Kept.PLAN),
    Stage(
        "state_topic_untold", state_topic_untold, ("quorum_logs", "placed_observations"),
        ("quorum_topics", "quorum_records"),
    ),
    Stage(
        "no_state_topic", without_state_topic, ("state_topic_untold",),
        ("partition_txns", "places", "coordinator_records", "placed_answers"), kept=Kept.PLAN,
        narrowed={"partition_txns": ("state_topic_untold", "capture")},
    ),
)  # fmt: skip
"""Partitions that files name and of which no log is here, and a topic that the cluster does not have."""

STARTS = (
    Stage("late_starts", late_starts, ("logs",), ("places", "damage", "placed_snapshots")),
    Stage("carried_starts", carried_starts, ("late_starts",), ("placed_snapshots",)),
    Stage(
        "notes_of_starts",
        without_start,
        ("late_starts",),
        ("carried_starts", "partition_txns", "known_settings"),
        kept=Kept.PLAN,
        narrowed={"partition_txns": ("carried_starts", "producer_id")},
    ),
    Stage("notes_of_first_segments", missing_first, ("logs",), ("known_settings",), kept=Kept.PLAN),
)
"""Logs of which the beginning is not here."""

NOTES = (
    Stage(
        "notes", coverage, ("places", "segments", "moments", "logs", "damage"),
        ("decisions", "held_states", "no_state_topic", "excerpts"), kept=Kept.PLAN,
    ),
    Stage("unparsed_runs", unparsed_runs, ("unparsed_lines",), ("places",), kept=Kept.PLAN),
    Stage(
        "notes_of_unread", unread_notes, ("files_of_captures", "unread_segments", "unparsed_runs"), kept=Kept.PLAN
    ),
    Stage(
        "contradictions", cross_checks,
        ("logs", "partition_txns", "disputed", "placed_aborted_ranges", "placed_snapshots", "coordinator_reigns",
         "copy_holders", "broker_opens", "placed_observations", "places"),
        kept=Kept.PLAN,
    ),
    Stage("shown_again", shown_again, ("places",)),
    Stage(
        "notes_of_short_dumps", short_dumps, ("shown_again",), ("batches", "partition_txns"), kept=Kept.PLAN,
        narrowed={"batches": ("shown_again", "file_id")},
    ),
    Stage("named_clusters", named_clusters, ("placed_observations",), kept=Kept.PLAN),
    Stage("notes_of_clusters", several_clusters, ("named_clusters",), kept=Kept.PLAN),
    Stage("notes_of_pulsar", of_pulsar, ("placed_observations",), kept=Kept.PLAN),
    Stage(
        "notes_of_nothing", nothing_hangs, ("placed_observations",), ("placed_answers", "unparsed_runs"), kept=Kept.PLAN
    ),
    Stage("notes_of_dates", undated, ("placed_observations",), kept=Kept.PLAN),
    Stage("notes_of_log_dirs", failed_log_dirs, ("placed_observations",), kept=Kept.PLAN),
    Stage("notes_of_others", notes_of_others, ("other_topics",), kept=Kept.PLAN),
    Stage("notes_of_epochs", short_of_epochs, ("placed_observations",), ("logs",), kept=Kept.PLAN),
    Stage("notes_of_ends", short_of_answers, ("placed_observations",), ("logs", "places"), kept=Kept.PLAN),
    Stage("notes_of_moments", stated_too_early, ("moments", "logs"), ("partition_txns",), kept=Kept.PLAN),
    Stage("notes_of_late", stated_too_late, ("moments",), ("captures",), kept=Kept.PLAN),
    Stage("notes_of_untold", untold_moment, ("moments",), ("opens",), kept=Kept.PLAN),
    Stage("unplaced_logs", unplaced_logs, ("places",)),
    Stage(
        "notes_of_unplaced_logs", unplaced_batches, ("unplaced_logs",), ("batches",), kept=Kept.PLAN,
        narrowed={"batches": ("unplaced_logs", "file_id")},
    ),
    Stage("notes_of_dumps_aside", dumped_aside, ("places",), kept=Kept.PLAN),
    Stage("notes_of_unplaced", unplaced_states, ("coordinator_states",), ("places",), kept=Kept.PLAN),
    Stage("notes_of_scattered", scattered_ids, ("routing_counts",), kept=Kept.PLAN),
    Stage("notes_of_unseen", running_unseen, ("unseen",), kept=Kept.PLAN),
    Stage(
        "notes_of_claims", unseen_claims, ("answered", "answers_with_places"),
        ("coordinator_records", "opens", "partition_txns", "placed_observations"), kept=Kept.PLAN,
        narrowed={"partition_txns": ("answers_with_places", "producer_id")},
    ),
    Stage(
        "every_note", _together,
        (
            "notes", "notes_of_unread", "notes_of_missing", "notes_of_starts", "notes_of_unplaced",
            "notes_of_unplaced_logs", "notes_of_dumps_aside", "notes_of_unseen", "notes_of_claims",
            "notes_of_epochs", "notes_of_moments", "notes_of_late", "notes_of_untold", "notes_of_first_segments",
            "notes_of_others", "notes_of_scattered", "notes_of_ends", "notes_of_short_dumps", "notes_of_clusters",
            "notes_of_pulsar", "notes_of_log_dirs", "notes_of_nothing", "notes_of_dates",
            "contradictions",
        ),
        kept=Kept.PLAN,
    ),
)  # fmt: skip
"""One note for each thing that is missing, was not read or not judged."""

STAGES = (*MISSING, *STARTS, *NOTES)
