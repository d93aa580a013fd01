"""The tables of the data partitions' logs: what each copy of a log shows by itself, and what is wrong with it."""

from analyzer.lifecycles.declaring import (
    LOG_COLUMNS,
    LOG_OF_FILE,
    PRODUCER_COLUMNS,
    RECORDS,
    derived,
    fact,
    picked,
    placed_fact,
    ref_column,
    struct,
)
from analyzer.lifecycles.logs.divergence_tables import DISPUTED, DIVERGENCES, STANDING, TRUNCATED
from analyzer.lifecycles.placing import LOG, PRODUCER
from analyzer.tables import Column
from analyzer.tables.catalog import PATH
from analyzer.tables.lookup_tables import LOG_TXNS, TXN_NO
from analyzer.tables.results import PARTITION, TOPIC, TRANSACTIONAL_ID

SEGMENT = Column("segment", "bigint", "base offset of the segment")
LOG_NO = Column("log_no", "int", "number of the copy of the log, within one analysis")
BATCHES = Column("batches", "bigint", "how many batches")

PLACES = derived(
    "places",
    ("capture", "path", "section"),
    "One dump inside a file of a capture, or a file without dumps, and which log it belongs to.",
    *LOG_COLUMNS, SEGMENT, PATH,
    *fact("sections", "file_id", "section"),
    *fact("capture_files", "file_kind", "taken_at", "copied_at"),
    *fact("sections", "kind", "decoder", "deep", "layout", "ending", "note", "last_line"),
    Column("section_batches", "bigint", "batches or entries read"),
    Column("section_records", "bigint", "records read"),
    Column("apart_from", "string", "a file of another copy, by which it was told apart; null where its place says it"),
    LOG_NO,
)  # fmt: skip
OBSERVATIONS = placed_fact("placed_observations", "observations", *LOG_OF_FILE)
SNAPSHOTS = placed_fact("placed_snapshots", "producer_states", TOPIC, PARTITION, LOG_NO)
ABORTED = placed_fact("placed_aborted_ranges", "aborted_ranges", TOPIC, PARTITION)

MERGED = (
    "base_offset", "last_offset", "count", "base_sequence", "last_sequence", "producer_id", "producer_epoch",
    "partition_leader_epoch", "is_transactional", "is_control", "delete_horizon_ms", "timestamp_type",
    "max_timestamp", "size", "magic", "codec", "payload_bytes", "crc", "crc_valid", "marker",
    "coordinator_epoch",
)  # fmt: skip
"""What the dumps of a batch may each tell a part of."""

LOG_BATCHES = derived(
    "log_batches",
    (*LOG, "segment", "position"),
    "One batch of a copy of a log, with all that any dump says of it; a corrupt one is nobody's, or left out.",
    *LOG_COLUMNS,
    LOG_NO,
    Column("file_id", "string", "the file that shows it, null where the dumps of several were merged"),
    SEGMENT,
    *fact("batches", "position", *MERGED),
    ref_column("batch_ref", "the batch's line, or the first of its records"),
    ref_column("marker_ref", "the line of the marker's record"),
    Column("stamped", "boolean", "data whose time a broker set: LogAppendTime, or what a group's coordinator wrote"),
)  # fmt: skip

LOGS = derived(
    "logs", LOG,
    "One copy of a log: its bounds, and whether it is the one judged.",
    *LOG_COLUMNS, LOG_NO,
    Column("has_log", "boolean", "a log is here; otherwise only producer snapshots are"),
    Column("proven_start", "bigint", "no offset below this is in the log, null where nothing proves it"),
    Column("first_segment", "bigint", "base offset of the first segment, by the files' names"),
    Column("last_segment", "bigint", "base offset of the last segment"),
    Column("first_offset", "bigint", "first offset in the files, null without batches"),
    Column("log_start_offset", "bigint", "first offset that readers may ask for"),
    Column("start_missing", "boolean", "the log starts, by its checkpoint files, before the first of its files here"),
    Column("log_end_offset", "bigint", "offset after the last one in the files"),
    Column("high_watermark", "bigint", "from replication-offset-checkpoint: a lower bound"),
    Column("cleaner_checkpoint", "bigint", "from cleaner-offset-checkpoint, null without"),
    Column("cleaned_end", "bigint", "end of the range that the cleaner has cleaned, null without"),
    Column("log_epoch", "bigint", "last leader epoch of batches and leader-epoch-checkpoint, -1 for none"),
    BATCHES,
    Column("newest_ms", "bigint", "newest timestamp that a broker set, epoch ms"),
    Column("reaches_ms", "bigint", "newest timestamp of any batch, epoch ms"),
    Column("taken_ms", "bigint", "when the archive of its newest file was begun, epoch ms; null where nothing tells"),
    Column("copied_ms", "bigint", "as of when its newest file shows the broker, epoch ms; null where nothing tells"),
    Column("shown_ms", "bigint", "up to when it shows all, by its copy alone, epoch ms; null where nothing tells"),
    Column("tail_missing", "boolean", "the high watermark, a snapshot or the name of a file lies beyond the log's end"),
    Column("named_leader", "boolean", "the capture names this replica as the leader"),
    Column("snapshot_offset", "bigint", "newest producer snapshot at or below the log end, null without"),
    *STANDING,
)  # fmt: skip

SEGMENTS = derived(
    "segments",
    (*LOG, "segment"),
    "What the batches of one segment of a copy of a log say together.",
    *LOG_COLUMNS, LOG_NO, SEGMENT, BATCHES,
    Column("segment_start", "bigint", "first offset of its batches"),
    Column("segment_end", "bigint", "last offset of its batches"),
    Column("missing_offsets", "bigint", "offsets between these that no batch has"),
    Column("missing_bytes", "bigint", "bytes before the end of its last batch that none has, null without sizes"),
    Column("begins_at", "bigint", "position of its first batch that is here"),
    Column("corrupt_end", "boolean", "its last batch has a wrong checksum, and is not among the others"),
    Column("head_offset", "bigint", "first offset of the batch at the lowest position"),
    Column("tail_offset", "bigint", "last offset of the batch at the highest position"),
    Column("links", "bigint", "the places where batches begin, less those where they end, each as a small number"),
    Column("ends", "bigint", "what links is if every batch but the first begins where another one ends"),
    Column("leader_epoch", "int", "highest leader epoch of its batches"),
    Column("lowest_epoch", "int", "lowest leader epoch of its batches, -1 if one has none"),
    Column("newest_ms", "bigint", "newest timestamp that a broker set, epoch ms"),
    Column("reaches_ms", "bigint", "newest timestamp of any batch, epoch ms"),
    Column("untyped_markers", "bigint", "control batches of producer ids of which no dump says COMMIT or ABORT"),
    Column("next_segment", "bigint", "base offset of the next segment here, null for the last one"),
    Column("thinned", "boolean", "offsets are missing inside some segment of its log, and no bytes with them"),
)  # fmt: skip

_BATCH = struct("base_offset:bigint", "batch_ref:ref", "max_timestamp:bigint", "base_sequence:int")
FIRST_BATCH, LAST_BATCH = (Column(f"{end}_batch", _BATCH, f"{end} data batch of it") for end in ("first", "last"))
MARKER_REF = ref_column("marker_ref", "the marker's line")
DATA = (
    BATCHES,
    RECORDS,
    Column("bytes", "bigint", "bytes of these batches"),
    Column("producer_epoch", "int", "lowest producer epoch of the transaction's data"),
    Column("highest_data_epoch", "int", "highest producer epoch of the transaction's data"),
    Column("last_leader_epoch", "int", "highest leader epoch of the transaction's data"),
)
"""What the log says of a transaction's data."""
MARKER_BEFORE = (
    Column("previous_marker_offset", "bigint", "marker of the producer id before this transaction, null for none"),
    Column("previous_marker", "string", "COMMIT or ABORT of that marker"),
)

PARTITION_TXNS = derived(
    "partition_txns",
    (*PRODUCER, "txn_no"),
    "One transaction of a producer id in a copy of a log, in the log view.",
    *PRODUCER_COLUMNS, LOG_NO, TXN_NO,
    *picked(LOG_TXNS, "first_offset", "last_offset"),
    *DATA,
    Column("last_batch_offset", "bigint", "base offset of its last data batch"),
    Column("first_ms", "bigint", "timestamp of its first data batch, epoch ms; null if only a snapshot tells of it"),
    Column("last_ms", "bigint", "timestamp of its last data batch, epoch ms; null as above"),
    Column("marker_offset", "bigint", "offset of the marker that ends it, null for none"),
    *picked(LOG_TXNS, "marker", "marker_epoch", "marker_coordinator_epoch"),
    Column("marker_leader_epoch", "int", "leader epoch of the marker"),
    *picked(LOG_TXNS, "marker_ms"),
    Column("marker_horizon_ms", "bigint", "when the cleaner may drop the marker, epoch ms"),
)  # fmt: skip

BROKER_OPENS = derived(
    "broker_opens", PRODUCER,
    "One transaction that is open in the broker view, with its data as the log view has it.",
    *PRODUCER_COLUMNS, LOG_NO,
    Column("first_offset", "bigint", "first offset of the transaction as the broker knows it"),
    Column("last_offset", "bigint", "last offset of its data, null where the log has none of it left"),
    Column("data_first_offset", "bigint", "first offset of its data that the log still has"),
    *picked(PARTITION_TXNS, "txn_no"),
    *DATA, FIRST_BATCH, LAST_BATCH, *MARKER_BEFORE,
    ref_column("snapshot_ref", "the snapshot's entry that carries it, null where batches alone show it"),
    Column("snapshot_last_offset", "bigint", "the producer id's last offset by that snapshot"),
    Column("snapshot_epoch", "int", "producer epoch by that snapshot"),
    Column("snapshot_ms", "bigint", "timestamp of the producer id's last batch by that snapshot, epoch ms"),
    Column("snapshot_coordinator_epoch", "int", "coordinator epoch of its last marker by that snapshot, null for none"),
    Column("log_epoch", "bigint", "last leader epoch of the log"),
    *picked(LOGS, "authority", "tied", "log_start_offset", "log_end_offset", "cleaner_checkpoint", "reaches_ms",
            "snapshot_offset", "has_log"),
)  # fmt: skip

LEADER_EPOCHS = derived(
    "leader_epochs",
    (*LOG, "epoch"),
    "Where a leader epoch starts in a copy of a log.",
    *LOG_COLUMNS,
    Column("epoch", "bigint", "leader epoch"),
    Column("start_offset", "bigint", "first offset of that leader epoch"),
    ref_column("epoch_ref", "entry of leader-epoch-checkpoint, otherwise the epoch's first batch"),
)

STRAYED = derived(
    "strayed",
    (*LOG, "segment", "position"),
    "One batch whose base offset is damaged, or that is twice here; `log_batches` has it once, at its place.",
    *picked(LOG_BATCHES, *LOG, "segment", "position"),
    Column("place", "bigint", "the base offset that its place implies, null where another segment has the batch"),
    *picked(LOG_BATCHES, "base_offset", "last_offset", "size", "is_control"),
    ref_column("batch_ref", "the batch"),
)

DAMAGE = derived(
    "damage",
    (*LOG, "segment", "path", "damage", "position"),
    "One damaged place in a file of a log.",
    *LOG_COLUMNS, SEGMENT, PATH,
    Column("damage", "string", "wrong_crc, tool_died, or the damage of `damaged_ranges`"),
    Column("position", "bigint", "first damaged byte, null where only a tool says so"),
    Column("bytes", "bigint", "damaged bytes"),
    Column("first_offset", "bigint", "first offset that cannot be read, as far as known"),
    Column("last_offset", "bigint", "last offset that cannot be read, as far as known"),
    Column("batches", "bigint", "damaged batches, where they are known to be batches"),
    Column("control", "boolean", "a control batch is among them"),
    Column("said", "string", "what the dump tool said when it died"),
    ref_column("ref", "where the damage begins; of a dead tool the last batch before"),
)  # fmt: skip

UNLISTED_ABORTS = derived(
    "unlisted_aborts",
    (*PRODUCER, "txn_no"),
    "One aborted transaction with data in the cleaned range that no .txnindex lists.",
    *PARTITION_TXNS.columns, FIRST_BATCH, MARKER_REF,
    *picked(LOGS, "log_start_offset", "cleaner_checkpoint", "cleaned_end"),
    Column("index_path", "string", "the .txnindex of the marker's segment, null where it is not here"),
    TRANSACTIONAL_ID,
)  # fmt: skip

TABLES = (
    PLACES, OBSERVATIONS, SNAPSHOTS, ABORTED, LOG_BATCHES, LOGS, SEGMENTS, PARTITION_TXNS, BROKER_OPENS, DISPUTED,
    LEADER_EPOCHS, STRAYED, DAMAGE, DIVERGENCES, TRUNCATED, UNLISTED_ABORTS,
)  # fmt: skip
