"""Every detector, by hand, in the order of their codes."""

from analyzer.detectors import (
    corrupt_log,
    hanging_late_write,
    hanging_never_registered,
    hanging_undecided,
    marker_missing_abort,
    marker_missing_commit,
    slipped_into_next_transaction,
)
from analyzer.detectors.model import Detector

ALL: tuple[Detector, ...] = (
    corrupt_log.DETECTOR,
    hanging_undecided.DETECTOR,
    hanging_late_write.DETECTOR,
    hanging_never_registered.DETECTOR,
    marker_missing_commit.DETECTOR,
    marker_missing_abort.DETECTOR,
    slipped_into_next_transaction.DETECTOR,
)
