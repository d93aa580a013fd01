"""The tables of keyed topics that were expanded (KIP-253): where keys lie, thresholds, and what went wrong.

They also serve where there is nothing to say: an empty table is made of its declaration, without planning a job.
"""

from analyzer.lifecycles.declaring import (
    GROUP,
    PARTITION_COLUMNS,
    PRODUCER_COLUMNS,
    derived,
    fact,
    picked,
    ref_column,
    struct,
)
from analyzer.lifecycles.placing import PRODUCER
from analyzer.tables import Column
from analyzer.tables.catalog import CAPTURE
from analyzer.tables.results import PRODUCER_EPOCH, REPLICA, TOPIC, TRANSACTIONAL_ID

PRIOR = Column("prior_partition", "int", "partition where the old count puts the keys")
HOME = Column("home_partition", "int", "partition where the new count puts the keys")
POSITION = Column("position", "bigint", "committed position of the group")
KEYS = (
    Column("keys", "bigint", "how many different keys"),
    Column("key_samples", "string", "some of them: sample and digest"),
)

KEY_HOMES = derived(
    "key_homes",
    ("capture", "topic", "partition", "key_digest"),
    "One key in one partition that has records of it.",
    *PARTITION_COLUMNS,
    *fact("keyed_records", "key_digest", "key_murmur2", "key_crc32"),
    Column("records", "bigint", "records of the key there"),
    Column("first_ms", "bigint", "oldest timestamp among them, epoch ms"),
    Column("last_ms", "bigint", "newest timestamp among them, epoch ms"),
)

KEYED_TOPICS = derived(
    "keyed_topics",
    ("capture", "topic", "new_count"),
    "One topic whose keys were read, or one of its expansions: partitioner, partition counts, and the moment.",
    CAPTURE,
    TOPIC,
    Column("how", "string", "one, unused, two, unlike (no known partitioner) or few (too few keys to tell)"),
    Column("partitioner", "string", "murmur2 or crc32"),
    Column("old_count", "int", "partitions before the expansion, null without"),
    Column("new_count", "int", "partitions after it, null if no count is known"),
    Column("expansion", "string", "which one, as 4 to 6, where the topic was expanded more than once"),
    Column("counts", "array<int>", "all counts that explain the keys, in the order in which they were in use"),
    Column("told_count", "int", "the count that kafka-topics.sh or capture.toml gives"),
    Column("bits", "double", "how much better than chance the counts explain the keys"),
    Column("keys", "bigint", "different keys"),
    Column("records", "bigint", "records with a key"),
    Column("unexplained", "bigint", "distinct (key, partition) of those judged that no count explains"),
    Column("expanded_at", "bigint", "the moment of the expansion by capture.toml, epoch ms"),
    Column("boundary_ms", "bigint", "the moment of the expansion that counts, epoch ms"),
    Column("boundary_from", "string", "expanded_at, or first record by the new count"),
    Column("slack_ms", "bigint", "what was written this long after boundary_ms may still be older, ms"),
)

BOUNDARY = picked(KEYED_TOPICS, "boundary_ms", "boundary_from")
OF_BOUNDARY = (*BOUNDARY, *picked(KEYED_TOPICS, "slack_ms"))
EXPANSION = picked(KEYED_TOPICS, "old_count", "new_count", "expansion")
PRIOR_COLUMNS = (CAPTURE, TOPIC, *EXPANSION, PRIOR)
LIMIT = (
    Column("time_offset", "bigint", "first offset at or after the expansion by time, otherwise the log end"),
    Column("stale_end", "bigint", "offset after the last stale record, null for none"),
    Column("old_leader_epoch", "bigint", "last leader epoch that starts before time_offset"),
    Column("epoch_offset", "bigint", "where the next leader epoch starts, null for none"),
    ref_column("epoch_ref", "the line that says so"),
    Column("spanning", "bigint", "transactions that were open across time_offset"),
    Column(
        "spanning_first",
        struct("first_offset:bigint", "producer_id:bigint", "marker:string", "marker_offset:bigint"),
        "the first of them",
    ),
)
"""The thresholds of a prior partition."""

THRESHOLDS = derived(
    "thresholds",
    ("capture", "topic", "new_count", "prior_partition", "home_partition"),
    "From where on a partition may be read, for each prior partition of its keys.",
    *PRIOR_COLUMNS, HOME, REPLICA,
    Column("log_end_offset", "bigint", "offset after the last one in the files"),
    *picked(KEYED_TOPICS, "boundary_ms"),
    Column("late_offset", "bigint", "first keyed record at or after boundary_ms, null for none"),
    *LIMIT,
)  # fmt: skip

PARTITION_READS = derived(
    "partition_reads",
    ("capture", "topic", "new_count", "prior_partition", "group"),
    "The position of a group in a prior partition, against its threshold.",
    *PRIOR_COLUMNS, GROUP, POSITION,
    Column("wait_for", "bigint", "the group waits for this offset: the larger of time_offset and stale_end"),
    *LIMIT[:1],
    Column("may_read", "boolean", "the group may read what the keys moved to, null where no moment tells"),
)  # fmt: skip

STALE_PRODUCERS = derived(
    "stale_producers",
    (*PRODUCER, "new_count"),
    "One producer id that went on by the old count in a partition after the expansion.",
    *PRODUCER_COLUMNS, PRODUCER_EPOCH, TRANSACTIONAL_ID, *KEYS,
    Column("records", "bigint", "stale records"),
    Column("by_offset", "bigint", "those of them that their offset alone proves stale"),
    Column("transactional_records", "bigint", "those of them that belong to a transaction"),
    Column("first_offset", "bigint", "offset of the first stale record"),
    Column("last_offset", "bigint", "offset of the last stale record"),
    Column("first_ms", "bigint", "timestamp of the first stale record, epoch ms"),
    Column("last_ms", "bigint", "newest timestamp of the stale records, epoch ms"),
    *BOUNDARY, *EXPANSION,
    ref_column("first_ref", "batch of the first stale record"),
    ref_column("last_ref", "batch of the last stale record"),
)  # fmt: skip

BELOW_THRESHOLDS = derived(
    "below_thresholds",
    ("capture", "topic", "new_count", "prior_partition", "group"),
    "One group that reads on in a new home of moved keys, with some of them unread in their prior partition.",
    *PRIOR_COLUMNS, GROUP, REPLICA, POSITION,
    ref_column("position_ref", "the line that says so"),
    *BOUNDARY, *LIMIT,
    Column("homes", "bigint", "new homes that the group reads"),
    Column("home_names", "string", "some of them"),
    Column("home_partition", "int", "the first of them"),
    Column("home_position", "bigint", "committed position of the group there"),
    ref_column("home_ref", "the line that says so"),
    Column("unread_records", "bigint", "records of moved keys between the position and the threshold"),
    Column("unread_keys", "bigint", "different keys of these records"),
)  # fmt: skip

BROKEN_ORDERS = derived(
    "broken_orders",
    ("capture", "topic", "new_count", "prior_partition", "home_partition"),
    "Keys of which a group has read a later record in the new home than one it has not read in the prior one.",
    *PRIOR_COLUMNS, HOME, REPLICA, *KEYS,
    Column("groups", "bigint", "groups that did so"),
    Column("group_names", "string", "some of them"),
    Column("group_name", "string", "group of the example"),
    Column("unread_records", "bigint", "records of these keys that are unread in the prior partition"),
    *BOUNDARY,
    Column("position", "bigint", "position of the example's group in the prior partition"),
    ref_column("position_ref", "the line that says so"),
    Column("home_position", "bigint", "position of the example's group in the new home"),
    ref_column("home_ref", "the line that says so"),
    Column("unread_offset", "bigint", "the example's unread record in the prior partition"),
    Column("unread_ms", "bigint", "timestamp of that record, epoch ms"),
    ref_column("unread_ref", "batch of that record"),
    Column("read_offset", "bigint", "the example's record that was read in the new home"),
    Column("read_ms", "bigint", "timestamp of that record, epoch ms"),
    ref_column("read_ref", "batch of that record"),
)  # fmt: skip

TABLES = (
    KEY_HOMES, KEYED_TOPICS, THRESHOLDS, PARTITION_READS, STALE_PRODUCERS, BELOW_THRESHOLDS, BROKEN_ORDERS,
)  # fmt: skip
