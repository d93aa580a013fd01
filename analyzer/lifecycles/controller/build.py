"""Everything that the controllers' log shows by itself, stage by stage."""

import dataclasses
from typing import Annotated

from pyspark.sql import DataFrame

from analyzer.lifecycles.controller import tables
from analyzer.lifecycles.controller.broker_counts import broker_counts
from analyzer.lifecycles.controller.brokers import broker_events, producer_id_blocks, quorum_leaders
from analyzer.lifecycles.controller.events import quorum_events
from analyzer.lifecycles.controller.partitions import partition_changes, partition_counts, quorum_topics
from analyzer.lifecycles.controller.records import (
    checkpoint_records,
    log_records,
    quorum_logs,
    quorum_records,
    with_undecoded,
)
from analyzer.lifecycles.controller.settings import dynamic_configs, feature_levels
from analyzer.lifecycles.inputs import Inputs


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


def build_controller(inputs: Inputs) -> Controller:
    """Return the state over time (RULES E 1, E 2)."""
    hold, places = inputs.hold, inputs.places
    facts = hold.settle(inputs.read("metadata_records"))
    if hold.is_empty(facts):
        return Controller(*map(hold.nothing, tables.OF_LOG))
    settle = hold.settle
    log = settle(log_records(facts, places))
    checkpoints = settle(checkpoint_records(facts, places))
    logs = settle(quorum_logs(log, checkpoints))
    records = settle(quorum_records(log, checkpoints, logs))
    topics = settle(quorum_topics(records))
    partitions = settle(partition_changes(records, topics))
    counts = settle(partition_counts(partitions))
    events = settle(broker_events(records))
    leaders = settle(quorum_leaders(records))
    features = settle(feature_levels(records))
    configs = settle(dynamic_configs(records, topics))
    return Controller(
        settle(with_undecoded(logs, records)),
        records,
        topics,
        partitions,
        counts,
        events,
        leaders,
        features,
        configs,
        settle(producer_id_blocks(records)),
        settle(broker_counts(events, counts)),
        settle(quorum_events(partitions, topics, counts, events, leaders, features, configs)),
    )
