"""The coordinator decided COMMIT for this partition, and the COMMIT marker is not in it.

How it looks
  __transaction_state
    state=PrepareCommit partitions=[payments-0]     <- the decision names it
    state=CompleteCommit partitions=[]              <- all markers were written
  payments-0
  16..17 data    producer 0 epoch 0      <- open, no marker after it

Why it happens
  The marker was written and lost again: in an election outside the ISR or a
  truncation (marker_lost_truncation, TXN008, is then the headline). Or it was
  never written: the partition had no leader and was skipped (KAFKA-20734), or
  the markers of a Prepare record do not arrive (prepare_stuck, TXN006). Or the
  cleaner took it for a later record's key, 4 bytes with 1 (KAFKA-14055).

What waits
  read_committed readers stop at the LSO, the first offset of the transaction.
  The cleaner does not pass it in a compacted topic. The producer
  notices nothing: it is told of success once PrepareCommit is written.

Is an abort safe
  NO: IT DESTROYS COMMITTED DATA. The producer was told that these records are
  committed, and kafka-transactions.sh can only write ABORT.
  While the newest state is PrepareCommit: do nothing to the partition. Bring
  the partition's leader and the coordinator back, and the marker is sent
  again, unless the record is misrouted (RTE004) or the id hijacked (PID001).
  Once it is CompleteCommit, no marker will come: stop the producer, save the
  records, abort, produce them again. Stop it first, because the marker of its
  next transaction in this partition decides these records too, either way.

How sure
  certain   the state is Complete and this replica's files are newer than the
            decision: the marker is not where it was acknowledged
  likely    the state has been Prepare for longer than markers take
  completing (no finding) the decision is younger than markers take, or this
            replica's files end before it

What it is not
  hanging_late_write (TXN002): the marker is there, before the data.
  torn_transaction (TXN010): another partition has the marker; it is the same
  fault seen across partitions. The epoch of a marker may be one or two above
  that of its data; such a marker is not missing.

What would refute it
  A COMMIT marker of the producer id after the data, in a newer dump of the
  leader.

Versions
  All. The loss needs unclean.leader.election.enable=true, or
  min.insync.replicas=1 and a crash that takes the only in-sync copy.
  KAFKA-14055 is fixed in 3.0.2, 3.1.2, 3.2.1 and 3.3.0.

See also
  KIP-98; txn-forensics explain TXN005, TXN008, TXN010
  Rules: A 6 c.
"""

from pyspark.sql import DataFrame

from analyzer.detectors.model import Detector, Explanation, Way
from analyzer.detectors.transactions import lost_marker
from analyzer.detectors.transactions.lost_marker import LostMarker


def find(opens: DataFrame, unmarked: DataFrame, elections: DataFrame) -> DataFrame:
    """Return the open transactions that were decided COMMIT, with the marker missing here."""
    return lost_marker.find(opens, unmarked, elections, "COMMIT")


def explain(e: LostMarker) -> Explanation:
    """Put the finding into words."""
    return lost_marker.explain(e, "COMMIT")


DETECTOR = Detector(
    "TXN004", "critical", Way(("opens",), LostMarker, find, explain, beside=("unmarked", "elections")), verdict=True
)
