"""What is folded under an incident in other places, and the orphaned transactions that must be ended by hand."""

from collections.abc import Iterator, Sequence

from analyzer.report.document.parts import grouped
from analyzer.report.document.types import SEVERITIES, Document, Finding, OpenTransaction
from analyzer.report.outline.parts import Drawing, Item, Part, Text
from analyzer.report.sentences.action_words import action_word
from analyzer.report.sentences.cells import aligned, name, visible
from analyzer.report.sentences.gaps import open_words
from analyzer.report.sentences.quantities import counted, duration, span
from analyzer.report.triage.incident import Incident, where

SHOWN, ALIKE, ROWS = 20, 4, 10
"""Lines of single findings, findings that make a table, rows of a table."""
DECIDED = {
    "Ongoing": "nothing was decided", "PrepareAbort": "ABORT was decided", "PrepareCommit": "COMMIT was decided",
}  # fmt: skip
_ABOUT = ("topic", "partition", "transactional_id", "group")
ORPHANED = "Orphaned: neither their clients nor a timeout can end these"


def folded_elsewhere(incident: Incident) -> tuple[Part, ...]:
    """Return what is folded about another place or id than the head, the gravest first, and how many are left out.

    Several of one code and label are a table. What is folded in the head's own place is named by its code alone.
    """
    head = incident.finding
    others = [one for one in incident.folded if any(one.get(name) not in (None, head.get(name)) for name in _ABOUT)]
    others.sort(key=lambda one: (SEVERITIES[one["severity"]], one["code"], one["topic"] or "", one["partition"] or 0))
    shapes = grouped(others, lambda one: (one["code"], one.get("label") or ""))
    tables = (part for some in shapes.values() if len(some) >= ALIKE for part in _alike(some))
    single = [one for some in shapes.values() if len(some) < ALIKE for one in some]
    lines = [Item(f"{name(one['name'])}: {_placed(one)} ({name(one['id'])})") for one in single[:SHOWN]]
    return (*tables, *lines, *left_out(len(single) - len(lines), "finding"))


def left_out(number: int, what: str) -> tuple[Part, ...]:
    """Return the line that says how many more there are, if there are any."""
    return (Text(f"and {counted(number, 'more ' + what)} in the JSON report", "quiet"),) if number > 0 else ()


def _placed(one: Finding) -> str:
    """Return the headline, after its partition where it does not name it."""
    headline, place = visible(one["headline"]).strip(), name(where(one))
    return headline if one["partition"] is None or place in headline else f"{place}: {headline}"


def _alike(some: Sequence[Finding]) -> tuple[Part, ...]:
    """Return findings of one code and label: what they share, and a table of what differs between them."""
    topics = len({one["topic"] for one in some}) > 1
    cells = [_cells(one, topics=topics) for one in some]
    every = dict.fromkeys(head for one in cells for head in one)
    heads = [head for head in every if len({one.get(head) for one in cells}) > 1]
    rows = [(one["id"], *(own.get(head) or "-" for head in heads)) for one, own in zip(some, cells, strict=True)]
    label = some[0].get("label")
    title = f"{name(some[0]['name'])} {name(some[0]['code'])}, {len(some)} findings" + (f": {label}" if label else "")
    table = [("FINDING", *heads), *rows[:ROWS]]
    drawing = Drawing(tuple("  " + line for line in aligned(table)))
    return (Item(title), drawing, *left_out(len(rows) - ROWS, "finding"))


def _cells(one: Finding, *, topics: bool) -> dict[str, str]:
    """Return what a finding is about, by the heads of columns; `topics`: a partition needs its topic."""
    first, epoch = one["first_offset"], one["producer_epoch"]
    whose = "" if one["producer_id"] is None else str(one["producer_id"])
    told = {
        "SURE": one["confidence"],
        "ID": name(one["transactional_id"] or ""),
        "GROUP": name(one.get("group") or ""),
        "KEY": name(one.get("key") or ""),
        "PARTITION": name(where(one)) if topics else f"{one['partition']}",
        "OFFSETS": "" if first is None else span(first, one["last_offset"]),
        "PRODUCER": whose + ("" if epoch is None else f" epoch {epoch}"),
    }
    return told | {visible(own["head"]).upper(): visible(own["value"]) for own in one.get("columns") or []}


def orphan_lines(document: Document) -> Iterator[str]:
    """Yield each orphaned open transaction with what to do about it, of the replicas that are judged."""
    known = {one["id"]: one for one in document["findings"]}
    for one in document["open_transactions"]:
        if not one["authority"] or one["verdict"] != "orphaned":
            continue
        finding = known.get(one.get("finding") or "")
        told = action_word(finding) if finding else f"see {one.get('finding') or 'its finding'}"
        state = (finding["action"].get("state") if finding else None) or ""
        decided = DECIDED.get(state)
        over = timeout_words(one, document["capture"]["captured_at"])
        yield f"{told}  {open_words(one)}" + (f"  {state}: {decided}" if decided else "") + over


def timeout_words(one: OpenTransaction, captured_at: int | None) -> str:
    """Return how long its timeout was over when the capture was taken, or how long it was still to go."""
    ends = one.get("timeout_at")
    if ends is None or captured_at is None:
        return ""
    past = captured_at - ends
    return f", {duration(past)} over its timeout" if past > 0 else f", times out {duration(-past)} after the capture"
