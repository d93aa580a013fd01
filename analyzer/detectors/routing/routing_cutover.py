"""Two partition counts explain where the ids of an internal topic are: the topic was expanded.

How it looks
  38 ids of __transaction_state are where only hash % 50 places them, 24 where
  only hash % 150 does, the others where both do, and no other pair fits.
  Or all ids are placed by 50 and the topic has 150 partitions: the first
  broker that restarts will look elsewhere.

Why it happens
  Kafka does not refuse kafka-topics --alter --partitions on internal topics.
  Each broker keeps the count that it read at its start, so restarted brokers
  and the others look in different partitions. Their logs say "Transaction
  topic number of partitions has changed from A to B": an uncaught exception
  that leaves the partition loading until the next restart.

What waits
  Ids that move get COORDINATOR_LOAD_IN_PROGRESS or NOT_COORDINATOR, or a
  second producer id (split_brain_id). Open transactions hang (orphan_state).
  kafka-transactions.sh list and find-hanging fail until the last broker is
  restarted: until then the files are the only source.

Is an abort safe
  Not before you know which state is still served: RTE004 says it for each id.

How sure
  certain   no other pair fits, and 3 or more ids prove each count, or the
            topic's count is known, or the controllers' log has the expansion
  likely    no other pair fits, or only a broker's log says that the count
            has changed
  possible  other pairs fit as well; the finding names them all
  The change is a window, not a moment: writes by the old count go on after it.

What it is not
  A capture of only some partitions: one count fits everything in it.

What would refute it
  One count that places every id where it is.

Versions
  All, 0.11 to 4.4. KIP-1268 proposes to refuse the expansion of internal
  topics. Never delete and recreate the topic to get the old count back: every
  decision in it would be lost.

See also
  KAFKA-20029, KIP-1268; txn-forensics explain RTE001, RTE002, RTE004
  txn-forensics expand -n 150 --case DIR shows in advance which ids would move
  Rules: B 2 to 4, B 9, E 4.
"""

import dataclasses
import json
from typing import Any

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors.model import Detector, Explanation, Ref, Step, Way, ref_of, step_if
from analyzer.detectors.routing.cutover_action import cutover_action
from analyzer.detectors.routing.words import cause, confidence_of, counts, grown_from, placing
from analyzer.detectors.subject import evidence_of
from analyzer.detectors.wording import counted
from analyzer.kafka.clocks import SKEW_MS
from analyzer.tables.moments import moment

SHOWN_BROKERS = 20
"""Brokers that a finding lists at most."""


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence:
    """An internal topic whose ids need two counts, and the window in which they changed; `brokers` is JSON."""

    topic: str
    how: str
    old_count: int
    new_count: int
    new_exact: bool
    confidence: str
    rivals: str | None
    unexplained: int
    older_count: int | None
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
    expanded_ms: int | None
    expanded_from: int | None
    expanded_to: int | None
    expanded_ref: Ref | None
    brokers: str | None
    leaders_by_new: bool | None


def find(cutovers: DataFrame, misplaced: DataFrame) -> DataFrame:
    """Return one row per internal topic with two counts, by its ids or a broker's log (RULES B 2 to 4, B 9).

    With whether the leaders of all misplaced ids are shown to work by the new count: then their restart moves nothing.
    """
    all_new = F.every(F.coalesce("leader_by_new", F.lit(False))).alias("leaders_by_new")
    by_new = misplaced.groupBy("capture", "topic").agg(all_new)
    return evidence_of(
        Evidence,
        cutovers.join(by_new, ["capture", "topic"], "left"),
        confidence="counts_confidence",
        rivals=F.nullif(F.concat_ws(", ", "rivals"), F.lit("")),
        brokers=F.to_json("brokers"),
    )


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    since, to = grown_from(e.older_count, e.old_count), f"{'' if e.new_exact else 'at least '}{e.new_count}"
    return Explanation(
        headline=f"{e.topic} was expanded from {since} to {to} partitions{_consequence(e)}",
        label=f"expanded {counts(e.older_count, e.old_count, e.new_count)}",
        confidence="certain" if _is_told(e) else confidence_of(e.confidence),
        steps=(*_told(e), *_steps(e, to), *_restarts(e)),
        cause=(cause(e.topic),),
        refuted_by=f"one count that places every id of {e.topic} where it is",
        otherwise=f"these counts fit as well: {e.rivals}" if e.rivals else None,
        settled_by=f"kafka-topics.sh --describe --topic {e.topic}, and more of its partitions"
        if e.rivals or e.how == "told"
        else None,
        action=cutover_action(e.topic, e.how, e.new_count, moved=_all_moved(e)),
    )


def _consequence(e: Evidence) -> str:
    if e.how == "told":
        return ", and the broker whose log says so could not load a partition of it"
    if not e.new_exact:
        return ", and no id here uses the new count yet"
    have = "has" if e.misrouted_ids == 1 else "have"
    return f": {counted(e.misrouted_ids, 'id')} {have} state where brokers on the new count never look"


def _steps(e: Evidence, to: str) -> list[Step]:
    if e.how == "told":
        changed = f"from {e.told_from} to {e.told_to}"
        return [Step(f"a broker's log says that the count changed {changed}; no id here shows that", e.told_ref)]
    said = f"hash % {e.old_count} places all {counted(e.distinct_ids, 'id')}; the topic has {to} partitions"
    steps = [Step(said, e.last_old_ref or e.any_ref)]
    if e.how != "unused":
        steps = [
            Step(f"{counted(e.old_ids, 'id')} where only {placing(e.older_count, e.old_count)} places them; the last "
                 f"such record: {moment(e.last_old_ms)}", e.last_old_ref),
            Step(f"{counted(e.new_ids, 'id')} where only hash % {e.new_count} places them; the first such record: "
                 f"{moment(e.first_new_ms)}", e.first_new_ref),
            Step(_window(e)),
        ]  # fmt: skip
    return [
        *steps,
        *step_if(e.some_ids, f"misplaced, among others: {e.some_ids}"),
        *step_if(e.told_ref, f"a broker's log confirms it: from {e.told_from} to {e.told_to}", e.told_ref),
        *step_if(
            e.unexplained, f"{counted(e.unexplained, 'id')} where no such count places them: another one, or damage"
        ),
    ]


def _all_moved(e: Evidence) -> bool:
    """Return whether every broker works by the new count: by the controllers' log, or wherever ids are misplaced."""
    if e.leaders_by_new:
        return True
    return _is_told(e) and bool(_brokers(e)) and all(one["works_by"] == e.new_count for one in _brokers(e))


def _brokers(e: Evidence) -> list[dict[str, Any]]:
    """Return the brokers of `cutovers`, which the evidence holds as JSON."""
    return list(json.loads(e.brokers or "[]"))


def _is_told(e: Evidence) -> bool:
    """Return whether the controllers' log has this very expansion."""
    return e.expanded_ref is not None and (e.expanded_from, e.expanded_to) == (e.old_count, e.new_count)


def _told(e: Evidence) -> list[Step]:
    """Return the moment of the expansion by the controllers' log, and whether the records agree with it."""
    if e.expanded_ref is None or e.expanded_ms is None:
        return []
    agreed = ""
    if e.first_new_ms is not None:
        late = e.first_new_ms >= e.expanded_ms - SKEW_MS
        older = f"a record that needs the new count is older, of {moment(e.first_new_ms)}"
        later = "every record that needs the new count is later"
        agreed = f"; {later}" if late else f"; {older}: another clock, or another expansion"
    counts = f"{e.expanded_from} before, {e.expanded_to} after"
    text = f"the controller added partitions at {moment(e.expanded_ms)}: {counts}"
    return [Step(text + agreed, e.expanded_ref)]


def _restarts(e: Evidence) -> list[Step]:
    """Return which broker works by which count, and which ids its restart would orphan."""
    steps = []
    for one in _brokers(e)[:SHOWN_BROKERS]:
        text = f"broker {one['broker']} started at {moment(one['started_ms'])} and uses {one['works_by']} partitions"
        if one["works_by"] != e.new_count and one.get("ids"):
            more = ", ..." if one["ids"] > one["some_ids"].count(", ") + 1 else ""
            text += f": its restart would strand {counted(one['ids'], 'id')} ({one['some_ids']}{more})"
        steps.append(Step(text, ref_of(one["ref"])))
    return steps


def _window(e: Evidence) -> str:
    """Say when the brokers changed over."""
    if e.first_new_ms is None or e.last_old_ms is None:
        return "the files do not show when the brokers changed to the new count"
    if e.last_old_ms < e.first_new_ms:
        return f"the brokers changed to the new count between {moment(e.last_old_ms)} and {moment(e.first_new_ms)}"
    first, last = moment(e.first_new_ms), moment(e.last_old_ms)
    return f"from {first} to {last} brokers used both counts; the topic was expanded before"


DETECTOR = Detector(
    "RTE003", "critical", Way(("cutovers",), Evidence, find, explain, beside=("misplaced",), needs=("routed_ids",))
)
