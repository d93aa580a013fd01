"""The text report: 80 columns, ASCII apart from foreign names, in color on request."""

from collections.abc import Callable, Iterable
from typing import Any

from rich.style import Style

from analyzer.report.document.types import Document
from analyzer.report.formats.look import Look
from analyzer.report.formats.text_table import action_lines
from analyzer.report.outline.build import outline
from analyzer.report.outline.parts import (
    Actions,
    Drawing,
    Field,
    Group,
    Identity,
    Item,
    Outline,
    Part,
    Reason,
    Section,
    Step,
    Text,
)
from analyzer.report.sentences.cells import WIDTH, cut, name, pad, visible, width, wrap
from analyzer.report.sentences.commands import command_lines
from analyzer.report.sentences.quotes import Quote, quoted

Styled = tuple[str, str]
"""The tone of a line, and the line."""
_STYLES = {"head": "bold", "danger": "bold red", "action": "bold yellow", "quiet": "dim", "title": "bold"}
_INCIDENT = 4
_ID_AT, _REASON_CELLS, _LETTERS_AT, _FIELD_CELLS = 58, 64, 66, 19


def text_report(document: Document, look: Look) -> str:
    """Return the report; color adds ANSI styles around whole lines and changes no letter."""
    return text_of(outline(document, look.clock, look.took), look)


def text_of(told: Outline, look: Look) -> str:
    """Return an outline as text."""
    lines: list[Styled] = [("plain", line) for line in _wrapped(told.title, 0, rest=2)]
    for number, section in enumerate(told.sections):
        lines += ([("plain", "")] if number else []) + _section(section)
    return "\n".join(_painted(tone, line) if look.color else line for tone, line in lines) + "\n"


def _section(section: Section) -> list[Styled]:
    """Return a section: its title, then its blocks with a blank line between."""
    lines: list[Styled] = []
    if section.number is not None:
        title = wrap(visible(section.title), first=f"[{section.number}] ", rest=" " * _INCIDENT)
        lines += [("head", line) for line in title]
    elif section.title:
        lines += [("title", line) for line in _wrapped(_capitals(section.title), 0)]
    indent = _INCIDENT if section.number is not None else 2 if section.title else 0
    for number, block in enumerate(section.blocks):
        lines += [("plain", "")] if number else []
        lines += _parts(block, indent)
    return lines


def _capitals(title: str) -> str:
    """Return a title with its name in capitals: what follows a colon or a comma is a remark."""
    end = next((index for index, letter in enumerate(title) if letter in ":,"), len(title))
    return title[:end].upper() + title[end:]


def _parts(parts: Iterable[Part], indent: int) -> list[Styled]:
    return [line for part in parts for line in LINES[type(part)](part, indent)]


def _plain(lines: Iterable[str]) -> list[Styled]:
    return [("plain", line) for line in lines]


def _wrapped(text: str, indent: int, *, rest: int = 0, cells: int = WIDTH) -> list[str]:
    """Return a text that may be foreign, indented, the lines after the first by `rest` more."""
    return wrap(visible(text), first=" " * indent, rest=" " * (indent + rest), cells=cells)


def _text(part: Text, indent: int) -> list[Styled]:
    cells = WIDTH if part.tone in {"plain", "title"} else WIDTH - 3
    return [(part.tone, line) for line in _wrapped(part.text, indent, cells=cells)]


def _item(part: Item, indent: int) -> list[Styled]:
    """Return an entry; that of a finding has its id on the right, of its first line where it takes two."""
    if part.finding_id is not None:
        identity = name(part.finding_id, 24)
        room = WIDTH - width(identity) - 2
        first, *rest = _wrapped(part.text, indent, rest=4, cells=room)
        more = [cut(" ".join([rest[0], *map(str.strip, rest[1:])]), room)] if rest else []
        return _plain([pad(first, room) + "  " + identity, *more])
    lines = _wrapped(part.text, indent, rest=2)
    for detail in part.details:
        lines += _wrapped(detail, indent + 2)
    if part.quote is not None:
        lines.append(" " * (indent + 4) + quoted(part.quote, WIDTH - indent - 4))
    return _plain(lines)


def _actions(part: Actions, _: int) -> list[Styled]:
    caption = [("quiet", part.caption)] if part.caption else []
    return [*caption, *_plain(action_lines(part.rows))]


def _identity(part: Identity, indent: int) -> list[Styled]:
    """Return what identifies a finding, its id on the right, then what is folded under it."""
    line = f"{' ' * indent}{name(part.name)} {name(part.code)}, {part.severity}, {part.confidence}"
    identity = name(part.id)
    gap = max(2, min(_ID_AT, WIDTH - width(identity)) - width(line))
    fits = width(line) + gap + width(identity) <= WIDTH
    lines = [line + " " * gap + identity] if fits else [line, " " * indent + identity]
    if part.folded:
        lines += _wrapped(
            "includes: " + ", ".join(f"{name(one)} {name(code)}" for one, code in part.folded), indent, rest=2
        )
    return [("quiet", line) for line in lines]


def _step(part: Step, indent: int) -> list[Styled]:
    """Return a step: its sentence, its commands with nothing else on their lines, what they answer."""
    inside = indent + 4
    lines = wrap(visible(part.text), first=f"{part.number:>{indent + 3}} ", rest=" " * inside)
    for command in part.commands:
        lines += _wrapped(f"{command.only}:", inside) if command.only else []
        lines += command_lines(command.text or "", indent=inside + 2)
    lines += wrap(visible(part.expect), first=f"{' ' * inside}expect: ") if part.expect else []
    for answer in part.answers:
        lines += _wrapped(f"- {answer}", inside, rest=2)
    return _plain(lines)


def _drawing(part: Drawing, indent: int) -> list[Styled]:
    return _plain(cut(" " * indent + line, WIDTH) for line in part.lines)


def _reason(part: Reason, indent: int) -> list[Styled]:
    """Return a sentence with the letters of its evidence on the right of its last line."""
    *lines, last = _wrapped(part.text, indent, cells=_REASON_CELLS)
    marks = wrap(" ".join(f"[{letter}]" for letter in part.letters), cells=WIDTH - _LETTERS_AT)
    lines.append(f"{pad(last, _LETTERS_AT)}{marks[0]}".rstrip())
    return _plain([*lines, *(" " * _LETTERS_AT + mark for mark in marks[1:])])


def _quote(part: Quote, indent: int) -> list[Styled]:
    """Return a piece of evidence: its letter and place, then the part of its line that proves most."""
    place = f"{part.place}  {part.label}" if part.label else part.place
    inside = indent + 4
    lines = wrap(visible(place), first=f"{' ' * indent}[{part.letter}] ", rest=" " * inside)
    return _plain([*lines, cut(" " * inside + quoted(part.text, WIDTH - inside), WIDTH)])


def _field(part: Field, indent: int) -> list[Styled]:
    head = f"{' ' * indent}{part.label}".ljust(_FIELD_CELLS)
    return _plain(wrap(visible(part.text), first=head, rest=" " * _FIELD_CELLS))


def _group(part: Group, indent: int) -> list[Styled]:
    return [("plain", " " * indent + part.title), *_parts(part.parts, indent + 2)]


LINES: dict[type, Callable[[Any, int], list[Styled]]] = {
    Text: _text, Item: _item, Actions: _actions, Identity: _identity, Step: _step, Drawing: _drawing,
    Reason: _reason, Quote: _quote, Field: _field, Group: _group,
}  # fmt: skip
"""How each part of an outline becomes lines, indented by so many cells."""


def _painted(tone: str, line: str) -> str:
    """Return the line in the style of its tone; blanks before it stay plain."""
    if tone not in _STYLES or not line:
        return line
    text = line.lstrip(" ")
    return " " * (len(line) - len(text)) + Style.parse(_STYLES[tone]).render(text)
