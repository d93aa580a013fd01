"""The list of all detectors, written by hand, in the order of their codes."""

from analyzer.detectors.coordinator import coordinator_forgot, illegal_transition, prepare_stuck
from analyzer.detectors.groups import concurrent_group_producers, pending_group_commit
from analyzer.detectors.keys import (
    key_order_broken_by_expansion,
    position_below_threshold,
    stale_partition_count_producer,
)
from analyzer.detectors.logs import corrupt_log, replica_divergence
from analyzer.detectors.model import Detector
from analyzer.detectors.producers import epoch_fence_without_coordinator, pid_hijack, sequence_gap, shared_producer_id
from analyzer.detectors.routing import misrouted_state, orphan_state, routing_cutover, split_brain_id
from analyzer.detectors.transactions import (
    committed_data_lost,
    hanging_late_write,
    hanging_never_registered,
    hanging_undecided,
    hanging_unexplained,
    marker_cleaned_away,
    marker_lost_truncation,
    marker_missing_abort,
    marker_missing_commit,
    slipped_into_next_transaction,
    snapshot_only,
    torn_transaction,
)

ALL: tuple[Detector, ...] = (
    concurrent_group_producers.DETECTOR,
    pending_group_commit.DETECTOR,
    replica_divergence.DETECTOR,
    corrupt_log.DETECTOR,
    key_order_broken_by_expansion.DETECTOR,
    stale_partition_count_producer.DETECTOR,
    position_below_threshold.DETECTOR,
    pid_hijack.DETECTOR,
    epoch_fence_without_coordinator.DETECTOR,
    sequence_gap.DETECTOR,
    shared_producer_id.DETECTOR,
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
    hanging_unexplained.DETECTOR,
    coordinator_forgot.DETECTOR,
    committed_data_lost.DETECTOR,
)
