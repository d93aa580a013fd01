"""Everything that the coordinator's records show by themselves, stage by stage."""

import dataclasses
from typing import Annotated

from pyspark.sql import DataFrame

from analyzer.lifecycles.coordinator import tables


@dataclasses.dataclass(frozen=True, slots=True)
class Coordinator:
    """What __transaction_state shows by itself."""

    records: Annotated[DataFrame, tables.COORDINATOR_RECORDS]
    txns: Annotated[DataFrame, tables.COORDINATOR_TXNS]
    registrations: Annotated[DataFrame, tables.REGISTRATIONS]
    producers: Annotated[DataFrame, tables.PRODUCERS]
