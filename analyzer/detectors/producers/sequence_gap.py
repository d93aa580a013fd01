"""Sequences of one producer id and epoch skip: a batch is missing, or another client wrote one.

How it looks
  orders-0
  40  data  producer 7 epoch 0  sequences 10..14
  45  data  producer 7 epoch 0  sequences 20..24    <- 15..19 are missing
      and no offset is missing between them

Why it happens
  An idempotent producer numbers its records per partition, and the leader
  accepts only the next number (OutOfOrderSequenceException). A gap in a whole
  log means that the leader forgot the producer id or never checked it: its
  producer state was lost, somebody wrote into the log files, or another client
  used the producer id while the leader did not know it.

What waits
  Nothing. Records that the producer counts as written may be lost.

Is an abort safe
  There is nothing to abort.

How sure
  likely    the log is whole: no offset is missing, every batch has a record
            for each of its offsets, and the cleaner has no checkpoint for the
            partition
  The finding says what else it could be.

What it is not
  A compacted log: the cleaner removes batches, so such logs are not judged,
  nor are internal topics. Retention removes the beginning of a log, so only
  neighbouring batches are compared. A sequence that starts at 0 again, or any
  sequence after a pause of a day: the broker had forgotten the producer id
  (producer.id.expiration.ms). 2147483647 is followed by 0.

What would refute it
  Another copy of the log with a batch between the two.

Versions
  All with producer ids (0.11 and newer).

See also
  KIP-98, KIP-360, KIP-854; txn-forensics explain PID001, LOG001
  Rules: C 3.
"""

import dataclasses

from pyspark.sql import DataFrame

from analyzer.detectors import checks
from analyzer.detectors.model import Action, Detector, Explanation, Ref, Step, Way
from analyzer.detectors.subject import OfProducer, evidence_of
from analyzer.detectors.wording import counted, producer
from analyzer.tables.moments import moment


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence(OfProducer):
    """Two neighbouring batches of a producer id whose sequences do not follow each other."""

    first_offset: int
    last_offset: int
    base_sequence: int
    expected_sequence: int
    before_last_offset: int
    before_last_sequence: int
    timestamp: int | None
    before_ref: Ref | None
    first_ref: Ref | None


def find(gaps: DataFrame, producers: DataFrame) -> DataFrame:
    """Return the gaps in the sequences of whole logs (RULES C 3)."""
    named = producers.select("capture", "producer_id", "transactional_id")
    return evidence_of(
        Evidence,
        gaps.join(named, ["capture", "producer_id"], "left"),
        first_offset="base_offset",
        before_last_offset="before.last_offset",
        before_last_sequence="before.last_sequence",
        timestamp="max_timestamp",
        before_ref="before.batch_ref",
        first_ref="batch_ref",
    )


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    missing = e.base_sequence - e.expected_sequence
    skipped = f"{counted(missing, 'sequence')} {'is' if missing == 1 else 'are'} skipped"
    what = skipped if missing > 0 else "sequences repeat"
    return Explanation(
        headline=f"{what} of {e.who} in {e.place}: {e.expected_sequence} was next, {e.base_sequence} came",
        label="sequence gap",
        confidence="likely",
        steps=(
            Step(
                f"{producer(e.producer_id, e.producer_epoch)} ended at sequence {e.before_last_sequence}, offset "
                f"{e.before_last_offset}",
                e.before_ref,
            ),
            Step(
                f"its next batch, at offset {e.first_offset} ({moment(e.timestamp)}), begins at {e.base_sequence} "
                f"instead of {e.expected_sequence}",
                e.first_ref,
            ),
            Step("no offset is missing in this log, every batch is full, and the cleaner was not here"),
        ),
        cause=(
            "the leader had forgotten the producer id, and accepted any sequence",
            "another client used the producer id, or the log files were changed",
        ),
        refuted_by="another copy of this log with a batch between the two",
        otherwise=f"producer.id.expiration.ms below the pause between the two: a broker forgets {e.who} then",
        settled_by="another replica's copy of this log, the producer's own log of that time",
        action=Action(
            kind="none",
            word="compare replicas",
            summary="COMPARE THE REPLICAS of this partition, and ask the application which records it believes "
            "are written. There is nothing to abort.",
            check=checks.of_partition(e.topic, e.partition),
        ),
    )


DETECTOR = Detector(
    "PID003", "warning", Way(("sequence_gaps",), Evidence, find, explain, beside=("producers",), needs=("batches",))
)
