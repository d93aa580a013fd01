"""A partition has an epoch of a producer id that its coordinator never gave: the real producer is fenced off here.

How it looks
  __transaction_state: acct-5, producer 7, epoch 0 in every record
  accounts-4
  2   COMMIT  producer 7 epoch 0
  3   data    producer 7 epoch 32767, not transactional
      the ABORT marker of the next transaction, epoch 0, never comes

Why it happens
  The partition leader keeps the highest epoch that it has seen of a producer
  id and refuses everything below. One batch with a higher epoch, transactional
  or not, is enough. Somebody else wrote it (KIP-98: producer id hijacking), or
  the coordinator lost its newest records in an unclean election.

What waits
  No data and no marker of the real producer enters this partition any more:
  INVALID_PRODUCER_EPOCH. Its next transaction that has the partition cannot be
  completed: prepare_stuck (TXN006), and InitProducerId of the id is answered
  CONCURRENT_TRANSACTIONS, also after a restart. If the batch was not
  transactional nothing is open and no LSO stands still.

Is an abort safe
  There is nothing to abort here; a foreign transaction that is open has a
  finding of its own (pid_hijack, PID001). An abort frees readers, never the
  id: give the application a new transactional.id, and find the writer.

How sure
  certain   a broker's own clock says that the data is older than a newer
            coordinator record with a lower epoch; or a transaction with a
            lower epoch is decided, names this partition, and its marker is
            not here
  likely    only the client's clock says that the data is older
  Where the coordinator's newest record of the producer id may be older than
  the data there is no finding: it may have given the epoch since.

What it is not
  An epoch that the coordinator raised itself: it writes every epoch down
  before a client hears of it. A producer id without a transactional id raises
  its own epoch (KIP-360) and is never looked at here.

What would refute it
  A record of the id in __transaction_state with this epoch or a higher one.

Versions
  All.

See also
  KIP-98, KIP-360; scenario pid_hijack; txn-forensics explain PID001, TXN006
"""

import dataclasses

from pyspark.sql import DataFrame

from analyzer.detectors.commands import describe_command
from analyzer.detectors.model import Action, Detector, Explanation
from analyzer.detectors.producers import words as foreign_epoch


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence(foreign_epoch.ForeignEpoch):
    """Data of a foreign epoch, transactional or not."""


def find(foreign: DataFrame, opens: DataFrame) -> DataFrame:
    """Return all data with an epoch that the coordinator never gave (RULES C 1)."""
    return foreign_epoch.evidence(foreign, opens)


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    return Explanation(
        headline=f"{e.topic}-{e.partition} has epoch {e.producer_epoch} of producer {e.producer_id}: "
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
            summary=f"GIVE THE APPLICATION A NEW transactional.id: {e.transactional_id} can neither write nor end a "
            "transaction here any more. Find out who wrote the batch, and restrict who may write to the topic.",
            check_command=describe_command(e.transactional_id),
            check_expect=f"ProducerEpoch {e.highest_epoch}, below {e.producer_epoch}",
        ),
    )


DETECTOR = Detector(
    code="PID002",
    name="epoch_fence_without_coordinator",
    severity="critical",
    reads=("foreign_epochs",),
    beside=("opens",),
    evidence=Evidence,
    find=find,
    explain=explain,
    page=__doc__,
    verdict=False,
)
