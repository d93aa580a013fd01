"""Which part of a capture a timeline or a ranking is about: a time, an id, a topic, and at most how much."""

import dataclasses
import functools
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from analyzer.lookups import ids
from analyzer.lookups.asking import Asking
from analyzer.lookups.place import partition_named
from analyzer.lookups.txn import resolved
from analyzer.storage.reading.tables import Condition

SEPARATOR = "\0"
"""Between the parts of a key: no name of Kafka's has it."""


@dataclasses.dataclass(frozen=True)
class Part:
    """A part of a capture: from `since_ms` on and before `until_ms`, of one id, of one topic or partition."""

    asked: Asking
    since_ms: int | None = None
    until_ms: int | None = None
    whose: str | None = None
    topic: str | None = None

    def within(self, column: str) -> list[Condition]:
        """Return the conditions that a time lies in this part; a time that is not known does not."""
        out: list[Condition] = [(column, "is not null", None)]
        out += [(column, ">=", self.since_ms)] if self.since_ms is not None else []
        out += [(column, "<", self.until_ms)] if self.until_ms is not None else []
        return out

    @functools.cached_property
    def files(self) -> list[str]:
        """The contents of the capture, by which its facts are found."""
        return sorted({one["file_id"] for one in self.asked.places})

    @functools.cached_property
    def transactional_ids(self) -> list[str] | None:
        """The ids asked about; None: all. A producer id stands for the ids that had it."""
        return None if self.whose is None else resolved(self.asked, self.whose) or [self.whose]

    @functools.cached_property
    def producer_ids(self) -> list[int] | None:
        """The producer ids asked about; None: all."""
        if self.whose is None or self.transactional_ids is None:
            return None
        told = self.asked.rows("coordinator_states", ("transactional_id", "in", self.transactional_ids),
                               columns=["producer_id"])  # fmt: skip
        own = {int(self.whose)} if self.whose.isdigit() else set()
        return sorted({one["producer_id"] for one in told if one["producer_id"] not in {None, -1}} | own)

    @functools.cached_property
    def place(self) -> tuple[str, int | None] | None:
        """The topic asked about, and its partition if `topic` names one that the capture has; None: all."""
        if self.topic is None:
            return None
        named = partition_named(self.topic)
        if named and self.asked.rows("log_places", ("topic", "=", named[0]), ("partition", "=", named[1])):
            return named
        return self.topic, None

    def of_place(self) -> list[Condition]:
        """Return the conditions that a row with a topic is of the place asked about."""
        if self.place is None:
            return []
        topic, partition = self.place
        return [("topic", "=", topic), *([("partition", "=", partition)] if partition is not None else [])]

    def of_producers(self) -> list[Condition]:
        """Return the condition that a row is of the producer ids asked about."""
        return [] if self.producer_ids is None else [("producer_id", "in", self.producer_ids)]

    def of_ids(self) -> list[Condition]:
        """Return the condition that a row is of the ids asked about."""
        return [] if self.transactional_ids is None else [("transactional_id", "in", self.transactional_ids)]

    def spans(self, column: str, *where: Condition) -> pa.Table:
        """Return the rows of `log_txns` of judged copies whose `column` is a time of this part."""
        conditions = [*self.within(column), *self.of_place(), *self.of_producers(), *where]
        rows = self.asked.table("log_txns", *conditions)
        judged = [SEPARATOR.join(map(str, one)) for one in ids.judged_copies(self.asked)]
        key = pc.binary_join_element_wise(rows["topic"], rows["partition"].cast("string"), rows["replica"], SEPARATOR)
        return rows.filter(pc.is_in(key, value_set=pa.array(judged, pa.string())))

    def names_place(self, partitions: list[str] | None) -> bool:
        """Return whether a list of partitions names the place asked about."""
        if self.place is None:
            return True
        topic, number = self.place
        named = (partition_named(one) for one in partitions or ())
        return any(one and one[0] == topic and number in {None, one[1]} for one in named)


def first_rows(rows: pa.Table, column: str, limit: int, *then: str) -> pa.Table:
    """Return the first rows in the order of a column, and of these others, where it is the same."""
    keys: list[tuple[str, Any]] = [(name, "ascending") for name in (column, *then)]
    return rows.take(pc.sort_indices(rows, sort_keys=keys)[:limit])
