"""The tables of __transaction_state: records, transactions, and the orders and states that are wrong."""

from analyzer.lifecycles.declaring import LOG_COLUMNS, derived, fact, picked, ref_column, struct
from analyzer.tables import Column
from analyzer.tables.catalog import CAPTURE
from analyzer.tables.lookup_tables import COORDINATOR_TXN, ID_TXNS, STATE_PARTITION
from analyzer.tables.results import PARTITION, PRODUCER_EPOCH, PRODUCER_ID, TOPIC, TRANSACTIONAL_ID

ID_COLUMNS = (CAPTURE, STATE_PARTITION, TRANSACTIONAL_ID)
"""The columns of `transactions.ID`."""
MERGED = (
    "transactional_id", "tombstone", "producer_id", "producer_epoch", "timeout_ms", "state", "partitions",
    "last_update_ms", "start_ms", "previous_producer_id", "next_producer_id", "client_transaction_version",
)  # fmt: skip
"""What the dumps of a record may each tell a part of."""

COORDINATOR_RECORDS = derived(
    "coordinator_records",
    ("capture", "state_partition", "offset"),
    "One record of a state partition, merged over replicas and dumps.",
    CAPTURE,
    STATE_PARTITION,
    Column("offset", "bigint", "offset of the record; of console output its line"),
    Column("has_offset", "boolean", "false for console output, which prints no offsets"),
    Column("timestamp", "bigint", "the record's own timestamp, otherwise txnLastUpdateTimestamp, epoch ms"),
    *fact("coordinator_states", *MERGED),
    ref_column("ref", "the record"),
    Column("hole", "bigint", "offsets missing before the record; equal holes have everything between them"),
    Column(
        "previous",
        struct("state:string", "producer_id:bigint", "producer_epoch:int", "start_ms:bigint", "hole:bigint"),
        "the id's record before this one",
    ),
    Column("begins", "boolean", "a new coordinator_txn starts with this record"),
    COORDINATOR_TXN,
    Column("preceded", "boolean", "nothing is missing between the record before, or the log's start, and this one"),
)  # fmt: skip

COORDINATOR_TXNS = derived(
    "coordinator_txns",
    ("capture", "state_partition", "transactional_id", "coordinator_txn"),
    "One transaction of an id, as the coordinator's records show it.",
    *ID_COLUMNS,
    COORDINATOR_TXN,
    PRODUCER_ID,
    Column("begin_epoch", "int", "lowest producer epoch that its data can have, by its records up to the decision"),
    *picked(ID_TXNS, "decision_epoch"),
    Column("highest_epoch", "int", "highest producer epoch that the coordinator gave"),
    *fact("coordinator_states", "timeout_ms", "start_ms"),
    Column("prepared_at", "bigint", "offset of the Prepare record"),
    Column("completed_epoch", "int", "producer epoch of its markers, by the Complete record"),
    Column("completed_data_epoch", "int", "producer epoch that its data can have at most, by the Complete record"),
    *picked(
        ID_TXNS, "latest_at", "latest_ms", "list_known", "whole", "decision", "state", "begun_ms", "deadline_ms",
    ),
    Column("decided_ms", "bigint", "time of the Prepare record, otherwise what the Complete record says, epoch ms"),
    *picked(ID_TXNS, "completed_ms"),
    Column("next_begun_ms", "bigint", "when the producer id's next transaction began, epoch ms"),
    Column("is_last", "boolean", "it is the producer id's last transaction in this state partition"),
)  # fmt: skip

TXN_KEY = picked(COORDINATOR_TXNS, "state_partition", "transactional_id", "coordinator_txn")
"""What names a coordinator transaction inside a capture."""

REGISTRATIONS = derived(
    "registrations",
    ("capture", "state_partition", "transactional_id", "coordinator_txn", "topic", "partition"),
    "When a partition joined a coordinator transaction: the first record whose list names it.",
    CAPTURE,
    *TXN_KEY,
    TOPIC,
    PARTITION,
    Column("registered_at", "bigint", "offset of the record that registered the partition"),
    Column("registered_ms", "bigint", "time of the record that registered the partition, epoch ms"),
    Column("registered_whole", "boolean", "the record before is here, so that it really is the first"),
)

PRODUCERS = derived(
    "producers",
    ("capture", "producer_id"),
    "What the coordinator's records say of a producer id.",
    CAPTURE,
    PRODUCER_ID,
    TRANSACTIONAL_ID,
    *picked(COORDINATOR_TXNS, "highest_epoch"),
    Column(
        "newest",
        struct("timestamp:bigint", "offset:bigint", "state:string", "ref:ref", "state_partition:int"),
        "newest record of the producer id",
    ),
    Column("ids", "bigint", "transactional ids that it was given to"),
)

SHARED_PRODUCER_IDS = derived(
    "shared_producer_ids",
    ("capture", "producer_id"),
    "One producer id that the coordinator gave to more than one transactional id.",
    CAPTURE,
    PRODUCER_ID,
    TRANSACTIONAL_ID,
    *picked(PRODUCERS, "ids"),
    Column("other_id", "string", "another transactional id that has it"),
    STATE_PARTITION,
    ref_column("ref", "newest record of the transactional id with this producer id"),
    ref_column("other_ref", "newest record of the other one with it"),
    Column("other_state_partition", "int", "partition of __transaction_state of the other one"),
)

EXHAUSTED_IDS = derived(
    "exhausted_ids",
    ("capture", "state_partition", "transactional_id"),
    "One id whose running transaction is at the last producer epoch, 32767, which no coordinator can raise.",
    *ID_COLUMNS,
    PRODUCER_ID,
    *picked(COORDINATOR_TXNS, "deadline_ms"),
    ref_column("ref", "newest record of the id"),
)

PREPARING = derived(
    "preparing",
    ("capture", "state_partition", "transactional_id", "coordinator_txn", "topic", "partition"),
    "One place that lacks the marker of a transaction whose newest record is PrepareCommit or PrepareAbort.",
    *LOG_COLUMNS,
    *TXN_KEY,
    PRODUCER_ID,
    PRODUCER_EPOCH,
    *picked(COORDINATOR_TXNS, "state", "decision", "decided_ms"),
    ref_column("decision_ref", "the Prepare record"),
    Column("decision_offset", "bigint", "offset of that record"),
    Column("overtaken", "boolean", "a record after it may be in what the state partition lacks here"),
    Column("state_mark", "bigint", "highest high watermark of any copy of that state partition; null for none here"),
    Column("delivered", "array<string>", "names of the partitions that have their marker"),
    Column("absent", "array<string>", "names of the partitions whose log is not here"),
    Column("lacking", "bigint", "how many logs here lack their marker"),
    Column("delivered_ms", "bigint", "newest of the markers that are here, epoch ms"),
    Column(
        "at_once",
        "boolean",
        "that log and the state partition end with one stop of a broker without the controllers' log",
    ),
    Column("log_reaches_ms", "bigint", "up to when the log is shown to lack it, epoch ms"),
    Column("first_offset", "bigint", "first offset of the data that is open there, null for none"),
    Column("last_offset", "bigint", "last offset of that data"),
    Column("records", "bigint", "records of that data"),
    ref_column("first_ref", "first batch of that data"),
    Column("horizon_ms", "bigint", "up to when that log reaches, epoch ms; null where nothing is open"),
)

FORBIDDEN_ORDERS = derived(
    "forbidden_orders",
    ("capture", "state_partition", "transactional_id", "offset"),
    "One record that may not follow the id's record before, with nothing missing between them.",
    *ID_COLUMNS,
    *picked(COORDINATOR_RECORDS, "offset", "state", "producer_id", "producer_epoch", "timestamp", "ref"),
    Column("before_state", "string", "state of the record before"),
    Column("before_producer_id", "bigint", "producer id of the record before"),
    Column("before_epoch", "int", "producer epoch of the record before"),
    Column("before_ms", "bigint", "timestamp of the record before, epoch ms"),
    ref_column("before_ref", "the record before"),
    Column("forgets", "boolean", "a new producer id while a transaction of the one before was under way"),
)

STATE_COPIES = derived(
    "state_copies",
    ("capture", "state_partition"),
    "How far one partition of __transaction_state can be trusted.",
    CAPTURE,
    STATE_PARTITION,
    Column("sound", "boolean", "nothing says that a record of it is missing, beside what compaction took"),
    Column("newest_here", "boolean", "no byte of it is missing, and no end: the newest record of each id is here"),
    Column("newest_ms", "bigint", "timestamp of its newest record, epoch ms"),
    Column("leader_here", "boolean", "the judged copy is its leader's by pasted output, or all replicas are here"),
    Column("lived_ms", "bigint", "up to when its broker, which leads or is in sync, has times of brokers, epoch ms"),
)

TABLES = (
    COORDINATOR_RECORDS, COORDINATOR_TXNS, REGISTRATIONS, PRODUCERS, SHARED_PRODUCER_IDS, EXHAUSTED_IDS, PREPARING,
    FORBIDDEN_ORDERS, STATE_COPIES,
)  # fmt: skip
