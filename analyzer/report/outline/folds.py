"""What is folded under an incident in other places, and the orphaned transactions that must be ended by hand."""

import dataclasses
import string
from collections.abc import Iterator, Sequence

from analyzer.report.document.types import Document, Finding, OpenTransaction
from analyzer.report.sentences.action_words import action_word
from analyzer.report.sentences.cells import name, visible
from analyzer.report.sentences.gaps import open_words
from analyzer.report.sentences.quantities import duration
from analyzer.report.triage.incident import Incident, where

SHOWN, ALIKE, ROWS = 20, 4, 10
"""Lines of single findings, findings that make a table, rows of a table."""
MARKS = ",;:()"
DECIDED = {
    "Ongoing": "nothing was decided", "PrepareAbort": "ABORT was decided", "PrepareCommit": "COMMIT was decided",
}  # fmt: skip
LETTERS = string.ascii_uppercase
_SEVERITIES = {"critical": 0, "warning": 1, "info": 2}
_ABOUT = ("topic", "partition", "transactional_id", "group")
ORPHANED = "Orphaned: neither their clients nor a timeout can end these"


@dataclasses.dataclass(frozen=True, slots=True)
class Alike:
    """Findings of one shape: what they share, a table of what differs, heads first; `left_out` more have no row."""

    title: str
    rows: tuple[tuple[str, ...], ...]
    left_out: int


def folded_elsewhere(incident: Incident) -> tuple[list[Alike], list[str], int]:
    """Return what is folded about another place or id than the head: tables, lines, and the number of those left out.

    Findings that one sentence tells are a table. The gravest come first. What is folded in the head's own place is
    named by its code alone.
    """
    others = [one for one in incident.folded if _differs(one, incident.finding)]
    others.sort(key=lambda one: (_SEVERITIES[one["severity"]], one["code"], one["topic"] or "", one["partition"] or 0))
    shapes: dict[tuple[str, int], list[Finding]] = {}
    for one in others:
        shapes.setdefault((one["code"], len(_words(one))), []).append(one)
    tables = [_alike(some) for some in shapes.values() if len(some) >= ALIKE]
    single = [one for some in shapes.values() if len(some) < ALIKE for one in some]
    lines = [f"{name(one['name'])}: {_placed(one)} ({name(one['id'])})" for one in single[:SHOWN]]
    return tables, lines, len(single) - len(lines)


def _placed(one: Finding) -> str:
    """Return the headline, after its partition where it does not name it."""
    headline, place = visible(one["headline"]).strip(), name(where(one))
    return headline if one["partition"] is None or place in headline else f"{place}: {headline}"


def _alike(some: Sequence[Finding]) -> Alike:
    """Return findings whose headlines have as many words: a sentence with A, B, ... where they differ, and a table."""
    spelled = [_words(one) for one in some]
    differ = [number for number, words in enumerate(zip(*spelled, strict=True)) if len(set(words)) > 1]
    letters = dict(zip(differ, LETTERS, strict=False))
    topic = f"{some[0]['topic']}-"
    before = {number: topic if all(words[number].startswith(topic) for words in spelled) else "" for number in letters}
    first = spelled[0]
    sentence = " ".join(
        before[number] + letters[number] + _marks(word) if number in letters else word
        for number, word in enumerate(first)
    )
    rows = [
        (one["id"], *(words[number].strip(MARKS).removeprefix(before[number]) for number in letters))
        for one, words in zip(some, spelled, strict=True)
    ]
    title = f"{name(some[0]['name'])} {name(some[0]['code'])}, {len(some)} findings: {sentence}"
    return Alike(title, (("FINDING", *letters.values()), *rows[:ROWS]), len(rows) - len(rows[:ROWS]))


def _marks(word: str) -> str:
    """Return the punctuation that ends a word."""
    return word[len(word.rstrip(MARKS)) :]


def _words(one: Finding) -> list[str]:
    return visible(one["headline"]).split()


def _differs(one: Finding, head: Finding) -> bool:
    return any(one.get(field) is not None and one.get(field) != head.get(field) for field in _ABOUT)


def orphaned(document: Document) -> list[OpenTransaction]:
    """Return the open transactions that are orphaned, of the replicas that are judged."""
    return [one for one in document["open_transactions"] if one["authority"] and one["verdict"] == "orphaned"]


def orphan_lines(document: Document) -> Iterator[str]:
    """Yield each orphaned open transaction with what to do about it."""
    known = {one["id"]: one for one in document["findings"]}
    for one in orphaned(document):
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
