"""PAGE marker_missing_abort"""

from pyspark.sql import DataFrame

from analyzer.detectors import lost_marker
from analyzer.detectors.commands import abort_command, describe_command
from analyzer.detectors.lost_marker import LostMarker as Evidence
from analyzer.detectors.model import Action, Detector, Explanation


def find(opens: DataFrame) -> DataFrame:
    """Return the open transactions that were decided ABORT, with the marker missing here."""
    return lost_marker.find(opens, "ABORT")


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    return Explanation(
        headline=f"{e.transactional_id} was aborted, but the ABORT marker is not in this partition",
        label="ABORT lost",
        confidence=lost_marker.confidence(e),
        steps=lost_marker.steps(e, "ABORT"),
        cause=lost_marker.CAUSE,
        refuted_by=f"a marker of producer {e.producer_id} behind offset {e.last_offset} in a newer copy of this log",
        otherwise=None if e.completed_ms is not None else "the coordinator may still be retrying: look again first",
        settled_by="a newer copy of this partition, and the copies of its other replicas",
        action=Action(
            kind="abort",
            summary="ABORT IT. The coordinator decided ABORT and the client knows: the missing marker is the one that "
            "the command writes, and nothing that the producer counts as written is lost. Check first, then abort:",
            check_command=describe_command(e.transactional_id),
            check_expect=e.state,
            command=abort_command(e.topic, e.partition, e.first_offset),
        ),
    )


DETECTOR = Detector(
    code="TXN005",
    name="marker_missing_abort",
    severity="critical",
    reads=("opens",),
    evidence=Evidence,
    find=find,
    explain=explain,
    page=__doc__,
)
