"""A group consumed records of a key in the new partition before older ones in the prior partition.

How it looks
  key user-9, partition 3 of 4: records at 19, 24, 31   <- group is at 13
  key user-9, partition 5 of 6: records at 1, 6, 9      <- group is at 21
  The group has consumed the newer records and will read the older ones later.

Why it happens
  The topic was expanded before the group had read the old partitions to their
  end, or while a producer still used the old partition count (ORD002). Kafka
  keeps order only within a partition.

What waits
  Nothing: the damage is in what the application did with the records.

Is an abort safe
  There is nothing to abort. Read the prior partition up to its threshold, then
  decide whether the new one has to be read again for these keys.

How sure
  likely    the capture gives expanded_at
  possible  the moment of the expansion is inferred from the keys
  The files show commits, not reads: a consumer may have read further than it
  committed. Records are ordered by their timestamps.

What it is not
  A key whose records are all committed by now: files cannot show whether its
  order was broken earlier. A key that stays in its partition.
  Records of aborted transactions: no read_committed reader is given them.

What would refute it
  A group that keeps no state per key, or that commits records before it has
  handled them.

Versions
  All. If the new count is no multiple of the old one, keys also move between
  old partitions, which KIP-253 does not cover.

See also
  KIP-253; txn-forensics explain ORD002, ORD003
  printf %s KEY | sha256sum gives the digest that a report prints for a key
  Rules: C 10.
"""

import dataclasses

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors import checks
from analyzer.detectors.keys.words import OfExpanded, which
from analyzer.detectors.model import Action, Detector, Explanation, Readers, Ref, Step, Way
from analyzer.detectors.subject import evidence_of
from analyzer.detectors.wording import counted
from analyzer.tables.moments import moment


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence(OfExpanded):
    """Keys that moved to another partition and were read there first, with one of them as an example.

    `key` names the prior partition: keys of two prior partitions may move to the same new home. Of several expansions
    it names that one, too.
    """

    prior_partition: int
    keys: int
    key_samples: str
    groups: int
    group_names: str
    group_name: str
    position: int
    home_position: int
    unread_records: int
    unread_offset: int
    unread_ms: int | None
    read_offset: int
    read_ms: int | None
    unread_ref: Ref | None
    read_ref: Ref | None
    position_ref: Ref | None
    home_ref: Ref | None


def find(broken: DataFrame) -> DataFrame:
    """Return one row per (topic, prior partition, new home) with keys whose newer records were consumed first."""
    from_where = F.concat_ws(", ", F.concat(F.lit("from partition "), F.col("prior_partition")), which())
    return evidence_of(Evidence, broken, partition="home_partition", key=from_where)


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    who = f"group {e.group_names}" if e.groups == 1 else f"{counted(e.groups, 'group')} ({e.group_names})"
    more = ", ..." if e.keys > e.key_samples.count("), ") + 1 else ""
    return Explanation(
        headline=f"{who} read {counted(e.keys, 'key')} in {e.place} before older records of them in "
        f"{e.topic}-{e.prior_partition}",
        label="read keys out of order",
        confidence=e.confidence,
        steps=(
            Step(
                f"offset {e.unread_offset} of prior partition {e.prior_partition}, written at {moment(e.unread_ms)}, "
                "is unread",
                e.unread_ref,
            ),
            Step(
                f"offset {e.read_offset} of partition {e.partition}, written at {moment(e.read_ms)}, has the same key "
                "and is consumed",
                e.read_ref,
            ),
            Step(f"group {e.group_name} is at {e.position} in partition {e.prior_partition}", e.position_ref),
            Step(f"and at {e.home_position} in partition {e.partition}", e.home_ref),
            Step(
                f"the same is true of {counted(e.keys, 'key')}: {e.key_samples}{more}; "
                f"{counted(e.unread_records, 'older record')} of them are unread"
            ),
            Step(e.boundary),
        ),
        cause=("keys move when a topic is expanded, and nothing holds their new partition back (KIP-253)",),
        refuted_by=f"a group that commits {e.place} before it handles it, or keeps no state by key",
        settled_by=e.settled_by,
        readers=Readers("key_order"),
        action=Action(
            kind="none",
            word="read again in order",
            summary=f"READ AGAIN IN ORDER: first {e.topic}-{e.prior_partition} to its threshold (ORD003), then have "
            f"the application process {e.place} again for these keys: it handled their records in the wrong order.",
            check=checks.of_members(e.group_name),
        ),
    )


DETECTOR = Detector("ORD001", "warning", Way(("broken_orders",), Evidence, find, explain, needs=("keyed_records",)))
