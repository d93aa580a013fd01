"""The stages of __transaction_state, which nothing else is needed for (RULES A 3)."""

from analyzer.lifecycles.coordinator import tables
from analyzer.lifecycles.coordinator.copies import cut_records, known_records, overruled, state_copies
from analyzer.lifecycles.coordinator.faults import forbidden_orders, forgotten, odd_ids, preparing, stuck
from analyzer.lifecycles.coordinator.leading import state_leaders
from analyzer.lifecycles.coordinator.merging import coordinator_records
from analyzer.lifecycles.coordinator.owners import (
    exhausted_ids,
    owners,
    producers,
    several_owners,
    shared_producer_ids,
)
from analyzer.lifecycles.coordinator.stopped import stopped_brokers, stopped_clusters
from analyzer.lifecycles.coordinator.taken_back import renumbered, taken_back
from analyzer.lifecycles.coordinator.transactions import coordinator_txns, numbered_records, registrations
from analyzer.stages.stage import Stage, planned

STATES = "state_partition"

TRANSACTIONS = (
    Stage("cut_states", cut_records, ("several_copies",), ("log_batches", "logs", "leader_epochs")),
    Stage("overruled", overruled, ("cut_states",), ("coordinator_states", "places")),
    planned("states_in_order", coordinator_records, ("coordinator_states",), ("places", "cut_states")),
    Stage("records_as_written", numbered_records, ("states_in_order",), shared_by=STATES),
    Stage("odd_ids", odd_ids, ("records_as_written",), shared_by=STATES),
    Stage(
        "taken_back", taken_back, ("odd_ids",), ("records_as_written", "logs", "leader_epochs"),
        narrowed={"records_as_written": ("odd_ids", "transactional_id")},
    ),
    Stage(
        tables.COORDINATOR_RECORDS, renumbered, ("taken_back",), ("states_in_order",), otherwise="records_as_written",
    ),
    Stage(tables.COORDINATOR_TXNS, coordinator_txns, ("coordinator_records",), shared_by=STATES),
    Stage(tables.REGISTRATIONS, registrations, ("coordinator_records",), shared_by=STATES),
    planned("id_owners", owners, ("coordinator_records",), shared_by=STATES),
    Stage(tables.PRODUCERS, producers, ("id_owners",)),
    Stage("known_records", known_records, ("coordinator_records",), shared_by=STATES),
)  # fmt: skip
"""The records in order, and the transactions that they tell of."""

OF_STUCK = ("stuck_txns", "transactional_id")
OF_ODD = {"coordinator_records": ("odd_ids", "transactional_id")}

FAULTS = (
    planned("stopped_brokers", stopped_brokers, ("placed_observations",), ("logs",)),
    planned("stopped_clusters", stopped_clusters, ("stopped_brokers",), ("quorum_logs", "broker_events", "logs")),
    Stage("stuck_txns", stuck, ("coordinator_txns",), ("coordinator_records",)),
    Stage(
        tables.PREPARING, preparing, ("stuck_txns",),
        (
            "coordinator_records", "registrations", "decisions", "logs", "opens", "holes_of_logs",
            "markers_ahead",
        ),
        narrowed=dict.fromkeys(("coordinator_records", "registrations", "decisions"), OF_STUCK),
    ),
    Stage("several_owners", several_owners, ("producers",)),
    Stage(
        tables.SHARED_PRODUCER_IDS, shared_producer_ids, ("several_owners",), ("coordinator_records",),
        narrowed={"coordinator_records": ("several_owners", "producer_id")},
    ),
    Stage(tables.EXHAUSTED_IDS, exhausted_ids, ("coordinator_txns",), ("coordinator_records",)),
    Stage(tables.FORBIDDEN_ORDERS, forbidden_orders, ("odd_ids",), ("coordinator_records",), narrowed=OF_ODD),
    Stage(tables.FORGOTTEN, forgotten, ("odd_ids",), ("coordinator_records",), narrowed=OF_ODD),
    Stage("state_leaders", state_leaders, ("logs",), ("copy_holders",)),
    Stage(
        tables.STATE_COPIES, state_copies,
        (
            "coordinator_states", "places", "logs", "log_batches", "damage", "segments", "known_records",
            "state_leaders",
        ),
    ),
)  # fmt: skip
"""What is wrong with them, and which copies of their partitions can be trusted."""

STAGES = (*TRANSACTIONS, *FAULTS)
