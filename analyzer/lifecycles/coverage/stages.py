"""The stages of what a capture does not show, what was not read, and files that contradict each other (RULES D 7)."""

from analyzer.lifecycles.coverage import (
    claims,
    clusters,
    cross_checks,
    missing,
    notes,
    short_of,
    starts,
    states,
    unjudged,
    unnamed_hangs,
    unplaced,
    unread,
)
from analyzer.stages.stage import Stage, planned
from analyzer.tables.unions import union_all

MISSING = (
    Stage(
        "lacking_logs", missing.partitions_without_log,
        ("placed_observations", "placed_answers", "placed_log_lines", "group_positions", "registrations"),
        ("places", "unread_segments", "quorum_topics"),
    ),
    planned("notes_of_missing", missing.missing_partitions, ("lacking_logs",)),
    planned("held_states", missing.held_states, ("lacking_logs", "places")),
    Stage(
        "state_topic_untold", states.state_topic_untold, ("quorum_logs", "placed_observations"),
        ("quorum_topics", "quorum_records"),
    ),
    planned(
        "no_state_topic", states.without_state_topic, ("state_topic_untold",),
        ("partition_txns", "places", "coordinator_records", "placed_answers"),
        narrowed={"partition_txns": ("state_topic_untold", "capture")},
    ),
)  # fmt: skip
"""Partitions that files name and of which no log is here, and a topic that the cluster does not have."""

STARTS = (
    Stage("late_starts", starts.late_starts, ("logs",), ("places", "damage", "placed_snapshots")),
    Stage("carried_starts", starts.carried_starts, ("late_starts",), ("placed_snapshots",)),
    planned(
        "notes_of_starts",
        starts.without_start,
        ("late_starts",),
        ("carried_starts", "partition_txns", "known_settings"),
        narrowed={"partition_txns": ("carried_starts", "producer_id")},
    ),
    planned("notes_of_first_segments", starts.missing_first, ("logs",), ("known_settings",)),
)
"""Logs of which the beginning is not here."""

NOTES = (
    planned("notes_of_broken_dumps", notes.broken_dumps, ("places",)),
    planned("notes_of_damage", notes.damaged, ("damage",)),
    planned("notes_of_shallow_dumps", notes.shallow, ("segments",), ("places",)),
    planned("notes_of_missing_states", notes.missing_states, ("moments",), ("held_states", "no_state_topic")),
    planned("notes_of_missing_offsets", notes.missing_offsets, ("segments",), ("logs", "excerpts")),
    planned("notes_of_unread_bytes", notes.unread_bytes, ("segments",)),
    planned("notes_of_unopened", notes.unopened, ("logs",)),
    planned("notes_of_shown_lines", notes.shown_lines, ("files_of_captures",)),
    planned("notes_of_told_apart", notes.told_apart, ("places",)),
    planned("notes_without_logs", unjudged.without_logs, ("places",)),
    planned("notes_without_data", unjudged.without_data, ("moments",), ("places",)),
    planned("notes_of_unfinished", unjudged.unfinished, ("places",), ("logs", "damage")),
    planned("notes_of_short_logs", unjudged.short, ("logs",)),
    planned("notes_of_old_copies", unjudged.old, ("logs",), ("decisions",)),
    planned("unparsed_runs", unread.unparsed_runs, ("unparsed_lines",), ("places",)),
    planned("notes_of_unread_files", unread.broken, ("files_of_captures",)),
    planned("notes_of_set_aside", unread.set_aside, ("files_of_captures",)),
    planned("notes_of_left_unread", unread.left_unread, ("unread_segments",)),
    planned("notes_of_unknown_files", unread.unknown, ("files_of_captures",)),
    planned("notes_of_unread_lines", unread.lines, ("unparsed_runs",)),
    planned("notes_of_risks", cross_checks.at_risk, ("partition_txns",), ("logs",)),
    planned("notes_of_ties", cross_checks.tied, ("disputed",), ("logs",)),
    planned(
        "notes_of_short_copies", cross_checks.short_of_markers, ("broker_opens",),
        ("logs", "partition_txns", "placed_observations"),
    ),
    planned("notes_of_leaders_elsewhere", cross_checks.led_elsewhere, ("logs",), ("copy_holders",)),
    planned("emptied_entries", cross_checks.emptied_entries, ("placed_aborted_ranges",), ("places",)),
    planned("notes_of_emptied", cross_checks.emptied, ("emptied_entries",)),
    planned(
        "notes_of_ranges", cross_checks.strange_ranges, ("placed_aborted_ranges",),
        ("emptied_entries", "partition_txns", "logs"),
    ),
    planned("notes_of_snapshots", cross_checks.strange_snapshots, ("placed_snapshots",), ("partition_txns", "logs")),
    planned("notes_of_markers", cross_checks.strange_markers, ("coordinator_reigns",)),
    Stage("shown_again", short_of.shown_again, ("places",)),
    planned(
        "notes_of_short_dumps", short_of.short_dumps, ("shown_again",), ("batches", "partition_txns"),
        narrowed={"batches": ("shown_again", "file_id")},
    ),
    planned("named_clusters", clusters.named_clusters, ("placed_observations",)),
    planned("notes_of_clusters", clusters.several_clusters, ("named_clusters",)),
    planned("notes_of_addresses", clusters.several_addresses, ("placed_observations",)),
    planned("notes_of_leaderless", clusters.leaderless, ("unled",)),
    planned("notes_of_pulsar", clusters.of_pulsar, ("placed_observations",)),
    planned(
        "notes_of_nothing", unnamed_hangs.nothing_hangs, ("placed_observations",), ("placed_answers", "unparsed_runs"),
    ),
    planned("notes_of_dates", unnamed_hangs.undated, ("placed_observations",)),
    planned("notes_of_log_dirs", clusters.failed_log_dirs, ("placed_observations",)),
    planned("notes_of_others", unread.notes_of_others, ("other_topics",)),
    planned("notes_of_short_files", short_of.short_of_files, ("placed_observations", "places"), ("logs",)),
    planned("notes_of_ends", short_of.short_of_answers, ("placed_observations",), ("logs", "places")),
    planned("notes_of_moments", unjudged.stated_too_early, ("moments", "logs"), ("partition_txns",)),
    planned("notes_of_late", unjudged.stated_too_late, ("moments",), ("captures", "stopped_clusters")),
    planned("notes_of_untold", unjudged.untold_moment, ("moments",), ("opens",)),
    planned("notes_of_waiting", unjudged.waiting_marker, ("preparing",), ("moments",)),
    Stage("unplaced_logs", unplaced.unplaced_logs, ("places",)),
    planned(
        "notes_of_unplaced_logs", unplaced.unplaced_batches, ("unplaced_logs",), ("batches",),
        narrowed={"batches": ("unplaced_logs", "file_id")},
    ),
    planned("notes_of_dumps_aside", unplaced.dumped_aside, ("places",)),
    planned("notes_of_unplaced", unplaced.unplaced_states, ("coordinator_states",), ("places",)),
    planned("notes_of_scattered", unplaced.scattered_ids, ("routing_counts",)),
    planned("notes_of_unseen", unjudged.running_unseen, ("unseen",)),
    planned(
        "notes_of_claims", claims.unseen_claims, ("answered", "answers_with_places"),
        ("coordinator_records", "opens", "partition_txns", "placed_observations"),
        narrowed={"partition_txns": ("answers_with_places", "producer_id")},
    ),
)  # fmt: skip
"""One note for each thing that is missing, was not read or not judged."""

EVERY = tuple(one.name for one in (*MISSING, *STARTS, *NOTES) if one.name.startswith("notes"))
"""The stages that make notes."""

STAGES = (*MISSING, *STARTS, *NOTES, planned("every_note", lambda *notes: union_all(notes), EVERY))
