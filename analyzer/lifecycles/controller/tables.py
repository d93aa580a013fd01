"""The tables of the controllers' log: its records in order, and what they say of topics, brokers and settings."""

from analyzer.lifecycles.declaring import derived, fact, picked, ref_column
from analyzer.tables import Column
from analyzer.tables.catalog import CAPTURE
from analyzer.tables.lookup_tables import CLUSTER_EVENTS
from analyzer.tables.results import PARTITION, TOPIC

AT = Column("offset", "bigint", "offset of the record; of a checkpoint's records the last one below its end")
CHANGED_MS = Column("changed_ms", "bigint", "time of the record, epoch ms; a checkpoint does not tell it")
CHANGE = (AT, CHANGED_MS)
UNTIL = (
    Column("next_offset", "bigint", "offset of the next change of the same thing, null for none"),
    Column("next_ms", "bigint", "time of that change, epoch ms"),
)
REF = ref_column("ref", "the record")
TOPIC_ID = Column("topic_id", "string", "id of the topic, which a new topic of the same name does not have")
BROKER = Column("broker", "int", "id of the broker")

QUORUM_LOGS = derived(
    "quorum_logs",
    ("capture",),
    "How far the controllers' log of a capture reaches.",
    CAPTURE,
    Column("checkpoint_end", "bigint", "end offset of the checkpoint that the state starts from, null for none"),
    Column("from_start", "boolean", "everything since offset 0 is here"),
    Column("complete", "boolean", "the state at the end is known: from the start, or from a checkpoint"),
    Column("quorum_end", "bigint", "offset after the last record"),
    Column("first_ms", "bigint", "time of the first record, epoch ms"),
    Column("last_ms", "bigint", "time of the last record, epoch ms"),
    Column("pace_ms", "bigint", "how far its NO_OP_RECORDs are apart on average, ms; null for less than two"),
    Column("undecoded_records", "bigint", "records that could not be decoded, or that the tool did not print"),
    Column("some_undecoded", "string", "types of these records"),
    Column("migrated", "boolean", "the cluster came from ZooKeeper: what it has may be older than its first records"),
)

QUORUM_RECORDS = derived(
    "quorum_records",
    ("capture", "offset", "place_in_checkpoint"),
    "One record of the controllers' log, merged over nodes and dumps, the records of the checkpoint before it first.",
    CAPTURE,
    AT,
    Column("place_in_checkpoint", "bigint", "offset of the record inside the checkpoint, null for one of the log"),
    CHANGED_MS,
    *fact("metadata_records", "quorum_epoch", "is_control", "record_type", "version", "fields", "whole", "undecoded"),
    REF,
)

QUORUM_TOPICS = derived(
    "quorum_topics",
    ("capture", "topic_id"),
    "One topic, with when it was created and deleted.",
    CAPTURE, TOPIC_ID, TOPIC, *CHANGE,
    Column("removed_offset", "bigint", "offset of the record that deletes it, null while it exists"),
    Column("removed_ms", "bigint", "time of that record, epoch ms"),
    REF,
)  # fmt: skip

_INTS = "array<int>"

PARTITION_CHANGES = derived(
    "partition_changes",
    ("capture", "topic_id", "partition", "offset"),
    "The state of a partition from one change of it to the next.",
    CAPTURE, TOPIC_ID, TOPIC, PARTITION, *CHANGE,
    Column("change", "string", "created, checkpoint, changed or elr_cleared"),
    Column("elected", "boolean", "the record names a leader, so that a leader epoch begins"),
    Column("leader_id", "int", "broker that leads, -1 for none, null where it is not known"),
    Column("leader_epoch", "int", "its leader epoch, counted; null where the count cannot begin"),
    Column("partition_epoch", "int", "partition epoch, counted"),
    Column("replica_ids", _INTS, "brokers that hold it, in order"),
    Column("isr", _INTS, "in-sync replicas"),
    Column("elr", _INTS, "eligible leader replicas (KIP-966); null where the tool does not print them"),
    Column("last_known_elr", _INTS, "members that left the ELR uncleanly"),
    Column("recovering", "boolean", "an unclean leader has not finished its recovery (leaderRecoveryState 1)"),
    Column("adding", _INTS, "replicas that a reassignment adds"),
    Column("removing", _INTS, "replicas that a reassignment removes"),
    Column("unclean", "boolean", "this record elects a leader uncleanly"),
    Column("previous_leader_id", "int", "leader before"),
    Column("previous_isr", _INTS, "in-sync replicas before"),
    Column("previous_elr", _INTS, "eligible leader replicas before"),
    *UNTIL, REF,
)  # fmt: skip

PARTITION_COUNTS = derived(
    "partition_counts",
    ("capture", "topic_id", "partition_count"),
    "A topic's partition count from one change of it to the next.",
    CAPTURE, TOPIC_ID, TOPIC,
    Column("partition_count", "int", "partitions from then on"),
    Column("previous_count", "int", "partitions before, null for the first"),
    AT,
    Column("last_added_offset", "bigint", "offset of the last record of this change"),
    CHANGED_MS, *UNTIL, REF,
)  # fmt: skip

BROKER_EVENTS = derived(
    "broker_events",
    ("capture", "broker", "offset"),
    "A change of a broker's registration.",
    CAPTURE, BROKER, *CHANGE,
    Column("event", "string", "registered, unfenced, fenced, controlled_shutdown, unregistered or changed"),
    Column("restart", "boolean", "it registers again, as another process"),
    Column("crashed", "boolean", "it does so without a controlled shutdown before"),
    Column("broker_epoch", "bigint", "epoch of the registration"),
    Column("fenced", "boolean", "it is fenced afterwards: no leader, no clients"),
    *UNTIL, REF,
)  # fmt: skip

DYNAMIC_CONFIGS = derived(
    "dynamic_configs",
    ("capture", "resource_type", "resource", "config", "offset"),
    "A dynamic setting, or a feature's level, from one change of it to the next; server.properties are not there.",
    CAPTURE,
    Column("resource_type", "string",
           "topic, broker, broker_logger, client_metrics, group or feature, otherwise its number"),
    Column("resource", "string", "name of the topic or broker; empty for all brokers, and for a feature"),
    Column("config", "string", "name of the setting or feature"),
    Column("setting", "string", "its value, null where it was removed; a feature without a row has level 0"),
    Column("previous_setting", "string", "its value before, null for none"),
    *CHANGE, *UNTIL, REF,
)  # fmt: skip

PRODUCER_ID_BLOCKS = derived(
    "producer_id_blocks",
    ("capture", "first_producer_id"),
    "A block of producer ids that a broker was given; in a checkpoint only the end of the last one is known.",
    CAPTURE,
    Column("first_producer_id", "bigint", "first producer id of the block"),
    Column("last_producer_id", "bigint", "last producer id of the block"),
    Column("broker", "int", "broker that was given it, null in a checkpoint"),
    *CHANGE,
    REF,
)

QUORUM_EVENTS = derived(
    "quorum_events",
    ("capture", "offset", "event", "topic", "partition"),
    "One change that the controllers' log dates.",
    CAPTURE, *CHANGE,
    Column(
        "event", "string",
        "election, unclean_election, no_leader, topic_created, topic_deleted, partitions_added, registered, restarted, "
        "unfenced, fenced, controlled_shutdown, unregistered, quorum_leader, feature or setting",
    ),
    TOPIC, PARTITION,
    *picked(CLUSTER_EVENTS, "broker", "subject", "was", "now"),
    REF,
)  # fmt: skip

BROKER_COUNTS = derived(
    "broker_counts",
    ("capture", "topic", "broker"),
    "The partition count of an expanded topic that a broker read at its last start.",
    CAPTURE, TOPIC, BROKER,
    Column("works_by", "int", "the count, null where the log does not tell"),
    Column("count_now", "int", "the topic's count now"),
    Column("started_ms", "bigint", "when it registered, epoch ms"),
    *picked(BROKER_EVENTS, "fenced"),
    REF,
)  # fmt: skip

KNOWN_SETTINGS = derived(
    "known_settings",
    ("capture", "resource_type", "resource", "config", "ref"),
    "A setting or feature that bears on transactions: from one change of it to the next, or as a tool was told it.",
    CAPTURE,
    Column("dated", "boolean", "by the controllers' log; otherwise as of when kafka-configs.sh was asked"),
    Column("resource_type", "string", "topic, broker or feature"),
    Column("resource", "string", "name of the topic or broker; empty for all brokers"),
    Column("config", "string", "name of the setting or feature"),
    Column("setting", "string", "its value, null where it was removed"),
    Column("from_ms", "bigint", "since when, epoch ms; null if it is older than the log, or not told"),
    Column("until_ms", "bigint", "when it changed again, epoch ms"),
    REF,
)

OF_LOG = (
    QUORUM_LOGS, QUORUM_RECORDS, QUORUM_TOPICS, PARTITION_CHANGES, PARTITION_COUNTS, BROKER_EVENTS,
    DYNAMIC_CONFIGS, PRODUCER_ID_BLOCKS, BROKER_COUNTS, QUORUM_EVENTS,
)  # fmt: skip
"""What the controllers' log shows by itself."""

TABLES = (*OF_LOG, KNOWN_SETTINGS)
