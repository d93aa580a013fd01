"""A group reads a new partition before it has read the prior one up to the expansion.

How it looks
  topic expanded from 4 to 6; keys of partition 0 move to 4 and to 2
  group enricher   partition 0: position 18, threshold 42   <- still to read
                   partition 4: position 21                 <- already reading

Why it happens
  Nothing in Kafka holds the new partition back. The group is assigned it at
  the next rebalance and reads it from auto.offset.reset on, while records of
  the same keys are still unread in the prior partition. KIP-253 proposed that
  consumers wait for the threshold.

What waits
  The unread records of moved keys in the prior partition: the group will read
  them after newer records of the same keys.

Is an abort safe
  There is nothing to abort. Stop the group, or pause the new partition, until
  the prior one is read up to its threshold. ORD001 lists what was already read
  out of order.

How sure
  likely    the capture gives expanded_at; the threshold is the first record
            at or after it, as ListOffsets by timestamp answers
  possible  the expansion is taken to be the first record by the new count

What it is not
  A group that lags in the prior partition and has not read any moved key in
  the new one. A prior partition without unread moved keys, or with
  none but those of aborted transactions.

What would refute it
  A newer position of the group in the prior partition, or a consumer that
  does not depend on the order of a key's records.

Versions
  All. Kafka does not raise the leader epoch at an expansion, so the boundary
  by leader epoch that KIP-253 proposes is only an upper bound.

See also
  KIP-253; txn-forensics explain ORD001, ORD002
  Rules: C 8, 9.
"""

import dataclasses

from pyspark.sql import DataFrame

from analyzer.detectors import checks
from analyzer.detectors.keys.words import OfExpanded, which
from analyzer.detectors.model import Action, Detector, Explanation, Readers, Ref, Step, Way, step_if
from analyzer.detectors.subject import evidence_of
from analyzer.detectors.wording import counted


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence(OfExpanded):
    """A group, a prior partition that it has not read up to the threshold, and the new one that it reads."""

    group: str
    position: int
    threshold: int
    stale_end: int | None
    epoch_offset: int | None
    old_leader_epoch: int | None
    homes: int
    home_names: str
    home_partition: int
    home_position: int
    unread_records: int
    unread_keys: int
    spanning: int | None
    spanning_producer: int | None
    position_ref: Ref | None
    home_ref: Ref | None
    epoch_ref: Ref | None


def find(below: DataFrame) -> DataFrame:
    """Return one row per group and prior partition whose position is below the threshold while it reads new homes."""
    return evidence_of(
        Evidence,
        below,
        partition="prior_partition",
        key=which(),
        threshold="time_offset",
        spanning_producer="spanning_first.producer_id",
    )


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    wait_for = max(e.threshold, e.stale_end or 0)
    more = ", ..." if e.homes > e.home_names.count(",") + 1 else ""
    homes = f"{e.topic}-{e.home_names}" if e.homes == 1 else f"{e.topic}-{{{e.home_names}{more}}}"
    return Explanation(
        headline=f"group {e.group} reads {homes} before it has read {e.place}: at {e.position}, "
        f"threshold {e.threshold}",
        label="reads a new partition too early",
        confidence=e.confidence,
        steps=(
            Step(f"group {e.group} is at {e.position} in prior partition {e.partition}", e.position_ref),
            Step(f"and at {e.home_position} in {e.home_partition}, where keys moved to", e.home_ref),
            Step(
                f"{e.boundary}; the old count ends at offset {e.threshold} "
                f"of partition {e.partition}: {counted(e.unread_records, 'record')} of "
                f"{counted(e.unread_keys, 'moved key')} below it are unread"
            ),
            *_bounds(e),
        ),
        cause=("a consumer reads new partitions as soon as it gets them: nothing waits for the prior ones (KIP-253)",),
        refuted_by=f"a newer position of {e.group} in {e.place}, at {e.threshold} or above",
        settled_by=e.settled_by,
        readers=Readers("key_order"),
        action=Action(
            kind="wait",
            word="pause partitions",
            summary=f"PAUSE {homes} FOR THE GROUP until it has read {e.place} up to offset {wait_for}. "
            "What it has read there already: see ORD001.",
            check=checks.of_members(e.group),
        ),
    )


def _bounds(e: Evidence) -> tuple[Step, ...]:
    """Return the other boundaries of the prior partition, if there are any."""
    stale_end, after = e.stale_end or 0, "it" if e.old_leader_epoch is None else e.old_leader_epoch
    who = f", the first of producer {e.spanning_producer}" if e.spanning_producer is not None else ""
    return (
        *step_if(
            e.epoch_offset is not None,
            f"by leader epoch the old count ends at {e.epoch_offset} at the latest (first epoch after {after}): "
            "brokers start none at an expansion",
            e.epoch_ref,
        ),
        *step_if(
            stale_end > e.threshold, f"producers kept using the old count up to offset {stale_end - 1}: see ORD002"
        ),
        *step_if(e.spanning, f"{counted(e.spanning, 'transaction')} was open across the threshold{who}"),
    )


DETECTOR = Detector("ORD003", "warning", Way(("below_thresholds",), Evidence, find, explain, needs=("keyed_records",)))
