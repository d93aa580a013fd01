"""What the findings from pasted answers rest on, and the words that they share (RULES F 1 to 4)."""

import dataclasses

from analyzer.detectors.causes import Cause
from analyzer.detectors.model import Ref, Step, step_if
from analyzer.detectors.wording import producer, span, table_of, writer
from analyzer.kafka.known_bugs.coordinator import STALE_ANSWERS, STALE_LISTS
from analyzer.tables.moments import moment


@dataclasses.dataclass(frozen=True, slots=True)
class Answered:
    """A transaction that pasted answers show: `topic` is None where only its id's state is told."""

    topic: str | None
    partition: int | None
    replica: str
    transactional_id: str | None
    producer_id: int
    producer_epoch: int | None
    state: str | None
    timeout_ms: int | None
    started_ms: int | None
    last_ms: int | None
    first_offset: int | None
    standing: str
    raced: bool
    answered_at: int | None
    state_at: int | None
    max_timeout_ms: int
    seen_ms: int | None
    state_between: bool
    prepared_ms: int | None
    open_ref: Ref | None
    first_ref: Ref | None
    state_ref: Ref | None
    follower: int | None
    led_by: str | None
    open_by: str | None
    place_by: str | None
    denied: bool
    unled_by: str | None


ASKING_MS = 60_000
"""Longer than a tool takes to ask leaders and coordinators, and than markers take (RULES A 11)."""


def otherwise(what: str | None) -> Cause:
    """Return what it could be instead: `what`, and in every case an answer of a former coordinator or leader."""
    stale = (
        "an outdated answer, which a former coordinator may give for some seconds after an election "
        f"({STALE_ANSWERS.issue}, {STALE_LISTS.issue}): ask again a minute later, and compare CoordinatorId with the "
        "leader of its partition of __transaction_state"
    )
    return Cause(f"{what}; or {stale}" if what else stale, names=(STALE_ANSWERS, STALE_LISTS))


UNNAMED = "describe names them"
"""What stands for the partitions of a transaction where no row tells them."""


def who(e: Answered) -> str:
    """Return the transactional id, or the producer."""
    return writer(e.transactional_id, e.producer_id)


def place(e: Answered) -> str:
    """Return the partition, or what stands for it where no row tells it."""
    return UNNAMED if e.topic is None else f"{e.topic}-{e.partition}"


def at(asked_ms: int | None) -> str:
    """Return when tools were asked, as far as their rows tell."""
    return "at an unknown time" if asked_ms is None else f"at {moment(asked_ms)}"


def open_step(e: Answered) -> tuple[Step, ...]:
    """Say what the partition's leader answered, or the replica that was asked in its place."""
    if e.open_ref is None:
        return ()
    since = "" if e.last_ms is None else f"; its last batch is of {moment(e.last_ms)}"
    by = f"the leader of {place(e)}" if e.follower is None else f"broker {e.follower}, a follower of {place(e)},"
    text = (
        f"{by} has a transaction of {producer(e.producer_id, e.producer_epoch)} open from offset "
        f"{e.first_offset}{since}{table_of(e.place_by, place(e))}"
    )
    before = f"it was open from the same offset {span(e.seen_ms or 0)} before"
    return Step(text, e.open_ref), *step_if(e.seen_ms is not None, before, e.first_ref)


def twice(e: Answered) -> bool:
    """Return whether two answers, further apart than any question takes, show the same transaction open."""
    return e.seen_ms is not None and e.seen_ms > ASKING_MS


def state_step(e: Answered) -> tuple[Step, ...]:
    """Say what the coordinator answered."""
    since = "" if e.started_ms is None else f", begun {moment(e.started_ms)}"
    asked = at(e.answered_at if e.state_at is None else e.state_at)
    limit = "" if e.timeout_ms is None else f", timeout {span(e.timeout_ms)}"
    return step_if(e.state_ref, f"its coordinator answered {asked}: {who(e)} is {e.state}{since}{limit}", e.state_ref)
