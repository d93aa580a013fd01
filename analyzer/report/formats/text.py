"""The text report: as wide as the terminal, ASCII apart from foreign names, in color on request."""

import dataclasses
from collections.abc import Callable, Iterable
from typing import Any

from rich.style import Style

from analyzer.report.actions.steps import Step
from analyzer.report.document.types import Document
from analyzer.report.formats.look import Look
from analyzer.report.formats.opened_table import SIGNS, opened_lines
from analyzer.report.outline import parts
from analyzer.report.outline.build import outline
from analyzer.report.outline.short.brief import brief
from analyzer.report.sentences.cells import cut, name, pad, visible, width, wrap
from analyzer.report.sentences.commands import command_lines
from analyzer.report.sentences.quotes import Quote, quoted

Styled = tuple[str, str]
"""The tone of a line, and the line."""
_STYLES = {"head": "bold", "danger": "bold red", "action": "bold yellow", "quiet": "dim", "title": "bold"}
_INCIDENT = 4
_ID_AT, _LETTER_CELLS, _FIELD_CELLS, _LABEL = 58, 16, 19, 10
SCREEN = 40
"""Lines of the first screen."""


@dataclasses.dataclass(frozen=True, slots=True)
class Frame:
    """Where lines stand: cells before them, cells of a line, lines that a table of the first screen may take."""

    indent: int
    cells: int
    room: int = SCREEN

    def inside(self, more: int) -> "Frame":
        """Return the frame of what is indented by so many cells more."""
        return dataclasses.replace(self, indent=self.indent + more)


def text_report(document: Document, look: Look) -> str:
    """Return the report; color adds ANSI styles around whole lines and changes no letter."""
    told = outline(document, look.clock, look.took) if look.full else brief(document, look.clock, look.took)
    return text_of(told, look)


def text_of(told: parts.Outline, look: Look) -> str:
    """Return an outline as text; a table of the first section takes what is left of the first screen."""
    frame = Frame(0, look.cells)
    lines: list[Styled] = [("plain", line) for line in _wrapped(told.title, frame, rest=2)]
    for number, section in enumerate(told.sections):
        lines += [("plain", "")] if number else []
        if not number:
            tables = [part for block in section.blocks for part in block if isinstance(part, parts.Transactions)]
            others = [tuple(part for part in block if part not in tables) for block in section.blocks]
            taken = _section(dataclasses.replace(section, blocks=tuple(others)), frame) if tables else []
            frame = dataclasses.replace(frame, room=SCREEN - len(lines) - len(taken))
        lines += _section(section, frame)
    return "\n".join(_painted(tone, line) if look.color else line for tone, line in lines) + "\n"


def _section(section: parts.Section, frame: Frame) -> list[Styled]:
    """Return a section: its title, then its blocks with a blank line between."""
    lines: list[Styled] = []
    if section.number is not None:
        title = wrap(visible(section.title), first=f"[{section.number}] ", rest=" " * _INCIDENT, cells=frame.cells)
        lines += [("head", line) for line in title]
    elif section.title:
        lines += [("title", line) for line in _wrapped(_capitals(section.title), frame)]
    inside = frame.inside(_INCIDENT if section.number is not None else 2 if section.title else 0)
    for number, block in enumerate(section.blocks):
        lines += [("plain", "")] if number else []
        lines += _parts(block, inside)
    return lines


def _capitals(title: str) -> str:
    """Return a title with its name in capitals: what follows a colon or a comma is a remark."""
    end = next((index for index, letter in enumerate(title) if letter in ":,"), len(title))
    return title[:end].upper() + title[end:]


def _parts(block: Iterable[parts.Part], frame: Frame) -> list[Styled]:
    return [line for part in block for line in LINES[type(part)](part, frame)]


def _plain(lines: Iterable[str]) -> list[Styled]:
    return [("plain", line) for line in lines]


def _wrapped(text: str, frame: Frame, *, rest: int = 0, narrower: int = 0) -> list[str]:
    """Return a text that may be foreign, indented, the lines after the first by `rest` more."""
    first = " " * frame.indent
    return wrap(visible(text), first=first, rest=first + " " * rest, cells=frame.cells - narrower)


def _text(part: parts.Text, frame: Frame) -> list[Styled]:
    narrower = 0 if part.tone in {"plain", "title"} else 3
    return [(part.tone, line) for line in _wrapped(part.text, frame, narrower=narrower)]


def _told(part: parts.Told, frame: Frame) -> list[Styled]:
    """Return a line of the first screen: its label in a column of its own, how sure it is on the right."""
    indent, right = frame.indent + _LABEL, width(part.sure) + 2 if part.sure else 0
    first, *rest = wrap(visible(part.text), first=" " * indent, cells=frame.cells - right)
    if part.lines and len(rest) >= part.lines:
        rest = [*rest[: part.lines - 2], cut(f"{rest[part.lines - 2]} ...", frame.cells - right)]
    label = pad(" " * frame.indent + part.label, indent) + first[indent:]
    lines = [(pad(label, frame.cells - right) + "  " + part.sure) if part.sure else label, *rest]
    for command in part.commands:
        lines += command_lines(command, indent=indent + 2, cells=frame.cells)
    return _plain(line.rstrip() for line in lines)


def _transactions(part: parts.Transactions, frame: Frame) -> list[Styled]:
    signs = SIGNS if any(row.sure != "certain" for row in part.rows) else ""
    told = "; ".join(filter(None, (part.caption, signs)))
    caption = [("quiet", line) for line in _wrapped(told, frame)] if told else []
    return [*_plain(opened_lines(part.rows, frame.cells, frame.room - len(caption))), *caption]


def _item(part: parts.Item, frame: Frame) -> list[Styled]:
    """Return an entry; that of a finding has its id on the right, of its first line where it takes two."""
    if part.finding_id is not None:
        identity = name(part.finding_id, 24)
        room = frame.cells - width(identity) - 2
        first, *rest = _wrapped(part.text, frame, rest=4, narrower=width(identity) + 2)
        more = [cut(" ".join([rest[0], *map(str.strip, rest[1:])]), room)] if rest else []
        return _plain([pad(first, room) + "  " + identity, *more])
    lines = _wrapped(part.text, frame, rest=2)
    for detail in part.details:
        lines += _wrapped(detail, frame.inside(2))
    if part.quote is not None:
        inside = frame.indent + 4
        lines.append(" " * inside + quoted(part.quote, frame.cells - inside))
    return _plain(lines)


def _identity(part: parts.Identity, frame: Frame) -> list[Styled]:
    """Return what identifies a finding, its id on the right, then what is folded under it."""
    line = f"{' ' * frame.indent}{name(part.name)} {name(part.code)}, {part.severity}, {part.confidence}"
    identity = name(part.id)
    gap = max(2, min(_ID_AT, frame.cells - width(identity)) - width(line))
    fits = width(line) + gap + width(identity) <= frame.cells
    lines = [line + " " * gap + identity] if fits else [line, " " * frame.indent + identity]
    if part.folded:
        folded = ", ".join(f"{name(one)} {name(code)}" for one, code in part.folded)
        lines += _wrapped("includes: " + folded, frame, rest=2)
    return [("quiet", line) for line in lines]


def _step(part: Step, frame: Frame) -> list[Styled]:
    """Return a step: its sentence, its commands with nothing else on their lines, what they answer."""
    inside = frame.inside(4)
    blanks, cells = " " * inside.indent, frame.cells
    lines = wrap(visible(part.text), first=f"{part.number:>{frame.indent + 3}} ", rest=blanks, cells=cells)
    for command in part.commands:
        lines += _wrapped(f"{command.only}:", inside) if command.only else []
        lines += command_lines(command.text or "", indent=inside.indent + 2, cells=cells)
    lines += wrap(visible(part.expect), first=f"{blanks}expect: ", cells=cells) if part.expect else []
    for answer in part.answers:
        lines += _wrapped(f"- {answer}", inside, rest=2)
    return _plain(lines)


def _drawing(part: parts.Drawing, frame: Frame) -> list[Styled]:
    return _plain(cut(" " * frame.indent + line, frame.cells) for line in part.lines)


def _reason(part: parts.Reason, frame: Frame) -> list[Styled]:
    """Return a sentence with the letters of its evidence on the right of its last line."""
    *lines, last = _wrapped(part.text, frame, narrower=_LETTER_CELLS)
    at = frame.cells - _LETTER_CELLS + 2
    marks = wrap(" ".join(f"[{letter}]" for letter in part.letters), cells=_LETTER_CELLS - 2)
    lines.append(f"{pad(last, at)}{marks[0]}".rstrip())
    return _plain([*lines, *(" " * at + mark for mark in marks[1:])])


def _quote(part: Quote, frame: Frame) -> list[Styled]:
    """Return a piece of evidence: its letter and place, then the part of its line that proves most."""
    place = f"{part.place}  {part.label}" if part.label else part.place
    inside = frame.indent + 4
    first = f"{' ' * frame.indent}[{part.letter}] "
    lines = wrap(visible(place), first=first, rest=" " * inside, cells=frame.cells)
    return _plain([*lines, cut(" " * inside + quoted(part.text, frame.cells - inside), frame.cells)])


def _field(part: parts.Field, frame: Frame) -> list[Styled]:
    head = f"{' ' * frame.indent}{part.label}".ljust(_FIELD_CELLS)
    return _plain(wrap(visible(part.text), first=head, rest=" " * _FIELD_CELLS, cells=frame.cells))


def _group(part: parts.Group, frame: Frame) -> list[Styled]:
    return [("plain", " " * frame.indent + part.title), *_parts(part.parts, frame.inside(2))]


LINES: dict[type, Callable[[Any, Frame], list[Styled]]] = {
    parts.Text: _text, parts.Item: _item, parts.Told: _told, parts.Transactions: _transactions,
    parts.Identity: _identity, Step: _step, parts.Drawing: _drawing, parts.Reason: _reason, Quote: _quote,
    parts.Field: _field, parts.Group: _group,
}  # fmt: skip
"""How each part of an outline becomes lines in a frame."""


def _painted(tone: str, line: str) -> str:
    """Return the line in the style of its tone; blanks before it stay plain."""
    if tone not in _STYLES or not line:
        return line
    text = line.lstrip(" ")
    return " " * (len(line) - len(text)) + Style.parse(_STYLES[tone]).render(text)
