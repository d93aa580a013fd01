"""A reader of its own for what became of each record of a log, from raw segments or text dumps: nothing of the product is used.

Written after Kafka's format 2 and after what DumpLogSegments prints with --deep-iteration. A transactional record is
ended by the next control record of its producer id in the same log; one behind which bytes or whole segments are
missing first may have been ended there.
"""

import bisect
import re
import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

HEAD = struct.Struct(">qiibIhiqqqhii")
LINE = re.compile(r"^(?:\||\d*:?)?\s*baseOffset: (\d+) lastOffset: (\d+) (.*)$")
FIELD = re.compile(r"(\w+): (\S+)")
MARKER = re.compile(r"^\| offset: (\d+) .*endTxnMarker: (COMMIT|ABORT)\b")
FOLDER = re.compile(r"(.+)-(\d+)")


class Batch(NamedTuple):
    """A batch of a log: offsets, whose it is, and the type of its marker (None: data, or a control batch without one)."""

    base: int
    last: int
    producer_id: int
    transactional: bool
    control: bool
    marker: str | None
    position: int
    size: int
    segment: int
    count: int

    @property
    def thinned(self) -> bool:
        """Whether it has fewer records than offsets."""
        return self.count <= self.last - self.base


class Told(NamedTuple):
    """What became of a record: word, and the offset of the marker that ended it."""

    word: str
    marker_offset: int | None


class Log:
    """One copy of a log."""

    def __init__(self, batches: Iterable[Batch], *, cleaned: bool) -> None:
        self.batches = sorted(set(batches))
        self.cleaned = cleaned
        self.bases = [one.base for one in self.batches]
        self.controls = defaultdict(list)
        for one in self.batches:
            if one.control:
                self.controls[one.producer_id].append(one)
        self.holes = list(self._holes())
        self.spans = list(self._spans())

    @property
    def end(self) -> int:
        return self.batches[-1].last + 1 if self.batches else 0

    def _holes(self) -> Iterator[tuple[int, int]]:
        """Offsets that are missing with the bytes that held them, or with a whole segment the cleaner never saw."""
        for one, other in zip(self.batches, self.batches[1:], strict=False):
            if other.base <= one.last + 1:
                continue
            same = one.segment == other.segment
            if (
                (same and one.position + one.size != other.position)
                or (not same and not self.cleaned)
                or (not same and other.position)
            ):
                yield one.last + 1, other.base

    def _spans(self) -> Iterator[tuple[int, int | None]]:
        """From where to which marker each transaction of the log was open; None where none ends it."""
        begun: dict[int, int] = {}
        for one in self.batches:
            if one.control and one.marker is not None:
                if one.producer_id in begun:
                    yield begun.pop(one.producer_id), one.base
            elif one.transactional and not one.control:
                begun.setdefault(one.producer_id, one.base)
        yield from ((first, None) for first in begun.values())

    def at(self, offset: int) -> Batch | None:
        place = bisect.bisect_right(self.bases, offset) - 1
        found = self.batches[place] if place >= 0 else None
        return found if found is not None and found.last >= offset else None

    def told(self, offset: int) -> Told:
        batch = self.at(offset)
        if batch is None:
            return Told("not here", None)
        if batch.control:
            return Told("control", None)
        if not batch.transactional:
            return Told("plain", None)
        end = next((one for one in self.controls[batch.producer_id] if one.base > offset), None)
        until = self.end if end is None else end.base
        if any(hole[0] < until and hole[1] > offset for hole in self.holes):
            return Told("unknown", None)
        if end is None:
            return Told("open", None)
        if end.marker is None:
            return Told("unknown", None)
        return Told({"COMMIT": "committed", "ABORT": "aborted"}[end.marker], end.base)

    def let_through(self, offset: int) -> int | None:
        """The last marker of all transactions that were open at this offset, None for none."""
        ends = [end for first, end in self.spans if end is not None and first <= offset < end]
        return max(ends, default=None)


def logs_of(folder: Path) -> dict[tuple[str, int, str], Log | None]:
    """Every log of a capture's folder, by topic, partition and replica; None for one in a form this reader cannot read."""
    out = {}
    for broker in sorted(folder.glob("broker-*")):
        checked = cleaned_logs(broker)
        for path in sorted(one for one in broker.iterdir() if one.is_dir()):
            named = FOLDER.fullmatch(path.name)
            if named is None:
                continue
            found = list(_batches(path))
            unread = any(one is None for one in found)
            log = None if unread else Log(found, cleaned=path.name in checked)
            out[named[1], int(named[2]), broker.name.removeprefix("broker-")] = log
    return out


def cleaned_logs(broker: Path) -> set[str]:
    path = broker / "cleaner-offset-checkpoint"
    lines = path.read_text().splitlines()[2:] if path.exists() else []
    return {"-".join(line.rsplit(" ", 2)[:2]) for line in lines}


def _batches(folder: Path) -> Iterator[Batch | None]:
    for path in sorted(folder.glob("*.log")):
        yield from raw(path.read_bytes(), int(path.stem))
    for path in sorted(folder.glob("*.log*.txt")):
        yield from text(path.read_text("utf-8", "surrogateescape"), int(path.name.split(".")[0]))


def raw(data: bytes, segment: int) -> Iterator[Batch | None]:
    at = 0
    while at + HEAD.size <= len(data):
        base, length, _, magic, _, flags, delta, _, _, pid, _, _, count = HEAD.unpack_from(data, at)
        if magic != 2:
            yield None
            return
        control, marker = bool(flags & 0x20), None
        if control and count:
            body = data[at + HEAD.size : at + 12 + length]
            marker = marker_of(body)
        yield Batch(base, base + delta, pid, bool(flags & 0x10), control, marker, at, 12 + length, segment, count)
        at += 12 + length


def marker_of(body: bytes) -> str | None:
    """The type in the key of a control record: attributes, time and offset deltas, then the key: version and type."""
    at = 0
    for step in ("length", "attributes", "time", "offset", "key"):
        if step == "attributes":
            at += 1
            continue
        while body[at] & 128:
            at += 1
        at += 1
    return {0: "ABORT", 1: "COMMIT"}.get(struct.unpack_from(">h", body, at + 2)[0])


def text(dump: str, segment: int) -> Iterator[Batch | None]:
    markers = {int(found[1]): found[2] for line in dump.splitlines() if (found := MARKER.match(line))}
    for line in dump.splitlines():
        if line.startswith("offset: "):
            yield None
            return
        found = LINE.match(line)
        if found is None:
            continue
        fields = dict(FIELD.findall(found[3]))
        if not {"isTransactional", "isControl", "position", "size"} <= fields.keys():
            yield None
            return
        base, control = int(found[1]), fields["isControl"] == "true"
        yield Batch(
            base, int(found[2]), int(fields["producerId"]), fields["isTransactional"] == "true", control,
            markers.get(base) if control else None, int(fields["position"]), int(fields["size"]), segment,
            int(fields["count"]),
        )  # fmt: skip
