"""The shape of a record of a batch, whichever format it has, and of what makes rows of records."""

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from analyzer.parse.rows import Row, Rows

OfBatch = Sequence[object]
"""What a row tells of its record's batch, such as producer_id, producer_epoch and is_transactional."""


class Record(Protocol):
    """A record of a batch: offset in the log, timestamp in epoch ms (None in format 0), key and value."""

    @property
    def offset(self) -> int: ...  # noqa: D102

    @property
    def timestamp(self) -> int | None: ...  # noqa: D102

    @property
    def key(self) -> bytes | None: ...  # noqa: D102

    @property
    def value(self) -> bytes | None: ...  # noqa: D102


Decode = Callable[[Record, OfBatch], Row | None]
"""A record and `of_batch` of its batch, a row out; None if it has no table. Raises one of BROKEN for broken bytes."""


class Collector(Protocol):
    """Makes rows of the records of batches."""

    def add(self, position: int, records: Iterable[Record], of_batch: OfBatch, /) -> None:
        """Take the records of the batch at this position; raises one of BROKEN for broken bytes."""

    def hand_on(self) -> None:
        """Add to the rows what is not there yet."""


@dataclasses.dataclass(frozen=True, slots=True)
class EachRecord:
    """Decodes one record after the other."""

    decode: Decode
    rows: Rows

    def add(self, position: int, records: Iterable[Record], of_batch: OfBatch) -> None:
        """See `Collector`."""
        for number, record in enumerate(records):
            row = self.decode(record, of_batch)
            if row is not None:
                self.rows.add_row(row, (0, None, position), number)

    def hand_on(self) -> None:
        """See `Collector`: all of it is there."""
