"""Records of a key were consumed in their new partition before older ones in the prior one.

How it looks
  user-094, partition 2 of 4: records at 19, 24, 31   <- group stands at 13
  user-094, partition 4 of 6: records at 1, 6, 9      <- group stands at 21
  The group has consumed the newer ones and will read the older ones later.

Why it happens
  The topic was expanded while the group had not read the old partitions to
  their end, or while a producer went on by the old count (ORD002). Kafka
  keeps order inside a partition only.

What waits
  Nothing: the damage is in what the application made of the records.

Is an abort safe
  There is nothing to abort. Read the prior partition up to its threshold,
  then decide whether the new one has to be read again for these keys.

How sure
  likely    expanded_at is given
  possible  the moment of the expansion is inferred from the keys
  What is consumed is what is committed: a consumer may have read further.
  Order is that of the records' timestamps.

What it is not
  A key of which everything is committed by now: whether its order was broken
  before cannot be seen in files. A key that stays in its partition.

What would refute it
  A group that keeps no state by key, or that commits what it has not handled.

Versions
  All. Where the new count is no multiple of the old one, keys also move
  between old partitions, which KIP-253's rule does not cover.

See also
  KIP-253; scenario data_expansion; txn-forensics explain ORD002, ORD003;
  printf %s KEY | sha256sum gives the digest that stands behind a sample
  Rules: C 10.
"""

import dataclasses

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.detectors.commands import members_command
from analyzer.detectors.keys.words import boundary, by_boundary, settled_by
from analyzer.detectors.model import Action, Detector, Explanation, Ref, Step
from analyzer.detectors.wording import clock, counted


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence:
    """Keys that moved from one partition to another and were read there first; the first of them as an example.

    `key` names the prior partition: two of them may give keys to the same new home.
    """

    topic: str
    partition: int
    replica: str
    key: str
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
    boundary_ms: int | None
    boundary_from: str | None
    unread_ref: Ref | None
    read_ref: Ref | None
    position_ref: Ref | None
    home_ref: Ref | None


def find(broken: DataFrame) -> DataFrame:
    """Return one row per (topic, prior partition, new home) with keys whose newer records were consumed first."""
    return broken.select(
        "capture", "topic", F.col("home_partition").alias("partition"), "replica",
        F.concat(F.lit("from partition "), "prior_partition").alias("key"), "prior_partition", "keys", "key_samples",
        "groups", "group_names", "group_name", "position", "home_position", "unread_records", "unread_offset",
        "unread_ms", "read_offset", "read_ms", "boundary_ms", "boundary_from", "unread_ref", "read_ref",
        "position_ref", "home_ref",
    )  # fmt: skip


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    who = f"group {e.group_names}" if e.groups == 1 else f"{counted(e.groups, 'group')} ({e.group_names})"
    more = ", ..." if e.keys > e.key_samples.count("), ") + 1 else ""
    return Explanation(
        headline=f"{who} read {counted(e.keys, 'key')} in {e.topic}-{e.partition} before older records of them in "
        f"{e.topic}-{e.prior_partition}",
        label="read keys out of order",
        confidence=by_boundary(e.boundary_from),
        steps=(
            Step(
                f"offset {e.unread_offset} of prior partition {e.prior_partition}, written at {clock(e.unread_ms)}, is "
                "unread",
                e.unread_ref,
            ),
            Step(
                f"offset {e.read_offset} of partition {e.partition}, written at {clock(e.read_ms)}, has the same key "
                "and is consumed",
                e.read_ref,
            ),
            Step(f"group {e.group_name} stands at {e.position} in partition {e.prior_partition}", e.position_ref),
            Step(f"and at {e.home_position} in partition {e.partition}", e.home_ref),
            Step(
                f"so it is with {counted(e.keys, 'key')}: {e.key_samples}{more}; "
                f"{counted(e.unread_records, 'older record')} of them are unread"
            ),
            Step(boundary(e.boundary_ms, e.boundary_from)),
        ),
        cause=("keys move when a topic is expanded, and nothing holds their new partition back (KIP-253)",),
        refuted_by=f"a group that commits {e.topic}-{e.partition} before it handles it, or keeps no state by key",
        settled_by=settled_by(e.boundary_from),
        action=Action(
            kind="none",
            summary=f"READ {e.topic}-{e.prior_partition} TO ITS THRESHOLD FIRST (ORD003), then have the application go "
            f"through {e.topic}-{e.partition} again for these keys: what it made of them rests on a wrong order.",
            check_command=members_command(e.group_name),
        ),
    )


DETECTOR = Detector(
    code="ORD001",
    name="key_order_broken_by_expansion",
    severity="warning",
    reads=("broken_orders",),
    evidence=Evidence,
    find=find,
    explain=explain,
    page=__doc__,
    verdict=False,
    needs=("keyed_records",),
)
