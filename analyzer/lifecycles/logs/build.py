"""Everything that the logs of data partitions show by themselves, stage by stage."""

import dataclasses
from typing import Annotated

from pyspark.sql import DataFrame

from analyzer.lifecycles.logs import tables
from analyzer.lifecycles.logs.transactions import all_events, carried_in


@dataclasses.dataclass(frozen=True, slots=True)
class Logs:
    """What the data partitions show by themselves."""

    places: Annotated[DataFrame, tables.PLACES]
    observations: Annotated[DataFrame, tables.OBSERVATIONS]
    batches: Annotated[DataFrame, tables.LOG_BATCHES]
    snapshots: Annotated[DataFrame, tables.SNAPSHOTS]
    logs: Annotated[DataFrame, tables.LOGS]
    segments: Annotated[DataFrame, tables.SEGMENTS]
    txns: Annotated[DataFrame, tables.PARTITION_TXNS]
    opens: Annotated[DataFrame, tables.BROKER_OPENS]
    epochs: Annotated[DataFrame, tables.LEADER_EPOCHS]
    cleaned: Annotated[DataFrame, tables.CLEANED_RANGES]
    aborted: Annotated[DataFrame, tables.ABORTED]
    damage: Annotated[DataFrame, tables.DAMAGE]
    strayed: Annotated[DataFrame, tables.STRAYED]

    @property
    def events(self) -> DataFrame:
        """What opens, extends and ends the transactions, to look some of it up: see `lines.py`."""
        return all_events(self.batches, carried_in(self.snapshots, self.logs))
