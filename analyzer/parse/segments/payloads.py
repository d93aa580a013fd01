"""Measures the keys and values of batches in raw segments, by file and position."""

from collections.abc import Iterable, Iterator

import pyarrow as pa

from analyzer.opening import raw_file
from analyzer.parse.segments.records import records_of

PAYLOADS = "absolute_path string, position bigint, payload_bytes bigint"
"""Schema of what `read_payloads` yields."""
_SCHEMA = pa.schema([("absolute_path", pa.string()), ("position", pa.int64()), ("payload_bytes", pa.int64())])


def read_payloads(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the payload of each batch; rows have absolute_path, compression, position, size, and are sorted by file.

    payload_bytes is null if the records cannot be decoded or the file is gone.
    """
    for batch in batches:
        rows = batch.to_pylist()
        found: list[int | None] = []
        begin = 0
        while begin < len(rows):
            file = (rows[begin]["absolute_path"], rows[begin]["compression"])
            end = begin
            while end < len(rows) and (rows[end]["absolute_path"], rows[end]["compression"]) == file:
                end += 1
            found += _of_file(*file, [(row["position"], row["size"]) for row in rows[begin:end]])
            begin = end
        yield pa.RecordBatch.from_arrays(
            [batch.column("absolute_path"), batch.column("position"), pa.array(found, pa.int64())], schema=_SCHEMA
        )


def _of_file(absolute_path: str, compression: str, places: list[tuple[int, int]]) -> list[int | None]:
    out: list[int | None] = []
    try:
        with raw_file(absolute_path, compression or "") as path, open(path, "rb") as segment:  # noqa: PTH123 - a copy's name
            for position, size in places:
                segment.seek(position)
                out.append(_payload(segment.read(size)))
    except OSError:
        out += [None] * (len(places) - len(out))
    return out


def _payload(batch: bytes) -> int | None:
    records = records_of(memoryview(batch))
    if not records:
        return None
    return sum(len(record.key or b"") + len(record.value or b"") for record in records)
