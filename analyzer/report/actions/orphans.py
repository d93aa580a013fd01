"""Steps for transactions whose state no broker looks for: markers by a restart, or an abort by hand (KAFKA-20029)."""

import dataclasses
from collections.abc import Iterator, Sequence

from analyzer.kafka import admin_tools as tools
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.kafka.versions import Brokers
from analyzer.report.actions import ending, keeping
from analyzer.report.actions.steps import Step, commands
from analyzer.report.actions.targets import Target, targets_of
from analyzer.report.document.types import Document, Finding
from analyzer.report.sentences.cells import name
from analyzer.report.sentences.quantities import counted

ENDED = 10
"""Orphaned transactions whose checks and aborts a runbook writes out."""
_DECIDED = {"PrepareCommit": "COMMIT", "PrepareAbort": "ABORT"}


def is_for(finding: Finding) -> bool:
    """Return whether a finding is about such a transaction: asking a coordinator about its id says nothing."""
    return finding["code"] == "RTE004"


def steps(finding: Finding, targets: Sequence[Target], document: Document, brokers: Brokers) -> tuple[Step, ...]:
    """Return what to do about one orphaned state: stop its client, save, have the markers sent, check, end, verify."""
    return _stop(finding, document), *_steps(finding, targets, document, brokers)


def _steps(finding: Finding, targets: Sequence[Target], document: Document, brokers: Brokers) -> tuple[Step, ...]:
    """Return the steps once every broker uses the new count."""
    decision = _DECIDED.get(finding["action"].get("state") or "")
    return (
        keeping.save(finding, targets[0], document, needed=decision == "COMMIT"),
        *(_markers_again(finding, decision) if decision else ()),
        *(step for place in range(len(targets)) for step in _end(targets, place, document, brokers, decision)),
        *keeping.after(finding, targets[0], document),
    )


def _stop(finding: Finding, document: Document) -> Step:
    """Return what comes first: every broker on the new count, and the client of the id stopped."""
    runbook = next((one["id"] for one in document["findings"] if one["code"] == "RTE003"), None)
    first = f" and go through the steps of {runbook}" if runbook else ""
    return Step(
        "stop",
        f"stop the client of {_whose(finding)}{first}: every broker must use the new count",
        answers=("a producer that is started with this id gets another producer id: it cannot end these records",),
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
    targets: Sequence[Target], place: int, document: Document, brokers: Brokers, decision: str | None
) -> Iterator[Step]:
    """Yield the check, the abort and the look afterwards of one transaction, those before it being ended."""
    target = targets[place]
    yield from ending.check(target, f"RTE004 of {target.transactional_id}", None, brokers, by_id=False)
    yield ending.abort(target, brokers, last_resort=decision == "COMMIT")
    yield ending.verify(target, [], document, brokers, targets[:place])


def ended(document: Document, brokers: Brokers) -> Iterator[Step]:
    """Yield for each orphaned transaction of a document its own check and abort; those decided COMMIT come last."""
    found = [one for one in document["findings"] if is_for(one)]
    aborted = [one for one in found if one["action"]["kind"] == "abort"]
    targets = sorted(
        (target for one in aborted for target in targets_of(one, document)),
        key=lambda one: (one.topic, one.partition, one.first_offset),
    )
    if aborted:
        given = [(keeping.rescue_command(document["case"], one["id"]), _whose(one)) for one in aborted[:ENDED]]
        yield Step("save", "optional: keep a copy of the records that the aborts below discard", commands(*given))
    for place in range(len(targets[:ENDED])):
        some = _end(targets, place, document, brokers, None)
        yield from (step if place == 0 else dataclasses.replace(step, answers=()) for step in some)
    if len(targets) > ENDED:
        yield Step("act", f"and {counted(len(targets) - ENDED, 'more orphan')}: see their findings in the JSON report")
    for one in found:
        if one["action"]["kind"] == "save_then_abort":
            yield Step(
                "stop", f"{_whose(one)}: COMMIT is decided, so do not abort it before its markers were sent again"
            )
            yield from _steps(one, targets_of(one, document)[:ENDED], document, brokers)


def _whose(finding: Finding) -> str:
    return name(finding["transactional_id"] or "")
