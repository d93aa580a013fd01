"""What to do about an open transaction, by what was decided, in one sentence and a kind."""

from analyzer.detectors import checks
from analyzer.detectors.model import Action
from analyzer.detectors.subject import OfData
from analyzer.detectors.wording import counted
from analyzer.kafka.topics import OFFSETS_TOPIC
from analyzer.tables.action_words import ActionWord

NOTHING_LOST = "nothing acknowledged as committed is lost"


def abort(e: OfData, why: str, state: str | None, *, hangs: bool = True, decided: str | None = None) -> Action:
    """Return the action that ends the transaction as aborted, and `why` that is right.

    `hangs`: it does so for certain or likely; what only possibly hangs must be checked first.
    """
    word: ActionWord = "abort" if hangs else "check first"
    text = f"{'ABORT IT once the checks match' if hangs else 'CHECK FIRST, then abort'}. {why}"
    return Action(kind="abort", word=word, summary=text, state=state, discards=e.records, decided=decided)


def save_then_abort(e: OfData, why: str, state: str | None, decided: str | None = None) -> Action:
    """Return the action that saves the records first, because an abort discards them, and `why`."""
    return Action(
        kind="save_then_abort",
        word="do not abort yet",
        summary=f"DO NOT ABORT YET. {why}",
        state=state,
        warning=f"an abort discards {lost(e)}",
        loses_records=e.records,
        discards=e.records,
        decided=decided,
    )


def perhaps_commit(e: OfData, told: str, state: str | None, decided: str | None = None) -> Action:
    """Return what to do with records that are committed, or may be, by what is `told` of them."""
    why = f"{told}. kafka-transactions.sh can only write ABORT, which discards {believed(e)}."
    return save_then_abort(e, why, state, decided)


def lost_commit(e: OfData, state: str | None) -> Action:
    """Return what to do if the marker of a decided COMMIT will not come any more."""
    return perhaps_commit(e, "The coordinator decided COMMIT", state, "COMMIT")


def as_decided(e: OfData, why: str, state: str | None) -> Action:
    """Return the action that ends the transaction as aborted where `why` says that ABORT is what was decided."""
    return abort(e, f"{why}: {NOTHING_LOST}.", state, decided="ABORT")


def lost_abort(e: OfData, state: str | None) -> Action:
    """Return what to do if the marker of a decided ABORT will not come any more."""
    return as_decided(e, "The coordinator decided ABORT, and the command writes just that marker", state)


def wrongly_ended(decision: str, where: str) -> Action:
    """Return what to do about data that a marker against its own decision has ended: nothing takes it back."""
    if decision == "COMMIT":
        text = f"{where} was committed, but readers do not get it: it has to be sent again."
        return Action(kind="none", word="notify the producer", summary=f"NOTIFY THE PRODUCER'S OWNERS. {text}")
    text = f"{where} was aborted, but read_committed readers got it: undo its effects downstream."
    return Action(kind="none", word="notify consumers", summary=f"NOTIFY THE CONSUMERS' OWNERS. {text}")


def wait_for_coordinator(e: OfData, decision: str, expect: str | None) -> Action:
    """Return what to do while the coordinator will still write the marker."""
    danger = "an abort by hand discards committed records" if decision == "COMMIT" else None
    return Action(
        kind="wait",
        word="bring back leader",
        summary=f"BRING BACK THE LEADER of {e.place}, and the coordinator if it is down. DO NOT ABORT: "
        f"{decision} is decided, and the coordinator keeps sending the marker.",
        check=checks.of_id(e.transactional_id, expect),
        warning=danger,
        decided=decision,
    )


def lost(e: OfData) -> str:
    """Return what an abort discards: "7 records", in `__consumer_offsets` "2 offset commits"."""
    return counted(e.records, "offset commit" if e.topic == OFFSETS_TOPIC else "record")


def believed(e: OfData) -> str:
    """Return that with what its producer may believe: "2 records that the producer may believe are committed"."""
    return f"{lost(e)} that the producer may believe {'is' if e.records == 1 else 'are'} committed"
