"""Turns the records of raw batches of a named topic into columns of `keyed_records`: many keys are hashed at once."""

from collections.abc import Iterable, Sequence

import pyarrow as pa

from analyzer.kafka.key_hashing import key_crc32, key_murmur2_of
from analyzer.parse.contents.keys import Producer, digest_of, sample_of
from analyzer.parse.contents.record import Record
from analyzer.parse.rows import Array, Rows
from analyzer.tables import ARROW_TYPES, TABLES

AT_ONCE = 32_768
"""How many records are collected before they are handed on."""
COLUMN_TYPES = {column.name: ARROW_TYPES[column.type] for column in TABLES["keyed_records"].columns}
OF_RECORD = ("byte_offset", "offset", "timestamp", "record", "producer_id", "producer_epoch", "is_transactional")


class KeyedRecords:
    """Collects the records with a key, batch by batch."""

    def __init__(self, rows: Rows, *, whole: bool) -> None:
        """Start empty; with `whole` the text of keys is kept."""
        self._rows = rows
        self._whole = whole
        self._keys: list[bytes] = []
        self._records: list[tuple[object, ...]] = []

    def add(self, position: int, records: Iterable[Record], producer: Producer) -> None:
        """Add the records of the batch at this position of the segment."""
        for number, record in enumerate(records):
            if record.key is not None:
                self._keys.append(record.key)
                self._records.append((position, record.offset, record.timestamp, number, *producer))
        if len(self._keys) >= AT_ONCE:
            self.hand_on()

    def hand_on(self) -> None:
        """Add what was collected to the rows."""
        if not self._keys:
            return
        numbers = {key: number for number, key in enumerate(dict.fromkeys(self._keys))}
        at = pa.array(map(numbers.__getitem__, self._keys), pa.int32(), size=len(self._keys))
        columns = {name: values.take(at) for name, values in self._of_keys(list(numbers)).items()}
        columns |= {
            name: pa.array(values, COLUMN_TYPES[name])
            for name, values in zip(OF_RECORD, zip(*self._records, strict=True), strict=True)
        }
        columns["section"] = pa.repeat(pa.scalar(0, pa.int32()), len(at))
        self._rows.add_columns("keyed_records", columns, len(at))
        self._keys, self._records = [], []

    def _of_keys(self, keys: Sequence[bytes]) -> dict[str, Array]:
        return {
            "key_digest": pa.array([digest_of(key) for key in keys]),
            "key_sample": pa.array([sample_of(key, whole=self._whole) for key in keys]),
            "key_bytes": pa.array([len(key) for key in keys], pa.int32()),
            "key_murmur2": pa.array(key_murmur2_of(keys)),
            "key_crc32": pa.array([key_crc32(key) for key in keys], pa.int64()),
        }
