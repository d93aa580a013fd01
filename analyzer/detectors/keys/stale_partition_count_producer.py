"""A producer still uses the old partition count after its keyed topic was expanded.

How it looks
  toPositive(murmur2("user-9")) % 4 = 3   <- the record is here, at offset 44
  toPositive(murmur2("user-9")) % 6 = 5   <- other producers write it here
  Record 43 of the same partition was already placed by 6.

Why it happens
  A client refreshes its metadata every metadata.max.age.ms (5 minutes) or
  after an error. An expansion moves no leader, so nothing prompts it earlier.
  Or the application computes the partition itself, with a fixed count.
  KIP-253 proposed to refuse such a write; no release does.

What waits
  Nothing. But records of one key enter two partitions at the same time, and
  no consumer can tell their order.

Is an abort safe
  There is nothing to abort. Restart or correct the producer before consumers
  are told that the old partitions are finished.

How sure
  certain   a record by the new count comes before it in the same partition
  likely    its timestamp is later than expanded_at; without expanded_at,
            later than the first record by the new count plus the disorder of
            the topic's timestamps
  Keys count as evidence only if one pair of counts, or one series where the
  topic was expanded several times, explains all but 2 % of them, 10 bits
  better than chance, by murmur2 or by librdkafka's CRC32.

What it is not
  Records from before the expansion. A producer that chooses partitions
  itself: its records that fit neither count are more than a quarter of those
  that look stale.

What would refute it
  A producer of that id that sets partitions on purpose; another expanded_at.

Versions
  All. The Java client hashes keys with murmur2, librdkafka with CRC32 unless
  it is told to use murmur2.

See also
  KIP-253; txn-forensics explain ORD001, ORD003
  printf %s KEY | sha256sum gives the digest that a report prints for a key
  Rules: C 6, 7.
"""

import dataclasses

from pyspark.sql import DataFrame

from analyzer.detectors.causes import Cause
from analyzer.detectors.keys.words import OfExpanded, which
from analyzer.detectors.model import Action, Detector, Explanation, Readers, Ref, Step, Way, step_if
from analyzer.detectors.subject import evidence_of
from analyzer.detectors.wording import counted, offsets
from analyzer.tables.moments import moment


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence(OfExpanded):
    """What one producer id wrote into one partition by the old count, after the expansion."""

    producer_id: int
    producer_epoch: int | None
    transactional_id: str | None
    stale_first: int
    last_offset: int
    records: int
    keys: int
    key_samples: str
    by_offset: int
    transactional_records: int
    last_ms: int | None
    old_count: int
    new_count: int
    first_ref: Ref | None
    last_ref: Ref | None


def find(stale: DataFrame) -> DataFrame:
    """Return one row per (topic, partition, producer id) with records by the old count after the boundary."""
    return evidence_of(Evidence, stale, stale_first="first_offset", key=which())


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    who = _who(e)
    proof = (
        f"{counted(e.by_offset, 'of them comes', 'of them come')} after a record of this partition that only "
        f"{e.new_count} partitions explain: no clock is needed to know that they came later"
        if e.by_offset
        else "only timestamps show that they came later"
    )
    inside = f"{counted(e.transactional_records, 'record')} of them were written inside transactions"
    return Explanation(
        headline=f"{who} kept using {e.old_count} partitions until {moment(e.last_ms)}: "
        f"{counted(e.records, 'record')} of {counted(e.keys, 'key')} in {e.place}",
        label=f"still uses {e.old_count} partitions",
        confidence="certain" if e.by_offset else "likely",
        steps=(
            Step(
                f"{counted(e.records, 'record')} at {offsets(e.stale_first, e.last_offset)} are where {e.old_count} "
                f"partitions place their keys; with {e.new_count} partitions they belong elsewhere: {e.key_samples}",
                e.first_ref,
            ),
            Step(e.boundary),
            Step(f"the last of them is of {moment(e.last_ms)}; {proof}", e.last_ref),
            *step_if(e.transactional_records, inside),
        ),
        cause=(
            "a client learns of new partitions at its next metadata refresh (metadata.max.age.ms) or after an error",
            Cause("the application computes partitions itself, with a fixed count", other=True),
            "stock Kafka accepts such writes; KIP-253 meant to refuse them (InvalidPartitionCount)",
        ),
        refuted_by=f"an application that uses {who} and chooses these partitions on purpose",
        otherwise=None if e.by_offset else "a producer whose clock is ahead wrote them before the expansion",
        settled_by=None if e.by_offset else e.settled_by,
        readers=Readers("key_order", e.records),
        action=Action(
            kind="none",
            word="restart the producer",
            summary=f"RESTART THE PRODUCER, or correct the count in its code ({who}). Read {e.place} to "
            f"offset {e.last_offset + 1} before the other partitions of these keys: nothing else keeps their order.",
        ),
    )


def _who(e: Evidence) -> str:
    if e.transactional_id is not None:
        return e.transactional_id
    return "a producer without an id" if e.producer_id < 0 else f"producer {e.producer_id}"


DETECTOR = Detector("ORD002", "warning", Way(("stale_producers",), Evidence, find, explain, needs=("keyed_records",)))
