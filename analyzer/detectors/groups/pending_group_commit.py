"""A group's offsets were committed in a transaction that has not ended: no consumer can fetch them.

How it looks
  __consumer_offsets-22
  4  data    producer 2 epoch 0   group enricher  clicks-0 -> 9  <- undecided
  5  data    producer 2 epoch 0   group enricher  clicks-1 -> 8  <- undecided
             no marker of producer 2 follows

Why it happens
  sendOffsetsToTransaction writes the consumed positions as part of the
  transaction (TxnOffsetCommit). They take effect when the marker is written.
  Until then they are pending; if the transaction hangs, they stay pending.

  Or they are pending in memory only: a client's log says so, and the log of
  the group has the marker of every commit. The coordinator forgot to apply it
  (KAFKA-17507), or a replica lags. Restart or move the partition's leader;
  there is nothing to abort.

What waits
  A consumer that asks for stable offsets gets UNSTABLE_OFFSET_COMMIT for
  these partitions and retries until it times out (KIP-447). Java consumers
  from 2.5 on and librdkafka from 1.6 on always ask for stable offsets. A
  member that is assigned such a partition does not start. A fetch of all
  partitions omits a group that has only pending offsets.
  Members that are already running continue. Older clients get the last
  committed position and process the pending range again.
  __consumer_offsets grows until the transaction ends: the cleaner does not
  pass the first offset of an open transaction.

Is an abort safe
  An abort discards the pending positions. The group returns to its last
  committed ones and reads that input again; the output of the transaction is
  aborted with them. It is therefore as safe as an abort in the transaction's
  data partitions: follow the finding of the transaction itself.

How sure
  certain   the commits are in an open transaction
  possible  the files cannot tell whether that transaction still runs
  Info while the transaction is inside its timeout or has none, its markers
  are on their way, or the files cannot tell; a warning once it is over its
  timeout or hangs.

What it is not
  A commit outside a transaction takes effect at once. A commit followed by a
  marker of its producer id is decided: COMMIT applies it, ABORT discards it.
  A commit whose position or group was deleted since (a tombstone), or whose
  group left that partition when __consumer_offsets was expanded.

What would refute it
  A marker of the producer id after the commits, in a newer copy of the log.

Versions
  Transactional commits since 0.11, UNSTABLE_OFFSET_COMMIT since 2.5. Brokers
  verify commits with the coordinator from 3.7 on (KIP-890).

See also
  KIP-447, KIP-98, KIP-890; txn-forensics explain TXN001, TXN002, GRP001
  Rules: C 5.
"""

from pyspark.sql import Column, DataFrame, functions as F

from analyzer.detectors import conditions
from analyzer.detectors.groups import pending_in_memory
from analyzer.detectors.groups.pending import HANGS, Pending, action, state, until
from analyzer.detectors.model import Detector, Explanation, Step, Way, step_if
from analyzer.detectors.subject import evidence_of
from analyzer.detectors.wording import counted, producer
from analyzer.tables.moments import moment


def find(pending: DataFrame, opens: DataFrame) -> DataFrame:
    """Return the groups with undecided commits of each open transaction of __consumer_offsets."""
    judged = conditions.judged(opens).withColumn("standing", F.col("judgement.pending_on"))
    found = judged.join(pending, ["capture", "topic", "partition", "replica", "producer_id"])
    return evidence_of(
        Pending,
        found,
        commits=_commits(),
        **{name: f"running.{name}" for name in ("begun_ms", "timeout_ms", "deadline_ms")},
        decided_ms="lost.decided_ms",
        state_ref=F.coalesce("running_refs.latest_ref", "lost_refs.prepared_ref", "lost_refs.completed_ref"),
        first_ref=F.col("first_commits")[0]["ref"],
    )


def _commits() -> Column:
    """Return the first of the commits as one text: `clicks-0 -> 15 (offset 5), clicks-1 -> 14 (offset 6)`."""
    one = F.transform(
        "first_commits",
        lambda commit: F.format_string(
            "%s-%d -> %d (offset %d)",
            commit["topic"], commit["partition"], commit["committed_offset"], commit["offset"],
        ),
    )  # fmt: skip
    return F.array_join(one, ", ")


def explain(e: Pending) -> Explanation:
    """Put the finding into words."""
    hangs, more = HANGS.get(e.standing), e.positions - e.commits.count(" -> ")
    return Explanation(
        headline=f"group {e.group} cannot fetch {counted(e.positions, 'pending position')} of {e.who}: {until(e)}",
        label=f"holds offsets of group {e.group}",
        confidence="possible" if e.standing == "undecided" else "certain",
        steps=(
            Step(f"committed for group {e.group}: {e.commits}{f' and {more} more' if more > 0 else ''}", e.first_ref),
            Step(
                f"no marker of {producer(e.producer_id, e.producer_epoch)} follows: pending since {moment(e.since_ms)}",
                e.last_ref,
            ),
            *step_if(e.state_ref, state(e), e.state_ref),
            Step(
                "a fetch of these offsets that asks for stable ones is answered UNSTABLE_OFFSET_COMMIT; the log "
                f"cleaner does not pass them in {e.place} either"
            ),
        ),
        cause=(
            hangs or "the transaction that holds the offsets is still open",
            "the offsets were sent inside a transaction (sendOffsetsToTransaction) and take effect with its marker",
        ),
        refuted_by=f"a marker of producer {e.producer_id} after these commits in a newer copy of {e.place}",
        settled_by="the __transaction_state partition of its transactional id" if e.standing == "undecided" else None,
        action=action(e),
        severity="warning" if hangs else "info",
    )


DETECTOR = Detector(
    "GRP002",
    "warning",
    Way(("pending_commits",), Pending, find, explain, beside=("opens",), needs=("offset_commits",)),
    others=(pending_in_memory.TOLD,),
)
