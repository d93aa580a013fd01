"""The fact tables: what the files say, addressed by content alone.

All of them live in one Delta table, `facts`, partitioned by table name: one pass over a dump yields rows of several
tables, and each Delta table costs about half a second to write and more to read.
"""

from analyzer.tables.answer_facts import ANSWERS, LOG_LINES
from analyzer.tables.fact_columns import (
    OFFSET,
    PRODUCER_EPOCH,
    PRODUCER_ID,
    RECORD,
    RECORD_KEY,
    TIMESTAMP,
    TOMBSTONE,
    fact_table,
)
from analyzer.tables.metadata_facts import METADATA_RECORDS
from analyzer.tables.model import Column

FACTS_VERSION = 25
"""Part of every `file_id`; it is raised whenever a reader gives other rows for the same bytes."""

SECTIONS = fact_table(
    "sections",
    "One dump inside a file: what was dumped, with which flags, and how far it goes.",
    Column(
        "kind",
        "string",
        "log, snapshot, txnindex, index, timeindex, checkpoint, metadata, console, admin, broker_log, stderr; "
        "set_aside: of a folder that is no replica",
    ),
    Column("dumped_path", "string", "path on the Dumping line, as printed"),
    Column("dumped_topic", "string", "topic in that path's folder, null if it names none"),
    Column("dumped_partition", "int", "partition in that path's folder"),
    Column("dumped_replica", "string", "broker label in that path, null if it names none"),
    Column("segment", "bigint", "base offset in the dumped file's name"),
    Column("layout", "string", "form of the batch or record lines, named by the first tool version that prints it"),
    Column("decoder", "string", "what the records' contents are: none, data, transaction, offsets, metadata"),
    Column("deep", "boolean", "records were printed, so that markers and their types are known"),
    Column("batches", "bigint", "batches or entries read"),
    Column("records", "bigint", "records read"),
    Column("last_line", "bigint", "last physical line of the section"),
    Column(
        "ending",
        "string",
        "complete, cut (ends inside a line or batch), died (the tool threw), excerpt (lines were cut out)",
    ),
    Column("note", "string", "what the tool said or what is odd, in one sentence"),
    key=("file_id", "section"),
)

BATCHES = fact_table(
    "batches",
    "One record batch as a dump prints it or a segment holds it; what the tool's version does not print is null.",
    Column("batch_source", "string", "batch: a batch line; records: put together from record lines (0.11 to 2.1 deep)"),
    Column("base_offset", "bigint", "first offset of the batch"),
    Column("last_offset", "bigint", "last offset of the batch; it stays when the cleaner removes records"),
    Column("count", "bigint", "records in the batch, 0 for one the cleaner emptied"),
    Column("base_sequence", "int", "sequence of the first record, -1 for none"),
    Column("last_sequence", "int", "sequence of the last record, -1 for none"),
    PRODUCER_ID,
    PRODUCER_EPOCH,
    Column("partition_leader_epoch", "int", "epoch of the leader that appended the batch"),
    Column("is_transactional", "boolean", "the batch belongs to a transaction"),
    Column("is_control", "boolean", "the batch holds a control record, for example a marker"),
    Column("delete_horizon_ms", "bigint", "when the cleaner may drop the marker or tombstone, epoch ms"),
    Column("timestamp_type", "string", "CreateTime, LogAppendTime or NoTimestampType"),
    Column("base_timestamp", "bigint", "first timestamp of the batch, epoch ms (raw segments only)"),
    Column("max_timestamp", "bigint", "largest timestamp of the batch, epoch ms"),
    Column("position", "bigint", "byte position of the batch in its segment"),
    Column("size", "bigint", "bytes of the batch"),
    Column("magic", "int", "message format: 0, 1 or 2"),
    Column("codec", "string", "none, gzip, snappy, lz4 or zstd"),
    Column("payload_bytes", "bigint", "bytes of the keys and values of its records, uncompressed; null where not read"),
    Column("crc", "bigint", "stored checksum, unsigned"),
    Column("crc_valid", "boolean", "the checksum holds"),
    Column("marker", "string", "COMMIT or ABORT; null where the batch is no marker or was not printed deep"),
    Column("coordinator_epoch", "int", "coordinator epoch of the marker"),
    Column("marker_line", "bigint", "line of the marker's record"),
    Column("marker_byte_offset", "bigint", "where that line begins"),
)

COORDINATOR_STATES = fact_table(
    "coordinator_states",
    "One record of __transaction_state.",
    OFFSET,
    TIMESTAMP,
    Column("transactional_id", "string", "key of the record"),
    TOMBSTONE,
    Column("version", "int", "version of the value"),
    PRODUCER_ID,
    PRODUCER_EPOCH,
    Column("timeout_ms", "bigint", "transaction timeout, ms"),
    Column("state", "string", "Empty, Ongoing, PrepareCommit, PrepareAbort, CompleteCommit, CompleteAbort"),
    Column("partitions", "array<string>", "topic-partition names in the transaction, sorted"),
    Column("last_update_ms", "bigint", "txnLastUpdateTimestamp; of Complete* older than the record itself"),
    Column("start_ms", "bigint", "txnStartTimestamp, -1 while Empty"),
    Column("previous_producer_id", "bigint", "producer id before a rotation (4.3+)"),
    Column("next_producer_id", "bigint", "producer id after a rotation (4.3+)"),
    Column("client_transaction_version", "int", "0, 1 or 2 (KIP-890)"),
    RECORD,
    key=RECORD_KEY,
)

OFFSET_COMMITS = fact_table(
    "offset_commits",
    "One committed position in __consumer_offsets.",
    OFFSET,
    TIMESTAMP,
    Column("group", "string", "consumer group"),
    Column("topic", "string", "topic of the committed position"),
    Column("partition", "int", "partition of the committed position"),
    Column("committed_offset", "bigint", "the position"),
    Column("leader_epoch", "int", "leader epoch that the consumer saw"),
    Column("metadata", "string", "the client's free text"),
    Column("commit_ms", "bigint", "commit time, epoch ms"),
    TOMBSTONE,
    PRODUCER_ID,
    PRODUCER_EPOCH,
    Column("is_transactional", "boolean", "the commit is part of a transaction"),
    RECORD,
    key=RECORD_KEY,
)

GROUP_METADATA = fact_table(
    "group_metadata",
    "One record of a group in __consumer_offsets that is no commit: a generation, or what a newer protocol keeps.",
    OFFSET,
    TIMESTAMP,
    Column("group", "string", "consumer group"),
    TOMBSTONE,
    Column("generation", "int", "generation or epoch of the group or of the member; null for a record without one"),
    Column("protocol_type", "string", "consumer, connect, ...; of newer protocols consumer, share or streams"),
    Column("leader", "string", "member id of the group's leader"),
    Column("members", "array<string>", "member ids, sorted"),
    Column("key_type", "int", "type of the record's key: 2 for a generation (CoordinatorRecordType)"),
    RECORD,
    key=RECORD_KEY,
)

KEYED_RECORDS = fact_table(
    "keyed_records",
    "One record with a key, of a topic that the user named with --keys (KIP-253).",
    OFFSET,
    TIMESTAMP,
    Column("key_digest", "string", "first 16 hexadecimal digits of the SHA-256 of the key"),
    Column("key_sample", "string", "beginning of the key; the whole key only with --store-keys"),
    Column("key_bytes", "int", "size of the key"),
    Column("key_murmur2", "int", "Utils.toPositive(murmur2(key)); modulo the partition count it is the partition"),
    Column("key_crc32", "bigint", "CRC32 of the key, unsigned; librdkafka partitions by it by default"),
    PRODUCER_ID,
    PRODUCER_EPOCH,
    Column("is_transactional", "boolean", "the record is part of a transaction"),
    RECORD,
    key=RECORD_KEY,
)

PRODUCER_STATES = fact_table(
    "producer_states",
    "One producer in a .snapshot file: its state in the log before that offset.",
    Column("snapshot_offset", "bigint", "offset in the snapshot's name"),
    PRODUCER_ID,
    PRODUCER_EPOCH,
    Column("last_sequence", "int", "sequence of the producer's last record, -1 for none"),
    Column("last_offset", "bigint", "offset of the producer's last record, -1 for none"),
    Column("offset_delta", "int", "offsets in the producer's last batch minus one"),
    TIMESTAMP,
    Column("coordinator_epoch", "int", "coordinator epoch of the last marker seen, -1 for none"),
    Column("current_txn_first_offset", "bigint", "first offset of the open transaction, null for none"),
)

ABORTED_RANGES = fact_table(
    "aborted_ranges",
    "One aborted transaction in a .txnindex file.",
    PRODUCER_ID,
    Column("first_offset", "bigint", "first offset of the transaction"),
    Column("last_offset", "bigint", "offset of its ABORT marker"),
    Column("last_stable_offset", "bigint", "LSO when the marker was appended"),
)

OBSERVATIONS = fact_table(
    "observations",
    "One fact from a checkpoint, a metadata file, pasted output of an admin tool or a broker's log.",
    Column(
        "observed",
        "string",
        "what: leader_epoch, high_watermark, recovery_point, cleaner_checkpoint, log_start, "
        "topic_id, broker_id, cluster_id, partition_count, partition_leader, leader_logged, all_topics, way, "
        "asked_producers, asked_hanging, not_open, terminated, "
        "group_position, share_position, log_end, count_changed, feature_level, setting, quorum_leader, quorum_epoch, "
        "quorum_high_watermark, quorum_replica, redpanda, pulsar, replica_held, log_dir_failed, undated",
    ),
    Column("topic", "string", "topic it is about, null for the file's own partition"),
    Column("partition", "int", "partition it is about"),
    Column("name", "string", "id it is about: transactional id, group, broker"),
    Column("number", "bigint", "the value, for example an offset or a count"),
    Column("other_number", "bigint", "a second value, for example the leader epoch of leader_epoch"),
    Column("text", "string", "the rest, as printed"),
)

DAMAGED_RANGES = fact_table(
    "damaged_ranges",
    "Bytes of a raw file that are no batch or entry, or one that cannot be read.",
    Column(
        "damage",
        "string",
        "cut_tail, zero_tail, bad_size, garbage, bad_offset, undecoded; of snapshots and indexes also bad_crc, "
        "bad_count, unknown_version, empty_file",
    ),
    Column("bytes", "bigint", "how many bytes"),
    Column("offset_before", "bigint", "last offset before them, null for none"),
    Column("offset_after", "bigint", "first offset after them, null for none"),
)

NO_EVIDENCE = "a command or plain words, no line of Kafka's"
"""`unparsed_lines.reason` of lines that cannot have been part of any evidence."""

UNPARSED_LINES = fact_table(
    "unparsed_lines",
    "A run of lines that no grammar matches.",
    Column("lines", "bigint", "how many lines the run has"),
    Column("text", "string", "the first of them, at most 500 characters"),
    Column("reason", "string", "why no grammar matches"),
)

FACTS = (
    SECTIONS,
    BATCHES,
    COORDINATOR_STATES,
    OFFSET_COMMITS,
    GROUP_METADATA,
    METADATA_RECORDS,
    KEYED_RECORDS,
    PRODUCER_STATES,
    ABORTED_RANGES,
    OBSERVATIONS,
    ANSWERS,
    LOG_LINES,
    DAMAGED_RANGES,
    UNPARSED_LINES,
)
