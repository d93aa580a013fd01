"""The tables of routing: where the ids of internal topics lie, the counts that explain it, and what lies elsewhere."""

from analyzer.lifecycles.declaring import derived, picked, ref_column, rows, struct
from analyzer.tables import Column
from analyzer.tables.catalog import CAPTURE
from analyzer.tables.results import PARTITION, TOPIC

HELD_KEY = ("capture", "topic", "id", "partition")
RECORD_TYPE = struct(
    "offset:bigint", "timestamp:bigint", "state:string", "producer_id:bigint", "producer_epoch:int",
    "partitions:array<string>", "ref:ref",
)  # fmt: skip

HELD = derived(
    "held_ids", HELD_KEY,
    "One id (transactional id or group) in one partition of an internal topic that has records of it.",
    CAPTURE, TOPIC,
    Column("id", "string", "transactional id, or group"),
    PARTITION,
    Column("hash", "bigint", "Utils.abs(hashCode) of the id: modulo the partition count it is the partition"),
    Column("records", "bigint", "records of the id there"),
    Column("first_offset", "bigint", "offset of the first of them"),
    Column("last_offset", "bigint", "offset of the last of them"),
    Column("first_ms", "bigint", "oldest timestamp among them, epoch ms"),
    Column("last_ms", "bigint", "newest timestamp among them, epoch ms"),
    ref_column("first_ref", "the first of them"),
    ref_column("last_ref", "the last of them"),
    Column("alive", "boolean", "the latest record is no tombstone; of a group: that of one of its keys"),
    Column("producer_ids", "array<bigint>", "producer ids of the id, bounded; null for a group"),
    Column("last_record", RECORD_TYPE, "the newest record; its state is null for a group"),
)  # fmt: skip

COUNTS = derived(
    "routing_counts",
    ("capture", "topic"),
    "The partition counts of an internal topic that explain where its ids lie.",
    CAPTURE,
    TOPIC,
    Column("how", "string", "one, unused (nobody follows the new count yet), two, three, unexplained"),
    Column("old_count", "int", "count before the expansion, null without"),
    Column("new_count", "int", "count now"),
    Column("new_exact", "boolean", "otherwise the new count is a lower bound"),
    Column("counts_confidence", "string", "certain, likely or possible"),
    Column("news", "array<int>", "every new count that explains as much, new_count first"),
    Column("rivals", "array<string>", "other counts, or pairs of them, that explain as much; bounded"),
    Column("ids", "bigint", "ids of the topic"),
    Column("records_held", "bigint", "records of these ids"),
    Column("old_only", "bigint", "distinct (hash, partition) that only the old counts explain"),
    Column("new_only", "bigint", "distinct (hash, partition) that only the new count explains"),
    Column("unexplained", "bigint", "distinct (hash, partition) that none explains"),
    Column("bound", "int", "highest partition seen anywhere, plus 1"),
    Column("bound_exact", "boolean", "the topic has exactly that many partitions"),
    Column("told_count", "int", "the count that kafka-topics.sh or capture.toml gives"),
    Column("older_count", "int", "count before old_count, of a topic that was expanded twice"),
)

LOCATED = derived(
    "routing",
    HELD_KEY,
    "One id in one partition, with what the topic's counts say of it.",
    *HELD.columns,
    *COUNTS.columns[2:],
    Column("belongs", "int", "hash % new_count"),
    Column("belonged", "int", "hash % old_count, null without an old count"),
    Column("by_new_only", "boolean", "only the new count explains this partition"),
    Column("by_old_only", "boolean", "only an old count explains this partition"),
    Column("placed_by", "int", "older_count where only that one explains this partition, otherwise old_count"),
    Column("misrouted", "boolean", "alive, and in the wrong partition under every new count that still fits"),
    Column("possible_homes", "array<int>", "hash % each of `news`"),
)

CHANGED = (
    "how", "old_count", "new_count", "new_exact", "counts_confidence", "rivals", "unexplained", "bound", "bound_exact",
    "older_count",
)  # fmt: skip
"""What the counts say of a change."""

CUTOVERS = derived(
    "cutovers",
    ("capture", "topic"),
    "One internal topic whose ids need two counts, or of which a broker's log says so, with the window of the change.",
    CAPTURE,
    TOPIC,
    *picked(COUNTS, *CHANGED),
    Column("first_new_ms", "bigint", "first record that only the new count explains, epoch ms"),
    ref_column("first_new_ref", "that record"),
    Column("last_old_ms", "bigint", "last record that only the old count explains, epoch ms"),
    ref_column("last_old_ref", "that record"),
    ref_column("any_ref", "the oldest record of the topic"),
    Column("new_ids", "bigint", "rows of `routing` that only the new count explains"),
    Column("old_ids", "bigint", "rows of `routing` that only the old count explains"),
    Column("misrouted_ids", "bigint", "misrouted rows of `routing`"),
    Column("distinct_ids", "bigint", "ids of the topic"),
    Column("some_ids", "string", "the first misrouted ids, by name"),
    Column("told_from", "bigint", "old count in a broker's log line about the change, null without such a line"),
    Column("told_to", "bigint", "new count in that line"),
    ref_column("told_ref", "that line"),
    Column("expanded_ms", "bigint", "when the controller added the partitions, epoch ms; null without its log"),
    Column("expanded_from", "int", "partitions before that"),
    Column("expanded_to", "int", "partitions after that"),
    ref_column("expanded_ref", "the record that adds the first of them"),
    Column("brokers",
           rows("broker:int", "works_by:int", "started_ms:bigint", "ids:bigint", "some_ids:string", "ref:ref"),
           "by which count each broker works, and the ids that only its count explains in partitions that it leads"),
)  # fmt: skip

MISPLACED = derived(
    "misplaced",
    HELD_KEY,
    "One id alive in a partition where its topic's count does not put it, with who still serves it.",
    *LOCATED.columns,
    *picked(CUTOVERS, "first_new_ms"),
    Column("written_after", "boolean", "its last record is not older than first_new_ms, null where there is none"),
    Column("other", RECORD_TYPE, "the id's newest record in its right partition, null for none"),
    Column("old_epoch", "int", "leader epoch of the partition's last record that only this id's old count explains"),
    Column("newest_epoch", "bigint", "newest leader epoch of the partition, by leader-epoch-checkpoint"),
    ref_column("epoch_ref", "the entry that says so"),
    Column("served", "boolean", "its leader still works by the old count; null where the files cannot tell"),
    Column("leader_by_new", "boolean", "its leader is shown to work by the new count"),
    Column("cut", "boolean", "every copy of the partition is an excerpt, or ends before its newest leader epoch"),
)

SPLITS = derived(
    "splits",
    ("capture", "topic", "id"),
    "One id that is alive in two or more partitions.",
    *picked(LOCATED, "capture", "topic", "id", "belongs", "counts_confidence"),
    Column("sides",
           rows("timestamp:bigint", "partition:int", "state:string", "producer_id:bigint", "producer_epoch:int",
                "offset:bigint", "ref:ref"),
           "its newest record in each of them, the newest first"),
)  # fmt: skip

ORPHANS = derived(
    "orphans",
    HELD_KEY,
    "One misplaced Ongoing or Prepare state that no broker looks for, with the data it leaves open.",
    *MISPLACED.columns,
    Column("open_count", "bigint", "open transactions here that it is about, null for none"),
    Column("open_records", "bigint", "records of these transactions"),
    Column("open_data", "string", "names of their partitions, bounded"),
    Column("open_first",
           struct("topic:string", "partition:int", "first_offset:bigint", "last_offset:bigint", "records:bigint",
                  "ref:ref"),
           "the first of them"),
)  # fmt: skip

TABLES = (HELD, COUNTS, LOCATED, CUTOVERS, MISPLACED, SPLITS, ORPHANS)
