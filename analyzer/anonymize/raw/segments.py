"""Writes the raw files of a log dir again: segments batch by batch, snapshots and transaction indexes as they are.

Bytes between batches, and the rest of a batch that is cut, are filled; what a preallocated tail has is zeros and stays.
"""

import dataclasses
from collections.abc import Iterator

from analyzer.anonymize.raw.batches import Edits, marker, plain_record, written_batch
from analyzer.anonymize.raw.field_edits import offsets_record, transaction_record
from analyzer.anonymize.raw.metadata_edits import control_record, metadata_record
from analyzer.anonymize.replacing import Replacing
from analyzer.parse.segments.byte_layout import HEADER_BYTES, PREFIX_BYTES
from analyzer.parse.segments.chain import Damage, walk
from analyzer.parse.segments.raw_bytes import RawBytes

_LENGTH_AT = 8
_KEPT_HEADS = frozenset({"cut_tail", "bad_size"})
"""Kinds of damage that begin with the header of a batch: numbers."""
_METADATA = Edits(
    lambda key, value, to: (None if key is None else to.payload(key), metadata_record(value, to)),
    lambda key, value, to: (key, control_record(key, value, to)),
)
_EDITS = {
    "segment": Edits(plain_record, marker),
    "transaction_segment": Edits(transaction_record, marker),
    "offsets_segment": Edits(offsets_record, marker),
    "metadata_segment": _METADATA,
    "metadata_checkpoint": _METADATA,
}
"""By kind of file."""


@dataclasses.dataclass(slots=True)
class _Position:
    """Up to where the old segment has been written again."""

    at: int = 0


def written_segment(file: RawBytes, kind: str, to: Replacing) -> Iterator[bytes]:
    """Yield the new segment piece by piece."""
    edits, done = _EDITS[kind], _Position()
    for stretch in walk(file):
        data = stretch.data
        for position in stretch.positions.tolist():
            length = int.from_bytes(data[position + _LENGTH_AT : position + PREFIX_BYTES], "big")
            batch = bytes(data[position : position + PREFIX_BYTES + length])
            yield from _between(file, done, position + stretch.base, to)
            yield written_batch(batch, edits, to)
            done.at = position + stretch.base + len(batch)
        if stretch.damage is not None:
            yield from _damaged(file, stretch.damage, done, to)
    yield from _between(file, done, file.size, to)


def _damaged(file: RawBytes, damage: Damage, done: _Position, to: Replacing) -> Iterator[bytes]:
    start, stop = damage.position, damage.position + damage.bytes
    if start < done.at:
        return
    yield from _between(file, done, start, to)
    content = bytes(file.read(start, stop))
    head = HEADER_BYTES if damage.kind in _KEPT_HEADS else 0
    yield content if damage.kind == "zero_tail" else content[:head] + to.payload(content[head:])
    done.at = stop


def _between(file: RawBytes, done: _Position, stop: int, to: Replacing) -> Iterator[bytes]:
    """Yield what stands before a batch and is none."""
    if done.at < stop:
        yield to.payload(bytes(file.read(done.at, stop)))
        done.at = stop
