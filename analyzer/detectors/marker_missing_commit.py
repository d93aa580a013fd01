"""PAGE marker_missing_commit"""

from pyspark.sql import DataFrame

from analyzer.detectors import lost_marker
from analyzer.detectors.commands import abort_command, describe_command, save_command
from analyzer.detectors.lost_marker import LostMarker as Evidence
from analyzer.detectors.model import Action, Detector, Explanation
from analyzer.detectors.wording import counted


def find(opens: DataFrame) -> DataFrame:
    """Return the open transactions that were decided COMMIT, with the marker missing here."""
    return lost_marker.find(opens, "COMMIT")


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    records = counted(e.records, "record")
    return Explanation(
        headline=f"{e.transactional_id} was committed, but the COMMIT marker is not in this partition",
        label="COMMIT lost",
        confidence=lost_marker.confidence(e),
        steps=lost_marker.steps(e, "COMMIT"),
        cause=lost_marker.CAUSE,
        refuted_by=f"a marker of producer {e.producer_id} behind offset {e.last_offset} in a newer copy of this log",
        otherwise=None if e.completed_ms is not None else "the coordinator may still be retrying: look again first",
        settled_by="a newer copy of this partition, and the copies of its other replicas",
        action=Action(
            kind="save_then_abort",
            summary=f"DO NOT ABORT YET. The producer was told COMMIT. An abort throws away {records} that it counts as "
            "written: kafka-transactions.sh can only write ABORT. To free the readers and keep the data, stop "
            f"{e.transactional_id} (its next marker here would decide these records too), save the records, check, "
            "abort, and produce them again:",
            save_command=save_command(e.topic, e.partition, e.first_offset, e.records or 1),
            check_command=describe_command(e.transactional_id),
            check_expect=e.state,
            command=abort_command(e.topic, e.partition, e.first_offset),
            warning=f"an abort throws away {records}",
            loses_records=e.records,
        ),
    )


DETECTOR = Detector(
    code="TXN004",
    name="marker_missing_commit",
    severity="critical",
    reads=("opens",),
    evidence=Evidence,
    find=find,
    explain=explain,
    page=__doc__,
)
