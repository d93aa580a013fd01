"""A partition has a producer epoch that the coordinator never gave: the real producer is fenced there.

How it looks
  __transaction_state: pay-1, producer 7, epoch 0 in every record
  orders-4
  2   COMMIT  producer 7 epoch 0
  3   data    producer 7 epoch 32767, not transactional
      the ABORT marker of the next transaction, epoch 0, never comes

Why it happens
  The partition leader keeps the highest epoch that it has seen of a producer
  id and refuses every lower one. One batch with a higher epoch is enough,
  transactional or not. Somebody else wrote it (KIP-98: producer id hijacking),
  or the coordinator lost its newest records in an unclean election.

What waits
  The real producer can write no more data here, and the coordinator no marker:
  both get INVALID_PRODUCER_EPOCH. The next transaction that includes this
  partition cannot complete (prepare_stuck, TXN006), and InitProducerId of the
  id is answered CONCURRENT_TRANSACTIONS, even after a restart. If the batch
  was not transactional, nothing is open and the LSO is not held back.

Is an abort safe
  There is nothing to abort here. If the foreign batch opened a transaction,
  that one has its own finding (pid_hijack, PID001). An abort frees readers,
  never the id: give the application a new transactional.id, and find the
  writer.

How sure
  certain   a broker's clock shows that the data is older than a coordinator
            record with a lower epoch; or a transaction with a lower epoch is
            in Prepare*, names this partition, and has no marker here; and one
            leader wrote the id's whole history, so that no record is lost
  likely    only the client's clock shows that the data is older, or a record
            may be lost
  If the data may be newer than the coordinator's newest record of the
  producer id, there is no finding: the coordinator may have given the epoch
  since.

What it is not
  An epoch that the coordinator raised: it writes every epoch to its log before
  it answers the client. A producer without a transactional id raises its own
  epoch (KIP-360) and is not judged.

What would refute it
  A record of the id in __transaction_state with this epoch or a higher one.

Versions
  All.

See also
  KIP-98, KIP-360; txn-forensics explain PID001, TXN006
  Rules: C 1.
"""

from pyspark.sql import DataFrame

from analyzer.detectors import checks
from analyzer.detectors.model import Action, Detector, Explanation, Way
from analyzer.detectors.producers import words as foreign_epoch
from analyzer.detectors.producers.words import ForeignEpoch


def find(foreign: DataFrame, opens: DataFrame, blocks: DataFrame) -> DataFrame:
    """Return all data with an epoch that the coordinator never gave (RULES C 1)."""
    return foreign_epoch.evidence(foreign, opens, blocks)


def explain(e: ForeignEpoch) -> Explanation:
    """Put the finding into words."""
    return Explanation(
        headline=f"{e.place} has epoch {e.producer_epoch} of producer {e.producer_id}: "
        f"{e.transactional_id} with epoch {e.highest_epoch} is fenced off",
        label=f"fenced off by epoch {e.producer_epoch}",
        confidence=foreign_epoch.confidence(e),
        steps=foreign_epoch.steps(e),
        cause=(
            f"a batch with epoch {e.producer_epoch} that the coordinator of {e.transactional_id} never gave",
            "the leader takes it for the newer producer and refuses what has a lower epoch",
        ),
        refuted_by=f"a record of {e.transactional_id} in __transaction_state with epoch {e.producer_epoch} or above",
        otherwise=foreign_epoch.otherwise(e),
        action=Action(
            kind="none",
            word="new transactional.id",
            summary=f"GIVE THE APPLICATION A NEW transactional.id: {e.transactional_id} can neither write nor end a "
            "transaction here any more. Find out who wrote the batch, and restrict who may write to the topic.",
            check=checks.of_id(e.transactional_id, f"ProducerEpoch {e.highest_epoch}, below {e.producer_epoch}"),
        ),
    )


DETECTOR = Detector(
    "PID002", "critical", Way(("foreign_epochs",), ForeignEpoch, find, explain, beside=("opens", "producer_id_blocks"))
)
