"""Every detector, by hand, in the order of their codes."""

from analyzer.detectors import (
    hanging_late_write,
    hanging_never_registered,
    hanging_undecided,
    illegal_transition,
    marker_cleaned_away,
    marker_lost_truncation,
    marker_missing_abort,
    marker_missing_commit,
    misrouted_state,
    orphan_state,
    prepare_stuck,
    replica_divergence,
    routing_cutover,
    slipped_into_next_transaction,
    snapshot_only,
    split_brain_id,
    torn_transaction,
)
from analyzer.detectors.model import Detector

ALL: tuple[Detector, ...] = (
    replica_divergence.DETECTOR,
    misrouted_state.DETECTOR,
    split_brain_id.DETECTOR,
    routing_cutover.DETECTOR,
    orphan_state.DETECTOR,
    hanging_undecided.DETECTOR,
    hanging_late_write.DETECTOR,
    hanging_never_registered.DETECTOR,
    marker_missing_commit.DETECTOR,
    marker_missing_abort.DETECTOR,
    prepare_stuck.DETECTOR,
    marker_cleaned_away.DETECTOR,
    marker_lost_truncation.DETECTOR,
    snapshot_only.DETECTOR,
    torn_transaction.DETECTOR,
    slipped_into_next_transaction.DETECTOR,
    illegal_transition.DETECTOR,
)
