"""The result tables: what the analysis of a capture says. Analysing again replaces a capture's rows."""

from analyzer.tables.catalog import CAPTURE
from analyzer.tables.coverage_kinds import COVERAGE_KINDS
from analyzer.tables.model import Column, Table

STORE = "results"

TOPIC = Column("topic", "string", "topic")
PARTITION = Column("partition", "int", "partition")
REPLICA = Column("replica", "string", "whose copy of the log: broker id or a label")
LOG = (CAPTURE, TOPIC, PARTITION, REPLICA)
PRODUCER_ID = Column("producer_id", "bigint", "producer id, -1 for none")
PRODUCER_EPOCH = Column("producer_epoch", "int", "producer epoch of the transaction's data")
TRANSACTIONAL_ID = Column("transactional_id", "string", "transactional id, null where the capture does not tell")

SUMMARIES = Table(
    "summaries",
    STORE,
    ("capture",),
    "The analysed moment of a capture.",
    (
        CAPTURE,
        Column("captured_at", "bigint", "the moment judged, epoch ms"),
        Column("captured_at_source", "string", "flag, capture.toml, or which newest timestamp in the files"),
        Column("kafka_version", "string", "brokers' version, where known"),
        Column("verdict", "string", "clean, findings or inconclusive"),
        Column("reach", "string", "how commands reach the brokers, as JSON; null where no option of a run told"),
        Column("document", "string", "the whole report as JSON, see schemas/report.schema.json"),
    ),
)

FINDINGS = Table(
    "findings",
    STORE,
    ("capture", "id"),
    "Something wrong, with its evidence.",
    (
        CAPTURE,
        Column("id", "string", "code and digest of what it is about: the same fault has the same id everywhere"),
        Column("code", "string", "code of the detector, never reused"),
        Column("name", "string", "name of the detector"),
        Column("severity", "string", "info, warning or critical"),
        Column("confidence", "string", "certain, likely or possible"),
        TOPIC,
        PARTITION,
        REPLICA,
        TRANSACTIONAL_ID,
        PRODUCER_ID,
        PRODUCER_EPOCH,
        Column("first_offset", "bigint", "first offset it is about"),
        Column("last_offset", "bigint", "last offset it is about"),
        Column("headline", "string", "one sentence"),
        Column("alert_line", "string", "one line for a phone: what, whose, what not to do"),
        Column("folded_under", "string", "id of the finding that caused this one, null for a headline"),
        Column("detail", "string", "the finding as JSON, see schemas/report.schema.json"),
    ),
)

OPEN_TRANSACTIONS = Table(
    "open_transactions",
    STORE,
    ("capture", "topic", "partition", "replica", "producer_id"),
    "A transaction that the log leaves open, and what we say of it.",
    (
        *LOG,
        Column("authority", "boolean", "this replica is the one judged"),
        PRODUCER_ID,
        PRODUCER_EPOCH,
        TRANSACTIONAL_ID,
        Column("first_offset", "bigint", "first offset of the transaction, pins the LSO"),
        Column("last_offset", "bigint", "last offset of the transaction's data"),
        Column("verdict", "string", "in_flight, completing, undecided, orphaned, or the finding's name"),
        Column("finding", "string", "id of the finding, null for the four words"),
        Column("why", "string", "one sentence"),
        Column("moments", "string", "the moments in why as JSON, as the report lists them; null where it has none"),
        Column("fetch", "string", "what file would settle it, null where nothing is missing"),
    ),
)

PARTITION_HEALTH = Table(
    "partition_health",
    STORE,
    ("capture", "topic", "partition", "replica"),
    "Where a partition stands: its bounds and what waits from the LSO on.",
    (
        *LOG,
        Column("authority", "boolean", "this replica is the one judged"),
        Column("has_log", "boolean", "a log is here; otherwise only producer snapshots, and the LSO is an upper bound"),
        Column("log_start_offset", "bigint", "first offset that readers may ask for"),
        Column("lso", "bigint", "last stable offset by this replica's own state"),
        Column("high_watermark", "bigint", "from replication-offset-checkpoint: a lower bound; null if below the LSO"),
        Column("log_end_offset", "bigint", "offset of the next record"),
        Column("blocked_records", "bigint", "records in data batches at or above the LSO, null without a log"),
        Column("blocked_offsets", "bigint", "offsets from the LSO to the log end"),
        Column("blocked_bytes", "bigint", "bytes of the batches at or above the LSO, null without a log"),
        Column("blocked_transactions", "bigint", "transactions that ended after the LSO, null without a log"),
        Column("blocked_since", "bigint", "timestamp of the batch that pins the LSO, epoch ms"),
        Column("batches", "bigint", "batches seen"),
    ),
)

COVERAGE = Table(
    "coverage",
    STORE,
    ("capture", "kind", "topic", "partition", "replica", "file", "number"),
    "What the capture does not show, and which file would.",
    (
        CAPTURE,
        Column("kind", "string", ", ".join(COVERAGE_KINDS)),
        TOPIC,
        PARTITION,
        REPLICA,
        Column("file", "string", "file it is about, relative to the PATH given"),
        Column("number", "bigint", "a size: lines, offsets, partitions"),
        Column("note", "string", "one sentence"),
        Column("fetch", "string", "what file would settle it"),
    ),
)

RESCUABLE_RECORDS = Table(
    "rescuable_records",
    STORE,
    ("capture", "topic", "partition", "replica", "producer_id", "first_offset"),
    "Records of a committed transaction that only a copy has whose broker will cut them off: for rescue --lost.",
    (
        *LOG,
        PRODUCER_ID,
        PRODUCER_EPOCH,
        TRANSACTIONAL_ID,
        Column("first_offset", "bigint", "first offset of its data that the leader does not have"),
        Column("last_offset", "bigint", "last offset of that data"),
        Column("records", "bigint", "records of that data"),
        Column("decided_ms", "bigint", "when COMMIT was decided, epoch ms; null where the coordinator's records lack"),
        Column("total", "bigint", "transactions of this capture of which that is true, listed or not"),
    ),
)

DETECTOR_RUNS = Table(
    "detector_runs",
    STORE,
    ("capture", "code"),
    "What each detector did: ran, skipped and why, failed and why.",
    (
        CAPTURE,
        Column("code", "string", "code of the detector"),
        Column("name", "string", "name of the detector"),
        Column("status", "string", "ran, skipped or failed"),
        Column("reason", "string", "why it was skipped or failed"),
        Column("findings", "bigint", "how many it found"),
    ),
)

RESULTS = (SUMMARIES, FINDINGS, OPEN_TRANSACTIONS, PARTITION_HEALTH, COVERAGE, DETECTOR_RUNS, RESCUABLE_RECORDS)
