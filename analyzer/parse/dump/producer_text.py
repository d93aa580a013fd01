"""Reads the transactional data of one producer id between two offsets from a dump made with --print-data-log."""

from collections.abc import Collection, Iterator
from typing import BinaryIO, cast

from analyzer.parse.dump.printed_payload import PrintedRows
from analyzer.parse.dump.reader import read_dump
from analyzer.parse.stream import Lines
from analyzer.tables.rescued import Wanted, WholeRecord

PRODUCER_ID_AT, TRANSACTIONAL_AT = 4, 6


def printed_data(stream: BinaryIO, sections: Collection[int], wanted: Wanted) -> Iterator[WholeRecord]:
    """Yield the wanted records of these sections in the order of the text.

    A record whose text has no certain end is left out. Each record's `doubt` says what its text may have lost.
    """
    rows = PrintedRows()
    for _ in read_dump(Lines(stream), rows, bulk=False, payloads=True):
        yield from _taken(rows, sections, wanted)
    yield from _taken(rows, sections, wanted)


def _taken(rows: PrintedRows, sections: Collection[int], wanted: Wanted) -> Iterator[WholeRecord]:
    printed, rows.printed = rows.printed, []
    for section, values in printed:
        offset = cast("int", values[0])
        of_producer = values[PRODUCER_ID_AT] == wanted.producer_id and values[TRANSACTIONAL_AT] is True
        if section in sections and of_producer and wanted.first_offset <= offset <= wanted.last_offset:
            yield _record(values)


def _record(values: tuple[object, ...]) -> WholeRecord:
    offset, time, label, sequence, producer_id, epoch, _, key, value, doubt = values
    return WholeRecord(
        offset=cast("int", offset),
        timestamp=cast("int | None", time),
        timestamp_type=cast("str | None", label),
        key=cast("bytes | None", key),
        value=cast("bytes | None", value),
        headers=(),
        producer_id=cast("int", producer_id),
        producer_epoch=cast("int | None", epoch),
        sequence=cast("int", sequence),
        doubt=cast("str | None", doubt),
    )
