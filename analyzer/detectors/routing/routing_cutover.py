"""Two partition counts explain where the ids of an internal topic lie: it was expanded.

How it looks
  38 ids of __transaction_state lie where only hash % 50 puts them, 24 where
  only hash % 150 does, the rest where both do; no other pair fits. Or all lie
  by 50 and the topic has 150 partitions: the next restart will show.

Why it happens
  kafka-topics --alter --partitions works on internal topics like on any
  other. Each broker goes on with the count that it read at its start, so the
  cluster splits: restarted brokers look elsewhere than the others. Broker
  logs: "Transaction topic number of partitions has changed from A to B", an
  uncaught exception that leaves partitions loading until the next restart.

What waits
  Ids that move are answered COORDINATOR_LOAD_IN_PROGRESS or NOT_COORDINATOR,
  or get a second producer id (split_brain_id). What was open hangs
  (orphan_state). kafka-transactions.sh list and find-hanging fail until the
  last broker is restarted: the files are the only source.

Is an abort safe
  Not before it is clear which state still is served: RTE004 says it for each.

How sure
  certain   no other pair fits, and 3 ids or more prove either count, or the
            topic's count is known
  likely    no other pair fits
  possible  other pairs fit as well: all are named
  The change is a window, not a moment: old-count writes go on after it.

What it is not
  A capture of some partitions only: then one count fits all that is there.

What would refute it
  One count that puts every id where it lies.

Versions
  All, 0.11 to 4.4. KIP-1268 means to refuse the expansion of internal topics.
  Never shrink or recreate the topic: that loses every decision in it.

See also
  KAFKA-20029, KIP-1268; scenarios coordinator_expansion_mid, _after, _rf3_*;
  txn-forensics expand -n 150 --case DIR says ahead what would move
"""

import dataclasses

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.detectors.model import Action, Detector, Explanation, Ref, Step
from analyzer.detectors.routing.misrouted_state import confidence_of
from analyzer.detectors.routing.words import cause, counts
from analyzer.detectors.wording import clock, counted
from analyzer.kafka.topics import STATE_TOPIC


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence:
    """An internal topic whose ids need two counts, and the window in which they changed."""

    topic: str
    partition: int | None
    replica: str | None
    captured_at: int | None
    records: int | None
    how: str
    old_count: int
    new_count: int
    new_exact: bool
    confidence: str
    rivals: str | None
    unexplained: int
    distinct_ids: int
    old_ids: int
    new_ids: int
    misrouted_ids: int
    some_ids: str | None
    first_new_ms: int | None
    first_new_ref: Ref | None
    last_old_ms: int | None
    last_old_ref: Ref | None
    any_ref: Ref | None
    told_from: int | None
    told_to: int | None
    told_ref: Ref | None


def find(cutovers: DataFrame, moments: DataFrame) -> DataFrame:
    """Return one row per internal topic that two counts explain (RULES B 3, 4), or that has more than its ids use."""
    rivals = F.nullif(F.concat_ws(", ", "rivals"), F.lit(""))
    return cutovers.join(moments.select("capture", "captured_at"), "capture").select(
        "capture", "topic", F.lit(None).cast("int").alias("partition"), F.lit(None).cast("string").alias("replica"),
        "captured_at", F.lit(None).cast("bigint").alias("records"), "how", "old_count", "new_count", "new_exact",
        F.col("counts_confidence").alias("confidence"), rivals.alias("rivals"),
        "unexplained", "distinct_ids", "old_ids", "new_ids", "misrouted_ids", "some_ids", "first_new_ms",
        "first_new_ref", "last_old_ms", "last_old_ref", "any_ref", "told_from", "told_to", "told_ref",
    )  # fmt: skip


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    to = f"{'' if e.new_exact else 'at least '}{e.new_count}"
    return Explanation(
        headline=f"{e.topic} was expanded from {e.old_count} to {to} partitions: "
        f"{counted(e.misrouted_ids, 'id')} {'lies' if e.misrouted_ids == 1 else 'lie'} where brokers on the new count "
        "do not look"
        if e.new_exact
        else f"{e.topic} was expanded from {e.old_count} to {to} partitions, and no id here uses the new count yet",
        label=f"expanded {counts(e.old_count, e.new_count)}",
        confidence=confidence_of(e.confidence),
        steps=tuple(_steps(e, to)),
        cause=(cause(e.topic),),
        refuted_by=f"one count that puts every id of {e.topic} where it lies",
        otherwise=f"these counts fit as well: {e.rivals}" if e.rivals else None,
        settled_by=f"kafka-topics.sh --describe --topic {e.topic}, and more of its partitions" if e.rivals else None,
        action=_action(e),
    )


def _steps(e: Evidence, to: str) -> list[Step]:
    if e.how == "unused":
        said = f"all {counted(e.distinct_ids, 'id')} lie by hash % {e.old_count}; the topic has {to} partitions"
        steps = [Step(said, e.last_old_ref or e.any_ref)]
    else:
        steps = [
            Step(f"{counted(e.old_ids, 'id')}, where only hash % {e.old_count} puts them; the last such record: "
                 f"{clock(e.last_old_ms)}", e.last_old_ref),
            Step(f"{counted(e.new_ids, 'id')}, where only hash % {e.new_count} puts them; the first such record: "
                 f"{clock(e.first_new_ms)}", e.first_new_ref),
        ]  # fmt: skip
        steps.append(Step(_window(e)))
    if e.some_ids:
        steps.append(Step(f"misplaced, among others: {e.some_ids}"))
    if e.told_ref is not None:
        steps.append(Step(f"a broker's log says it: from {e.told_from} to {e.told_to}", e.told_ref))
    if e.unexplained:
        steps.append(
            Step(f"{counted(e.unexplained, 'id')} lie where neither count puts them: a third count, or damage")
        )
    return steps


def _window(e: Evidence) -> str:
    """Say between which moments the brokers changed over."""
    if e.first_new_ms is None or e.last_old_ms is None:
        return "when the brokers changed over cannot be told"
    if e.last_old_ms < e.first_new_ms:
        return f"the brokers changed over between {clock(e.last_old_ms)} and {clock(e.first_new_ms)}"
    return f"from {clock(e.first_new_ms)} to {clock(e.last_old_ms)} brokers used both counts; the change came before"


def _action(e: Evidence) -> Action:
    what = "transactional producers" if e.topic == STATE_TOPIC else "consumer groups"
    first = "NO FURTHER RESTART YET, and no further --alter. Do not shrink, delete or recreate the topic."
    if e.how == "unused":
        text = (
            f"{first} What is no orphan (RTE004) is still served while no further broker restarts: stop the {what} "
            "cleanly, so that nothing is open, then restart all brokers in one go and start them again."
        )
    else:
        text = (
            f"{first} Stop the {what} cleanly, so that brokers on the old count end what they still serve; restart "
            "every broker that has not been; then end the orphans one by one (RTE004). Keep the state of the new count."
        )
    return Action(
        kind="none",
        summary=text,
        warning="a broker that restarts with transactions open in old partitions makes them orphans; guard internal "
        "topics against --alter (KIP-1268; until then ACLs on the Alter operation)",
    )


DETECTOR = Detector(
    code="RTE003",
    name="routing_cutover",
    severity="critical",
    reads=("cutovers",),
    beside=("moments",),
    evidence=Evidence,
    find=find,
    explain=explain,
    page=__doc__,
    verdict=False,
    needs=("routed_ids",),
)
