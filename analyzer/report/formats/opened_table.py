"""The table of the first screen: one line for a transaction where it fits, what does not fit is folded and counted."""

from collections import Counter
from collections.abc import Iterator, Sequence

from analyzer.report.outline.parts import Opened
from analyzer.report.sentences.cells import cut, cut_middle, pad, visible, width, wrap

HEADS = ("#", "ID", "OPEN AT", "WAITING", "SINCE", "DECIDED", "ACTION", "DISCARDS")
SURE = {"certain": "", "likely": " ~", "possible": " ?"}
"""The signs of how sure a row is."""
SIGNS = "certain, unless marked: ~ likely, ? possible"
_NUMBER, _PLACES, _GAP = 0, 2, 2
_OWNER_CELLS = 24
_LEAST = 6
"""Lines that the table takes, however little room is left."""
_FOLDED = 2
"""Lines that tell what is folded, at most."""


def opened_lines(rows: Sequence[Opened], cells: int, room: int) -> list[str]:
    """Return the table, heads first, in at most so many cells and, if six are enough, lines.

    A row's places have a line of their own where they would widen the table beyond the page. Of each cause, rows
    that do not fit are told in a line or two: how many, what to do, and where.
    """
    lettered = len({row.letter for row in rows}) > 1
    body = [_cells(row, lettered=lettered) for row in rows]
    widths = [max(map(width, column)) for column in zip(HEADS, *body, strict=True)]
    least = sum(widths) - widths[_PLACES] + _GAP * (len(HEADS) - 1)
    beside = cells - least
    apart = max(width(row[_PLACES]) for row in body) > beside
    if apart and beside < len(HEADS[_PLACES]) + _LEAST:
        return _folded_table(rows, body, widths, cells, room, beside=0)
    widths[_PLACES] = min(widths[_PLACES], beside)
    return _folded_table(rows, body, widths, cells, room, beside=beside)


def _cells(row: Opened, *, lettered: bool) -> tuple[str, ...]:
    number = f"{row.letter}{row.number}" if lettered else row.number
    return (
        number, cut_middle(visible(row.owner), _OWNER_CELLS), visible(row.places), row.waiting, row.since, row.decided,
        row.action + SURE[row.sure], row.discards,
    )  # fmt: skip


def _folded_table(
    rows: Sequence[Opened], body: Sequence[tuple[str, ...]], widths: list[int], cells: int, room: int, *, beside: int
) -> list[str]:
    """Return heads and rows; `beside`: cells of a place in its row, 0 where all have lines of their own."""
    drawn = [_drawn(row, line, widths, cells, beside) for row, line in zip(rows, body, strict=True)]
    shown = _shares(rows, drawn, max(room, _LEAST) - 1)
    heads = _joined([head if beside or place != _PLACES else "" for place, head in enumerate(HEADS)], widths, beside)
    lines = [heads]
    for letter in dict.fromkeys(row.letter for row in rows):
        own = [place for place, row in enumerate(rows) if row.letter == letter]
        lines += [line for place in own[: shown[letter]] for line in drawn[place]]
        left = [rows[place] for place in own[shown[letter] :]]
        lines += _left_out(left, cells) if left else []
    return [cut(line, cells).rstrip() for line in lines]


def _shares(rows: Sequence[Opened], drawn: Sequence[Sequence[str]], room: int) -> dict[str, int]:
    """Return how many rows of each cause are shown: one after the other of each, as long as there is room."""
    sizes = {letter: [len(lines) for row, lines in zip(rows, drawn, strict=True) if row.letter == letter]
             for letter in dict.fromkeys(row.letter for row in rows)}  # fmt: skip
    if sum(map(sum, sizes.values())) <= room:
        return {letter: len(lines) for letter, lines in sizes.items()}
    shown = dict.fromkeys(sizes, 0)
    left = room - _FOLDED * len(sizes)
    grows = True
    while grows:
        grows = False
        for letter, lines in sizes.items():
            at = shown[letter]
            if at < len(lines) and (lines[at] <= left or not at):
                shown[letter], left, grows = at + 1, left - lines[at], True
    return shown


def _left_out(rows: Sequence[Opened], cells: int) -> Iterator[str]:
    """Yield what is folded: how many rows, their actions, and the first places."""
    actions = ", ".join(f"{action} {number}" for action, number in Counter(row.action for row in rows).items())
    numbers = rows[0].number if len(rows) == 1 else f"{rows[0].number} to {rows[-1].number}"
    told = f"{len(rows)} more, {numbers}: {actions}: {'; '.join(f'{row.owner} {row.places}' for row in rows)}"
    first, *rest = wrap(visible(told), first="  ", rest="    ", cells=cells)
    yield first
    if rest:
        yield rest[0] if len(rest) == 1 else cut(rest[0] + " " + rest[1].strip(), cells)


def _drawn(row: Opened, line: tuple[str, ...], widths: list[int], cells: int, beside: int) -> list[str]:
    """Return the lines of a row: its cells, its places below where they do not fit, its notes."""
    own_line = not beside or width(line[_PLACES]) > widths[_PLACES]
    shown = [("" if own_line and place == _PLACES else text) for place, text in enumerate(line)]
    lines = [_joined(shown, widths, beside)]
    indent = " " * (widths[_NUMBER] + _GAP)
    whole = visible(row.owner) if width(visible(row.owner)) > _OWNER_CELLS else ""
    told = [": ".join(filter(None, (whole, line[_PLACES] if own_line else "")))] if whole or own_line else []
    for text in ["; ".join([*told, *row.notes])] if told or row.notes else []:
        lines += wrap(visible(text), first=indent, rest=indent + "  ", cells=cells)
    return lines


def _joined(texts: Sequence[str], widths: Sequence[int], beside: int) -> str:
    shown = [(text, cells) for place, (text, cells) in enumerate(zip(texts, widths, strict=True)) if beside or
             place != _PLACES]  # fmt: skip
    return (" " * _GAP).join(pad(text, cells) for text, cells in shown)
