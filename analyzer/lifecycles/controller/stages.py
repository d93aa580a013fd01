"""The stages of the controllers' log, which nothing else is needed for (RULES E 1, E 2)."""

from analyzer.lifecycles.controller import tables
from analyzer.lifecycles.controller.brokers import broker_counts, broker_events, producer_id_blocks, quorum_leaders
from analyzer.lifecycles.controller.events import quorum_events
from analyzer.lifecycles.controller.partitions import partition_changes, partition_counts, quorum_topics
from analyzer.lifecycles.controller.records import (
    checkpoint_records,
    log_records,
    quorum_logs,
    quorum_records,
    with_undecoded,
)
from analyzer.lifecycles.controller.settings import dynamic_configs, feature_levels, known_settings
from analyzer.stages.stage import Stage, planned, rows_of

STAGES = (
    Stage("quorum_facts", rows_of, ("metadata_records",)),
    Stage("quorum_log_records", log_records, ("quorum_facts",), ("places",)),
    Stage("checkpoint_records", checkpoint_records, ("quorum_facts",), ("places",)),
    Stage("quorum_reach", quorum_logs, ("quorum_log_records", "checkpoint_records")),
    Stage(tables.QUORUM_RECORDS, quorum_records, ("quorum_log_records", "checkpoint_records"), ("quorum_reach",)),
    Stage(tables.QUORUM_LOGS, with_undecoded, ("quorum_reach",), ("quorum_records",)),
    Stage(tables.QUORUM_TOPICS, quorum_topics, ("quorum_records",)),
    Stage(tables.PARTITION_CHANGES, partition_changes, ("quorum_records",), ("quorum_topics",)),
    Stage(tables.PARTITION_COUNTS, partition_counts, ("partition_changes",)),
    Stage(tables.BROKER_EVENTS, broker_events, ("quorum_records",)),
    Stage(tables.QUORUM_LEADERS, quorum_leaders, ("quorum_records",)),
    Stage(tables.FEATURE_LEVELS, feature_levels, ("quorum_records",)),
    Stage(tables.DYNAMIC_CONFIGS, dynamic_configs, ("quorum_records",), ("quorum_topics",)),
    Stage(tables.PRODUCER_ID_BLOCKS, producer_id_blocks, ("quorum_records",)),
    Stage(tables.BROKER_COUNTS, broker_counts, ("broker_events", "partition_counts")),
    Stage(
        tables.QUORUM_EVENTS, quorum_events,
        (
            "partition_changes", "quorum_topics", "partition_counts", "broker_events", "quorum_leaders",
            "feature_levels", "dynamic_configs",
        ),
    ),
    planned(tables.KNOWN_SETTINGS, known_settings, ("dynamic_configs", "feature_levels", "placed_observations")),
)  # fmt: skip
