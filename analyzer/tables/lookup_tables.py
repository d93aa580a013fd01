"""The tables of look-ups: what lifecycles made of a capture, kept so that a question needs no engine.

They are rows of derived tables under names of their own, without what nobody asks of them. Analyzing again replaces a
capture's rows.
"""

from analyzer.tables.catalog import CAPTURE, FILE_ID, PATH
from analyzer.tables.model import Column, Table
from analyzer.tables.results import LOG, PARTITION, PRODUCER_EPOCH, PRODUCER_ID, TOPIC, TRANSACTIONAL_ID

STORE = "lookups"

MARKER_OFFSET = Column("marker_offset", "bigint", "offset of the marker that ends it here, null for none")
TXN_NO = Column("txn_no", "bigint", "number of the producer id's transaction in this log, from 0")
STATE_PARTITION = Column("state_partition", "int", "partition of __transaction_state")
COORDINATOR_TXN = Column("coordinator_txn", "bigint", "number of the id's transaction in this state partition")

LOG_PLACES = Table(
    "log_places",
    STORE,
    ("capture", "path", "section"),
    "One dump inside a file of a capture, or a file without dumps, and which log it belongs to: `places`.",
    (
        *LOG,
        Column("segment", "bigint", "base offset of the segment"),
        PATH,
        FILE_ID,
        Column("section", "int", "which dump of the file, counted from 0"),
        Column("file_kind", "string", "kind of the file, see `capture_files`"),
        Column("kind", "string", "kind of the dump, see `sections`"),
        Column("deep", "boolean", "records were printed, so that markers and their types are known"),
    ),
)

LOG_TXNS = Table(
    "log_txns",
    STORE,
    ("capture", "topic", "partition", "replica", "producer_id", "txn_no"),
    "One transaction of a producer id in a copy of a log, in the log view: `partition_txns`.",
    (
        *LOG,
        PRODUCER_ID,
        TXN_NO,
        Column("first_offset", "bigint", "first offset of its data, null for a marker with nothing open"),
        Column("last_offset", "bigint", "last offset of its data"),
        Column("batches", "bigint", "how many batches"),
        Column("records", "bigint", "records in these batches"),
        Column("bytes", "bigint", "bytes of these batches"),
        PRODUCER_EPOCH,
        Column("highest_data_epoch", "int", "highest producer epoch of the transaction's data"),
        Column("first_ms", "bigint", "timestamp of its first data batch, epoch ms"),
        Column("last_ms", "bigint", "timestamp of its last data batch, epoch ms"),
        MARKER_OFFSET,
        Column("marker", "string", "COMMIT or ABORT, null where no marker was printed"),
        Column("marker_epoch", "int", "producer epoch of the marker"),
        Column("marker_coordinator_epoch", "int", "coordinator epoch of the marker"),
        Column("marker_ms", "bigint", "timestamp of the marker, epoch ms"),
    ),
)

LOG_HOLES = Table(
    "log_holes",
    STORE,
    ("capture", "topic", "partition", "replica", "gap_offset"),
    "Offsets that a copy of a log does not show although they were in it: a marker may have been there (RULES A 6 f).",
    (
        *LOG,
        Column("gap_offset", "bigint", "first of them"),
        Column("gap_end", "bigint", "where the log goes on, null where its end is missing"),
    ),
)

ID_TXNS = Table(
    "id_txns",
    STORE,
    ("capture", "state_partition", "transactional_id", "coordinator_txn"),
    "One transaction of an id, as the coordinator's records show it: `coordinator_txns`.",
    (
        CAPTURE,
        STATE_PARTITION,
        TRANSACTIONAL_ID,
        COORDINATOR_TXN,
        PRODUCER_ID,
        Column("begin_epoch", "int", "lowest producer epoch up to the decision"),
        Column("decision_epoch", "int", "highest producer epoch up to the decision: that of the markers"),
        Column("timeout_ms", "bigint", "transaction timeout, ms"),
        Column("latest_at", "bigint", "offset of the newest record of the transaction"),
        Column("latest_ms", "bigint", "timestamp of its newest record, epoch ms"),
        Column("list_known", "boolean", "every partition that took part is known"),
        Column("whole", "boolean", "none of its records can have been compacted away"),
        Column("decision", "string", "COMMIT or ABORT, null while undecided"),
        Column("state", "string", "state of the newest record"),
        Column("begun_ms", "bigint", "txnStartTimestamp, otherwise the time of the first record, epoch ms"),
        Column("deadline_ms", "bigint", "when its timeout is over, epoch ms; null where it has none"),
        Column("decided_ms", "bigint", "when it was decided, epoch ms"),
        Column("completed_ms", "bigint", "the Complete record's own timestamp, epoch ms"),
    ),
)

ID_TXN_LOGS = Table(
    "id_txn_logs",
    STORE,
    ("capture", "topic", "partition", "replica", "producer_id", "state_partition", "transactional_id",
     "coordinator_txn"),
    "A decided transaction of an id in a copy of a log that its list names, with its marker there: `decisions`.",
    (*LOG, PRODUCER_ID, STATE_PARTITION, TRANSACTIONAL_ID, COORDINATOR_TXN, MARKER_OFFSET, TXN_NO,
     Column("marked_ms", "bigint", "timestamp of that marker, epoch ms")),
)  # fmt: skip

CLUSTER_EVENTS = Table(
    "cluster_events",
    STORE,
    ("capture", "offset", "event", "topic", "partition"),
    "One change that the controllers' log dates: `quorum_events`.",
    (
        CAPTURE,
        Column("offset", "bigint", "offset of the record in the controllers' log"),
        Column("changed_ms", "bigint", "time of the record, epoch ms"),
        Column("event", "string", "what happened, see `quorum_events`"),
        TOPIC,
        PARTITION,
        Column("broker", "int", "the broker: of an election the new leader, of quorum_leader the controller"),
        Column("subject", "string", "name of the feature, or what the setting is of and its name"),
        Column("was", "string", "leader, count, level or value before"),
        Column("now", "string", "count, level, value or quorum epoch after"),
        PATH,
        Column("line", "bigint", "line of the record, null for raw files"),
        Column("byte_offset", "bigint", "where that line begins, or position of the batch"),
    ),
)

LOOKUPS = (LOG_PLACES, LOG_TXNS, LOG_HOLES, ID_TXNS, ID_TXN_LOGS, CLUSTER_EVENTS)

MADE_OF = {
    "log_places": "places",
    "log_txns": "partition_txns",
    "id_txns": "coordinator_txns",
    "id_txn_logs": "decisions",
    "cluster_events": "quorum_events",
}
"""The derived table that each is made of; `log_holes` has a stage of its own."""
