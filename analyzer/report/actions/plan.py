"""The plan of a finding: its steps in a safe order, from the kind of its action, its topic and the brokers' version."""

import dataclasses
from collections.abc import Sequence
from typing import Any

from analyzer.kafka import admin_tools
from analyzer.kafka.known_bugs.coordinator import LAST_EPOCH_STOPS_TIMEOUTS
from analyzer.kafka.transaction_states import LAST_EPOCH
from analyzer.kafka.versions import DESCRIBES_IDS, LISTS_PRODUCERS, Brokers, brokers_of
from analyzer.report.actions import checking, ending, expansion, keeping, leading, orphans, positions, rescuing
from analyzer.report.actions.steps import RESTORED, VERIFIED, Step, commands, numbered, written
from analyzer.report.actions.targets import Target, opened_of, targets_of
from analyzer.report.document.action_types import ENDS_IT, Action
from analyzer.report.document.types import Document, Finding
from analyzer.report.sentences.action_words import asks_owner

RUNNING = frozenset({"TXN001"})
"""Findings whose transaction its coordinator still knows, always."""
SINCE = {"describe-producers": LISTS_PRODUCERS, "describe": DESCRIBES_IDS, "find-hanging": DESCRIBES_IDS}
"""Subcommands of kafka-transactions.sh, and the oldest brokers that answer them."""
ENDED = 10
"""Transactions that one plan ends; more are in the list of open transactions."""


def plan(finding: Finding, document: Document) -> tuple[Step, ...]:
    """Return what to do about a finding, step by step: stop, save, check, act, verify, restore.

    It is made once, with the document (`with_plans`); who reads the document takes `steps.steps_of`.
    """
    return numbered(_plan(finding, document))


def _plan(finding: Finding, document: Document) -> tuple[Step, ...]:
    action, whose, capture = finding["action"], finding["transactional_id"], document["capture"]
    is_redpanda = bool(capture.get("redpanda"))  # its versions are not Kafka's
    brokers = Brokers(None, redpanda=True) if is_redpanda else brokers_of(capture.get("kafka_version"))
    if expansion.is_for(finding):
        return expansion.runbook(document, brokers)
    if action["kind"] == "rescue":
        return rescuing.steps(finding, document)
    if action["kind"] not in ENDS_IT:
        return _look(action, brokers)
    targets = targets_of(finding, document)[:ENDED]
    owner = _asked(finding, whose) if _runs(finding) and whose is not None else ()
    if not targets:
        if not owner or whose is None:
            return _look(action, brokers)
        ends = () if _cannot_be_fenced(finding) else (ending.coordinator_ends(whose, brokers),)
        return (*_look(action, brokers), *owner, *ends)
    led = leading.leaders_first(targets, document)
    if orphans.is_for(finding):
        return (*led, *orphans.steps(finding, targets, document, brokers))
    ended = [step for place in range(len(targets)) for step in _end(finding, targets, place, document, brokers)]
    before = [*_stop(finding, targets[0], document, brokers), *_save(finding, targets[0], document, brokers)]
    log_here = opened_of(document).health_of(targets[0].topic, targets[0].partition) is not None
    again = () if log_here or owner else (checking.ask_again(targets[0], finding["id"], brokers),)
    return (*owner, *led, *again, *before, *ended, *keeping.after(finding, targets[0], document))


def _runs(finding: Finding) -> bool:
    """Return whether the coordinator still says Ongoing: it can end the transaction, and its client can commit it."""
    return finding["code"] in RUNNING or (asks_owner(finding) and not orphans.is_for(finding))


def _asked(finding: Finding, whose: str) -> tuple[Step, ...]:
    """Return the question to the owner of an id, and that its coordinator cannot end it where that is so."""
    no_end = (ending.cannot_be_fenced(whose),) if _cannot_be_fenced(finding) else ()
    return (ending.ask_owner(whose, finding.get("owner")), *no_end)


def _cannot_be_fenced(finding: Finding) -> bool:
    """Return whether its coordinator throws at every attempt to end it, as brokers with this bug do (RULES A 10 h)."""
    named = [bug["issue"] for bug in finding.get("known_bugs") or [] if bug["shown"]]
    return finding["producer_epoch"] == LAST_EPOCH and LAST_EPOCH_STOPS_TIMEOUTS.issue in named


def with_plans(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with the steps of every action."""
    told: Any = document
    found = [_planned(one, told) for one in document["findings"]]
    return document | {"findings": found}


def _planned(finding: Any, document: Document) -> dict[str, Any]:  # noqa: ANN401 - a row that becomes a Finding
    """Return a finding with the steps of its action, and with a summary that begins as they do."""
    told: dict[str, Any] = finding | {"action": filled(_presumed(finding, document), plan(finding, document))}
    if finding["action"]["kind"] not in ENDS_IT:
        return told
    return leading.summarized(told, targets_of(finding, document)[:ENDED], document)


def _presumed(finding: Finding, document: Document) -> Action:
    """Return the action of a finding; an abort presumes the newest state of the id that the capture shows."""
    action = finding["action"]
    if orphans.is_for(finding) or action["kind"] not in ENDS_IT:
        return action
    known = [one.id_state for one in targets_of(finding, document)[:1] if one.id_state is not None]
    return {**action, "state": known[0]} if known else action


def filled(action: Action, steps: tuple[Step, ...]) -> Action:
    """Return the action with its steps, and with the first command of each kind under the names of the contract."""
    told: dict[str, Any] = dict(action)
    for key, stage in (("save_command", "save"), ("check_command", "check"), ("command", "act")):
        first = next((step for step in steps if step.stage == stage and step.commands), None)
        if first is None or first.commands[0].text is None or (stage == "save" and not first.records):
            continue
        told[key] = first.commands[0].text
        if stage == "check":
            told["check_expect"] = first.expect
    told["steps"] = [written(step) for step in steps]
    return told  # type: ignore[return-value]


def _look(action: Action, brokers: Brokers) -> tuple[Step, ...]:
    """Return the look at the cluster that an action without an abort names, if it names one that its brokers answer."""
    asked = action.get("check_command")
    since = SINCE.get(action.get("check_subcommand") or "")
    if not asked or (since is not None and not brokers.may_be(since)):
        return ()
    reads = action.get("check_tool") == admin_tools.CONSUMER_TOOL
    given = commands(*(admin_tools.forms(asked, brokers) if reads else ((asked, ""),)))
    return (Step("look", "look at it with:", given, expect=action.get("check_expect") or ""),)


def _stop(finding: Finding, target: Target, document: Document, brokers: Brokers) -> tuple[Step, ...]:
    """Return how to keep the producer from deciding the open records; not where its coordinator or nobody can."""
    whose, gone = finding["transactional_id"], finding["action"].get("discards") == 0
    if whose is None or gone or _runs(finding):
        return ()
    if finding["code"] in keeping.FOREIGN:
        return (ending.keep_out(whose),)
    waits = target.holds_positions and positions.stops(target, document, finding)
    return (ending.fence(whose, brokers, RESTORED if waits else VERIFIED, target.id_state),)


def _save(finding: Finding, target: Target, document: Document, brokers: Brokers) -> tuple[Step, ...]:
    if finding["action"].get("discards") == 0:
        return ()
    needed = finding["action"]["kind"] == "save_then_abort"
    if target.holds_positions:
        return positions.kept(target, document, finding) if needed else positions.halted(target, document)
    return (keeping.save(finding, target, document, brokers, needed=needed),)


def _end(
    finding: Finding, targets: Sequence[Target], place: int, document: Document, brokers: Brokers
) -> tuple[Step, ...]:
    """Return the steps that end one of the targets, those before it being ended."""
    target, running = targets[place], _runs(finding)
    by_coordinator = running and not _cannot_be_fenced(finding)
    return (
        *checking.check(target, finding["id"], brokers, by_id=True, running=running),
        *(_by_coordinator(finding, target, brokers) if by_coordinator else ()),
        ending.abort(
            target,
            brokers,
            (ending.ALLOWED, "its producer is stopped") if running else keeping.conditions(finding, target, document),
            last_resort=by_coordinator,
            discards=finding["action"].get("discards") != 0,
        ),
        ending.verify(target, positions.waiting_groups(finding), document, brokers, targets[:place]),
    )


def _by_coordinator(finding: Finding, target: Target, brokers: Brokers) -> tuple[Step, ...]:
    """Return how the coordinator ends it, and the look whether it did: an abort by hand is the last resort."""
    whose = finding["transactional_id"]
    if whose is None:
        return ()
    again = checking.check_partition(target, finding["id"], brokers)
    return (
        ending.coordinator_ends(whose, brokers),
        dataclasses.replace(again, text=f"some seconds later, {again.text}: an abort by hand is the last resort"),
    )
