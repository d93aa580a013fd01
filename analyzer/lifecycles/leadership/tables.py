"""What the controllers' log tells of the others: elections, lost commits, reigns of coordinators."""

from analyzer.lifecycles.controller.tables import CHANGED_MS, PARTITION_CHANGES, REF
from analyzer.lifecycles.coordinator.tables import COORDINATOR_TXNS
from analyzer.lifecycles.declaring import (
    LOG_COLUMNS,
    PARTITION_COLUMNS,
    PRODUCER_COLUMNS,
    derived,
    picked,
    ref_column,
    struct,
)
from analyzer.lifecycles.logs.divergence_tables import DIVERGENCES
from analyzer.lifecycles.logs.tables import MARKER_REF, PARTITION_TXNS
from analyzer.lifecycles.placing import PRODUCER
from analyzer.tables import Column
from analyzer.tables.catalog import CAPTURE
from analyzer.tables.results import PRODUCER_EPOCH, PRODUCER_ID, RESCUABLE_RECORDS, TRANSACTIONAL_ID

ELECTIONS = derived(
    "elections",
    ("capture", "topic", "partition", "leader_epoch"),
    "A leader of a partition that exists at the end of the controllers' log.",
    *PARTITION_COLUMNS,
    *picked(PARTITION_CHANGES, "leader_epoch", "leader_id", "unclean", "previous_leader_id", "previous_isr",
            "previous_elr"),
    CHANGED_MS,
    Column("led_until_ms", "bigint", "when the next leader epoch began, epoch ms; null if none did"),
    Column("leaderless_ms", "bigint", "since when nobody had led before it, epoch ms; null if it followed a leader"),
    Column("topic_created_ms", "bigint", "when the topic was created, epoch ms; null where the log does not tell"),
    REF,
)  # fmt: skip

LOST_COMMITS = derived(
    "lost_commits",
    ("capture", "topic", "partition", "transactional_id", "producer_id", "cut_offset"),
    "Committed transactions of an id of which no copy of a partition has a record.",
    *LOG_COLUMNS, TRANSACTIONAL_ID, PRODUCER_ID,
    Column("producer_epoch", "int", "producer epoch of the first of them"),
    Column("lost_transactions", "bigint", "how many there are"),
    *picked(COORDINATOR_TXNS, "decided_ms", "completed_ms"),
    ref_column("completed_ref", "the Complete record of the first"),
    Column("cut_epoch", "bigint", "leader epoch that begins where they were"),
    Column("cut_offset", "bigint", "where that leader epoch starts"),
    ref_column("cut_ref", "the line that says so"),
    Column("before_offset", "bigint", "last marker of an earlier transaction, null for none"),
    ref_column("before_ref", "that marker"),
    Column("after_offset", "bigint", "first marker of a later transaction, or its own; null for none"),
    ref_column("after_ref", "that marker"),
    Column("empty_marker", "boolean", "that marker is its own, and ends no data"),
    Column("elsewhere", "array<string>", "partitions whose logs have the first one's marker"),
    Column(
        "election",
        struct("leader_epoch:int", "leader_id:int", "previous_leader_id:int", "previous_isr:array<int>",
               "previous_elr:array<int>", "changed_ms:bigint", "ref:ref"),
        "the unclean election that took them, null where the controllers' log does not tell",
    ),
    Column("crash", struct("crashed_ms:bigint", "crashed_broker:int", "ref:ref"),
           "a leader's restart without a controlled shutdown before that leader epoch, null where there was none"),
)  # fmt: skip

COORDINATOR_REIGNS = derived(
    "coordinator_reigns",
    ("capture", "state_partition", "coordinator_epoch", "consistent"),
    "Markers with one coordinator epoch of a state partition, against that partition's leader epochs.",
    CAPTURE,
    *picked(COORDINATOR_TXNS, "state_partition"),
    Column("coordinator_epoch", "int", "coordinator epoch of these markers"),
    Column("consistent", "boolean", "it was the leader epoch of the state partition when they were written"),
    Column("markers", "bigint", "markers in judged logs"),
    Column(
        "first_marker",
        struct("marker_ms:bigint", "topic:string", "partition:int", "marker_offset:bigint", "producer_id:bigint",
               "marker_ref:ref"),
        "the first of these markers",
    ),
    Column("expected_epoch", "int", "leader epoch of the state partition when the first of them was written"),
)  # fmt: skip

SERVED_BY = derived(
    "served_by",
    ("capture", "producer_id"),
    "Partitions of __transaction_state whose leader epochs fit every marker of a producer id that no state file names.",
    CAPTURE,
    PRODUCER_ID,
    Column("transactional_id", "string", "its transactional id, where kafka-transactions.sh was asked"),
    Column("markers", "bigint", "its markers in judged logs"),
    Column("state_partitions", "array<int>", "the partitions that fit"),
    Column("coordinator", "int", "who led the partition when its newest marker was written, if only one fits"),
    Column("since_ms", "bigint", "since when, epoch ms"),
)

RESCUABLE = derived(
    "rescuable",
    (*PRODUCER, "txn_no"),
    "A committed transaction whose data the leader has no more, with the copy that has it until it is truncated.",
    *PRODUCER_COLUMNS,
    *picked(PARTITION_TXNS, "txn_no"),
    TRANSACTIONAL_ID,
    PRODUCER_EPOCH,
    *picked(RESCUABLE_RECORDS, "first_offset", "last_offset", "records"),
    Column("spread", "boolean", "it began before, and the leader has the rest of its data"),
    ref_column("first_ref", "the first batch of that data"),
    Column("marker_offset", "bigint", "its COMMIT marker in this copy; null where the coordinator alone tells"),
    *picked(COORDINATOR_TXNS, "decided_ms"),
    ref_column("decision_ref", "the coordinator's record of the decision, null without its records"),
    Column("also_on", "array<string>", "other copies here that have its first batch"),
    *picked(DIVERGENCES, "authority_replica", "new_epoch", "start_offset", "epoch_ref"),
    MARKER_REF,
)  # fmt: skip

TABLES = (ELECTIONS, LOST_COMMITS, COORDINATOR_REIGNS, SERVED_BY, RESCUABLE)
