"""The coordinator decided ABORT for this partition, and the ABORT marker is not in it.

How it looks
  __transaction_state
    state=PrepareAbort partitions=[payments-1]      <- the decision names it
    state=CompleteAbort partitions=[]               <- all markers were written
  payments-1
  16     data    producer 1 epoch 0      <- open, no marker after it

Why it happens
  The marker was written and lost again: in an election outside the ISR or a
  truncation (marker_lost_truncation, TXN008, is then the headline), or the
  cleaner removed it before the data (marker_cleaned_away, TXN007). Or it was
  never written: the partition had no leader and was skipped (KAFKA-20734), or
  the markers of a Prepare record do not arrive (prepare_stuck, TXN006), for
  example because the leader refuses them for a foreign epoch (PID001).

What waits
  read_committed readers stop at the LSO, the first offset of the transaction.
  The cleaner does not pass it in a compacted topic.

Is an abort safe
  Yes: ABORT is what was decided, so an abort loses nothing.
  While the newest state is PrepareAbort, the coordinator still sends the
  marker: bring the partition's leader and the coordinator back first. An abort
  by hand frees the partition, not an id that stays in PrepareAbort.
  Check first that the id has not begun a new transaction since the capture:
    kafka-transactions.sh --bootstrap-server ... describe --transactional-id ID

How sure
  certain   the state is Complete and this replica's files are newer than the
            decision: the marker is not where it was acknowledged
  likely    the state has been Prepare for longer than markers take
  completing (no finding) the decision is younger than markers take, or this
            replica's files end before it

What it is not
  A compacted log whose marker was removed in order: its data is gone too.
  hanging_late_write (TXN002): the marker is there, before the data.
  An ABORT marker with nothing open is legal and no sign of a fault.

What would refute it
  An ABORT marker of the producer id after the data, in a newer dump of the
  leader.

Versions
  All. The cleaner's faults are fixed in 2.8.2, 3.0.2, 3.1.1 and 3.2.0
  (KAFKA-13727), and in 3.0.2, 3.1.2, 3.2.1 and 3.3.0 (KAFKA-14055); a log that
  they harmed earlier stays harmed.

See also
  KIP-98, KAFKA-13727; txn-forensics explain TXN004, TXN007, TXN008
  Rules: A 6 c.
"""

from pyspark.sql import DataFrame

from analyzer.detectors.model import Detector, Explanation, Way
from analyzer.detectors.transactions import lost_marker
from analyzer.detectors.transactions.lost_marker import LostMarker


def find(opens: DataFrame, unmarked: DataFrame, elections: DataFrame) -> DataFrame:
    """Return the open transactions that were decided ABORT, with the marker missing here."""
    return lost_marker.find(opens, unmarked, elections, "ABORT")


def explain(e: LostMarker) -> Explanation:
    """Put the finding into words."""
    return lost_marker.explain(e, "ABORT")


DETECTOR = Detector(
    "TXN005", "critical", Way(("opens",), LostMarker, find, explain, beside=("unmarked", "elections")), verdict=True
)
