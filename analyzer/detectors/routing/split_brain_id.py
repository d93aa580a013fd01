"""One id is alive in two partitions of an internal topic, and two coordinators act for it.

How it looks
  __transaction_state-25   payments-3  producer 1011 epoch 1  CompleteAbort
  __transaction_state-125  payments-3  producer 3000 epoch 0  Ongoing
  hash % 50 = 25, hash % 150 = 125: each is right under its own count.

Why it happens
  After an expansion of the topic (RTE003) a restarted coordinator finds no
  state of the id in hash % new and gives it a NEW producer id with epoch 0.
  That does not fence the old one: data partitions know producer ids, not
  transactional ids. A client that still reaches a broker on the old count can
  write, and even commit, beside its successor.

What waits
  What the older producer id left open hangs (orphan_state, RTE004), unless a
  broker on the old count still serves it. Two clients may have written output
  for the same input: exactly-once is broken for this id.

Is an abort safe
  Leave the side in hash % new alone: that is the one the cluster keeps. End
  what the other side left open; RTE004 says how, for each partition.

How sure
  certain   both newest records are in the files, and neither is a tombstone

What it is not
  Records in one wrong partition only (misrouted_state, RTE001). A producer id
  that was replaced when its epochs ran out: that happens in one partition.

What would refute it
  A tombstone of the id in one of the two partitions.

Versions
  All, 0.11 to 4.4. Consumer groups in __consumer_offsets split the same way.

See also
  KAFKA-20029, KIP-1268, KIP-360; txn-forensics explain RTE003, RTE004
  Rules: B 6.
"""

import dataclasses

from pyspark.sql import Column, DataFrame, functions as F

from analyzer.detectors.model import Action, Detector, Explanation, Ref, Step, Way
from analyzer.detectors.routing.words import cause, holder, who
from analyzer.detectors.subject import evidence_of
from analyzer.detectors.wording import producer, span
from analyzer.kafka.topics import STATE_TOPIC


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence:
    """An id that is alive in two partitions, `newer` and `older`."""

    topic: str
    partition: int
    transactional_id: str | None
    group: str | None
    sides: int
    newer_partition: int
    newer_state: str | None
    newer_producer_id: int | None
    newer_producer_epoch: int | None
    newer_ms: int | None
    newer_ref: Ref | None
    older_partition: int
    older_state: str | None
    older_producer_id: int | None
    older_producer_epoch: int | None
    older_ms: int | None
    older_ref: Ref | None


def find(splits: DataFrame) -> DataFrame:
    """Return one row per id that is alive in two or more partitions; `partition` is where it belongs."""
    is_state = F.col("topic") == STATE_TOPIC
    return evidence_of(
        Evidence,
        splits,
        partition="belongs",
        transactional_id=F.when(is_state, F.col("id")),
        group=F.when(~is_state, F.col("id")),
        sides=F.size("sides"),
        **_side("newer", 0),
        **_side("older", 1),
    )


def _side(name: str, index: int) -> dict[str, Column]:
    side = F.col("sides")[index]
    named = {one: side[one] for one in ("partition", "state", "producer_id", "producer_epoch", "ref")}
    return {f"{name}_{field}": column for field, column in (named | {"ms": side["timestamp"]}).items()}


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    name = who(e.transactional_id, e.group)
    newer = holder(e.newer_state, e.newer_producer_id, e.newer_producer_epoch, e.newer_ms)
    older = holder(e.older_state, e.older_producer_id, e.older_producer_epoch, e.older_ms)
    apart = "" if e.newer_ms is None or e.older_ms is None else f", {span(e.newer_ms - e.older_ms)} earlier"
    return Explanation(
        headline=f"{name} is alive in {e.sides} partitions of {e.topic}: "
        f"{e.newer_partition}{_of(e.newer_producer_id, e.newer_producer_epoch)} is newer than "
        f"{e.older_partition}{_of(e.older_producer_id, e.older_producer_epoch)}",
        label="alive in two partitions",
        columns=(
            ("newer", _short(e.newer_producer_id, e.newer_producer_epoch)),
            ("older in", e.older_partition),
            ("older", _short(e.older_producer_id, e.older_producer_epoch)),
        ),
        confidence="certain",
        steps=(
            Step(f"{e.topic}-{e.newer_partition}, the newer: {newer}", e.newer_ref),
            Step(f"{e.topic}-{e.older_partition}: {older}{apart}", e.older_ref),
            Step(f"brokers that read the new count use partition {e.partition}"),
            Step(_fences(e)),
        ),
        cause=(cause(e.topic),),
        refuted_by=f"a tombstone of {name} in {e.topic}-{e.older_partition} or -{e.newer_partition}",
        action=Action(
            kind="none",
            word="keep the new copy",
            summary=f"KEEP THE NEW COPY, partition {e.partition}: every broker uses it once all are restarted. "
            + (
                "Start the client again. End what the other side left open partition by partition (RTE004)."
                if e.group is None
                else "Let the group commit again, or set its position there."
            ),
        ),
    )


def _of(producer_id: int | None, epoch: int | None) -> str:
    return "" if producer_id is None else f" ({producer(producer_id, epoch)})"


def _short(producer_id: int | None, epoch: int | None) -> str:
    return "-" if producer_id is None else f"{producer_id} epoch {epoch}"


def _fences(e: Evidence) -> str:
    """Say which of the two producers the data partitions refuse."""
    if e.newer_producer_id is None or e.older_producer_id is None:
        return "a group has no epoch: whichever coordinator a client asks answers with its own commits"
    if e.newer_producer_id != e.older_producer_id:
        return (
            f"producers {e.newer_producer_id} and {e.older_producer_id} are unrelated to the data partitions: "
            "neither fences the other"
        )
    low, high = sorted((e.newer_producer_epoch or 0, e.older_producer_epoch or 0))
    if low == high:
        return f"both have producer {e.newer_producer_id} with the same epoch {low}: neither fences the other"
    return f"both have producer {e.newer_producer_id}: epoch {high} fences epoch {low} where it has written"


DETECTOR = Detector("RTE002", "warning", Way(("splits",), Evidence, find, explain, needs=("routed_ids",)))
