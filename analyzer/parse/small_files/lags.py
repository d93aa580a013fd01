"""Tells which groups of a text lag, and which of them stand where an open transaction would stop them (RULES F 5).

A table of positions shows no transaction. What it shows together with the other answers of its text is told at its end,
the most telling first: a group at the LSO, one that stands while the log grows, one that is far from the log's end.
"""

import dataclasses
from collections.abc import Iterator

from analyzer.kafka.log_lines.of_metrics import AT_LSO, GROUP_LAG, STANDS
from analyzer.parse.answers.objects import Place
from analyzer.parse.answers.told import Observation
from analyzer.parse.logs.line import LogLine

_TELLING = (AT_LSO, STANDS, GROUP_LAG)
_MOST_LAGS = 10
"""Lags that are told of one text: a table has a row for each partition of each group."""
_MOST = 100_000
"""Positions that are remembered."""
At = tuple[int, int, int]


@dataclasses.dataclass(frozen=True)
class _Position:
    """A group's position in a partition: the newest row about it, which has the highest end, and the ends in all."""

    offset: int
    ends: tuple[int, int]
    """The lowest and the highest while it stood at this offset."""
    row: str
    at: At
    logged_ms: int | None


class Lags:
    """The positions and LSOs of the text so far."""

    def __init__(self) -> None:
        """Begin without any; an LSO is that of the last answer, None where nothing was open below its watermark."""
        self._groups: dict[tuple[str, Place], _Position] = {}
        self._stable: dict[Place, int | None] = {}

    def see(self, told: Observation | LogLine, at: At, logged_ms: int | None) -> None:
        """Take what a line told, where it stands, and its moment."""
        if isinstance(told, dict):
            if told["says"] == "stable_offset" and len(self._stable) < _MOST:
                pinned = (told["offset"] or 0) < (told["number"] or 0)
                self._stable[told["topic"], told["partition"]] = told["offset"] if pinned else None
            return
        observed, topic, partition, group, offset, end, row = told
        if observed != "group_position" or topic is None or partition is None or group is None:
            return
        if offset is None or end is None or len(self._groups) >= _MOST:
            return
        key = (group, (topic, partition))
        before = self._groups.get(key)
        ends = before.ends if before and before.offset == offset else (end, end)
        ends = (min(end, *ends), max(end, *ends))
        if before is None or end >= before.ends[1]:
            self._groups[key] = _Position(offset, ends, row or "", at, logged_ms)
        elif before.offset == offset:
            self._groups[key] = dataclasses.replace(before, ends=ends)

    def told(self) -> Iterator[tuple[At, LogLine]]:
        """Yield where each of the most telling lags stands, and what it says."""
        lags = [(self._says(place, one), place, one) for (_, place), one in self._groups.items() if self._lags(one)]
        lags.sort(key=lambda lag: (_TELLING.index(lag[0]), lag[2].offset - lag[2].ends[1]))
        for says, (topic, partition), one in lags[:_MOST_LAGS]:
            yield one.at, {
                "says": says, "source": "tool", "topic": topic, "partition": partition, "offset": one.offset,
                "number": one.ends[1] - one.offset, "text": one.row, "logged_ms": one.logged_ms,
            }  # fmt: skip

    @staticmethod
    def _lags(one: _Position) -> bool:
        return one.ends[1] > one.offset

    def _says(self, place: Place, one: _Position) -> str:
        if self._stable.get(place) == one.offset:
            return AT_LSO
        return STANDS if one.ends[0] < one.ends[1] else GROUP_LAG
