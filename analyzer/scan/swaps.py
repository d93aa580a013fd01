"""Which segments the cleaner has replaced and not yet renamed: what a broker does with them when it starts.

A `.log.swap` is a whole segment that stands for those from its base offset up to its end (`LogSegment.readNextOffset`):
at its start a broker deletes these and renames it. A swap from the base offset of a `.cleaned` file on is not whole
(KAFKA-6264): it is deleted, and the segments stay. Source: `LogLoader.removeTempFilesAndCollectSwapFiles`, `load`.
"""

import re
import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from analyzer.scan.walking import Found

SWAP, CLEANED = ".swap", ".cleaned"
_OF_LOG = re.compile(r"(\d{20})\.(?:log|index|timeindex|txnindex)(\.swap|\.cleaned)?")
_HEAD = struct.Struct(">qi")
_LAST_DELTA_AT, _DELTA_END = 23, 27
_OVERHEAD, _MAGIC_AT, _NEW_FORMAT = 12, 16, 2


def replaced(found: Iterable[Found]) -> frozenset[str]:
    """Return the paths, as the user sees them, of the files of segments that their broker deletes at its start."""
    folders: dict[Path, list[tuple[int, str, Found]]] = defaultdict(list)
    for one in found:
        match = _OF_LOG.fullmatch(one.path.name) if one.problem is None else None
        if match:
            folders[one.path.parent].append((int(match[1]), match[2] or "", one))
    return frozenset(path for files in folders.values() for path in _of_folder(files))


def _of_folder(files: list[tuple[int, str, Found]]) -> Iterator[str]:
    unfinished = min((base for base, state, _ in files if state == CLEANED), default=None)
    swaps = [(base, one) for base, state, one in files if state == SWAP]
    ranges = []
    for base, one in swaps:
        if unfinished is not None and base >= unfinished:
            yield one.relative
        elif one.path.name.endswith(f".log{SWAP}"):
            ranges.append((base, _end_of(one.path, base)))
    if not ranges:
        return
    first, end = min(base for base, _ in ranges), max(end for _, end in ranges)
    for base, state, one in files:
        if not state and first <= base < end:
            yield one.relative


def _end_of(path: Path, base: int) -> int:
    """Return the offset after the last batch that is whole in a segment; its base offset if none is."""
    end, at = base, 0
    try:
        size = path.stat().st_size
        with path.open("rb") as stream:
            while at + _DELTA_END <= size:
                stream.seek(at)
                head = stream.read(_DELTA_END)
                offset, length = _HEAD.unpack_from(head)
                if len(head) < _DELTA_END or length <= 0 or at + _OVERHEAD + length > size:
                    break
                (delta,) = struct.unpack_from(">i", head, _LAST_DELTA_AT) if head[_MAGIC_AT] == _NEW_FORMAT else (0,)
                end, at = max(end, offset + delta + 1), at + _OVERHEAD + length
    except OSError:
        return base
    return end
