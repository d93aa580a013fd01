"""What a finding is about, as the first fields of its evidence: a copy of a partition, a producer in it, its data."""

import dataclasses
from typing import Any

from pyspark.sql import Column, DataFrame, functions as F

from analyzer.detectors.model import Ref
from analyzer.detectors.wording import offsets, producer, writer


@dataclasses.dataclass(frozen=True, slots=True)
class OfPartition:
    """Evidence about one copy of a partition."""

    topic: str
    partition: int
    replica: str

    @property
    def place(self) -> str:
        """Its partition: `orders-0`."""
        return f"{self.topic}-{self.partition}"


@dataclasses.dataclass(frozen=True, slots=True)
class OfProducer(OfPartition):
    """Evidence about a producer id there; transactional_id is None where no record of a coordinator names it."""

    transactional_id: str | None
    producer_id: int
    producer_epoch: int

    @property
    def who(self) -> str:
        """The transactional id, or `producer 7` where that is not known."""
        return writer(self.transactional_id, self.producer_id)

    @property
    def owner(self) -> str:
        """Whose it is: `pay-1 (producer 7, epoch 0)`."""
        return f"{self.who} ({producer(self.producer_id, self.producer_epoch)})"


@dataclasses.dataclass(frozen=True, slots=True)
class OfData(OfProducer):
    """Evidence about a range of its data; `records` is None where the batches do not tell."""

    first_offset: int
    last_offset: int
    records: int | None

    @property
    def wrote(self) -> str:
        """Who wrote what: `pay-1 (producer 7, epoch 0) wrote 18..20`."""
        return f"{self.owner} wrote {offsets(self.first_offset, self.last_offset)}"


@dataclasses.dataclass(frozen=True, slots=True)
class OfOpenData(OfData):
    """Evidence about a transaction that is open: `conditions.subject` tells these fields."""

    captured_at: int
    first_ref: Ref | None
    last_ref: Ref | None


def columns(kind: type[Any], **told: str | Column) -> list[Column]:
    """Return the fields of an evidence as columns: `told` by another name or an expression, else by their own name."""
    sources = {field.name: told.get(field.name, field.name) for field in dataclasses.fields(kind)}
    return [(F.col(one) if isinstance(one, str) else one).alias(name) for name, one in sources.items()]


def evidence_of(kind: type[Any], rows: DataFrame, **told: str | Column) -> DataFrame:
    """Return rows as evidence of this kind: `capture`, and each of its fields as in `columns`."""
    return rows.select("capture", *columns(kind, **told))
