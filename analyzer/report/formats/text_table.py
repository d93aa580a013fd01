"""The table of actions in 80 columns."""

import re
from collections.abc import Sequence

from analyzer.report.outline.parts import Row
from analyzer.report.sentences.cells import WIDTH, cut, cut_middle, pad, pad_left, visible, width, wrap

HEADS = ("ACTION", "PARTITION", "LSO", "WAITING", "SINCE", "TRANSACTIONAL.ID")
_LEAST_PLACE, _LEAST_OWNER = 14, 16
_PLACE, _LSO, _WAITING = 1, 2, 3


def action_lines(rows: Sequence[Row], *, cells: int = WIDTH) -> list[str]:
    """Return the table, heads first, in at most so many cells.

    Long partitions are cut in their middle, where that makes room for the owners; an owner is wrapped in its
    column, but a name that does not fit there, or is quoted, has a line of its own.
    """
    halves = max(width(row.records) for row in rows), max(width(row.bytes) for row in rows)
    body = [(row.action, row.place, row.lso, _waiting(row, *halves), row.since) for row in rows]
    widths = [max(map(width, column)) for column in zip(HEADS[:-1], *body, strict=True)]
    owners = [_owner(row) for row in rows]
    taken = sum(widths) - widths[_PLACE] + 2 * len(widths)
    most = cells - taken - _LEAST_PLACE
    pieces = [width(piece) for row in rows for piece in re.split("(?<=,) ", visible(row.told))]
    wanted = max([_LEAST_OWNER, *(cells for cells in pieces if cells <= most)])
    widths[_PLACE] = min(widths[_PLACE], max(_LEAST_PLACE, cells - taken - wanted))
    room = cells - taken - widths[_PLACE]
    lines = [f"{_line(HEADS[:-1], widths, head=True)}  {HEADS[-1]}"]
    for texts, owner, row in zip(body, owners, rows, strict=True):
        line = _line(texts, widths)
        shown = visible(row.told)
        if width(shown) <= room or ("'" not in shown and max(map(width, shown.split(" "))) <= room):
            first, *rest = wrap(shown, cells=room)
            lines += [f"{line}  {first}", *(" " * (cells - room) + part for part in rest)]
        else:
            lines += [line.rstrip(), *wrap(owner, first="    ", cells=cells)]
    return [cut(line, cells) for line in lines]


def _owner(row: Row) -> str:
    """Return the owner for a line of its own, where no head says what it is."""
    return visible(f"transactional.id {row.told}" if row.has_id else row.told)


def _line(texts: Sequence[str], widths: Sequence[int], *, head: bool = False) -> str:
    """Return the cells of a row: numbers right, names and heads of names left."""
    parts = []
    for place, (text, cells) in enumerate(zip(texts, widths, strict=True)):
        right = place == _LSO or (place == _WAITING and not head)
        parts.append(pad_left(text, cells) if right else pad(cut_middle(text, cells), cells))
    return "  ".join(parts)


def _waiting(row: Row, records: int, sizes: int) -> str:
    """Return both halves of what waits, each aligned right."""
    return f"{pad_left(row.records, records)} {pad_left(row.bytes, sizes)}" if sizes else pad_left(row.records, records)
