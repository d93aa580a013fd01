"""The Markdown report: headings, tables, fences; no foreign string can become a link, a mention, an image or HTML."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any

from analyzer.report.actions.steps import Step
from analyzer.report.document.types import Document
from analyzer.report.formats.look import Look
from analyzer.report.formats.opened_table import HEADS
from analyzer.report.outline import parts
from analyzer.report.outline.build import outline
from analyzer.report.sentences.cells import is_safe, visible
from analyzer.report.sentences.commands import UNSAFE
from analyzer.report.sentences.inert import code, fence, inert, table
from analyzer.report.sentences.quotes import Quote

_QUOTE_CELLS = 2000
ROWS = 50
"""Rows of the first table; the JSON report has all."""
_ENTRIES = (parts.Item, parts.Reason)
_UNFOLDED = frozenset({"evidence", "elsewhere"})
"""Groups that a reader opens; their summary and its tags are the only HTML of a report."""


def markdown_report(document: Document, look: Look) -> str:
    """Return the report as Markdown; color has no meaning here."""
    return markdown_of(outline(document, look.clock, look.took))


def markdown_of(told: parts.Outline) -> str:
    """Return an outline as Markdown."""
    blocks = [f"# {inert(told.title)}"]
    for section in told.sections:
        number = "" if section.number is None else f"{section.number}. "
        blocks += [f"## {number}{inert(section.title)}"] if section.title else []
        for block in section.blocks:
            blocks += _parts(block)
    return "\n\n".join(blocks) + "\n"


def _parts(block: Iterable[parts.Part]) -> Iterator[str]:
    """Yield a block of Markdown for each part; neighbouring entries of a list are one."""
    for entries, some in groupby(block, key=lambda part: isinstance(part, _ENTRIES)):
        told = [BLOCKS[type(part)](part) for part in some]
        yield from ["\n".join(told)] if entries else told


def _text(part: parts.Text) -> str:
    plain = part.tone in {"plain", "quiet"} or not part.text.strip()
    return inert(part.text) if plain else f"**{inert(part.text)}**"


def _item(part: parts.Item) -> str:
    identity = "" if part.finding_id is None else f" {code(part.finding_id)}"
    lines = [f"- {inert(part.text)}{identity}", *(f"  - {inert(detail)}" for detail in part.details)]
    return "\n".join(lines + ([f"  - {code(part.quote[:_QUOTE_CELLS])}"] if part.quote is not None else []))


def _told(part: parts.Told) -> str:
    label = f"**{inert(part.label)}** " if part.label else ""
    sure = f" ({inert(part.sure)})" if part.sure else ""
    blocks = [f"{label}{inert(part.text)}{sure}"]
    blocks += [fence(text, "sh") if is_safe(text) else UNSAFE for text in part.commands]
    return "\n\n".join(blocks)


def _transactions(part: parts.Transactions) -> str:
    rows = [
        (
            f"{row.letter}{row.number}", row.owner, row.places, row.waiting, row.since, row.decided,
            "; ".join([row.action, *row.notes]), row.discards, row.sure,
        )
        for row in part.rows[:ROWS]
    ]  # fmt: skip
    left = [f"and {len(part.rows) - ROWS} more"] if len(part.rows) > ROWS else []
    caption = [inert(part.caption)] if part.caption else []
    return "\n\n".join([table((*HEADS, "SURE"), rows), *left, *caption])


def _identity(part: parts.Identity) -> str:
    folded = ", ".join(f"{code(name)} {inert(folded_code)}" for name, folded_code in part.folded)
    words = f"{code(part.name)} {inert(part.code)}, {part.severity}, {part.confidence}, {code(part.id)}"
    return words + (f"; includes: {folded}" if folded else "")


def _step(part: Step) -> str:
    """Return a step: its sentence, each command in a fence of its own, what they answer."""
    blocks = [f"{part.number}. {inert(part.text)}"]
    for command in part.commands:
        blocks += [f"   {inert(command.only)}:"] if command.only else []
        text = command.text or ""
        blocks.append(fence(text, "sh", indent="   ") if text and is_safe(text) else f"   {UNSAFE}")
    blocks += [f"   Expect: {code(part.expect)}"] if part.expect else []
    blocks += ["\n".join(f"   - {inert(answer)}" for answer in part.answers)] if part.answers else []
    return "\n\n".join(blocks)


def _drawing(part: parts.Drawing) -> str:
    return fence("\n".join(line.rstrip() for line in part.lines))


def _reason(part: parts.Reason) -> str:
    return f"- {inert(part.text)} {' '.join(f'({letter})' for letter in part.letters)}".rstrip()


def _quote(part: Quote) -> str:
    label = f" {inert(part.label)}" if part.label else ""
    return f"({part.letter}) {code(part.place)}{label}\n\n{fence(visible(part.text)[:_QUOTE_CELLS])}"


def _field(part: parts.Field) -> str:
    return f"**{_opened(part.label)}:** {inert(part.text)}"


def _opened(title: str) -> str:
    """Return a title with a capital letter first."""
    return title[:1].upper() + title[1:]


def _group(part: parts.Group) -> str:
    told = list(_parts(part.parts))
    if part.title in _UNFOLDED:
        summary = f"<details><summary>{_opened(part.title)}: {len(part.parts)}</summary>"
        return "\n\n".join([summary, *told, "</details>"])
    return "\n\n".join([f"**{_opened(part.title)}**", *told])


BLOCKS: dict[type, Callable[[Any], str]] = {
    parts.Text: _text, parts.Item: _item, parts.Told: _told, parts.Transactions: _transactions,
    parts.Identity: _identity, Step: _step, parts.Drawing: _drawing, parts.Reason: _reason, Quote: _quote,
    parts.Field: _field, parts.Group: _group,
}  # fmt: skip
"""How each part of an outline becomes a block of Markdown."""
