"""Walks a segment from batch to batch, stretch by stretch, and names the damage between them.

Each batch states its length, so the next one begins where it ends. Where that chain breaks, reading continues at the
next batch whose checksum holds, and the bytes in between are a `Damage`.
"""

import dataclasses
import struct
from collections.abc import Iterator

import numpy as np

from analyzer.parse.segments.byte_layout import (
    HEADER_BYTES,
    LEAST_LENGTH,
    LEGACY_HEADER_BYTES,
    MAGIC_AT,
    PREFIX_BYTES,
    Ints,
)
from analyzer.parse.segments.checksums import holds
from analyzer.parse.segments.raw_bytes import RawBytes
from analyzer.parse.segments.resync import RELATIVE_OFFSETS, Search, only_zeros

STRETCH = 65_536
"""Batches of a stretch at most."""

WINDOW_BYTES = 1 << 23
"""Bytes of a stretch at most, unless a single batch is larger; this much is held at a time."""

DOUBTFUL = 64
"""How many batches before a break are checked."""

SEARCH_FACTOR = 2
SEARCH_BYTES = 64 << 20
"""Bytes that are checksummed in search of batches: SEARCH_BYTES, and SEARCH_FACTOR times the file's size."""

_STEP = struct.Struct(">8xi4xb")
_OFFSET = struct.Struct(">q")
_LAST_OFFSET_DELTA = struct.Struct(">23xi")
V2 = 2


@dataclasses.dataclass(frozen=True, slots=True)
class Damage:
    """Bytes of a segment that are no batch.

    `kind` is cut_tail (the last batch is not whole), zero_tail, bad_size (a batch whose length field is wrong),
    garbage, or bad_offset (a batch, read all the same, whose offset is not after the one before it). `offset_before`
    is the last offset before the bytes, `offset_after` the first one after them, None if there is none.
    """

    kind: str
    position: int
    bytes: int
    offset_before: int | None
    offset_after: int | None


@dataclasses.dataclass(frozen=True, slots=True)
class Stretch:
    """Batches that follow one another, all v2 or all of the older formats, and the damage after them.

    `data` is the segment from byte `base` on, valid until the next stretch; `positions` count from there.
    """

    data: memoryview
    base: int
    positions: Ints
    legacy: bool
    damage: Damage | None = None


def walk(file: RawBytes, stop: int | None = None) -> Iterator[Stretch]:
    """Yield the stretches of a segment from its first byte to the end, or to the first batch that begins at `stop`.

    The same bytes give the same stretches, wherever it stops. Memory: one window of bytes and its positions.
    """
    search = Search(file, SEARCH_FACTOR * file.size + SEARCH_BYTES)
    at, least = 0, 0
    while at < file.size and (stop is None or at < stop):
        base, data = at, _window(file, at)
        legacy = len(data) > MAGIC_AT and data[MAGIC_AT] < V2
        found, reached = _follow(data, legacy=legacy)
        at = base + reached
        damage = None
        if at < file.size and len(found) < STRETCH and not _goes_on(file, at, legacy=legacy):
            doubtful = _doubtful(data, found)
            sure = len(found) - doubtful
            least = _last_offset(data, found[sure - 1], legacy=legacy) + 1 if sure else least
            if doubtful and search.next_batch(base + found[sure] + 1, least, at) is not None:
                at = base + found[sure]
                del found[sure:]
            last = _last_offset(data, found[-1], legacy=legacy) if found else least - 1
            damage = _damage(search, at, last if last >= 0 else None, least)
            at = damage.position + damage.bytes
        elif found:
            least = max(least, _last_offset(data, found[-1], legacy=legacy) + 1)
        yield Stretch(data, base, np.asarray(found, np.int64), legacy, damage)


def _window(file: RawBytes, at: int) -> memoryview:
    """Return the bytes from a batch on: WINDOW_BYTES, or as many as the batch has where it is larger and whole."""
    data = file.window(at, WINDOW_BYTES)
    if len(data) <= MAGIC_AT:
        return data
    size = PREFIX_BYTES + int(_STEP.unpack_from(data, 0)[0])
    return file.window(at, size) if len(data) < size <= file.size - at else data


def _follow(data: memoryview, *, legacy: bool) -> tuple[list[int], int]:
    """Return where whole batches of these formats follow one another, a stretch at most, and where they end."""
    low, high = (0, 1) if legacy else (V2, V2)
    least = LEAST_LENGTH[low]
    size = len(data)
    last = size - (LEGACY_HEADER_BYTES if legacy else HEADER_BYTES)
    unpack = _STEP.unpack_from
    found: list[int] = []
    add = found.append
    at = 0
    for _ in range(STRETCH):
        if at > last:
            break
        length, magic = unpack(data, at)
        if not low <= magic <= high or length < least:
            break
        add(at)
        at += length + PREFIX_BYTES
    if found and at > size:
        at = found.pop()
    return found, at


def _goes_on(file: RawBytes, at: int, *, legacy: bool) -> bool:
    """Whether a whole batch may begin here; if its format is not that of the batches before, its checksum must hold."""
    if file.size - at < LEGACY_HEADER_BYTES:
        return False
    length, magic = _STEP.unpack_from(_head(file, at))
    if magic not in LEAST_LENGTH or length < LEAST_LENGTH[magic] or at + PREFIX_BYTES + length > file.size:
        return False
    return (magic < V2) == legacy or holds(file.read(at, at + PREFIX_BYTES + length))


def _doubtful(data: memoryview, found: list[int]) -> int:
    """Return how many batches at the end have a wrong checksum; it may be the length of one of them that is wrong."""
    for number, at in enumerate(reversed(found[-DOUBTFUL:])):
        if holds(data, at):
            return number
    return min(len(found), DOUBTFUL)


def _last_offset(data: memoryview, at: int, *, legacy: bool) -> int:
    (offset,) = _OFFSET.unpack_from(data, at)
    return int(offset) if legacy else int(offset) + int(_LAST_OFFSET_DELTA.unpack_from(data, at)[0])


def _damage(search: Search, at: int, last: int | None, least: int) -> Damage:
    """Return the damage from `at` to the next batch whose offset is at least `least`, or to the end."""
    file = search.file
    if file.size - at >= PREFIX_BYTES and only_zeros(file, at):
        return Damage("zero_tail", at, file.size - at, last, None)
    after = search.next_batch(at + 1, least)
    if after is None and least:  # no checksum covers the offset before: that may be what is damaged
        after = search.next_batch(at + 1, 0)
    head = _head(file, at)
    if after is None:
        left = max(file.size - at, 0)
        return Damage(_tail_kind(head, left, least), at, left, last, None)
    (offset_after,) = _OFFSET.unpack_from(_head(file, after))
    kind = "bad_size" if _begins_batch(head, least) else "garbage"
    return Damage(kind, at, after - at, last, int(offset_after))


def _head(file: RawBytes, at: int) -> bytes:
    """Return the bytes up to the magic, filled with 0 past the file's end."""
    return bytes(file.read(at, at + MAGIC_AT + 1)).ljust(MAGIC_AT + 1, b"\0")


def _tail_kind(head: bytes, left: int, least: int) -> str:
    """Return the kind of damage of the last `left` bytes: cut_tail if the file ends inside a batch."""
    if left <= MAGIC_AT:
        return "cut_tail"
    if not _begins_batch(head, least):
        return "garbage"
    length, magic = _STEP.unpack_from(head)
    return "bad_size" if length < LEAST_LENGTH[magic] or PREFIX_BYTES + length <= left else "cut_tail"


def _begins_batch(head: bytes, least: int) -> bool:
    """Whether these are the first bytes of a batch, whatever its length field says."""
    (offset,) = _OFFSET.unpack_from(head)
    return head[MAGIC_AT] in LEAST_LENGTH and least <= offset < least + RELATIVE_OFFSETS
