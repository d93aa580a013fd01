"""The section on open transactions without a timeout: since when, what waits for each, and whom to ask (KIP-939)."""

from collections.abc import Iterator

from analyzer.report.document.group_rows import GroupImpact
from analyzer.report.document.types import Document, OpenTransaction, Partition
from analyzer.report.outline.parts import Item, Section, Text
from analyzer.report.outline.sections import listed
from analyzer.report.sentences.cells import name
from analyzer.report.sentences.gaps import open_words
from analyzer.report.sentences.open_for_long import endless
from analyzer.report.sentences.quantities import counted, duration, few, size
from analyzer.report.sentences.times import Clock

GROUPS = 5
"""Groups that are named for each transaction."""
ASK = (
    "Ask the owner of the id whether its transaction manager commits or aborts, and let that client do it. "
    "forceTerminateTransaction, or a new producer with this id, would abort the transaction, although a commit may "
    "have been decided outside Kafka."
)


def without_timeout(document: Document, clock: Clock) -> Section:
    """Return the open transactions that no coordinator ends; empty where there are none."""
    items = [Item(open_words(one), tuple(_told(one, document, clock))) for one in endless(document)]
    ask = (Text(ASK),) if items else ()
    return listed("Open without a timeout: only their owners end these", items, ask)


def _told(one: OpenTransaction, document: Document, clock: Clock) -> Iterator[str]:
    """Yield since when it is open, what waits at its offset, and which groups."""
    since, captured_at = one.get("without_timeout_since"), document["capture"]["captured_at"]
    if since is not None:
        age = f", for {duration(captured_at - since)}" if captured_at is not None else ""
        yield f"Ongoing since {clock.moment(since)}{age}; its timeout is 2147483647, that is none (two-phase commit)"
    here = [row for row in document["partitions"] if row["authority"] and _same_place(row, one)]
    for row in here:
        held = row["lso"] == max(one["first_offset"], row["log_start_offset"])
        yield f"the LSO is {row['lso']}{'' if held else ', held by another transaction'}: {_waiting(row)}"
    groups = [row["group"] for row in document.get("group_impact") or [] if _same_place(row, one)]
    if groups:
        yield f"groups that wait: {few([*map(name, groups)], GROUPS)}"


def _waiting(row: Partition) -> str:
    records, waiting_bytes = row["blocked_records"], row["blocked_bytes"]
    if records is None:
        return "the files that show what waits are not here"
    return f"{counted(records, 'record')}{'' if waiting_bytes is None else f' ({size(waiting_bytes)})'} wait"


def _same_place(row: Partition | GroupImpact, one: OpenTransaction) -> bool:
    return (row["topic"], row["partition"]) == (one["topic"], one["partition"])
