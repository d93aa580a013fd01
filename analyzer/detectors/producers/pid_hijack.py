"""Transactional data has an epoch that its coordinator never gave: another client wrote it.

How it looks
  __transaction_state: pay-1, producer 7, epoch 0 in every record
  orders-0
  3   COMMIT  producer 7 epoch 0
  4   data    producer 7 epoch 3      <- the coordinator never gave epoch 3

Why it happens
  Producer id and epoch are plain numbers in a Produce request. Before 3.6 a
  broker checks that the client may use the transactional.id in the request,
  not that the producer id belongs to it. Whoever guesses a producer id can
  write with it; KIP-98 calls this producer id hijacking. It could also be a
  coordinator that lost its newest records in an unclean election.

What waits
  read_committed readers stop at the LSO, the first foreign offset. The leader
  now refuses the data and the markers of the real producer, whose epoch is
  lower. The coordinator cannot complete that producer's transaction
  (prepare_stuck, TXN006), and InitProducerId of the id is answered
  CONCURRENT_TRANSACTIONS, even after a restart.

Is an abort safe
  Yes, once the coordinator confirms that it never gave this epoch. If it did,
  this is a running transaction and an abort destroys it. Save the records
  first: they are evidence. kafka-transactions.sh abort frees the LSO; the id
  stays stuck, so give the application a new transactional.id.

How sure
  certain   a broker's clock shows that the data is older than a coordinator
            record with a lower epoch; or a transaction with a lower epoch is
            in Prepare*, names this partition, and has no marker here; and one
            leader wrote the id's whole history, so that no record is lost
  likely    only the client's clock shows that the data is older, or a record
            may be lost
  undecided the data may be newer than the coordinator's newest record of the
            producer id: the coordinator may have given the epoch since

What it is not
  An epoch that the coordinator raised, at InitProducerId, at its own aborts,
  or after every transaction (transaction.version 2): it writes the epoch to
  its log before it answers the client, and compaction keeps the newest record.
  An epoch that stands in a copy which an election cut off: it was given.

  WHAT CANNOT BE SEEN: data injected with the right producer id, the right
  epoch and the next sequence. No log can tell it from real data.

What would refute it
  A record of the id in __transaction_state with this epoch or a higher one.

Versions
  All. From 3.6 on (KIP-890, transaction.partition.verification.enable) the
  leader refuses a batch whose transaction does not include the partition.

See also
  KIP-98, KIP-890; txn-forensics explain PID002, TXN006
  Rules: C 2.
"""

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors import causes, checks
from analyzer.detectors.causes import Cause
from analyzer.detectors.certainty import certainty
from analyzer.detectors.model import Action, Detector, Explanation, Sure, Way
from analyzer.detectors.producers import words as foreign_epoch
from analyzer.detectors.producers.words import ForeignEpoch
from analyzer.detectors.wording import counted, offsets


def find(foreign: DataFrame, opens: DataFrame, blocks: DataFrame) -> DataFrame:
    """Return the transactional data with an epoch that the coordinator never gave (RULES C 2)."""
    return foreign_epoch.evidence(foreign.where(F.col("transactional")), opens, blocks)


def explain(e: ForeignEpoch) -> Explanation:
    """Put the finding into words."""
    return Explanation(
        headline=f"{counted(e.records, 'record')} with producer id {e.producer_id} of {e.transactional_id} and epoch "
        f"{e.producer_epoch}, which its coordinator never gave",
        label=f"forged epoch {e.producer_epoch}",
        confidence=foreign_epoch.confidence(e),
        steps=foreign_epoch.steps(e),
        cause=(
            f"another client writes with the producer id of {e.transactional_id} (KIP-98: producer id hijacking)",
            Cause("the coordinator lost its newest records in an unclean election of its partition", other=True),
            *causes.unverified(e.topic),
        ),
        refuted_by=f"a record of {e.transactional_id} in __transaction_state with epoch {e.producer_epoch} or above",
        otherwise=foreign_epoch.otherwise(e),
        certainty=_certainty(e) if e.is_open else (),
        action=_action(e),
    )


def _certainty(e: ForeignEpoch) -> tuple[Sure, ...]:
    sure = foreign_epoch.confidence(e)
    return certainty(
        (sure, "the coordinator does not know this epoch, so it sends no marker for it", e.first_ref),
        (sure, f"epoch {e.producer_epoch} is above every epoch that the coordinator gave", e.newest_ref),
        ("no", "who wrote these records, and why, is not known; rescue them first", None),
    )


def _action(e: ForeignEpoch) -> Action:
    where = offsets(e.first_offset, e.last_offset)
    if not e.is_open:
        return Action(
            kind="none",
            word="new transactional.id",
            summary=f"GIVE THE APPLICATION A NEW transactional.id: {e.transactional_id} cannot write here any more. "
            f"Nothing is open, a marker has ended the foreign transaction. Find out who wrote {where}.",
            check=checks.of_id(e.transactional_id),
        )
    return Action(
        kind="save_then_abort",
        word="do not abort yet",
        summary=f"DO NOT ABORT YET. Save {where} first, they are evidence, and check that the coordinator never gave "
        f"epoch {e.producer_epoch}. Then abort: that frees the readers. The id stays fenced off here: give its "
        "application a new transactional.id.",
        warning=f"if the check shows epoch {e.producer_epoch} or above, this is the id's own transaction: do not abort",
        loses_records=e.records,
        discards=e.records,
    )


DETECTOR = Detector(
    "PID001",
    "critical",
    Way(("foreign_epochs",), ForeignEpoch, find, explain, beside=("opens", "producer_id_blocks")),
    verdict=True,
)
