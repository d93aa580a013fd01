"""What a finding is about, as the first fields of its evidence: a copy of a partition, a producer in it, its data."""

import dataclasses

from analyzer.detectors.model import Ref


@dataclasses.dataclass(frozen=True, slots=True)
class OfPartition:
    """Evidence about one copy of a partition."""

    topic: str
    partition: int
    replica: str


@dataclasses.dataclass(frozen=True, slots=True)
class OfProducer(OfPartition):
    """Evidence about a producer id there; transactional_id is None where no record of a coordinator names it."""

    transactional_id: str | None
    producer_id: int
    producer_epoch: int


@dataclasses.dataclass(frozen=True, slots=True)
class OfData(OfProducer):
    """Evidence about a range of its data; `records` is None where the batches do not tell."""

    first_offset: int
    last_offset: int
    records: int | None


@dataclasses.dataclass(frozen=True, slots=True)
class OfOpenData(OfData):
    """Evidence about a transaction that is open: `conditions.subject` selects these fields."""

    captured_at: int
    first_ref: Ref | None
    last_ref: Ref | None
