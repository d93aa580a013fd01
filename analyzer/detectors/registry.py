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

ALL: tuple[Detector, ...] = tuple(one.DETECTOR for one in (
    concurrent_group_producers, pending_group_commit, replica_divergence, corrupt_log, key_order_broken_by_expansion,
    stale_partition_count_producer, position_below_threshold, pid_hijack, epoch_fence_without_coordinator, sequence_gap,
    shared_producer_id, misrouted_state, split_brain_id, routing_cutover, orphan_state, hanging_undecided,
    hanging_late_write, hanging_never_registered, marker_missing_commit, marker_missing_abort, prepare_stuck,
    marker_cleaned_away, marker_lost_truncation, snapshot_only, torn_transaction, slipped_into_next_transaction,
    illegal_transition, hanging_unexplained, coordinator_forgot, committed_data_lost,
))  # fmt: skip
