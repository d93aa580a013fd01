"""The stages of the controllers' log, which nothing else is needed for (RULES E 1, E 2)."""

from analyzer.lifecycles.controller import brokers, events, partitions, records, settings, tables
from analyzer.stages.stage import Stage, planned, rows_of

STAGES = (
    Stage("quorum_facts", rows_of, ("metadata_records",)),
    Stage("quorum_log_records", records.log_records, ("quorum_facts",), ("places",)),
    Stage("checkpoint_records", records.checkpoint_records, ("quorum_facts",), ("places",)),
    Stage("quorum_reach", records.quorum_logs, ("quorum_log_records", "checkpoint_records")),
    Stage(
        tables.QUORUM_RECORDS, records.quorum_records, ("quorum_log_records", "checkpoint_records"), ("quorum_reach",),
    ),
    Stage(tables.QUORUM_LOGS, records.with_undecoded, ("quorum_reach",), ("quorum_records",)),
    Stage(tables.QUORUM_TOPICS, partitions.quorum_topics, ("quorum_records",)),
    Stage(tables.PARTITION_CHANGES, partitions.partition_changes, ("quorum_records",), ("quorum_topics",)),
    Stage(tables.PARTITION_COUNTS, partitions.partition_counts, ("partition_changes",)),
    Stage(tables.BROKER_EVENTS, brokers.broker_events, ("quorum_records",)),
    Stage(tables.DYNAMIC_CONFIGS, settings.dynamic_configs, ("quorum_records",), ("quorum_topics",)),
    Stage(tables.PRODUCER_ID_BLOCKS, brokers.producer_id_blocks, ("quorum_records",)),
    Stage(tables.BROKER_COUNTS, brokers.broker_counts, ("broker_events", "partition_counts")),
    Stage(
        tables.QUORUM_EVENTS, events.quorum_events,
        (
            "partition_changes", "quorum_topics", "partition_counts", "broker_events", "dynamic_configs",
            "quorum_records",
        ),
    ),
    planned(tables.KNOWN_SETTINGS, settings.known_settings, ("dynamic_configs", "placed_observations")),
)  # fmt: skip
