"""A replica has batches that the partition's leader never had, or others at the same offset.

How it looks
  payments-0 on broker 2, the leader
    leader-epoch-checkpoint: 0 0, 2 18         <- epoch 2 begins at 18
  payments-0 on broker 1
    18     COMMIT  leader epoch 0              <- epoch 0 ends at 18

Why it happens
  The replica was leader and wrote what no other copy had; another became
  leader without it (an unclean election). Until the old leader comes back
  and truncates, both histories exist.

What waits
  Nothing by itself. What only the replica has is lost to readers: records,
  and markers that transactions wait for (marker_lost_truncation, TXN008).

Is an abort safe
  This says nothing about that. Copy the replica's files before its broker
  starts: it truncates them, and they are the only copy.

How sure
  certain   a batch of an older leader epoch at or behind the start of the
            leader's next one (KIP-101), or other bytes at the same offset

What it is not
  A replica that is behind: it lacks batches, but has none of its own. A log
  that the cleaner went over has gaps, which are not compared.

What would refute it
  The same bytes in a newer copy of both replicas.

Versions
  All with leader epochs (0.11 and newer).

See also
  KIP-101, KIP-279; scenarios S8_marker_lost, S8c_slipped_after_lost_marker;
  txn-forensics explain TXN008
"""

import dataclasses

from pyspark.sql import DataFrame

from analyzer.detectors.model import Action, Detector, Explanation, Ref, Step
from analyzer.detectors.wording import counted, offsets


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence:
    """A copy of a log with batches that are not in the judged one."""

    topic: str
    partition: int
    replica: str
    authority_replica: str
    first_offset: int
    last_offset: int
    own_last_offset: int
    batches: int
    markers: int
    leader_epoch: int | None
    first_ref: Ref | None
    new_epoch: int | None
    start_offset: int | None
    epoch_ref: Ref | None


def find(divergences: DataFrame) -> DataFrame:
    """Return the partitions whose replicas part (RULES A 13)."""
    return divergences


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    what = counted(e.batches, "batch", "batches")
    markers = f", {counted(e.markers, 'marker')} among them" if e.markers else ""
    return Explanation(
        headline=f"broker {e.replica} has {what} from offset {e.first_offset} on that broker {e.authority_replica}, "
        f"the leader, does not have{markers}",
        label="replicas part",
        confidence="certain",
        steps=(
            *_cut(e),
            Step(
                f"broker {e.replica} has {offsets(e.first_offset, e.own_last_offset)} of its own"
                + ("" if e.leader_epoch is None else f", under leader epoch {e.leader_epoch}"),
                e.first_ref,
            ),
        ),
        cause=("a replica became leader without the newest batches of the old one (unclean election, KIP-101)",),
        refuted_by=f"the same bytes in newer copies of both replicas of {e.topic}-{e.partition}",
        action=Action(
            kind="none",
            summary=f"COPY BROKER {e.replica.upper()}'S FILES of {e.topic}-{e.partition} before that broker starts: it "
            f"will truncate to offset {e.first_offset}, and what it has behind it exists nowhere else.",
        ),
    )


def _cut(e: Evidence) -> tuple[Step, ...]:
    if e.new_epoch is None:
        return (Step(f"the two copies hold different bytes at offset {e.first_offset}"),)
    return (
        Step(
            f"on broker {e.authority_replica} leader epoch {e.new_epoch} begins at offset {e.start_offset}", e.epoch_ref
        ),
    )


DETECTOR = Detector(
    code="LOG001",
    name="replica_divergence",
    severity="warning",
    reads=("divergences",),
    evidence=Evidence,
    find=find,
    explain=explain,
    page=__doc__,
    verdict=False,
    needs=("batches",),
)
