r"""Passes over lines of a log that say nothing, many at once: most lines are such.

What is kept of one, the next line of its kind replaces: the last of those that stand one below the other is read, if
no line of their kind follows that may say something. Of a stack trace the first is read, too: it ends what stands
above. The patterns are RE2's, which looks around nothing, and so only name what a line has or lacks:

[2024-05-25 13:14:14,560] INFO [Log partition=orders-3, dir=/data] Rolled new log segment ...      (after any prefix)
13:14:14.560 [main] INFO  org.apache.kafka.clients.Metadata - ...
\tat org.apache.kafka.common.network.Selector.poll(Selector.java:481)
"""

import functools
import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from analyzer.kafka.log_lines.heads import LEVEL, PERHAPS_OTHERS
from analyzer.kafka.log_lines.of_clients import INITIALIZED
from analyzer.kafka.log_lines.registry import telling
from analyzer.kafka.pasting.around_rows import TELLS
from analyzer.parse.stream import Lines

_DAY = r"(?:(?:0[1-9]|1[0-2])[-/](?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])[-/](?:29|30)|(?:0[13578]|1[02])[-/]31)"
_MOMENT = rf"[1-9]\d\d\d[-/]{_DAY}[T ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d"
_LIKE_ONE = r"\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d"
"""As far as its time a moment, perhaps of a day that there was not."""
_HEAD = 300
_DATED = rf"{_MOMENT}.{{0,40}}?\b(?:{LEVEL}|FATAL)\b"
_UNDATED = rf"^(?:\d\d:\d\d:\d\d[.,]\d\d\d )?\[[^\]]{{1,60}}\] {LEVEL} +(?:[A-Za-z_$][\w$]*\.)+[A-Za-z_$][\w$]* +--? "
_WHOLE = r"^[ -~]*[=<>{}\[\]|\\$@][ -~]*[!-~]\r?\n$"
"""In ASCII, and no sentence."""
_FIELDS = r"^[> ]*[A-Za-z_][\w.-]* ?="
_TRACE = r"^\tat (?:[\w.$/@<>-]+\([\w .:$-]+\)|[ -~]{60,}[!-~])\r?\n$"
_SHORTEST, _LONGEST = 64, 3_900
_JSON = (
    r"\{.*\\(?:[^n]|n[^\"])", r"\"(?:request|client_id|resultType)\"", r"(?i:\"(?:err|exc|cause|thrown|stack))",
    INITIALIZED,
)  # fmt: skip
"""JSON that is more than messages, and one whose texts do not stand in it as they are, but for a last line end."""
_RETYPED = (r"\^\[\[", r"\[\d[\d;]*m", r"&(?:[a-z]{2,4}|#)", r"\\[_*\[\]]")
"""Codes of colours, and characters that stand for others."""
_OTHERS = ("producerId=", "::", r"%[0-7]\|", r":\d\d(?:[.,]\d+)? ?[+-](?:2[4-9]|[3-9]\d)")
"""An object of Java's, a record as the console prints it, librdkafka's head, a zone that is none."""
_NONE, _OF_MOMENT, _OF_CLIENT, _OF_TRACE = range(4)


class DullLines:
    """Where such lines are, in what is read of a text."""

    def __init__(self, lines: Lines) -> None:
        """Begin at the first line, which is read whatever it is: how a text begins tells more."""
        self._lines = lines
        self._buffer = b""
        self._last: dict[int, tuple[int, int]] = {}  # by where the first begins: where the last does, how far it is

    def pass_over(self) -> None:
        """Step from the first of such lines to the one to go on with."""
        lines = self._lines
        if lines.number == 1:
            return
        if lines.buffer is not self._buffer:
            self._buffer, self._last = lines.buffer, _runs(lines.buffer, lines.at)
        if last := self._last.get(lines.at):
            lines.jump(*last)


def _runs(buffer: bytes, at: int) -> dict[int, tuple[int, int]]:
    """Return of lines that are passed over, by the index of the first, that of the line to go on with and how far."""
    begins = np.flatnonzero(np.frombuffer(buffer, np.uint8, offset=at) == ord("\n")).astype(np.int32) + at + 1
    begins = np.insert(begins, 0, at)
    kinds, dull = _kinds(buffer, begins)
    turns = np.flatnonzero(np.diff(np.where(dull, kinds, _NONE), prepend=-1, append=-1))
    firsts = turns[:-1] + (kinds[turns[:-1]] == _OF_TRACE)
    goes_on = turns[1:] - (np.append(kinds, _NONE)[turns[1:]] != kinds[turns[1:] - 1])
    passed = dull[turns[:-1]] & (firsts < goes_on)
    runs = zip(firsts[passed].tolist(), goes_on[passed].tolist(), strict=True)
    return {int(begins[first]): (int(begins[on]), on - first) for first, on in runs}


def _kinds(buffer: bytes, begins: NDArray[np.int32]) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Return the kind of each line but the last, which may not be whole, and whether it says nothing."""
    lines = pa.Array.from_buffers(pa.binary(), len(begins) - 1, [None, pa.py_buffer(begins), pa.py_buffer(buffer)])
    lengths = np.diff(begins)
    whole = _fit(lines, _WHOLE) & ~_fit(lines, _FIELDS) & (lengths >= _SHORTEST) & (lengths <= _LONGEST)
    like = pc.count_substring_regex(lines, pattern=_LIKE_ONE).to_numpy()
    real = pc.count_substring_regex(lines, pattern=_MOMENT).to_numpy()
    dated = whole & (like == real) & _fit(pc.binary_slice(lines, 0, _HEAD), _DATED)
    fits = (dated, whole & (like == 0) & _fit(lines, _UNDATED), _fit(lines, _TRACE))
    kinds = np.select(fits, (_OF_MOMENT, _OF_CLIENT, _OF_TRACE), _NONE)
    return kinds.astype(np.int8), (kinds != _NONE) & ~_fit(lines, _may_say())


@functools.cache
def _may_say() -> str:
    words = "|".join(map(re.escape, telling()))
    return "|".join((f"(?i:{words})", *map(re.escape, (*TELLS, *PERHAPS_OTHERS)), *_JSON, *_RETYPED, *_OTHERS))


def _fit(lines: pa.Array, regex: str) -> NDArray[np.bool_]:
    fits: NDArray[np.bool_] = pc.match_substring_regex(lines, regex).to_numpy(zero_copy_only=False)
    return fits
