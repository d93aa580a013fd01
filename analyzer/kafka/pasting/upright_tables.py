r"""Tables that stand upright, one column a line, as psql's \x, pages and tickets show one row: laid down again.

ProducerId                     5000                 -[ RECORD 1 ]------+------        | Topic     | orders |
ProducerEpoch                  3                    CoordinatorId      | 1            | Partition | 3      |
LatestCoordinatorEpoch         7                    TransactionalId    | pay-1        ProducerId: 5017

The columns must be all of one table's, in the order in which its tool prints them, and each value like its column's.
"""

import re
from collections.abc import Sequence

from analyzer.kafka.pasting.broken_tables import MAY_BE_EMPTY, names_of_header, row_pattern

_LINE = re.compile(
    r"(?:[ \t]*>)*[ \t|*]*([A-Z][A-Za-z-]{1,40}(?:\((?:min|s|ms)\))?)(?:\*\*)?[ \t]*"
    r"(?:[:=|\t ][ \t]*([^|\n]{0,300}?))?[ \t]*\|?[ \t]*"
)
_RECORD = re.compile(r"(?:[ \t]*>)*[ \t]*-\[ RECORD \d{1,6} \][-+]*\s*")
_FEWEST = 4


def laid_down(pieces: Sequence[str]) -> tuple[tuple[str, str], int] | None:
    """Return header and row of the upright table that these lines begin with, and how many of them it is."""
    read: list[tuple[str, str]] = []
    before = 1 if _RECORD.fullmatch(pieces[0]) else 0
    for piece in pieces[before:]:
        line = _LINE.fullmatch(piece.rstrip())
        if line is None or (len(read) >= _FEWEST and line[1] == read[0][0]):
            break
        read.append((line[1], (line[2] or "").strip("`* ")))
    for count in range(len(read), _FEWEST - 1, -1):
        header = "  ".join(name for name, _ in read[:count])
        names = names_of_header(header)
        values = [value for _, value in read[:count]]
        if names and _fit(names, values):
            return (header, "  ".join(filter(None, values))), count + before
    return None


def _fit(names: Sequence[str], values: Sequence[str]) -> bool:
    """Return whether each value is one of its column."""
    return all(
        row_pattern([name]).fullmatch(f" {value}") if value else name in MAY_BE_EMPTY
        for name, value in zip(names, values, strict=True)
    )
