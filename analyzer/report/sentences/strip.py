"""The offsets around a finding as a picture in letters: a column for each offset or run, a row for each replica."""

import dataclasses
import itertools

from analyzer.report.document.neighbours import Cell, Strip, StripRow
from analyzer.report.sentences.cells import WIDTH, cut, cut_middle, name, pad, visible, width
from analyzer.report.sentences.quantities import span

_FOLD = "..."
_NOTHING = "--"
_MARKERS = {"COMMIT": "C", "ABORT": "A", "control": "?", "gap": ".."}
_MEANINGS = {
    "data": "p{0} = records of producer {0}",
    "COMMIT": "C{0} = COMMIT marker of producer {0}",
    "ABORT": "A{0} = ABORT marker of producer {0}",
    "control": "? = control batch of unknown kind",
    "gap": ".. = offsets that are gone",
}
_LABEL_CELLS = 11
_BAR = "| "
_LIGHT = 2
_TWO = 2


@dataclasses.dataclass(frozen=True, slots=True)
class _Column:
    """One column: first offset (-1: folded), head, a text for each row; `bar`: a line before it; weight 0 is kept."""

    first: int
    head: str
    texts: tuple[str, ...]
    bar: bool = False
    weight: int = 0

    @property
    def cells(self) -> int:
        return max(map(width, (self.head, *self.texts)))


def strip_lines(strip: Strip, *, indent: int = 4, cells: int = WIDTH) -> list[str]:
    """Return the picture: a head of offsets, a row for each replica, and below them where LSO and high watermark are.

    `legend` tells what its signs mean. Columns that do not fit are folded into `...`.
    """
    rows = strip["rows"]
    columns = _columns(strip)
    if not columns:
        return []
    titles = ["offset", *(_title(row) for row in rows)]
    title_cells = max(_LABEL_CELLS, 2 + max(map(width, titles)))
    room = cells - indent - title_cells
    shown = _fold(columns, room, len(rows))
    if strip["captured_beyond"] and shown[-1].head != _FOLD:
        shown.append(_folded(len(rows)))
    total = _places(shown)[1]
    lines = [" " * indent + pad("offset", title_cells) + _line([column.head for column in shown], shown)]
    for index, row in enumerate(rows):
        line = " " * indent + pad(titles[index + 1], title_cells) + _line([one.texts[index] for one in shown], shown)
        lines += _with_note(line, visible(row["note"]), indent + title_cells + total, indent + title_cells, cells)
    return [*(line.rstrip() for line in lines), *_bounds(strip, shown, indent + title_cells, cells)]


def legend(strip: Strip, told: set[str]) -> str:
    """Return what the signs of a picture mean, except the signs in `told`, to which the new ones are added.

    The number in a sign is a producer id; the first of each kind in the picture stands for all.
    """
    cells = [cell for row in strip["rows"] for cell in row["cells"]]
    cells.sort(key=lambda cell: not cell["own"])
    firsts: dict[str, int | None] = {}
    for cell in cells:
        if cell["producer_id"] is not None or cell["kind"] != "data":
            firsts.setdefault(cell["kind"], cell["producer_id"])
    meant = {kind: meaning.format(firsts[kind]) for kind, meaning in _MEANINGS.items() if kind in firsts}
    meant |= {"--": "-- = not in this replica"} if len(strip["rows"]) > 1 else {}
    meant |= {"|": "| = LSO or HW"} if _bars(strip, edges(strip)) else {}
    new = {kind: meaning for kind, meaning in meant.items() if kind not in told}
    told.update(new)
    return ", ".join(new.values())


def _title(row: StripRow) -> str:
    """Return `broker 0`, or the label where the replica has no number."""
    replica = row["replica"]
    return f"broker {cut(replica, 6)}" if replica.isdecimal() else name(replica, 16)


def edges(strip: Strip) -> list[int]:
    """Return the offsets at which a cell of any replica begins or ends, and the bounds between them."""
    every = [cell for row in strip["rows"] for cell in row["cells"] if cell["last"] >= cell["first"]]
    found = {cell["first"] for cell in every} | {cell["last"] + 1 for cell in every}
    low, high = (min(found), max(found)) if found else (0, 0)
    bounds = {bound for bound in (strip["lso"], strip["high_watermark"]) if bound is not None and low < bound < high}
    return sorted(found | bounds)


def _columns(strip: Strip) -> list[_Column]:
    """Return the columns: a new one begins wherever a cell of any replica begins or ends."""
    starts = edges(strip)
    bars = _bars(strip, starts)
    producers = {cell["producer_id"] for row in strip["rows"] for cell in row["cells"] if cell["own"]}
    columns = []
    for first, following in itertools.pairwise(starts):
        here = [_cell(row, first) for row in strip["rows"]]
        texts = tuple(_NOTHING if cell is None else _letter(cell) for cell in here)
        head = f"{first},{following - 1}" if following - first == _TWO else span(first, following - 1)
        weight = min((_weight(cell, producers) for cell in here if cell is not None), default=_LIGHT)
        columns.append(_Column(first, head, texts, first in bars, weight))
    return columns


def _bars(strip: Strip, starts: list[int]) -> set[int]:
    """Return the bounds that lie between two columns."""
    return {bound for bound in (strip["lso"], strip["high_watermark"]) if bound in starts[1:-1]}


def _cell(row: StripRow, offset: int) -> Cell | None:
    """Return the cell of a replica at an offset."""
    return next((cell for cell in row["cells"] if cell["first"] <= offset <= cell["last"]), None)


def _weight(cell: Cell, producers: set[int | None]) -> int:
    """Return 0 for the finding's own offsets, 1 for others of its producer, else `_LIGHT`."""
    return 0 if cell["own"] else 1 if cell["producer_id"] in producers else _LIGHT


def _letter(cell: Cell) -> str:
    """Return the letters of one cell."""
    if cell["kind"] != "data":
        whose = cell["producer_id"] if cell["kind"] in {"COMMIT", "ABORT"} else None
        return _MARKERS[cell["kind"]] + ("" if whose is None else str(whose))
    return "data" if cell["producer_id"] is None else f"p{cell['producer_id']}"


def _fold(columns: list[_Column], room: int, rows: int) -> list[_Column]:
    """Return the columns that fit: the finding's own, then its producer's, the last, and those nearest to it."""
    own = [index for index, column in enumerate(columns) if column.weight == 0]
    barred = [index for index, column in enumerate(columns) if column.bar]
    centre = (own or barred or [0])[0]
    weights = [column.weight for column in columns]
    weights[-1], weights[centre] = min(1, weights[-1]), -1
    order = sorted(range(len(columns)), key=lambda index: (weights[index], abs(index - centre)))
    kept = set(order)
    while len(kept) > 1 and _places(_with_folds(columns, kept, rows))[1] + len(_FOLD) + 2 > room:
        kept.discard(order.pop())
    return _with_folds(columns, kept, rows)


def _with_folds(columns: list[_Column], kept: set[int], rows: int) -> list[_Column]:
    """Return the kept columns with a folded one wherever some are left out."""
    shown: list[_Column] = []
    for index, column in enumerate(columns):
        if index in kept:
            shown.append(column)
        elif not shown or shown[-1].head != _FOLD:
            shown.append(_folded(rows))
    return shown


def _folded(rows: int) -> _Column:
    """Return the column in place of those left out."""
    return _Column(-1, _FOLD, (_FOLD,) * rows)


def _places(columns: list[_Column]) -> tuple[list[int], int]:
    """Return where each column begins (its bar, if it has one) and how wide all are together."""
    places: list[int] = []
    at = 0
    for column in columns:
        at += 0 if not places else 1 if column.bar else 2
        places.append(at)
        at += column.cells + (len(_BAR) if column.bar else 0)
    return places, at


def _line(texts: list[str], columns: list[_Column]) -> str:
    """Return one row of texts under their columns."""
    line = ""
    for text, column, place in zip(texts, columns, _places(columns)[0], strict=True):
        line = pad(line, place) + (_BAR if column.bar else "") + text
    return line


def _with_note(line: str, note: str, ends: int, begins: int, cells: int) -> list[str]:
    """Return the row with its note after it, or on a line of its own if it does not fit."""
    if not note:
        return [line]
    beside = pad(line, ends) + "    " + note
    if width(beside) <= cells:
        return [beside]
    return [line, cut(" " * begins + note, cells)]


def _bounds(strip: Strip, columns: list[_Column], begins: int, cells: int) -> list[str]:
    """Return the line that names the last stable offset and the high watermark under their places."""
    lso, high = strip["lso"], strip["high_watermark"]
    labels = [(lso, f"LSO {lso}")] + ([(high, f"HW {high}")] if high is not None else [])
    unknown = "  HW not known" if high is None else ""
    if high == lso:
        labels = [(lso, f"LSO and HW {lso}")]
    elif lso < edges(strip)[0]:
        labels[0] = (lso, f"LSO {lso}, before these offsets")
    line = ""
    for bound, label in labels:
        start = max(begins + _place(bound, columns) - 1, width(line) + 2 if line else begins)
        line = pad(line, min(start, max(cells - width(label), width(line) + 2))) + label
    return [line + unknown if width(line + unknown) <= cells else cut_middle(line, cells)]


def _place(bound: int, columns: list[_Column]) -> int:
    """Return where a bound is drawn: at its column, else in the fold before the next column, else at the end."""
    places, total = _places(columns)
    known = [(place, column.first) for place, column in zip(places, columns, strict=True) if column.first >= 0]
    beyond = next((place for place, first in known if first >= bound), None)
    if beyond is None:
        return total
    return beyond if any(first == bound for _, first in known) else max(0, beyond - 2)
