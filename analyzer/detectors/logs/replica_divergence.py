"""A replica has batches that the partition's leader never had, or other bytes at the same offset.

How it looks
  payments-0 on broker 2, the leader
    leader-epoch-checkpoint: 0 0, 2 18         <- epoch 2 starts at 18
  payments-0 on broker 1
    18     COMMIT  leader epoch 0              <- epoch 0 goes on at 18

Why it happens
  The replica was the leader and wrote batches that no other copy had; then
  another replica became leader without them (an unclean election). Both
  histories exist until the old leader comes back and truncates its log.

What waits
  Nothing by itself. What only this replica has is lost to readers: records,
  and markers that transactions wait for (marker_lost_truncation, TXN008).

Is an abort safe
  This finding does not tell. Copy the replica's files before its broker
  starts: the broker truncates them, and they are the only copy.

How sure
  certain   a batch of an older leader epoch is at or after the start of the
            leader's next epoch (KIP-101), or the bytes differ at one offset
  likely    nothing is equal from the first offset that both have on, under
            one leader epoch, which has one leader: the copies are of two
            topics of one name (it was deleted and made again while a broker
            was down), or of two clusters

What it is not
  A follower that lags: it lacks batches but has none of its own. A log that
  the cleaner has compacted has gaps; gaps are not compared.

What would refute it
  The same bytes in newer copies of both replicas.

Versions
  All with leader epochs (0.11 and newer).

See also
  KIP-101, KIP-279; txn-forensics explain TXN008
  Rules: A 13, E 2.
"""

import dataclasses

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors import elections
from analyzer.detectors.causes import Cause
from analyzer.detectors.model import Action, Detector, Explanation, Ref, Step, Way
from analyzer.detectors.needs import Crash
from analyzer.detectors.subject import OfPartition, evidence_of
from analyzer.detectors.wording import counted, offsets


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence(elections.Elected, OfPartition):
    """A copy of a log with batches that the judged one does not have."""

    authority_replica: str
    first_offset: int
    last_offset: int
    own_last_offset: int
    batches: int
    markers: int
    leader_epoch: int | None
    first_ref: Ref | None
    apart: bool
    new_epoch: int | None
    start_offset: int | None
    epoch_ref: Ref | None


def find(divergences: DataFrame, elected: DataFrame) -> DataFrame:
    """Return the partitions whose replicas differ (RULES A 13)."""
    return evidence_of(Evidence, elections.with_election(divergences, elected, F.col("new_epoch")))


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    if e.apart:
        return _of_two_topics(e)
    what = counted(e.batches, "batch", "batches")
    markers = f", {counted(e.markers, 'marker')} among them" if e.markers else ""
    return Explanation(
        headline=f"broker {e.replica} has {what} from offset {e.first_offset} on that broker {e.authority_replica}, "
        f"the leader, does not have{markers}",
        label="replicas differ",
        confidence="certain",
        steps=(
            _cut(e),
            *elections.steps(e),
            Step(
                f"broker {e.replica} has {offsets(e.first_offset, e.own_last_offset)} of its own"
                + ("" if e.leader_epoch is None else f", under leader epoch {e.leader_epoch}"),
                e.first_ref,
            ),
        ),
        cause=_cause(e),
        refuted_by=f"the same bytes in newer copies of both replicas of {e.place}",
        action=Action(
            kind="none",
            word="copy files first",
            summary=f"COPY THE FILES of {e.place} on broker {e.replica} FIRST, before it starts: "
            f"it then truncates to offset {e.first_offset}, and what it has from there on exists nowhere else.",
        ),
    )


def _of_two_topics(e: Evidence) -> Explanation:
    """Return what copies without a batch in common are: one leader epoch has one leader, and gives each offset once."""
    return Explanation(
        headline=f"brokers {e.authority_replica} and {e.replica} have no batch in common, under one leader epoch: "
        "these are copies of two topics of one name",
        label="two topics",
        confidence="likely",
        steps=(
            _cut(e),
            Step(
                f"broker {e.replica} has {offsets(e.first_offset, e.own_last_offset)} of its own, both under leader "
                f"epoch {e.leader_epoch}, which has one leader",
                e.first_ref,
            ),
        ),
        cause=("the topic was deleted and made again while a broker was down, or the files are of two clusters",),
        refuted_by=f"one topic_id in the partition.metadata of both copies of {e.place}",
        action=Action(
            kind="fetch",
            word="check first",
            summary="CHECK FIRST which of the two exists: `kafka-topics.sh --describe` prints its TopicId, and "
            f"partition.metadata beside each copy of {e.place} has that copy's; run this again with both. Until then "
            f"what is said of {e.place} may be of a topic that was deleted.",
        ),
    )


def _cause(e: Evidence) -> tuple[Cause | str, ...]:
    """Return why: what a clean election leaves out is above the high watermark, unless a crash lost bytes before."""
    if not elections.is_clean(e):
        return ("a replica became leader without the newest batches of the old one (unclean election, KIP-101)",)
    return (
        "the election was clean: the old leader had appended them, and no other copy in sync had them yet (KIP-101)",
        Cause("the new leader's machine had crashed before, and lost what was not flushed", needs=Crash()),
    )


def _cut(e: Evidence) -> Step:
    if e.new_epoch is None:
        return Step(f"the two copies hold different bytes at offset {e.first_offset}")
    epoch = f"leader epoch {e.new_epoch} begins at offset {e.start_offset}"
    return Step(f"on broker {e.authority_replica} {epoch}", e.epoch_ref)


DETECTOR = Detector(
    "LOG001", "warning", Way(("divergences",), Evidence, find, explain, beside=("elections",), needs=("batches",))
)
