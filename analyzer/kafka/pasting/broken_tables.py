r"""Tables of tools whose wide rows mail, chat or a terminal broke at a width, each row whole again.

ProducerId      ProducerEpoch   LatestCoordinatorEpoch  LastSequence
LastTimestamp   CurrentTransactionStartOffset
5000            3               7                       9
1789880852499   1042

What a cell looks like follows from its column's name: a row is put together only if every cell fits, every break was
needed at that width, and nothing is left over.
"""

import itertools
import re
from collections.abc import Sequence

from analyzer.kafka.topics import TOPIC_NAME

_NUMBER = r"-?\d{1,19}"
_PERHAPS = r"-?\d{1,19}|None|-"
_WORD = r"[A-Za-z][A-Za-z]{1,40}"
_TIME = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?Z?|-?\d{1,19}"
_LIST = rf"{TOPIC_NAME}-\d{{1,10}}(?:,{TOPIC_NAME}-\d{{1,10}})*"
_ANY = r"\S{1,300}"
_NAMED = {
    _NUMBER: "partition producerid producerepoch coordinatorepoch latestcoordinatorepoch lastsequence coordinator "
    "coordinatorid broker leader epoch transactiontimeoutms durationmin durations start stable end logstartoffset "
    "laststableoffset highwatermark",
    _PERHAPS: "startoffset currenttransactionstartoffset txnstartoffset currenttransactionstarttimems "
    "transactiondurationms currentoffset newoffset logendoffset lag leaderepoch",
    _ANY: "group transactionalid consumerid host clientid",
    _WORD: "transactionstate state",
    _TIME: "lasttimestamp",
    TOPIC_NAME: "topic",
    r"\[[\d ]{1,100}\]": "replicas",
    _LIST: "topicpartitions",
    "": "error",
}
_CELLS = {name: cell for cell, names in _NAMED.items() for name in names.split()}
"""What a cell looks like, by what tools call its column, in lower case and without punctuation."""
MAY_BE_EMPTY = frozenset({"topicpartitions", "error"})
_WITHOUT_PARTITIONS = frozenset({"Empty", "CompleteCommit", "CompleteAbort", "Dead"})
"""States of a transaction without partitions: of others an empty cell may have been lost at a break."""
_HEADERS = re.compile(
    r"topic partition producerid producerepoch (coordinatorepoch )?startoffset lasttimestamp duration(min|s)"
    r"|producerid producerepoch latestcoordinatorepoch lastsequence lasttimestamp currenttransactionstartoffset"
    r"|coordinatorid transactionalid producerid producerepoch transactionstate transactiontimeoutms "
    r"(currenttransactionstarttimems )?transactiondurationms( topicpartitions)?"
    r"|transactionalid coordinator producerid transactionstate"
    r"|group topic partition (leaderepoch )?currentoffset logendoffset lag( consumerid host clientid)?"
    r"|group topic partition (leaderepoch )?startoffset( lag)?|group topic partition newoffset"
    r"|(coordinator|broker) transactionalid producerid state( error)?"
    r"|broker topic partition start stable end( error)?"
    r"|leader topic partition producerid producerepoch lasttimestamp lastsequence coordinatorepoch txnstartoffset"
    r"( error)?"
    r"|partition leader epoch replicas logstartoffset (laststableoffset )?highwatermark"
)
"""The headers that tools print, of kafka-transactions.sh, kafka-consumer-groups.sh, kcl and rpk: all columns."""
_HEAD = re.compile(r"[A-Za-z][A-Za-z-]{1,40}(?:\((?:min|s|ms)\))?")
_MOST_PIECES, _LONGEST = 8, 4_000
_TAB = 8
_LONG_NAME = 40


def names_of_header(text: str) -> list[str] | None:
    """Return the names of the columns of a header, None for any other text."""
    words = text.split()
    if not all(map(_HEAD.fullmatch, words)):
        return None
    names = [re.sub(r"[^a-z]", "", word.lower()) for word in words]
    return names if _HEADERS.fullmatch(" ".join(names)) else None


def row_pattern(names: Sequence[str]) -> re.Pattern[str]:
    """Return what a row of these columns looks like, with a space before it."""
    return re.compile(
        "".join(
            rf"(?:\s+(?P<{name}>{_CELLS[name]}))?" if name in MAY_BE_EMPTY else rf"\s+(?P<{name}>{_CELLS[name]})"
            for name in names
        )
    )


def looks_like_row(header: Sequence[str], text: str) -> bool:
    """Return whether a line is a row of a table with this header, each cell like its column's."""
    names = names_of_header(" ".join(header))
    return names is not None and row_pattern(names).fullmatch(f" {text}".rstrip()) is not None


class BrokenTables:
    """The table whose rows come next: its columns and the width at which it was broken."""

    def __init__(self) -> None:
        """Begin outside any table."""
        self._names: list[str] = []
        self._row = re.compile("")
        self._head: list[str] = []
        """The header's lines."""
        self._longest = 0
        """The longest word so far: a shorter one of its column has spaces after it, which a break drops."""

    @property
    def inside(self) -> bool:
        """Whether rows of a table may come next."""
        return bool(self._names)

    def take(self, pieces: Sequence[str]) -> tuple[str, int] | None:
        """Return the line that these pieces begin with, whole, and how many of them it is; None if it is as it was."""
        return self._take_header(pieces) or self._take_row(pieces)

    def _take_header(self, pieces: Sequence[str]) -> tuple[str, int] | None:
        if not _HEAD.match(pieces[0].lstrip()):
            return None
        for count in range(min(_MOST_PIECES, len(pieces)), 0, -1):
            some = pieces[:count]
            width = len(some[0]) if len({len(piece) for piece in some[:-1]}) == 1 else 0
            for whole in _joined(some, width):
                names = names_of_header(whole)
                if names:
                    self._begin(names, some)
                    return ("  ".join(whole.split()), count) if count > 1 else None
        return None

    def _begin(self, names: list[str], head: Sequence[str]) -> None:
        self._names, self._head = names, list(head)
        self._longest = max(map(len, " ".join(head).split()))
        self._row = row_pattern(names)

    def _take_row(self, pieces: Sequence[str]) -> tuple[str, int] | None:
        if not self._names or not pieces[0].strip():
            return None
        found = None
        for count in range(1, min(_MOST_PIECES, len(pieces)) + 1):
            if count > 1 and (names_of_header(pieces[count - 1]) or self._cells([pieces[count - 1]])):
                found = found or self._long_name(pieces)
                break
            if cells := self._cells(pieces[:count]):
                found = (cells, count)
        if found is None:
            self._names = []
            return None
        cells, count = found
        self._longest = max(self._longest, *map(len, cells))
        if count == 1:
            return (pieces[0], 1) if len(self._head) > 1 else None
        return ("  ".join(cells), count)

    def _long_name(self, pieces: Sequence[str]) -> tuple[list[str], int] | None:
        """Return the row that a name begins which a terminal broke: what follows it would be a row by itself."""
        first, second = pieces[0], pieces[1]
        if len(first) < _LONG_NAME or len(first.split()) > 1 or second[:1].isspace():
            return None
        row = self._row.fullmatch(f" {first}{second}".rstrip())
        return ([cell for cell in row.groupdict().values() if cell], 2) if row else None

    def _cells(self, pieces: Sequence[str]) -> list[str] | None:
        """Return the cells of a row if these pieces are just one, in one way only."""
        if sum(map(len, pieces)) > _LONGEST or not self._broken_where_needed(pieces):
            return None
        width = len(self._head[0]) if len(self._head) > 1 else 0
        read = [match for whole in _joined(pieces, width) if (match := self._row.fullmatch(f" {whole.strip()}"))]
        if len(read) != 1:
            return None
        told = read[0].groupdict()
        state = told.get("transactionstate") or told.get("state")
        without = "topicpartitions" in told and not told["topicpartitions"] and state not in _WITHOUT_PARTITIONS
        return None if without and len(pieces) > 1 else [cell for cell in told.values() if cell]

    def _broken_where_needed(self, pieces: Sequence[str]) -> bool:
        """Return whether no piece had room for the next cell, in a text as wide as its header and these pieces."""
        lines = [line.expandtabs(_TAB) for line in (*self._head, *pieces)]
        width = max(map(len, lines))
        spaces = re.findall(r"\s+", "\n".join(line.strip() for line in lines))
        gap = max(1, self._longest, *map(len, spaces))
        own = lines[len(self._head) :]
        seams = itertools.pairwise(own)
        return all(len(before) + gap + len(after.split()[0]) > width for before, after in seams)


def _joined(pieces: Sequence[str], width: int) -> list[str]:
    """Return the ways to join pieces: between cells, and within a cell where a line is full or ends within a list."""
    apart = within = pieces[0]
    for before, after in itertools.pairwise(pieces):
        apart += f" {after}"
        full = (len(before) == width or before.endswith(",") or after.startswith(",")) and not after[:1].isspace()
        within += after if full else f" {after}"
    return [apart] if apart == within else [apart, within]
