"""Records of an id are in a partition of an internal topic where its hash does not place it.

How it looks
  abs("order-writer-9".hashCode) % 50  = 2    <- its records are here
  abs("order-writer-9".hashCode) % 150 = 52   <- brokers look here
  The topic's ids need two counts: see routing_cutover, RTE003.

Why it happens
  Somebody ran kafka-topics --alter --partitions on __transaction_state or
  __consumer_offsets. A broker reads the count when it starts and keeps it. A
  broker that was not restarted writes to hash % old, for minutes or months; a
  restarted one reads and writes hash % new. Nothing moves the records.

What waits
  Nothing waits for a finished transaction. For an unfinished one see
  orphan_state (RTE004). A group whose commits stayed in the old partition
  starts where auto.offset.reset says: it reads records again or skips them.

Is an abort safe
  A finished transaction has nothing to abort. Leave its records alone: brokers
  on the new count do not read them for this id, which continues in its new
  partition under another producer id.

How sure
  certain   one pair of counts explains the ids of the topic, and no other
  likely    the same, but few ids tell the two counts apart
  possible  several pairs fit, and the id is misplaced under all of them

What it is not
  A capture of only some partitions: each id is judged by its own partition.
  An id that is right under both counts (a third of all ids for 50 -> 150).

What would refute it
  kafka-topics.sh --describe of the topic with a count that places the id here.

Versions
  All, 0.11 to 4.4: TransactionStateManager and GroupMetadataManager compute
  Utils.abs(id.hashCode) % count. KIP-1268 proposes to refuse the expansion.

See also
  KAFKA-20029, KIP-1268; txn-forensics explain RTE003, RTE004
  txn-forensics route ID -n 50 -n 150
  Rules: B 5.
"""

import dataclasses

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors.model import Action, Detector, Explanation, Ref, Step, Way
from analyzer.detectors.routing.words import OtherRecord, cause, confidence_of, holder, other_record, who
from analyzer.detectors.subject import evidence_of
from analyzer.detectors.wording import offsets
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.tables.moments import moment

FINISHED = frozenset({"Empty", "CompleteCommit", "CompleteAbort", "Dead"})


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence(OtherRecord):
    """An id whose newest record in this partition is no tombstone and whose hash places it elsewhere."""

    topic: str
    partition: int
    transactional_id: str | None
    group: str | None
    producer_id: int | None
    producer_epoch: int | None
    held_first: int
    held_last: int
    last_ms: int | None
    last_ref: Ref | None
    state: str | None
    hash: int
    homes: str
    old_count: int
    new_count: int
    confidence: str
    first_new_ms: int | None
    written_after: bool | None
    orphaned: bool | None


def find(misplaced: DataFrame) -> DataFrame:
    """Return one row per (id, partition) whose newest record is no tombstone and whose hash % new is elsewhere."""
    is_state = F.col("topic") == STATE_TOPIC
    return evidence_of(
        Evidence,
        misplaced,
        transactional_id=F.when(is_state, F.col("id")),
        group=F.when(~is_state, F.col("id")),
        **{name: f"last_record.{name}" for name in ("producer_id", "producer_epoch", "state")},
        held_first="first_offset",
        held_last="last_offset",
        homes=F.concat_ws(" or ", F.col("possible_homes").cast("array<string>")),
        old_count="placed_by",
        confidence="counts_confidence",
        orphaned=~F.col("served") & ~F.coalesce("cut", F.lit(False)),
        **other_record(),
    )


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    name = who(e.transactional_id, e.group)
    held = offsets(e.held_first, e.held_last)
    return Explanation(
        headline=f"{name} is in partition {e.partition}; with {e.new_count} partitions it belongs in {e.homes}",
        label="in the wrong partition",
        columns=(("belongs in", e.homes),),
        confidence=confidence_of(e.confidence),
        # Nothing waits for what a finished transaction left before the change.
        severity="info" if e.state in FINISHED and not e.written_after else "warning",
        steps=(
            Step(
                f"records of {name} are at {held} of {e.topic}-{e.partition}; the newest says "
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


def _when(e: Evidence) -> str:
    if e.written_after is None:
        return "no record fits only the new count: the files cannot tell whether this was written after the change"
    if e.written_after:
        after = f"after others used the new count ({moment(e.first_new_ms)})"
        return f"it was still written at {moment(e.last_ms)}, {after}"
    return f"it is a leftover: its last record here is older than the first by the new count ({moment(e.first_new_ms)})"


def _other(e: Evidence, name: str) -> Step:
    if e.other_ms is None:
        return Step(f"{name} has no record in the partition where it belongs")
    where = holder(e.other_state, e.other_producer_id, e.other_producer_epoch, e.other_ms)
    return Step(f"where it belongs its newest record says {where}", e.other_ref)


def _action(e: Evidence, name: str) -> Action:
    if e.group is not None:
        text = (
            f"SET THE GROUP'S POSITION. A coordinator on {e.new_count} partitions does not see these commits of "
            f"{name}: compare them with what the group reads now, and correct it with kafka-consumer-groups.sh "
            "--reset-offsets."
        )
        return Action(kind="none", word="set group position", summary=text)
    if e.state in FINISHED:
        text = "LEAVE IT. The transaction is finished and nothing waits for this record. Never shrink the topic."
        return Action(kind="none", word="leave it", summary=text)
    if e.orphaned:
        text = (
            f"SEE ITS FINDINGS: no broker looks for {name} in {e.topic}-{e.partition} any more, so no restart changes "
            "that. RTE004 says how to end what it left open."
        )
        return Action(kind="none", word="see its findings", summary=text)
    text = (
        f"DO NOT RESTART YET the broker that leads {e.topic}-{e.partition}: wait until {name} has ended its "
        "transaction, because after the restart no broker finds this state (RTE004)."
    )
    return Action(kind="wait", word="do not restart yet", summary=text)


DETECTOR = Detector("RTE001", "warning", Way(("misplaced",), Evidence, find, explain, needs=("routed_ids",)))
