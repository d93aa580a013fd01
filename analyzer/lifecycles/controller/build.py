"""Everything that the controllers' log shows by itself, stage by stage."""

import dataclasses
from typing import Annotated

from pyspark.sql import DataFrame

from analyzer.lifecycles.controller import tables


@dataclasses.dataclass(frozen=True, slots=True)
class Controller:
    """What the controllers' log shows; every table is empty on a cluster with ZooKeeper."""

    logs: Annotated[DataFrame, tables.QUORUM_LOGS]
    records: Annotated[DataFrame, tables.QUORUM_RECORDS]
    topics: Annotated[DataFrame, tables.QUORUM_TOPICS]
    partitions: Annotated[DataFrame, tables.PARTITION_CHANGES]
    counts: Annotated[DataFrame, tables.PARTITION_COUNTS]
    brokers: Annotated[DataFrame, tables.BROKER_EVENTS]
    leaders: Annotated[DataFrame, tables.QUORUM_LEADERS]
    features: Annotated[DataFrame, tables.FEATURE_LEVELS]
    configs: Annotated[DataFrame, tables.DYNAMIC_CONFIGS]
    producer_ids: Annotated[DataFrame, tables.PRODUCER_ID_BLOCKS]
    broker_counts: Annotated[DataFrame, tables.BROKER_COUNTS]
    changes: Annotated[DataFrame, tables.QUORUM_EVENTS]
