"""Records saved from files, whole and as bytes: what readers give, and the columns of the files they are written to."""

import dataclasses

import pyarrow as pa

Header = tuple[bytes, bytes | None]
"""Key and value of a record header; a key may occur more than once, and the order counts (KIP-82)."""


@dataclasses.dataclass(frozen=True, slots=True)
class WholeRecord:
    """A record with everything that its log or the text of a dump says of it; null stays apart from empty.

    `doubt` says why the bytes may differ from what was produced, None where they are those of the log.
    """

    offset: int
    timestamp: int | None
    timestamp_type: str | None
    key: bytes | None
    value: bytes | None
    headers: tuple[Header, ...]
    producer_id: int
    producer_epoch: int | None
    sequence: int
    doubt: str | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Wanted:
    """Which records to save: the transactional data of this producer id from one offset to another, both included."""

    producer_id: int
    first_offset: int
    last_offset: int


@dataclasses.dataclass(frozen=True, slots=True)
class Unread:
    """Records that a file may hold and that were not saved: where they are, how many if the file says it, and why."""

    path: str
    position: int | None
    first_offset: int | None
    last_offset: int | None
    records: int | None
    why: str


@dataclasses.dataclass(frozen=True, slots=True)
class SavedBatch:
    """Records of one batch; its first offset and checksum tell whether another file holds the same batch."""

    base_offset: int
    crc: int | None
    records: list[WholeRecord]


@dataclasses.dataclass(slots=True)
class Seen:
    """What files show in addition to the wanted records.

    `covered` are ranges of offsets that whole batches of any producer fill. `markers` are those of the producer in the
    range. `beside` counts records of the producer in the range that belong to no transaction; `more` counts records of
    its transaction outside the range, with no marker in between.
    """

    covered: list[tuple[int, int]] = dataclasses.field(default_factory=list)
    unread: list[Unread] = dataclasses.field(default_factory=list)
    markers: list[int] = dataclasses.field(default_factory=list)
    beside: int = 0
    reaches: int | None = None
    """The last offset of its transaction above the range, None for none."""
    _before: int = 0
    _after: int = 0
    _ended: bool = False

    @property
    def more(self) -> int:
        """How many records of the transaction are outside the range."""
        return self._before + self._after

    def marker(self, offset: int, wanted: Wanted) -> None:
        """Take in a marker of the producer, in the order of the log."""
        if offset < wanted.first_offset:
            self._before = 0
        elif offset > wanted.last_offset:
            self._ended = True
        else:
            self.markers.append(offset)

    @property
    def ended(self) -> bool:
        """Whether a marker of the producer stands above the range: what it has after that is another transaction's."""
        return self._ended

    def outside(self, offset: int, count: int, wanted: Wanted, last: int | None = None) -> None:
        """Take in data of the producer outside the range, up to the `last` offset, in the order of the log."""
        if offset < wanted.first_offset:
            self._before += count
        elif not self._ended:
            self._after += count
            self.reaches = offset if last is None else last

    def holes(self, wanted: Wanted) -> list[tuple[int, int]]:
        """Return the ranges of wanted offsets that no batch fills."""
        out: list[tuple[int, int]] = []
        next_offset = wanted.first_offset
        for first, last in sorted(self.covered):
            if first > next_offset:
                out.append((next_offset, min(first - 1, wanted.last_offset)))
            next_offset = max(next_offset, last + 1)
            if next_offset > wanted.last_offset:
                return out
        return [*out, (next_offset, wanted.last_offset)]


_HEADERS = pa.list_(pa.struct([("key", pa.binary()), ("value", pa.binary())]))

RECORD_SCHEMA = pa.schema(
    [
        ("topic", pa.string()),
        ("partition", pa.int32()),
        ("offset", pa.int64()),
        ("timestamp", pa.int64()),
        ("timestamp_type", pa.string()),
        ("key", pa.binary()),
        ("value", pa.binary()),
        ("headers", _HEADERS),
        ("producer_id", pa.int64()),
        ("producer_epoch", pa.int32()),
        ("sequence", pa.int32()),
        ("doubt", pa.string()),
    ]
)
"""Columns of the Parquet file; the JSON lines have the same fields, with bytes in base64."""
