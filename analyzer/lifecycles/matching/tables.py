"""The tables of what pairs of markers and decisions mean: moments, slips, data without its marker."""

from analyzer.lifecycles.coordinator.tables import COORDINATOR_TXNS, REGISTRATIONS, TXN_KEY
from analyzer.lifecycles.declaring import PRODUCER_COLUMNS, RECORDS, derived, picked, ref_column, struct
from analyzer.lifecycles.logs.tables import (
    FIRST_BATCH,
    MARKER_BEFORE,
    MARKER_REF,
    PARTITION_TXNS,
)
from analyzer.lifecycles.pairing.tables import HISTORY_WHOLE
from analyzer.lifecycles.placing import PRODUCER
from analyzer.tables import Column
from analyzer.tables.catalog import CAPTURE
from analyzer.tables.results import PRODUCER_EPOCH, TRANSACTIONAL_ID

MOMENTS = derived(
    "moments",
    ("capture",),
    "The moment a capture is judged at, how its clocks stand, and how far its state files reach.",
    CAPTURE,
    Column("captured_at", "bigint", "the moment judged, epoch ms"),
    Column("captured_at_source", "string", "flag, capture.toml, or which newest timestamp in the files"),
    Column("shift_ms", "bigint", "how far decisions must move for markers to follow their own, ms"),
    Column("behind_ms", "bigint", "how far a partition's clock may be behind the coordinator's, ms"),
    Column("spread_ms", "bigint", "how far apart the clocks may be, ms"),
    Column("marker_bound_ms", "bigint", "longer than any marker should take, ms"),
    Column("state_count", "int", "partitions of __transaction_state"),
    Column("state_count_told", "boolean", "whether something says how many there are; else as many as by default"),
    Column("missing_states", "array<int>", "those without a dump here"),
    Column("newest_state_ms", "bigint", "newest record of __transaction_state, epoch ms"),
    Column("state_horizon_ms", "bigint", "where the state files end, null where they reach the moment judged"),
    Column("max_timeout_ms", "bigint", "the longest timeout that a client may ask for, ms; null where that is none"),
    Column("max_timeout_told", "boolean", "the capture says so; otherwise it is Kafka's default"),
    Column("two_phase_possible", "boolean", "the brokers are of 4.1 or newer, or unknown: some may have no timeout"),
)

APPENDED_BY = Column("appended_by_ms", "bigint", "the first offset was appended no later than this, epoch ms")

SLIPS = derived(
    "slips",
    (*PRODUCER, "txn_no"),
    "One transaction whose first batches were written before its coordinator registered this partition.",
    *PRODUCER_COLUMNS,
    *picked(PARTITION_TXNS, "txn_no", "first_offset", "last_offset", "producer_epoch"),
    FIRST_BATCH,
    *MARKER_BEFORE,
    APPENDED_BY,
    *picked(MOMENTS, "spread_ms", "captured_at", "behind_ms"),
    TRANSACTIONAL_ID,
    *picked(REGISTRATIONS, "registered_ms", "registered_whole"),
    Column("begin_epoch", "int", "producer epoch with which its transaction began; lower epochs are another's"),
    ref_column("registered_ref", "the record that registered the partition"),
    *picked(COORDINATOR_TXNS, "decision"),
    *picked(PARTITION_TXNS, "marker_offset"),
    MARKER_REF,
    Column("slipped_first", "bigint", "first offset of the early batches"),
    Column("slipped_last", "bigint", "last offset of the early batches"),
    Column("slipped_records", "bigint", "records in the early batches"),
    Column("proven_last", "bigint", "last offset of those that later offsets or their epoch prove to be early"),
    Column("newer_offset", "bigint", "first offset after them of the transaction around them, null for none"),
    ref_column("newer_ref", "the batch there"),
)

UNMARKED = derived(
    "unmarked",
    (*PRODUCER, "txn_no", "state_partition", "transactional_id", "coordinator_txn"),
    "The data of one transaction in a judged log that no marker of its own ends.",
    *PRODUCER_COLUMNS,
    *picked(PARTITION_TXNS, "txn_no", "first_offset", "last_offset"),
    RECORDS,
    PRODUCER_EPOCH,
    *picked(PARTITION_TXNS, "highest_data_epoch", "last_leader_epoch"),
    ref_column("first_ref", "first batch of the data"),
    ref_column("last_ref", "last batch of the data"),
    Column("parted", "boolean", "other data between the same markers is clearly the next transaction's"),
    *TXN_KEY,
    *picked(COORDINATOR_TXNS, "decision", "decided_ms", "completed_ms", "begun_ms", "state", "begin_epoch"),
    Column("decision_epoch", "int", "producer epoch of the decision"),
    ref_column("prepared_ref", "its Prepare record"),
    ref_column("completed_ref", "its Complete record"),
    HISTORY_WHOLE,
    Column("closer", "string", "what ends the data: open (nothing), later (a matched later transaction), unmatched"),
    *picked(PARTITION_TXNS, "marker", "marker_offset", "marker_ms"),
    MARKER_REF,
    Column("later_epoch", struct("epoch:bigint", "offset:bigint", "ref:ref"), "first leader epoch after the data"),
    ref_column("snapshot_ref", "a producer snapshot that says that the data is ended"),
    Column("broker_open", "boolean", "the broker view has it open"),
    Column(
        "witness",
        struct("capture:string", "replica:string", "offset:bigint", "marker:string", "leader_epoch:int", "ref:ref"),
        "another copy of the same data, with its marker",
    ),
    Column(
        "delivered_marker",
        struct("topic:string", "partition:int", "offset:bigint", "marker_ref:ref", "names:array<string>"),
        "where the decision's marker is, null where no judged log has it",
    ),
    Column("unread_offset", "bigint", "first offset from it on, up to its end, that this damaged copy does not show"),
    Column("gap", struct("offset:bigint", "kind:string", "ref:ref"), "first gap after it that may be the cleaner's"),
    Column("gap_certain", "boolean", "the gap lies in a cleaned range that a checkpoint states"),
    *picked(MOMENTS, "captured_at", "state_horizon_ms"),
)

UNSEEN = derived(
    "unseen",
    ("capture", "topic", "partition", "transactional_id", "state_partition"),
    "One partition of a running transaction, in a capture that holds no data partition.",
    CAPTURE,
    *PRODUCER_COLUMNS[1:3],
    TRANSACTIONAL_ID,
    *picked(COORDINATOR_TXNS, "state_partition", "producer_id"),
    PRODUCER_EPOCH,
    *picked(COORDINATOR_TXNS, "begun_ms", "timeout_ms", "deadline_ms"),
    ref_column("state_ref", "its newest record"),
    *picked(MOMENTS, "captured_at"),
    Column("reached_ms", "bigint", "the moment that the state files reach, epoch ms"),
)

ENDED_EARLIER = derived(
    "ended_earlier",
    (*PRODUCER, "txn_no"),
    "Data in a judged log that a marker of no known decision ended, against what was decided of it afterwards.",
    *PRODUCER_COLUMNS,
    *TXN_KEY,
    Column("txn_no", "bigint", "the transaction in this log that its own marker ends, without these; else the data's"),
    *picked(PARTITION_TXNS, "first_offset", "last_offset"),
    RECORDS,
    PRODUCER_EPOCH,
    *picked(COORDINATOR_TXNS, "decision", "decided_ms", "state"),
    *picked(PARTITION_TXNS, "marker"),
    Column("marker_offset", "bigint", "offset of the marker that ended the data"),
    Column("same_coordinator", "boolean", "that marker has the coordinator epoch of the decision's own"),
    Column("has_own_marker", "boolean", "the decision's own marker is in this log, too"),
    MARKER_REF,
    ref_column("first_ref", "first batch of the data"),
    ref_column("decision_ref", "the record of the decision"),
)

TABLES = (UNSEEN, MOMENTS, SLIPS, UNMARKED, ENDED_EARLIER)
