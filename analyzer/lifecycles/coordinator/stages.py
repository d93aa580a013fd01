"""The stages of __transaction_state, which nothing else is needed for (RULES A 3)."""

from analyzer.lifecycles.coordinator import (
    copies,
    faults,
    leading,
    merging,
    owners,
    stopped,
    tables,
    taken_back,
    transactions,
)
from analyzer.stages.stage import Stage, planned

STATES = "state_partition"

TRANSACTIONS = (
    Stage("cut_states", copies.cut_records, ("several_copies",), ("log_batches", "logs", "leader_epochs")),
    Stage("overruled", copies.overruled, ("cut_states",), ("coordinator_states", "places")),
    planned("states_in_order", merging.coordinator_records, ("coordinator_states",), ("places", "cut_states")),
    Stage("records_as_written", transactions.numbered_records, ("states_in_order",), shared_by=STATES),
    Stage("odd_ids", faults.odd_ids, ("records_as_written",), shared_by=STATES),
    Stage(
        "taken_back", taken_back.taken_back, ("odd_ids",), ("records_as_written", "logs", "leader_epochs"),
        narrowed={"records_as_written": ("odd_ids", "transactional_id")},
    ),
    Stage(
        tables.COORDINATOR_RECORDS, taken_back.renumbered, ("taken_back",), ("states_in_order",),
        otherwise="records_as_written",
    ),
    Stage(tables.COORDINATOR_TXNS, transactions.coordinator_txns, ("coordinator_records",), shared_by=STATES),
    Stage(tables.REGISTRATIONS, transactions.registrations, ("coordinator_records",), shared_by=STATES),
    planned("id_owners", owners.owners, ("coordinator_records",), shared_by=STATES),
    Stage(tables.PRODUCERS, owners.producers, ("id_owners",)),
    Stage("known_records", copies.known_records, ("coordinator_records",), shared_by=STATES),
)  # fmt: skip
"""The records in order, and the transactions that they tell of."""

OF_STUCK = ("stuck_txns", "transactional_id")

FAULTS = (
    planned("stopped_brokers", stopped.stopped_brokers, ("placed_observations",), ("logs",)),
    planned(
        "stopped_clusters", stopped.stopped_clusters, ("stopped_brokers",), ("quorum_logs", "broker_events", "logs"),
    ),
    Stage("stuck_txns", faults.stuck, ("coordinator_txns",), ("coordinator_records",)),
    Stage(
        tables.PREPARING, faults.preparing, ("stuck_txns",),
        (
            "coordinator_records", "registrations", "decisions", "logs", "opens", "holes_of_logs", "stopped_brokers",
            "markers_ahead", "unled_since",
        ),
        narrowed=dict.fromkeys(("coordinator_records", "registrations", "decisions"), OF_STUCK),
    ),
    Stage("several_owners", owners.several_owners, ("producers",)),
    Stage(
        tables.SHARED_PRODUCER_IDS, owners.shared_producer_ids, ("several_owners",), ("coordinator_records",),
        narrowed={"coordinator_records": ("several_owners", "producer_id")},
    ),
    Stage(tables.EXHAUSTED_IDS, owners.exhausted_ids, ("coordinator_txns",), ("coordinator_records",)),
    Stage(
        tables.FORBIDDEN_ORDERS, faults.forbidden_orders, ("odd_ids",), ("coordinator_records",),
        narrowed={"coordinator_records": ("odd_ids", "transactional_id")},
    ),
    planned("state_leaders", leading.state_leaders, ("logs",), ("copy_holders", "stopped_brokers")),
    Stage(
        tables.STATE_COPIES, copies.state_copies,
        (
            "coordinator_states", "places", "logs", "log_batches", "damage", "segments", "known_records",
            "state_leaders",
        ),
    ),
)  # fmt: skip
"""What is wrong with them, and which copies of their partitions can be trusted."""

STAGES = (*TRANSACTIONS, *FAULTS)
