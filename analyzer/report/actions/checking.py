"""The checks of the cluster before an abort: what they must answer, and what every other answer means."""

import dataclasses

from analyzer.kafka import admin_tools as tools
from analyzer.kafka.versions import DESCRIBES_IDS, LISTS_PRODUCERS, Brokers
from analyzer.report.actions.steps import FIRST_CHECK, Command, Step, commands
from analyzer.report.actions.targets import Target

NEW, OLD = "brokers 2.8 and newer", "brokers before 2.8"
AT_REST = ("Empty", "CompleteCommit", "CompleteAbort")
"""States of an id that runs no transaction: its list of partitions is empty."""
NO_ID = "TransactionalIdNotFoundException"


def check(target: Target, finding_id: str, brokers: Brokers, *, by_id: bool, running: bool = False) -> tuple[Step, ...]:
    """Return the checks of the cluster that must come before the abort, as its brokers allow.

    `by_id`: its coordinator can be asked about the id. `running`: the coordinator still calls it Ongoing.
    """
    steps = (check_partition(target, finding_id, brokers),)
    if not by_id or not brokers.may_be(DESCRIBES_IDS):
        return steps
    if target.transactional_id is None:
        return (*steps, _check_hanging(target, brokers))
    return (*steps, _check_running(target, brokers) if running else _check_id(target, brokers))


def check_partition(target: Target, finding_id: str, brokers: Brokers) -> Step:
    """Return the look at the partition's open transactions; older brokers do not list them, a new capture does."""
    again = (
        f"take a new capture of {target.place} and of __transaction_state, and go on only if it gives {finding_id} "
        "again"
    )
    if not brokers.may_be(LISTS_PRODUCERS):
        return Step("check", again, place=target.place)
    old = (f"{OLD} cannot list producers: {again}",) if brokers.may_precede(LISTS_PRODUCERS) else ()
    columns = (
        ("ProducerId", target.producer_id),
        ("ProducerEpoch", target.epoch),
        ("CurrentTransactionStartOffset", target.first_offset),
    )
    known = ", ".join(f"{name} {value}" for name, value in columns if value is not None)
    return Step(
        "check",
        f"check that the transaction of {target.owner} is still open in {target.place}",
        commands((tools.describe_producers(target.topic, target.partition), labelled(NEW, brokers))),
        expect=f"a row with {known}",
        answers=(
            "no such row, or None as its start offset: it has ended, and nothing is left to abort",
            "another start offset or epoch: another transaction; do not abort, take a new capture",
            *old,
        ),
        place=target.place,
    )


def ask_again(target: Target, finding_id: str, brokers: Brokers) -> Step:
    """Return the look that comes before everything else where only answers of one moment tell of the transaction."""
    return dataclasses.replace(
        check_partition(target, finding_id, brokers),
        stage="look",
        text=f"ask again whether the transaction of {target.owner} is open in {target.place}: no log of it is here",
    )


def _check_hanging(target: Target, brokers: Brokers) -> Step:
    return Step(
        "check",
        "ask whether a coordinator still runs it",
        _asked(tools.find_hanging(target.topic, target.partition), brokers),
        expect=f"a row with ProducerId {target.producer_id}, StartOffset {target.first_offset}",
        answers=("no such row: it is younger than 15 minutes, or a coordinator runs it; do not abort",),
    )


def _check_id(target: Target, brokers: Brokers) -> Step:
    """Return the question whether the id runs a transaction here: no other answer of its coordinator forbids an abort.

    A Complete or Empty state has no partitions (`TransactionMetadata.prepareComplete`); a fence leaves Empty, or
    CompleteAbort where it ended a transaction.
    """
    state, absent = target.id_state, f"{target.place} not in TopicPartitions"
    if state is None:
        expect = f"TransactionState {', '.join(AT_REST[:-1])} or {AT_REST[-1]}; {absent}"
    elif state in AT_REST:
        expect = f"TransactionState {state}; {absent}"
    else:
        expect = NO_ID if state == "tombstone" else f"{absent}, whatever the TransactionState"
    others = [one for one in AT_REST if one != state]
    since = (f"{' or '.join(others)}: also fine: its producer was fenced, or has run since",)
    other = (
        "any other TransactionState: the id runs a transaction elsewhere; stop its producers, ask again after that",
    )
    return _ask_coordinator(
        target,
        brokers,
        expect,
        (
            *(since if state in AT_REST else ()),
            (
                f"{target.place} in TopicPartitions: the id runs a transaction here; do not abort, stop its producers "
                "and take a new capture"
            ),
            *(other if state in (None, *AT_REST) else ()),
            f"{NO_ID}: the id has expired, and no coordinator will end this transaction: also fine",
        ),
    )


def _check_running(target: Target, brokers: Brokers) -> Step:
    return _ask_coordinator(
        target,
        brokers,
        f"TransactionState Ongoing; {target.place} in TopicPartitions",
        (
            "PrepareCommit or PrepareAbort: it is ending; wait, and ask again",
            (
                f"CompleteCommit, CompleteAbort or Empty: it has ended; if {FIRST_CHECK} still shows its row, take a "
                "new capture"
            ),
            f"{NO_ID}: its coordinator does not know it; take a new capture",
        ),
    )


def _asked(command: str | None, brokers: Brokers) -> tuple[Command, ...]:
    return commands((command, labelled("brokers 3.0 and newer", brokers)))


def _ask_coordinator(target: Target, brokers: Brokers, expect: str, answers: tuple[str, ...]) -> Step:
    old = () if brokers.are(DESCRIBES_IDS) else (f"brokers before 3.0 cannot be asked: {FIRST_CHECK} alone decides",)
    given = _asked(tools.describe_id(target.transactional_id or ""), brokers)
    return Step("check", f"ask the coordinator of {target.owner}", given, expect=expect, answers=(*answers, *old))


def labelled(only: str, brokers: Brokers) -> str:
    """Return for which brokers a command is, where the capture does not say which these are."""
    return only if brokers.version is None and not brokers.redpanda else ""
