"""Records of an id lie in a partition of an internal topic where the hash does not put it.

How it looks
  abs("order-svc-37".hashCode) % 50  = 2     <- its records lie here
  abs("order-svc-37".hashCode) % 150 = 102   <- brokers look here
  The ids of the topic fit one count and another: see routing_cutover, RTE003.

Why it happens
  kafka-topics --alter --partitions on __transaction_state or
  __consumer_offsets. A broker reads the count when it starts and keeps it:
  brokers that were not restarted go on writing to hash % old, for minutes or
  months; restarted ones read and write hash % new. Nothing moves the records.

What waits
  Nothing waits for a finished transaction. An unfinished one: orphan_state
  (RTE004). A group whose commits were left behind starts again where
  auto.offset.reset says: it reads twice, or skips.

Is an abort safe
  There is nothing to abort for a finished transaction. Leave the records:
  brokers on the new count never read them as this id's, and the same id goes
  on in its new partition with another producer id.

How sure
  certain   one pair of counts explains the ids of the topic, and no other
  likely    the same, but few ids tell the two counts apart
  possible  several pairs of counts fit; the id is misplaced under all of them

What it is not
  A capture of some partitions only: an id is judged by its own partition.
  An id that lies right under both counts (a third of them for 50 -> 150).

What would refute it
  kafka-topics.sh --describe of the topic with a count that puts the id here.

Versions
  All, 0.11 to 4.4: TransactionStateManager and GroupMetadataManager compute
  Utils.abs(id.hashCode) % count. KIP-1268 means to refuse the expansion.

See also
  KAFKA-20029, KIP-1268; scenarios coordinator_expansion_mid and _after;
  txn-forensics explain RTE003, RTE004; txn-forensics route ID -n 50 -n 150
  Rules: B 5.
"""

import dataclasses

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.detectors.model import Action, Confidence, Detector, Explanation, Ref, Severity, Step
from analyzer.detectors.routing.words import cause, holder, who
from analyzer.detectors.wording import clock, offsets
from analyzer.kafka.topics import STATE_TOPIC

FINISHED = frozenset({"Empty", "CompleteCommit", "CompleteAbort", "Dead"})


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence:
    """An id whose newest record in this partition is alive, and whose hash belongs elsewhere."""

    topic: str
    partition: int
    replica: str | None
    transactional_id: str | None
    group: str | None
    producer_id: int | None
    producer_epoch: int | None
    captured_at: int | None
    records: int | None
    held_first: int
    held_last: int
    first_ms: int | None
    last_ms: int | None
    first_ref: Ref | None
    last_ref: Ref | None
    state: str | None
    hash: int
    homes: str
    old_count: int
    new_count: int
    confidence: str
    first_new_ms: int | None
    written_after: bool | None
    other_state: str | None
    other_producer_id: int | None
    other_producer_epoch: int | None
    other_ms: int | None
    other_ref: Ref | None


def find(misplaced: DataFrame, moments: DataFrame) -> DataFrame:
    """Return one row per (id, partition) whose latest record is no tombstone and whose hash % new is elsewhere."""
    is_state = F.col("topic") == STATE_TOPIC
    return misplaced.join(moments.select("capture", "captured_at"), "capture").select(
        "capture", "topic", "partition", F.lit(None).cast("string").alias("replica"),
        F.when(is_state, F.col("id")).alias("transactional_id"), F.when(~is_state, F.col("id")).alias("group"),
        F.col("latest.producer_id").alias("producer_id"), F.col("latest.producer_epoch").alias("producer_epoch"),
        "captured_at", "records", F.col("first_offset").alias("held_first"), F.col("last_offset").alias("held_last"),
        "first_ms", "last_ms", "first_ref", "last_ref", F.col("latest.state").alias("state"), "hash",
        F.concat_ws(" or ", F.col("homes").cast("array<string>")).alias("homes"), "old_count", "new_count",
        F.col("counts_confidence").alias("confidence"), "first_new_ms", "written_after",
        F.col("other.state").alias("other_state"), F.col("other.producer_id").alias("other_producer_id"),
        F.col("other.producer_epoch").alias("other_producer_epoch"), F.col("other.timestamp").alias("other_ms"),
        F.col("other.ref").alias("other_ref"),
    )  # fmt: skip


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    name = who(e.transactional_id, e.group)
    held = offsets(e.held_first, e.held_last)
    return Explanation(
        headline=f"{name} lies in partition {e.partition}; {e.new_count} partitions put it into {e.homes}",
        label="misrouted",
        confidence=confidence_of(e.confidence),
        severity=_severity(e),
        steps=(
            Step(
                f"records of {name} stand at {held} of {e.topic}-{e.partition}, the newest says "
                f"{holder(e.state, e.producer_id, e.producer_epoch, e.last_ms)}",
                e.last_ref,
            ),
            Step(
                f"its hash {e.hash} belongs to partition {e.hash % e.old_count} of {e.old_count}, "
                f"and to {e.homes} of {e.new_count}"
            ),
            Step(_when(e)),
            _other(e, name),
        ),
        cause=(cause(e.topic),),
        refuted_by=f"kafka-topics.sh --describe of {e.topic} with a count that puts hash {e.hash} into {e.partition}",
        otherwise=None if e.confidence == "certain" else "other pairs of counts fit as well: see RTE003",
        settled_by=None if e.confidence == "certain" else f"kafka-topics.sh --describe --topic {e.topic}",
        action=_action(e, name),
    )


def confidence_of(text: str) -> Confidence:
    """Return the confidence of the counts as a finding's."""
    return "certain" if text == "certain" else "likely" if text == "likely" else "possible"


def _severity(e: Evidence) -> Severity:
    """Return info for what a finished transaction left behind before the change (DESIGN 6)."""
    return "info" if e.state in FINISHED and not e.written_after else "warning"


def _when(e: Evidence) -> str:
    if e.written_after is None:
        return "no record here lies by the new count only: whether this was written after the change cannot be told"
    if e.written_after:
        return f"it was still written at {clock(e.last_ms)}, when others lay by the new count ({clock(e.first_new_ms)})"
    return (
        f"it was left behind: its last record here is older than the first by the new count ({clock(e.first_new_ms)})"
    )


def _other(e: Evidence, name: str) -> Step:
    if e.other_ms is None:
        return Step(f"{name} has no record in the partition where it belongs")
    where = holder(e.other_state, e.other_producer_id, e.other_producer_epoch, e.other_ms)
    return Step(f"where it belongs its newest record says {where}", e.other_ref)


def _action(e: Evidence, name: str) -> Action:
    if e.group is not None:
        text = (
            f"SET THE GROUP'S POSITION. A coordinator on {e.new_count} partitions does not see these commits of "
            f"{name}: compare them with what the group reads now; kafka-consumer-groups.sh --reset-offsets corrects it."
        )
    elif e.state in FINISHED:
        text = "LEAVE IT. The transaction is finished and nothing waits for this record. Never shrink the topic."
    else:
        text = (
            f"DO NOT RESTART the broker that leads {e.topic}-{e.partition} before {name} has ended its transaction: "
            "afterwards nobody finds this state (RTE004)."
        )
    return Action(kind="none" if e.group is not None or e.state in FINISHED else "wait", summary=text)


DETECTOR = Detector(
    code="RTE001",
    name="misrouted_state",
    severity="warning",
    reads=("misplaced",),
    beside=("moments",),
    evidence=Evidence,
    find=find,
    explain=explain,
    page=__doc__,
    verdict=False,
    needs=("routed_ids",),
)
