"""Steps that end open transactions: stop the producer, look at the cluster, then abort, then look again."""

from collections.abc import Sequence

from analyzer.kafka import admin_tools as tools
from analyzer.kafka.transaction_states import LAST_EPOCH
from analyzer.kafka.versions import ALTER_SUFFICES, LISTS_PRODUCERS, TERMINATES, Brokers
from analyzer.report.actions.checking import NEW, OLD, labelled
from analyzer.report.actions.steps import ASKED, CHECKS, Step, commands
from analyzer.report.actions.targets import Target, owner, stable
from analyzer.report.document.action_types import Owner
from analyzer.report.document.types import UNDER_WAY, Document
from analyzer.report.sentences.cells import name

GROUPS_SHOWN = 3
ALLOWED = f"the owner's answer in {ASKED} allows it"
UNSURE = (
    "if you cannot confirm that it is stopped, make the checks below first; if they match, fence it: "
    "Admin.fenceProducers of the Java client does that, and so does initTransactions of another producer with this id. "
    "Both abort any transaction that the id is running. Neither stops a request that is already on its way: check "
    "again after delivery.timeout.ms"
)
ENDING_STATES = ("PrepareCommit", "PrepareAbort")
BUSY = "in PrepareCommit and PrepareAbort every attempt is answered CONCURRENT_TRANSACTIONS until it times out"
SEEN = (
    "the LSO is the smallest CurrentTransactionStartOffset left, or the log's start if that is higher; if none is "
    "left, it is the high watermark"
)
DONE = "nothing is printed, exit code 0"
ADMIN_API = (
    "$ADMIN is the Admin API of any of its brokers: ADMIN=HOST:9644. The leader asks the id's coordinator first: what "
    "is decided COMMIT is committed"
)
OF_GROUP = (
    "no command: a group holds these positions, and its own request of the Admin API, "
    "/v1/transaction/unsafe_abort_group_transaction/GROUP, asks no coordinator: ask the support of Redpanda first"
)
NO_MARKERS = "kafka-transactions.sh abort does not work here: Redpanda has no WriteTxnMarkers; rpk ends no transaction"
GAUGE = "no tool prints the LSO: the JMX gauge LastStableOffsetLag of the partition's leader falls"


def fence(whose: str, brokers: Brokers, until: str, state: str | None) -> Step:
    """Return the step that keeps the producer from ending the open records itself, `until` something is done.

    `state`: the newest of its id. While its coordinator ends a transaction it fences nobody: InitProducerId is answered
    CONCURRENT_TRANSACTIONS (`TransactionCoordinator.prepareInitProducerIdTransit`).
    """
    text = (
        f"stop every producer with transactional.id {name(whose)}, and keep them stopped until {until}: the marker "
        "of its next transaction in this partition would commit or abort these records as well"
    )
    if state in ENDING_STATES:
        return Step("stop", text, answers=(f"it cannot be fenced while its coordinator says {state}: {BUSY}",))
    only = f"to fence it once the checks below match, Kafka 4.1 and newer; it aborts what the id is running; {BUSY}"
    given = [(tools.force_terminate(whose), only)] if brokers.may_be(TERMINATES) else []
    return Step("stop", text, commands(*given), answers=(UNSURE,))


def keep_out(whose: str) -> Step:
    """Return the step that keeps whoever wrote records with a foreign epoch from writing more."""
    return Step(
        "stop",
        "find out who wrote these records and stop them; until then restrict who may write to the topic. The producers "
        f"of {name(whose)} are fenced here and cannot end them",
    )


def abort(
    target: Target,
    brokers: Brokers,
    conditions: Sequence[str] = (),
    *,
    last_resort: bool = False,
    discards: bool = True,
) -> Step:
    """Return the abort, in the form that the brokers take; a last resort where something better can end it.

    `conditions`: what must hold beside the checks. `discards`: it has records in the log.
    """
    *before, last = (f"{CHECKS} matched", *conditions)
    when = f"{', '.join(before)} and {last}" if before else last
    text = f"{'last resort, ' if last_resort else ''}only if {when}: abort it in {target.place}"
    text += f"; this discards {target.records}" if discards else ""
    if brokers.redpanda:
        return _expire(target, text)
    new = tools.abort_at(target.topic, target.partition, target.first_offset)
    given = [(new, labelled(NEW, brokers))] if brokers.may_be(LISTS_PRODUCERS) else []
    known = brokers.are(ALTER_SUFFICES)
    right = "Alter" if known else "ClusterAction" if known is False else "ClusterAction (Alter is enough from 3.9 on)"
    answers = [f"needs {right} on the cluster"]
    if brokers.may_precede(LISTS_PRODUCERS) and target.producer_id is not None and target.epoch is not None:
        epoch = target.coordinator_epoch or 0
        old = tools.abort_of(target.topic, target.partition, target.producer_id, target.epoch, epoch)
        given.append((old, labelled(OLD, brokers)))
        answers.append(
            f"{OLD}: kafka-transactions.sh of Kafka 3.x; it ends whatever producer {target.producer_id} has open in "
            f"{target.place}, from any offset, and is refused if an epoch is too low"
        )
    return Step("act", text, commands(*given), expect=DONE, answers=tuple(answers), place=target.place)


def _expire(target: Target, text: str) -> Step:
    """Return the abort as Redpanda's brokers take it: by producer id and epoch, through their Admin API."""
    if target.holds_positions:
        return Step("act", text, answers=(OF_GROUP, NO_MARKERS), place=target.place)
    if target.producer_id is None or target.epoch is None:
        asked = "the Admin API of Redpanda ends it by producer id and epoch: the check shows both"
        return Step("act", text, answers=(asked, NO_MARKERS), place=target.place)
    given = tools.expire_at(target.topic, target.partition, target.producer_id, target.epoch)
    return Step("act", text, commands((given, "")), DONE, (ADMIN_API, NO_MARKERS), target.place)


def ask_owner(whose: str, owner: Owner | None = None) -> Step:
    """Return the question that comes before a client is fenced whose restart would commit the transaction."""
    if owner and owner["certain"]:
        text = f"{name(whose)} belongs to {owner['words']} ({owner['ground']}): {owner['first']}"
        return Step("look", text, answers=(owner["restart"], owner["abort"]))
    hint = (f"perhaps it is {owner['words']} ({owner['ground']}): if so, {owner['first']}",) if owner else ()
    return Step(
        "look",
        f"ask the owner of {name(whose)} whether its client commits from a checkpoint (a Flink KafkaSink) or in two "
        "phases; start no producer with this id before the answer: that fences the client",
        answers=(
            *hint,
            (
                "yes: do not abort; restart its job from the last checkpoint or savepoint: it commits the transaction, "
                "or writes its records again if that does not hold it. Go on only if it will never be restarted from "
                "there: these records are then lost, so save them first"
            ),
            "no: go on; its producer gets an error at its next commit and has to send the transaction again",
            "no answer: do not abort",
        ),
    )


def cannot_be_fenced(whose: str) -> Step:
    """Return that no coordinator can end a transaction at the last epoch, and what that leaves (KAFKA-20090)."""
    return Step(
        "look",
        f"do not ask the coordinator to end it: at epoch {LAST_EPOCH} it cannot fence {name(whose)}, and "
        "forceTerminateTransaction and a new producer with this id fail for the same reason; an abort of each "
        "partition works",
        answers=(
            (
                "the coordinator still says Ongoing and ends no other overdue id: upgrade it to Kafka 4.3, and "
                f"give the application of {name(whose)} another transactional.id"
            ),
        ),
    )


def coordinator_ends(whose: str, brokers: Brokers) -> Step:
    """Return how to have the coordinator end a transaction that it still knows, in all its partitions."""
    newer = "kafka-transactions.sh of 4.1 and newer" if brokers.redpanda else labelled("Kafka 4.1 and newer", brokers)
    terminate = (tools.force_terminate(whose), newer)
    given = commands(terminate) if brokers.may_be(TERMINATES) else ()
    other = (
        ""
        if given and brokers.are(TERMINATES)
        else ("; a producer that is started with this transactional.id does it in every version (initTransactions)")
    )
    return Step("act", f"only if {ALLOWED}: have the coordinator abort it in all its partitions{other}", given)


def verify(
    target: Target, groups: list[str], document: Document, brokers: Brokers, before: Sequence[Target] = ()
) -> Step:
    """Return the look afterwards: the transaction is gone, the LSO has moved, the groups go on.

    `before`: transactions that the plan has ended by then.
    """
    lists = brokers.may_be(LISTS_PRODUCERS)
    asked = (tools.describe_producers(target.topic, target.partition), labelled(NEW, brokers))
    shown = [] if target.holds_positions else groups[:GROUPS_SHOWN]
    watched = [(tools.group_positions(group), f"group {name(group)}") for group in shown]
    return Step(
        "verify",
        f"verify: {_moves(target, document, before)}",
        commands(*([asked] if lists else []), *watched),
        expect=f"no row with CurrentTransactionStartOffset {target.first_offset}" if lists else "",
        answers=(
            *((SEEN,) if lists else ()),
            *((GAUGE if not lists else f"{OLD}: {GAUGE}",) if brokers.may_precede(LISTS_PRODUCERS) else ()),
            *(("groups: CURRENT-OFFSET grows and LAG falls",) if watched else ()),
        ),
        place=target.place,
    )


def _moves(target: Target, document: Document, before: Sequence[Target]) -> str:
    """Return where the LSO is before this transaction is ended, and where after."""
    lso = f"the LSO of {target.place}"
    now, _ = stable(target, document, before)
    then, holder = stable(target, document, (*before, target))
    if then is None:
        return f"{lso} moves on"
    if holder is None:
        moves = "is" if now == then else f"moves from {now} to"
        if then < target.first_offset:  # the log here is older than the answer that shows it open
            return f"{lso} {moves} the high watermark"
        markers = 1 + sum(one.place == target.place for one in before)
        return f"{lso} {moves} the high watermark ({then + markers} or later)"
    whose = owner(holder.get("transactional_id"), holder["producer_id"])
    moves = "stays at" if now == then else "moves to"
    if holder["verdict"] in UNDER_WAY:
        return f"{lso} {moves} {then}, or further if the transaction of {whose} that was running there has ended"
    if holder["first_offset"] < then:
        return (
            f"{lso} {moves} {then}, the start of the log: a transaction of {whose} is still open from "
            f"{holder['first_offset']}"
        )
    return f"{lso} {moves} {then}, where a transaction of {whose} is open"
