"""Steps for transactions whose state no broker looks for: markers by a restart, or an abort by hand (KAFKA-20029)."""

from collections.abc import Iterator, Sequence

from analyzer.kafka import admin_tools as tools
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.kafka.versions import Brokers
from analyzer.report.actions import checking, ending, keeping
from analyzer.report.actions.steps import STOPPED, Step, commands
from analyzer.report.actions.targets import Target, targets_of
from analyzer.report.document.action_types import ENDS_IT
from analyzer.report.document.types import Document, Finding
from analyzer.report.sentences.action_words import asks_owner
from analyzer.report.sentences.cells import name
from analyzer.report.sentences.commands import NOT_KEPT, rescue_finding
from analyzer.report.sentences.quantities import counted

ENDED = 10
"""Orphaned transactions whose checks and aborts a runbook writes out."""
ALL_NEW = "every broker uses the new count"
STOPPED_CLIENTS = f"{STOPPED} is done"
_DECIDED = {"PrepareCommit": "COMMIT", "PrepareAbort": "ABORT"}


def is_for(finding: Finding) -> bool:
    """Return whether a finding is about such a transaction: asking a coordinator about its id says nothing."""
    return finding["code"] == "RTE004"


def steps(finding: Finding, targets: Sequence[Target], document: Document, brokers: Brokers) -> tuple[Step, ...]:
    """Return what to do about one orphaned state: ask, stop its client, save, have markers sent, check, end, verify."""
    whose = _whose(finding)
    ask = Step(
        "look",
        f"ask the owner of {whose} whether its client commits from a checkpoint (a Flink KafkaSink) or in two phases",
        answers=(
            (
                "yes, or no answer: its job believes that these records are committed and does not send them again, so "
                "a copy must be kept"
            ),
            "no: go on; its client sends the transaction again",
        ),
    )
    runbook = next((one["id"] for one in document["findings"] if one["code"] == "RTE003"), None)
    first = f" and go through the steps of {runbook}" if runbook else ""
    stop = Step(
        "stop",
        f"stop the client of {whose}{first}: every broker must use the new count",
        answers=("a producer that is started with this id gets another producer id: it cannot end these records",),
    )
    return (*([ask] if asks_owner(finding) else []), stop, *_steps(finding, targets, document, brokers))


def _steps(finding: Finding, targets: Sequence[Target], document: Document, brokers: Brokers) -> tuple[Step, ...]:
    """Return the steps once every broker uses the new count."""
    decision = _DECIDED.get(finding["action"].get("state") or "")
    committed = finding["action"]["kind"] == "save_then_abort"
    if not targets:  # the files that are here do not show the data that it leaves open
        return _markers_again(finding, decision) if decision else ()
    accepted = keeping.conditions(finding, targets[0], document) if committed else ()
    conditions = (STOPPED_CLIENTS, ALL_NEW, *accepted)
    return (
        keeping.save(finding, targets[0], document, brokers, needed=decision == "COMMIT"),
        *(_markers_again(finding, decision) if decision else ()),
        *(
            step
            for place in range(len(targets))
            for step in _end(targets, place, document, brokers, conditions, last_resort=committed)
        ),
        *keeping.after(finding, targets[0], document),
    )


def _markers_again(finding: Finding, decision: str) -> tuple[Step, ...]:
    """Return the restart by which the leader of the state's partition sends the decided markers once more."""
    place = f"{STATE_TOPIC}-{finding['partition']}"
    return (
        Step(
            "look",
            f"see which broker leads {place}",
            commands((tools.describe_topic(STATE_TOPIC), "")),
            expect=f"a line with Partition: {finding['partition']} and its Leader",
        ),
        Step(
            "act",
            f"restart that broker: it loads the {finding['action'].get('state')} record and sends the {decision} "
            "markers again",
            answers=("the record stays, and each restart sends the markers once more: that does no harm",),
        ),
    )


def _end(
    targets: Sequence[Target],
    place: int,
    document: Document,
    brokers: Brokers,
    conditions: Sequence[str],
    *,
    last_resort: bool = False,
) -> Iterator[Step]:
    """Yield the check, the abort and the look afterwards of one transaction, those before it being ended.

    Its coordinator is not asked: the id has another producer there.
    """
    target = targets[place]
    yield from checking.check(target, f"RTE004 of {target.owner}", brokers, by_id=False)
    yield ending.abort(target, brokers, conditions, last_resort=last_resort)
    yield ending.verify(target, [], document, brokers, targets[:place])


def ended(document: Document, brokers: Brokers) -> Iterator[Step]:
    """Yield for each orphaned transaction of a document its own check and abort; those that are decided come last."""
    found = [one for one in document["findings"] if is_for(one)]
    decided = [one for one in found if one["action"]["kind"] in ENDS_IT and one["action"].get("state") in _DECIDED]
    aborted = [one for one in found if one["action"]["kind"] == "abort" and one not in decided]
    targets = sorted(
        (target for one in aborted for target in targets_of(one, document)),
        key=lambda one: (one.topic, one.partition, one.first_offset),
    )
    if aborted:
        yield _kept(aborted, document)
    for place in range(len(targets[:ENDED])):
        yield from _end(targets, place, document, brokers, (STOPPED_CLIENTS, ALL_NEW))
    if len(targets) > ENDED:
        yield Step("act", f"and {counted(len(targets) - ENDED, 'more orphan')}: see their findings in the JSON report")
    for one in decided:
        decision = _DECIDED[one["action"].get("state") or ""]
        told = f"{_whose(one)}: {decision} is decided, so do not abort it before its markers have been sent again"
        yield Step("look", told)
        yield from _steps(one, targets_of(one, document)[:ENDED], document, brokers)


def _kept(aborted: Sequence[Finding], document: Document) -> Step:
    """Return the step that saves what the aborts of undecided orphans discard, and says why these are safe."""
    given = [
        (rescue_finding(document, one["id"]), f"{_whose(one)}, {one['action'].get('state')}") for one in aborted[:ENDED]
    ]
    known = [one["action"].get("discards") for one in aborted]
    number = sum(one for one in known if one is not None)
    records = "records" if None in known else counted(number, "record")
    return Step(
        "save",
        f"optional: keep a copy of the {records} that the aborts below discard",
        commands(*given),
        answers=(
            (
                "ask their owners first. Nothing was decided, and no coordinator can commit these records any more, "
                "but a client that commits from a checkpoint (a Flink KafkaSink) or in two phases believes that they "
                "are committed and does not send them again: then keep that copy"
            ),
            (
                "do not ask the coordinator about these ids: it does not know them, or answers for their newer "
                "producers, and it ends none of these transactions"
            ),
            *(() if document["case"] else (NOT_KEPT,)),
        ),
        records=True,
    )


def idle(document: Document) -> Iterator[Step]:
    """Yield what to do about orphaned states without open data in the capture: nothing is left to end there."""
    found = [one for one in document["findings"] if is_for(one) and one["action"]["kind"] == "none"]
    if not found:
        return
    told = [f"{_state(one)} of {one['transactional_id']}" for one in found[:ENDED]]
    more = len(found) - ENDED
    yield Step(
        "look",
        f"leave {counted(len(found), 'more orphaned state')} alone: no data of these is open in this capture, so there "
        "is nothing to abort, and no committed record waits for a marker here",
        answers=(*told, *((f"and {more} more in the JSON report",) if more > 0 else ())),
    )


def _state(finding: Finding) -> str:
    """Return the state that no broker looks for."""
    return next((one["value"] for one in finding.get("columns") or [] if one["head"] == "state"), "a state")


def _whose(finding: Finding) -> str:
    return name(finding["transactional_id"] or "")
