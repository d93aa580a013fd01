"""The evidence of a finding as lettered quotes: which letters a step rests on, and the part of a line that proves."""

import dataclasses
import re

from analyzer.report.document.types import Evidence, Finding
from analyzer.report.sentences.cells import MARK, cut, visible, width
from analyzer.report.sentences.quantities import letters
from analyzer.report.sentences.times import Clock

_HEAD = re.compile(r"\| offset: \d+|baseOffset: \d+ lastOffset: \d+")
_TELLING = ("endTxnMarker: ", "state=", '"state":', '"transactionStatus":', "producerId: ")
_LEFT = 16


@dataclasses.dataclass(frozen=True, slots=True)
class Quote:
    """One piece of evidence with its letter."""

    letter: str
    place: str
    label: str
    text: str


@dataclasses.dataclass(frozen=True, slots=True)
class Why:
    """The explanation of a finding: the day of its times (may be empty), steps with their letters, quotes by letter."""

    day: str
    steps: tuple[tuple[str, tuple[str, ...]], ...]
    quotes: tuple[Quote, ...]


def lettered(finding: Finding, clock: Clock) -> Why:
    """Return the steps with the letters they rest on, and the quotes by letter: those cited by steps come first."""
    day, texts = clock.steps(finding)
    cited = [letters_of(finding, list(dict.fromkeys(step["evidence"]))) for step in finding.get("steps") or []]
    steps = tuple(zip(map(visible, texts), cited, strict=True)) or ((visible(finding["explanation"]), ()),)
    ordered = [finding["evidence"][index] for index in _order(finding)]
    quotes = (
        Quote(letters(place), place_of(one), visible(one.get("label") or ""), one["text"])
        for place, one in enumerate(ordered)
    )
    return Why(day, steps, tuple(quotes))


def letters_of(finding: Finding, cited: list[int]) -> tuple[str, ...]:
    """Return the letters of pieces of evidence, as `lettered` gives them."""
    order = _order(finding)
    return tuple(letters(order.index(index)) for index in cited if index in order)


def _order(finding: Finding) -> list[int]:
    """Return the evidence as indices: what steps cite comes first, in their order."""
    every = range(len(finding["evidence"]))
    named = [index for step in finding.get("steps") or [] for index in step["evidence"] if index in every]
    return list(dict.fromkeys([*named, *every]))


def quoted(text: str, cells: int) -> str:
    """Return a line of a dump in at most so many cells; what is left out is marked `...`.

    Of a long line its head and the part that tells most are kept: the marker's type, the coordinator's state, the
    producer. The JSON report holds the whole line.
    """
    shown = visible(text)
    if width(shown) <= cells:
        return shown
    head = _HEAD.match(shown)
    for telling in _TELLING:
        at = shown.rfind(telling)
        if at > (head.end() if head else 0) and width(shown[:at]) > cells // 2 - _LEFT:
            begin = f"{head[0]} {MARK} " if head else MARK
            return cut(begin + shown[at:], cells)
    return cut(shown, cells)


def place_of(one: Evidence) -> str:
    """Return where a piece of evidence is: `file:line`, or the file and the byte position."""
    line, position = one.get("line"), one.get("position")
    place = visible(one["file"])
    if line is not None:
        return f"{place}:{line}"
    return place if position is None else f"{place} at byte {position}"
