"""The table of decisions and their markers, put together."""

from analyzer.lifecycles.coordinator.tables import COORDINATOR_TXNS, REGISTRATIONS, TXN_KEY
from analyzer.lifecycles.declaring import PRODUCER_COLUMNS, derived, picked, struct
from analyzer.lifecycles.logs.tables import LOG_NO
from analyzer.lifecycles.placing import PRODUCER
from analyzer.tables import Column

HISTORY_WHOLE = Column(
    "history_whole", "boolean", "nothing of the producer id's transactions can have been compacted away"
)
RANK = Column("rank", "int", "number of the decision among those of the producer id in this log, in order, from 1")

DECISIONS = derived(
    "decisions",
    (*PRODUCER, "state_partition", "transactional_id", "coordinator_txn"),
    "One decided transaction in one copy of a log that its list names, with the marker that carries it out.",
    *PRODUCER_COLUMNS,
    LOG_NO,
    *TXN_KEY,
    *picked(
        COORDINATOR_TXNS, "decision", "decided_ms", "completed_ms", "begun_ms", "next_begun_ms", "begin_epoch",
        "decision_epoch", "state", "is_last",
    ),
    HISTORY_WHOLE,
    *picked(REGISTRATIONS, "registered_ms", "registered_whole"),
    RANK,
    Column("marker_offset", "bigint", "offset of the marker that carries it out here, null for none"),
    Column("txn_no", "bigint", "the transaction in this log that the marker ends"),
    Column("marked_ms", "bigint", "timestamp of that marker, epoch ms"),
    Column("marked_from", "bigint", "first offset of the data that it ends, null for none"),
    Column("marked_from_ms", "bigint", "timestamp of the batch there, epoch ms"),
    Column("marked_from_epoch", "int", "lowest producer epoch of the data that it ends"),
    Column(
        "own_marker",
        struct("marker_offset:bigint", "txn_no:bigint"),
        "the marker by which alone this log is known to be on the list, null where the list names it",
    ),
)  # fmt: skip

TABLES = (DECISIONS,)
