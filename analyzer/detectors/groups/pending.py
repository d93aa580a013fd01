"""Undecided commits of a group as evidence, what they wait for in words, and what to do about them."""

import dataclasses

from analyzer.detectors import checks
from analyzer.detectors.model import Action, Ref
from analyzer.detectors.subject import OfProducer
from analyzer.detectors.wording import span
from analyzer.kafka.timeouts import has_timeout
from analyzer.tables.moments import moment

HANGS = {
    "hanging_undecided": "its transaction is over its timeout and was not ended",
    "hanging_late_write": "it came after the marker of its own transaction",
    "hanging_never_registered": "its transaction never added this partition",
    "marker_missing_commit": "its transaction was decided COMMIT and the marker is not here",
    "marker_missing_abort": "its transaction was decided ABORT and the marker is not here",
    "hanging_unexplained": "its transaction hangs, and the files do not tell why",
    "orphan_state": "the state of its transaction is where no broker looks for it",
}


@dataclasses.dataclass(frozen=True, slots=True)
class Pending(OfProducer):
    """Undecided commits of one group by one producer id; `standing` is the verdict on its open transaction."""

    group: str
    captured_at: int
    standing: str
    positions: int
    commits: str
    since_ms: int | None
    begun_ms: int | None
    timeout_ms: int | None
    deadline_ms: int | None
    decided_ms: int | None
    state_ref: Ref | None
    first_ref: Ref | None
    last_ref: Ref | None


def until(e: Pending) -> str:
    """Return until when the commits are pending."""
    if _endless(e):
        return f"its transaction is open since {moment(e.begun_ms)} without a timeout, until its owner ends it"
    if e.standing == "in_flight" and e.deadline_ms is not None:
        return f"its transaction runs, until {moment(e.deadline_ms)} at the latest"
    if e.standing == "completing":
        return "its transaction is decided and the markers are on their way"
    if e.standing in HANGS:
        return "its transaction hangs"
    return "the files cannot tell whether its transaction still runs"


def _endless(e: Pending) -> bool:
    """Return whether its transaction runs and no timeout ends it (KIP-939)."""
    return e.standing == "in_flight" and not has_timeout(e.timeout_ms)


def state(e: Pending) -> str:
    """Return what the coordinator says of the transaction."""
    if e.standing == "in_flight" or (e.standing == "hanging_undecided" and e.begun_ms is not None):
        running = span(e.captured_at - (e.begun_ms or 0))
        limit = f"timeout {span(e.timeout_ms or 0)}" if has_timeout(e.timeout_ms) else "without a timeout (KIP-939)"
        return f"the coordinator says Ongoing for {running}, {limit}"
    if e.decided_ms is not None:
        return f"the coordinator decided at {moment(e.decided_ms)}"
    return "what the coordinator says of it"


def action(e: Pending) -> Action:
    """Return what to do, by the standing of the transaction."""
    expect = "Ongoing" if _endless(e) or e.standing == "in_flight" else None
    check = checks.of_id(e.transactional_id or None, expect)
    check = check if check.command else checks.of_partition(e.topic, e.partition, expect)
    if _endless(e):
        return Action(
            kind="wait",
            word="ask the owner",
            summary=f"ASK ITS OWNER: the transaction of {e.who} has no timeout (two-phase commit), so only its client "
            "ends it. Do not abort it without that answer.",
            check=check,
        )  # fmt: skip
    if e.standing == "in_flight":
        return Action(kind="wait", word="wait", summary=f"WAIT. {e.who} ends its transaction, or its timeout does.",
                      check=check)  # fmt: skip
    if e.standing == "completing":
        return Action(kind="wait", word="wait", summary="WAIT. The transaction is decided.", check=check)
    if e.standing in HANGS:
        about = e.who if e.standing == "orphan_state" else e.place
        return Action(
            kind="none",
            word="see its findings",
            summary=f"SEE ITS FINDINGS: end the transaction as {e.standing} of {about} says. Until then let "
            f"no member of {e.group} restart.",
            check=check,
            warning="an abort drops these positions: the group reads again from its last committed ones",
        )
    return Action(kind="fetch", word="check first", check=check,
                  summary="CHECK FIRST whether the transaction still runs. DO NOT ABORT before that.")  # fmt: skip
