"""A transaction was decided, but its coordinator has not finished it for longer than markers take.

How it looks
  __transaction_state
    state=PrepareCommit partitions=[a-0, a-1]   <- the newest record of the id
  a-0
    COMMIT                                      <- delivered
  a-1
    12..13 data                                 <- no marker, long afterwards

Why it happens
  A partition's leader is gone, or refuses the marker (a foreign epoch fences
  it, PID001). Or the coordinator is down, or its record is where none looks
  (orphan_state, RTE004). Or all markers are written, the Complete record is
  not: the coordinator forgot what it waits for (KAFKA-16352), or loads the id
  again and again.

What waits
  read_committed readers of the partitions without a marker, and the producer:
  its next transaction is answered CONCURRENT_TRANSACTIONS.

Is an abort safe
  NO. The outcome is decided; if it was COMMIT, an abort contradicts it. Bring
  the leader and the coordinator back: the markers are sent again.

How sure
  certain   the Prepare record is the id's newest and older than ten times
            what markers take in this capture (1 s to 30 s), and the
            partition's log has no marker and is no earlier copy, or nobody led
            it since the decision, by the controllers' log
  likely    every log in the capture has its marker, only the Complete record
            is missing; or records of the state partition may be missing, or its
            broker may have been down since; or its high watermark is not above
            the record: a decision not replicated in time is taken back
  possible  both; or a log lacks the marker, and later records are missing

What it is not
  completing: the decision is young. TXN004 and TXN005 beside it fold under it.

What would refute it
  A Complete record of the id in a newer copy of its state partition.

Versions
  All. KAFKA-16352 is fixed in 3.8.0. KAFKA-19999, which looks the same, is in
  no release: only a build of trunk of late 2025 has it.

See also
  KAFKA-16352, KIP-98; txn-forensics explain TXN004, TXN005, RTE004
  Rules: A 11.
"""

import dataclasses

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors import checks, conditions
from analyzer.detectors.answers import prepared
from analyzer.detectors.causes import Cause
from analyzer.detectors.coordinator.replicated import Record
from analyzer.detectors.model import Action, Confidence, Detector, Explanation, Ref, Step, Way, step_if
from analyzer.detectors.subject import OfProducer, evidence_of
from analyzer.detectors.transactions import last_epoch
from analyzer.detectors.wording import offsets, span
from analyzer.kafka.clocks import COPYING_MS
from analyzer.kafka.known_bugs.coordinator import PARTITION_COUNT, PENDING_MARKERS_LOST, STRICT_ANSWERS
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.kafka.transaction_states import EXHAUSTED_FROM
from analyzer.tables import NO_REPLICA
from analyzer.tables.moments import moment


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence(OfProducer):
    """A decided transaction whose coordinator's newest record is still Prepare, and one place without its marker."""

    transactional_id: str
    first_offset: int | None
    last_offset: int | None
    first_ref: Ref | None
    state: str
    decision: str
    decided_ms: int
    decision_ref: Ref | None
    state_partition: int
    reached_ms: int
    marker_bound_ms: int
    delivered: str | None
    absent: str | None
    state_sound: bool
    of_leader: bool
    overtaken: bool
    decision_offset: int
    state_mark: int | None

    @property
    def record(self) -> Record:
        """The Prepare record, and what tells whether it is replicated."""
        place, age_ms = f"{STATE_TOPIC}-{self.state_partition}", self.reached_ms - self.decided_ms
        return Record(place, self.decision_offset, age_ms, self.state_mark, self.delivered is not None)

    @property
    def at_state(self) -> bool:
        """Whether no log here lacks the marker."""
        return self.topic == STATE_TOPIC


def find(preparing: DataFrame, moments: DataFrame, state_copies: DataFrame) -> DataFrame:
    """Return the Prepare states that are older than the delivery of markers explains (RULES A 11).

    They are judged when the coordinator's files were copied. A log that lacks the marker may be a minute older, unless
    it is shown to reach further; so may the state partition that lacks a Complete. Times of two brokers are compared
    give or take what their clocks may be apart.
    """
    told = preparing.join(moments, "capture").withColumns({
        "reached_ms": F.coalesce("state_horizon_ms", "captured_at"),
        "since_ms": F.col("decided_ms") + F.col("marker_bound_ms") + F.col("spread_ms"),
    })  # fmt: skip
    judged = conditions.with_state_copy(told, state_copies)
    age = F.col("reached_ms") - F.col("decided_ms")
    since_delivery = F.col("reached_ms") - F.coalesce("delivered_ms", "decided_ms")
    bound = F.col("marker_bound_ms") + F.col("spread_ms")
    forgotten = (since_delivery >= COPYING_MS + bound) & ~F.col("overtaken")
    copied_ms = F.least("reached_ms", "horizon_ms") - COPYING_MS
    seen = F.greatest("log_reaches_ms", copied_ms) - F.col("decided_ms") >= bound
    here = F.coalesce(seen, F.lit(False)) | F.col("at_once") | (F.col("replica") == NO_REPLICA)
    settled = F.when(F.col("topic") == STATE_TOPIC, forgotten).otherwise(here)
    stuck = judged.where((age >= bound) & settled)
    return evidence_of(
        Evidence, stuck, delivered=conditions.first_names("delivered"), absent=conditions.first_names("absent")
    )


def explain(e: Evidence) -> Explanation:
    """Put the finding into words."""
    waited = span(e.record.age_ms)
    used_up = (last_epoch.used_up(e.transactional_id),) if e.producer_epoch >= EXHAUSTED_FROM else ()
    where = "its Complete record is missing" if e.at_state or _unseen(e) else f"the marker is not in {e.place}"
    return Explanation(
        headline=f"{e.decision} was decided for {e.transactional_id} {waited} ago and {where}",
        label=f"stuck in {e.state}",
        confidence=_confidence(e),
        steps=(
            Step(
                f"{e.owner} has been {e.state} since {moment(e.decided_ms)}: that is its newest record", e.decision_ref
            ),
            Step(f"that is {waited} ago; markers take less than {span(e.marker_bound_ms)} in this capture"),
            *_here(e),
            *step_if(e.delivered, f"{e.delivered} {'have' if ', ' in (e.delivered or '') else 'has'} the marker"),
            *step_if(e.absent, f"not known, because not in this capture: {e.absent}"),
            *(Step(one) for one in e.record.steps),
        ),
        cause=(*used_up, *e.record.causes, *_stuck(e)),
        refuted_by=f"a Complete record of {e.transactional_id} in a newer copy of {STATE_TOPIC}-{e.state_partition}",
        otherwise=None if e.of_leader else conditions.ended_since(e.state_partition),
        settled_by=_settled_by(e),
        action=_action(e),
    )


def _confidence(e: Evidence) -> Confidence:
    """Return how sure it is: by a marker that is missing, and by a state partition of which nothing is."""
    log_lacks_it = not e.at_state and not _unseen(e)
    newest_is_here = e.state_sound and e.of_leader and not e.record.unreplicated
    return ("possible", "likely", "certain")[0 if e.overtaken else log_lacks_it + newest_is_here]


def _settled_by(e: Evidence) -> str | None:
    told = e.absent if e.at_state else e.record.settled_by
    return told if told or e.of_leader else conditions.leaders_copy(e.state_partition)


def _unseen(e: Evidence) -> bool:
    """Return whether no file of the partition is here: it is on the list, and nothing more is known of it."""
    return e.first_offset is None and e.place in (e.absent or "").split(", ")


def _here(e: Evidence) -> tuple[Step, ...]:
    if e.at_state:
        return ()
    if _unseen(e):
        return (Step(f"{e.place} is on its list; no file of that partition is here"),)
    if e.first_offset is None:
        return (Step(f"{e.place} is on its list, and has neither open data nor the marker"),)
    return (Step(f"{e.place} {offsets(e.first_offset, e.last_offset)} is open; no marker follows", e.first_ref),)


FORGOT = Cause(
    f"the coordinator forgot what it waits for when an answer to older markers came ({PENDING_MARKERS_LOST.named()})",
    bug=PENDING_MARKERS_LOST, among="stuck",
)  # fmt: skip


def _stuck(e: Evidence) -> tuple[Cause | str, ...]:
    if not e.at_state:
        coordinator = f"the coordinator, leader of {STATE_TOPIC}-{e.state_partition}"
        refuses = f"{e.place} has no leader, or its leader refuses the marker"
        return (
            Cause(f"{refuses} (a foreign epoch fences it, PID001)", among="stuck"),
            Cause(f"{coordinator}, is down or has not loaded the record", among="stuck"),
            FORGOT,
        )
    return (
        Cause(
            "the markers are written again and again, but the Complete record cannot be: the state partition is led by "
            f"a broker that does not own it ({PARTITION_COUNT.issue})",
            names=(PARTITION_COUNT,), among="stuck",
        ),
        FORGOT,
        Cause(
            "the coordinator rejects the answers to its markers: only a build of trunk of late 2025 is known to do so, "
            f"no release from 3.8.0 on ({STRICT_ANSWERS.issue})",
            spared=(PENDING_MARKERS_LOST,), names=(STRICT_ANSWERS,), among="stuck",
        ),
    )  # fmt: skip


def _action(e: Evidence) -> Action:
    bring = f"{e.place}, and the coordinator (leader of {STATE_TOPIC}-{e.state_partition}) if it is down"
    again = "the marker is sent again."
    if e.at_state:
        bring = f"{e.place}, or restart it"
        again = (
            "every log here has its marker: the leader loads the record and sends the markers again. If the record "
            "stays, its client needs another transactional.id until the brokers are fixed."
        )
    return Action(
        kind="wait",
        word="bring back leader",
        summary=e.record.summary(e.place, e.decision, again)
        or f"BRING BACK THE LEADER of {bring}. DO NOT ABORT: {e.decision} is decided, and {again}",
        check=checks.of_id(e.transactional_id, e.state),
        warning="an abort by hand discards committed records" if e.decision == "COMMIT" else None,
        decided=e.decision,
    )


FOUND = Way(("preparing",), Evidence, find, explain, beside=("moments", "state_copies"), needs=("coordinator_states",))
DETECTOR = Detector("TXN006", "critical", FOUND, verdict=True, others=(prepared.ANSWERED,))
