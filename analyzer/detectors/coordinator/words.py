"""What findings on two successive records of an id in `__transaction_state` share."""

import dataclasses

from pyspark.sql import Column, functions as F

from analyzer.detectors.model import Ref
from analyzer.kafka.topics import STATE_TOPIC


@dataclasses.dataclass(frozen=True, slots=True)
class OfRecord:
    """Evidence about a record of an id and the one before it; both offsets are its own."""

    topic: str
    partition: int
    transactional_id: str
    producer_id: int
    producer_epoch: int
    first_offset: int
    last_offset: int
    state: str
    timestamp: int
    ref: Ref | None
    before_state: str
    before_ref: Ref | None


def of_record() -> dict[str, str | Column]:
    """Return what tells fields of `OfRecord`, for `evidence_of`."""
    return {
        "topic": F.lit(STATE_TOPIC),
        "partition": "state_partition",
        "first_offset": "offset",
        "last_offset": "offset",
    }
