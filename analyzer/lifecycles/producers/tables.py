"""The tables of producer ids: foreign epochs, sequence gaps, and which ids have expired or will."""

from analyzer.lifecycles.coordinator.tables import PRODUCERS
from analyzer.lifecycles.declaring import PRODUCER_COLUMNS, derived, fact, picked, struct
from analyzer.lifecycles.logs.tables import LOG_BATCHES
from analyzer.lifecycles.matching.tables import MOMENTS
from analyzer.lifecycles.placing import PRODUCER
from analyzer.tables import Column
from analyzer.tables.catalog import CAPTURE
from analyzer.tables.results import PRODUCER_EPOCH, PRODUCER_ID, TRANSACTIONAL_ID

FOREIGN_EPOCHS = derived(
    "foreign_epochs",
    (*PRODUCER, "producer_epoch", "transactional"),
    "What a producer id wrote to a judged log in an epoch that its coordinator never gave.",
    *PRODUCER_COLUMNS,
    PRODUCER_EPOCH,
    Column("transactional", "boolean", "the batches are transactional"),
    Column("first_offset", "bigint", "first offset of the batches"),
    Column("last_offset", "bigint", "last offset of the batches"),
    Column("records", "bigint", "their records"),
    Column("first", struct("base_offset:bigint", "batch_ref:ref"), "the first of these batches"),
    *picked(PRODUCERS, "transactional_id", "highest_epoch", "newest"),
    Column(
        "refused",
        struct("decided_ms:bigint", "decision:string", "state:string", "decision_epoch:int", "prepared_ref:ref"),
        "the decision whose marker is missing here",
    ),
    Column("proof", "string", "broker_clock, marker_refused, later_transaction or client_clock"),
    Column("one_reign", "boolean", "one leader of the state partition wrote all records of the producer id"),
    Column("before_ms", "bigint", "the time that shows the batches to be older than the newest record, epoch ms"),
    *picked(MOMENTS, "captured_at"),
)

SEQUENCE_GAPS = derived(
    "sequence_gaps",
    (*PRODUCER, "producer_epoch", "base_offset"),
    "One batch whose sequence does not follow that of the producer epoch's batch before.",
    *PRODUCER_COLUMNS,
    PRODUCER_EPOCH,
    *picked(LOG_BATCHES, "base_offset", "last_offset", "base_sequence", "is_transactional", "max_timestamp", "count",
            "batch_ref"),
    Column("expected_sequence", "bigint", "the sequence that would follow"),
    Column(
        "before",
        struct("base_offset:bigint", "last_offset:bigint", "last_sequence:int", "max_timestamp:bigint",
               "batch_ref:ref"),
        "the batch before",
    ),
)  # fmt: skip

EXPIRY = derived(
    "expiry",
    ("capture", "producer_id", "transactional_id"),
    "One producer id: its transactional id, when both expire, and what it left open.",
    CAPTURE, PRODUCER_ID, PRODUCER_EPOCH, TRANSACTIONAL_ID,
    Column("state", "string", "state of the id's newest record"),
    Column("last_update_ms", "bigint", "when the id changed last, epoch ms"),
    Column("id_status", "string", "open, live, due, expired or unknown"),
    Column("id_expires_ms", "bigint", "when the id expires, epoch ms; null while it cannot"),
    Column("last_write_ms", "bigint", "when the producer id wrote last, in any partition, epoch ms"),
    Column("producer_status", "string", "open, live or due"),
    Column("producer_expires_ms", "bigint", "when partitions may forget the producer id, epoch ms"),
    Column("open_transactions", "bigint", "how many transactions it has open"),
    Column("first_open", struct("topic:string", "partition:int", "first_offset:bigint"), "the first of them"),
    Column("outlived", "boolean", "it has a transaction open and its id is gone"),
    *fact("observations", "line"),
    Column("path", "string", "file of the id's newest record, relative to the PATH given on the command line"),
    Column("byte_position", "bigint", "where in a raw file that record stands, null for a line of a text"),
    Column("total", "bigint", "how many rows the capture would have without the limit"),
)  # fmt: skip

TABLES = (FOREIGN_EPOCHS, SEQUENCE_GAPS, EXPIRY)
