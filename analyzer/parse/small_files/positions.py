r"""Reads tables of positions of groups: kafka-consumer-groups.sh, kafka-share-groups.sh, kafka-streams-groups.sh, rpk.

GROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST  CLIENT-ID
GROUP           TOPIC           PARTITION  LEADER-EPOCH    CURRENT-OFFSET  LOG-END-OFFSET  LAG  ...  (4.0, --verbose)
GROUP           TOPIC           PARTITION  START-OFFSET    LAG                                       (share groups)
Group           Topic           Pid Offset          logSize         Lag             Owner   (ConsumerOffsetChecker)
GROUP           TOPIC           PARTITION  NEW-OFFSET                                                (--reset-offsets)
GROUP             readers                                       (rpk and kcl name the group above the table, and more)
TOPIC   PARTITION  CURRENT-OFFSET  LOG-START-OFFSET  LOG-END-OFFSET  LAG  MEMBER-ID  ...

The name of a group may hold spaces, so a row is read by the columns of its header, from the right. Numbers as pages
and spreadsheets print them, 1,234,567 for example, are read where the lag shows what they are.
"""

import re

from analyzer.parse.answers.told import Observation
from analyzer.parse.rows import within

_HEADER = re.compile(r"GROUP\s+TOPIC\s+PARTITION\s+(?:LEADER-EPOCH\s+)?(?:NEW|CURRENT|START)-OFFSET\b[A-Z\t -]*")
_OLDEST = re.compile(r"Group\s+Topic\s+Pid\s+Offset\s+logSize\s+Lag\s+Owner")
_OLDEST_NAMES = ("GROUP", "TOPIC", "PARTITION", "CURRENT-OFFSET", "LOG-END-OFFSET", "LAG", "OWNER")
"""What it calls the same columns: `Pid` is the partition."""
_THOUSANDS = r"[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?:\.\d{3})+"
_POSITION = rf"-|{_THOUSANDS}|\d{{1,19}}"
_OFFSET = rf"-|-?(?:{_THOUSANDS}|\d{{1,19}})"
_NUMBER = rf"(?:{_OFFSET})"
_SPACED = re.compile(r"[1-9]\d{0,2}(?: \d{3})+")
_NO_BREAK = str.maketrans("\xa0\u202f", "  ")
_CELLS = {
    "GROUP": r"(?P<group>.*\S)",
    "TOPIC": r"(?P<topic>[A-Za-z0-9._-]+)",
    "PARTITION": r"(?P<partition>\d{1,10})",
    "NEW-OFFSET": rf"(?P<position>{_POSITION})",
    "CURRENT-OFFSET": rf"(?P<position>{_POSITION})",
    "START-OFFSET": rf"(?P<start>{_POSITION})",
    "LEADER-EPOCH": _NUMBER,
    "LOG-END-OFFSET": rf"(?P<end>{_OFFSET})",
    "OFFSET-LAG": _NUMBER,
    "LAG": rf"(?P<lag>{_OFFSET})",
}
"""What a cell of each column looks like; of others, that it is there."""
_GROUP = re.compile(r"GROUP[ \t]{2,}(\S{1,249})")
_OF_GROUP = re.compile(r"(?:COORDINATOR(?:-NODE|-PARTITION)?|STATE|BALANCER|MEMBERS|TOTAL-LAG)(?:[ \t]+\S{1,300})?")
_OF_RPK = re.compile(r"(TOPIC\s+PARTITION\s+CURRENT-OFFSET\s+LOG-START-OFFSET\s+LOG-END-OFFSET\s+LAG)\b[A-Z\t -]*")
_LAST = r"\S.*"
_GAP = r"\s+"


def row_pattern(text: str) -> re.Pattern[str] | None:
    """Return what a row below this header looks like; None for a line that is no such header."""
    line = text.strip()
    oldest = _OLDEST.fullmatch(line)
    if oldest is None and _HEADER.fullmatch(line) is None:
        return None
    names = list(_OLDEST_NAMES) if oldest else line.split()
    cells = [_CELLS.get(name, _LAST if name == names[-1] else r"\S+") for name in names]
    return re.compile(_GAP.join(cells))


def position_of(pattern: re.Pattern[str], text: str) -> Observation | None:
    """Return the position that a row shows, and the log end if its lag bears that out; None for any other line.

    That of a share group is a kind of its own: by default such a group reads past open transactions (KIP-932).
    """
    text = text.translate(_NO_BREAK)
    cells = _padded(text)
    if any(map(_SPACED.fullmatch, cells)):
        text = "  ".join(cell.replace(" ", ".") if _SPACED.fullmatch(cell) else cell for cell in cells)
    match = pattern.fullmatch(text.strip())
    if match is None:
        return None
    if len(text.split()) > pattern.pattern.count(_GAP) + 1 and not _named_with_spaces(pattern, match, text):
        return None
    of_share = "start" in pattern.groupindex
    cell = match["start" if of_share else "position"]
    if any(re.fullmatch(_THOUSANDS, told) for told in match.groupdict().values() if told) and not _lags(match):
        return None
    position = _whole(cell)
    position = None if position is None else within(position, "bigint")
    end = _whole(match["end"]) if _lags(match) else None
    row = re.sub(r"\s+", " ", text).strip()
    return (
        "share_position" if of_share else "group_position",
        match["topic"],
        within(int(match["partition"]), "int"),
        match["group"],
        position,
        None if end is None else within(end, "bigint"),
        row,
    )


class NamedAbove:
    """The group that rpk names above the table of its positions."""

    def __init__(self) -> None:
        """Begin without any."""
        self._group = ""
        self._columns = 0
        """How many of its first columns are read; the others stand empty where no member reads the partition."""

    def take(self, text: str) -> bool:
        """Take a line that is none of a table; return whether it tells of a group."""
        found = _GROUP.fullmatch(text.strip())
        self._group = found[1] if found else self._group
        return bool(self._group) and (found is not None or _OF_GROUP.fullmatch(text.strip()) is not None)

    def row_pattern(self, text: str) -> re.Pattern[str] | None:
        """Return what a row below a header looks like, as `whole` gives it; None for a line that is no header."""
        found = _OF_RPK.fullmatch(text.strip()) if self._group else None
        pattern = row_pattern(f"GROUP {found[1]}" if found else text)
        if pattern:
            self._columns = len(found[1].split()) if found else 0
        return pattern

    def whole(self, text: str) -> str:
        """Return a row with the group, if its table does not name it."""
        return "  ".join([self._group, *text.split()[: self._columns]]) if self._columns else text


def _named_with_spaces(pattern: re.Pattern[str], match: re.Match[str], text: str) -> bool:
    """Return whether a row of more words than columns is one with spaces in a name, and not one of a wider table.

    The padding shows that, or the lag, which is what lies between the two offsets.
    """
    cells = _padded(text)
    if len(cells) == pattern.pattern.count(_GAP) + 1:
        return cells[1] == match["topic"]
    return _lags(match)


def _padded(text: str) -> list[str]:
    return re.split(r"\s{2,}|\t", text.strip())


def _lags(match: re.Match[str]) -> bool:
    """Return whether a row shows that its numbers are read as they were printed: the lag is what lies between them."""
    told = match.groupdict()
    end, position, lag = (_whole(told.get(name) or "-") for name in ("end", "position", "lag"))
    return end is not None and position is not None and lag is not None and end - position == lag


def _whole(cell: str) -> int | None:
    return None if cell == "-" else int(re.sub(r"[,.]", "", cell))
