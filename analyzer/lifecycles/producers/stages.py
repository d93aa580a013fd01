"""The stages of producer ids: epochs that nobody gave, gaps in sequences, expiry (RULES C 1, C 13)."""

from analyzer.lifecycles.controller.settings import producer_id_expirations
from analyzer.lifecycles.matching.stamps import own_lags
from analyzer.lifecycles.producers import tables
from analyzer.lifecycles.producers.epochs import producer_epochs, sequence_gaps, suspects
from analyzer.lifecycles.producers.expiry import expiry
from analyzer.lifecycles.producers.foreign_epochs import above_given, foreign_epochs
from analyzer.stages.stage import Stage, planned

STAGES = (
    planned("expirations", producer_id_expirations, ("known_settings",)),
    Stage("producer_epochs", producer_epochs, ("log_batches",), ("logs",), shared_by="log_no"),
    Stage("above_given", above_given, ("producer_epochs",), ("producers", "overruled")),
    Stage(
        "lags_above_given", own_lags, ("above_given",), ("partition_txns", "decisions"),
        narrowed=dict.fromkeys(("partition_txns", "decisions"), ("above_given", "producer_id")),
    ),
    Stage(
        tables.FOREIGN_EPOCHS, foreign_epochs, ("above_given",),
        ("log_batches", "coordinator_txns", "coordinator_records", "decisions", "lags_above_given", "moments"),
    ),
    Stage("sequence_suspects", suspects, ("producer_epochs",), ("logs",)),
    Stage(
        tables.SEQUENCE_GAPS, sequence_gaps, ("sequence_suspects",), ("log_batches", "expirations"),
        narrowed={"log_batches": ("sequence_suspects", "producer_id")},
    ),
    planned(
        tables.EXPIRY, expiry, ("captures", "coordinator_records", "partition_txns", "placed_snapshots", "opens"),
        ("moments", "expirations"), settings=("limits.open_transactions",),
    ),
)  # fmt: skip
