"""Steps that end open transactions: stop the producer, look at the cluster, then abort, then look again."""

from collections.abc import Sequence

from analyzer.kafka import admin_tools as tools
from analyzer.kafka.versions import (
    ALTER_SUFFICES,
    DESCRIBES_IDS,
    LISTS_PRODUCERS,
    TERMINATES,
    Brokers,
)
from analyzer.report.actions.steps import Step, commands
from analyzer.report.actions.targets import Target, owner, stable_after
from analyzer.report.document.types import Document
from analyzer.report.sentences.cells import name

GROUPS_SHOWN = 3
UNSURE = (
    "not sure that it is stopped: Admin.fenceProducers of the Java client fences it, and so does initTransactions of "
    "another producer with this id; both abort what the id has running now"
)
NEW, OLD = "brokers 2.8 and newer", "brokers before 2.8"


def fence(whose: str, brokers: Brokers) -> Step:
    """Return the step that keeps the producer from ending the open records itself, one way or the other."""
    only = "to fence it, Kafka 4.1 and newer; it aborts what the id has running now"
    given = [(tools.force_terminate(whose), only)] if brokers.may_be(TERMINATES) else []
    return Step(
        "stop",
        f"stop every producer with transactional.id {name(whose)} and start none before the end: the marker of its "
        "next transaction in this partition would end these records too, as COMMIT or as ABORT",
        commands(*given),
        answers=(UNSURE,),
    )


def check(target: Target, finding_id: str, state: str | None, brokers: Brokers, *, by_id: bool) -> tuple[Step, ...]:
    """Return the looks at the cluster that must come before the abort, as its brokers allow.

    `by_id`: its coordinator can be asked about the id.
    """
    steps = [check_partition(target, brokers)] if brokers.may_be(LISTS_PRODUCERS) else []
    if brokers.may_precede(LISTS_PRODUCERS):
        only = f"{OLD} cannot list producers: " if brokers.version is None else ""
        steps.append(
            Step(
                "check",
                f"{only}take a new capture of {target.place} and of __transaction_state, and go on only if it gives "
                f"{finding_id} again",
            )
        )
    if by_id and brokers.may_be(DESCRIBES_IDS):
        steps += _check_id(target, state, brokers)
    return tuple(steps)


def check_partition(target: Target, brokers: Brokers) -> Step:
    """Return the look at the partition's open transactions, of brokers that list them."""
    return Step(
        "check",
        f"check that the transaction of {target.owner} is still open in {target.place}",
        commands((tools.describe_producers(target.topic, target.partition), _label(NEW, brokers))),
        expect=expected_row(target),
        answers=(
            "no such row, or None as its start offset: it has ended; nothing is left to abort",
            "another start offset or epoch: another transaction; do not abort, take a new capture",
        ),
    )


def expected_row(target: Target) -> str:
    """Return the columns of describe-producers by which a reader knows the transaction."""
    columns = (
        ("ProducerId", target.producer_id),
        ("ProducerEpoch", target.epoch),
        ("CurrentTransactionStartOffset", target.first_offset),
    )
    return "a row with " + ", ".join(f"{name} {value}" for name, value in columns if value is not None)


def _check_id(target: Target, state: str | None, brokers: Brokers) -> list[Step]:
    only = _label("brokers 3.0 and newer", brokers)
    if target.transactional_id is None:
        return [
            Step(
                "check",
                "ask whether a coordinator still knows it as running",
                commands((tools.find_hanging(target.topic, target.partition), only)),
                expect=f"a row with ProducerId {target.producer_id}, StartOffset {target.first_offset}",
                answers=("no such row: it is younger than 15 minutes, or a coordinator runs it; do not abort",),
            )
        ]
    runs = f"Ongoing with {target.place} in TopicPartitions: the id runs a transaction here; do not abort, "
    expect = f"TransactionState {state}" if state else ""
    return [
        Step(
            "check",
            f"ask the coordinator of {name(target.transactional_id)}",
            commands((tools.describe_id(target.transactional_id), only)),
            expect=expect,
            answers=() if state == "Ongoing" else (runs + "stop it and take a new capture",),
        )
    ]


def abort(target: Target, brokers: Brokers, *, last_resort: bool = False, discards: bool = True) -> Step:
    """Return the abort, in the form that the brokers take; a last resort where the coordinator can end it.

    `discards`: it has records in the log.
    """
    new = tools.abort_at(target.topic, target.partition, target.first_offset)
    given = [(new, _label(NEW, brokers))] if brokers.may_be(LISTS_PRODUCERS) else []
    answers = [_right(brokers)]
    if brokers.may_precede(LISTS_PRODUCERS) and target.producer_id is not None and target.epoch is not None:
        known = target.coordinator_epoch or 0
        old = tools.abort_of(target.topic, target.partition, target.producer_id, target.epoch, known)
        given.append((old, _label(OLD, brokers)))
        answers.append(
            f"{OLD}: kafka-transactions.sh of Kafka 3.x; it ends whatever producer {target.producer_id} has open in "
            f"{target.place}, from any offset, and is refused if an epoch is too low"
        )
    before = "only if the check answered so"
    if last_resort:
        before = "last resort, with its producer stopped and if the check answered so"
    return Step(
        "act",
        f"{before}: abort it in {target.place}" + (f"; this discards {target.records}" if discards else ""),
        commands(*given),
        expect="nothing is printed, exit code 0",
        answers=tuple(answers),
    )


def _right(brokers: Brokers) -> str:
    known = brokers.are(ALTER_SUFFICES)
    right = "Alter" if known else "ClusterAction" if known is False else "ClusterAction (Alter is enough from 3.9 on)"
    return f"needs {right} on the cluster; with security, --command-config FILE before the word abort"


def coordinator_ends(whose: str, brokers: Brokers) -> Step:
    """Return how to have the coordinator end a transaction that it still knows, in all its partitions."""
    terminate = (tools.force_terminate(whose), _label("Kafka 4.1 and newer", brokers))
    given = commands(terminate) if brokers.may_be(TERMINATES) else ()
    other = (
        ""
        if given and brokers.are(TERMINATES)
        else ("; a producer that is started with this transactional.id does it in every version (initTransactions)")
    )
    return Step("act", f"have the coordinator abort it in all its partitions{other}", given)


def verify(
    target: Target, groups: list[str], document: Document, brokers: Brokers, before: Sequence[Target] = ()
) -> Step:
    """Return the look afterwards: the transaction is gone, the LSO has moved, the groups go on.

    `before`: transactions that the plan has ended by then.
    """
    given = [(tools.describe_producers(target.topic, target.partition), _label(NEW, brokers))]
    told = tuple(given) if brokers.may_be(LISTS_PRODUCERS) else ()
    shown = [] if target.holds_positions else groups[:GROUPS_SHOWN]
    watched = [(tools.group_positions(group), f"group {name(group)}") for group in shown]
    answers = ("groups: CURRENT-OFFSET grows and LAG falls",) if watched else ()
    return Step(
        "verify",
        f"verify: the LSO of {target.place} {_moves(target, document, before)}",
        commands(*told, *watched),
        expect=f"no row with CurrentTransactionStartOffset {target.first_offset}" if told else "",
        answers=answers,
    )


def _moves(target: Target, document: Document, before: Sequence[Target]) -> str:
    bound, holder = stable_after(target, document, before)
    if bound is None:
        return "moves on"
    if holder is None:
        return f"moves from {target.first_offset} to the high watermark ({bound} or later)"
    whose = owner(holder.get("transactional_id"), holder["producer_id"])
    if bound < target.first_offset:
        return f"stays at {bound}, where a transaction of {whose} is open"
    return f"moves to {bound}, where a transaction of {whose} is open"


def _label(only: str, brokers: Brokers) -> str:
    return only if brokers.version is None else ""
