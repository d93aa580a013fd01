"""The stages of the logs of data partitions, and of what is wrong with them (RULES A 1, 2, 8, 13)."""

from pyspark.sql import DataFrame, functions as F

from analyzer.lifecycles.controller.observed import with_controller
from analyzer.lifecycles.controller.topic_ids import without_others
from analyzer.lifecycles.logs import cleaning, leader_epochs, tables, transactions
from analyzer.lifecycles.logs.authority import disputed, holders
from analyzer.lifecycles.logs.batches import batches_of_one_dump, batches_of_several_dumps, dumped_segments
from analyzer.lifecycles.logs.damage import corrupt_batches, corrupt_ends, damages, with_placed, wrong_batches
from analyzer.lifecycles.logs.divergence_tables import DISPUTED, DIVERGENCES, TRUNCATED
from analyzer.lifecycles.logs.lines import MARKER, line_stages
from analyzer.lifecycles.logs.opens import broker_opens, carried_on, maybe_open, open_transactions
from analyzer.lifecycles.logs.replicas import replica_logs
from analyzer.lifecycles.logs.segments import bounds, segments
from analyzer.lifecycles.logs.strayed import doubtful_logs, doubtful_segments, restored, strayed, wrong_epochs
from analyzer.lifecycles.logs.truncated import truncated
from analyzer.lifecycles.placing import log_names, placed
from analyzer.stages.stage import Kept, Stage, of_others, planned

LOG_NO = "log_no"
RESTORED = ("strayed", "wrong_epochs")
"""The batches that are not taken as they say they are."""


def _snapshots(states: DataFrame, places: DataFrame) -> DataFrame:
    """Return the snapshots in place; a dump that does not name its file has the offset of the name it was saved by."""
    named = F.coalesce("snapshot_offset", F.nullif(F.col("segment"), F.lit(0)))
    return placed(states, places, "log_no").withColumn("snapshot_offset", named)


def _events_of_logs(batches: DataFrame, carried: DataFrame, names: DataFrame) -> DataFrame:
    return transactions.partition_txns(transactions.all_events(batches, carried), names)


def _with_names(aborts: DataFrame, producers: DataFrame) -> DataFrame:
    names = producers.select("capture", "producer_id", "transactional_id")
    return aborts.join(names, ["capture", "producer_id"], "left")


BATCHES = (
    Stage("dumped_segments", dumped_segments, ("places",)),
    planned("batches_of_one_dump", batches_of_one_dump, ("batches",), ("dumped_segments",)),
    planned("batches_of_several_dumps", batches_of_several_dumps, ("batches",), ("dumped_segments",)),
    Stage(
        "batches_as_read", DataFrame.unionByName, ("batches_of_one_dump", "batches_of_several_dumps"),
        kept=Kept.FACTS,
    ),
    Stage("wrong_batches", wrong_batches, ("batches_as_read",)),
    Stage("corrupt_batches", corrupt_batches, ("wrong_batches",), ("batches_as_read",)),
    Stage("corrupt_ends", corrupt_ends, ("corrupt_batches",)),
    Stage(
        "sound_batches", with_placed, ("corrupt_batches",), ("batches_as_read",), kept=Kept.STORED,
        otherwise="batches_as_read",
    ),
    Stage("log_names", log_names, ("places",)),
    Stage("segments_as_read", segments, ("sound_batches",), ("log_names", "corrupt_ends")),
    Stage("doubtful_segments", doubtful_segments, ("segments_as_read",), ("places",)),
    Stage(tables.STRAYED, strayed, ("doubtful_segments",), ("sound_batches",)),
    Stage("epochs_as_read", leader_epochs.epoch_ranges, ("sound_batches",)),
    Stage("doubtful_logs", doubtful_logs, ("epochs_as_read",)),
    Stage("wrong_epochs", wrong_epochs, ("doubtful_logs",), ("sound_batches",)),
    Stage(
        tables.LOG_BATCHES, restored, RESTORED, ("sound_batches",), kept=Kept.STORED, otherwise="sound_batches",
    ),
    Stage(
        tables.SEGMENTS, of_others(segments, len(RESTORED)), RESTORED, ("log_batches", "log_names", "corrupt_ends"),
        otherwise="segments_as_read",
    ),
    Stage(
        "epoch_ranges", of_others(leader_epochs.epoch_ranges, len(RESTORED)), RESTORED, ("log_batches",),
        otherwise="epochs_as_read",
    ),
)  # fmt: skip
"""What the segments hold: each batch once, at its offset, if its checksum holds."""

COPIES = (
    Stage(tables.SNAPSHOTS, _snapshots, ("producer_states",), ("places",), kept=Kept.STORED),
    planned("observations_as_read", placed, ("observations",), ("places",)),
    planned(
        "observations_in_place", without_others, ("other_topics",), ("observations_as_read",),
        otherwise="observations_as_read",
    ),
    Stage(
        tables.OBSERVATIONS, with_controller, ("partition_changes",),
        ("observations_in_place", "partition_counts", "captures"), otherwise="observations_in_place",
    ),
    Stage("copy_holders", holders, ("placed_observations",)),
    planned("log_bounds", bounds, ("segments",)),
    Stage(
        tables.LOGS, replica_logs,
        ("log_bounds", "places", "placed_observations", "placed_snapshots", "unread_segments", "copy_holders"),
    ),
    Stage("epoch_begins", leader_epochs.epoch_begins, ("epoch_ranges",)),
    Stage(
        tables.LEADER_EPOCHS, leader_epochs.leader_epochs, ("log_batches", "placed_observations"), ("epoch_begins",),
        narrowed={"log_batches": ("epoch_begins", "base_offset")},
    ),
    Stage(tables.ABORTED, placed, ("aborted_ranges",), ("places",)),
    planned("damaged_in_place", placed, ("damaged_ranges",), ("places",)),
    Stage(tables.DAMAGE, damages, ("corrupt_batches", "log_batches", "damaged_in_place", "places", *RESTORED)),
)  # fmt: skip
"""What is known of each copy of a log by itself."""

TRANSACTIONS = (
    planned("carried_in", transactions.carried_in, ("placed_snapshots",), ("logs",)),
    planned("events_of_batches", transactions.transaction_events, ("log_batches",)),
    planned("events", transactions.all_events, ("log_batches", "carried_in")),
    Stage(tables.PARTITION_TXNS, _events_of_logs, ("log_batches", "carried_in"), ("log_names",), shared_by=LOG_NO),
    Stage("repeated_markers", transactions.repeated_markers, ("partition_txns",), shared_by=LOG_NO),
    planned("carried_on", carried_on, ("placed_snapshots",), ("logs",)),
    Stage("maybe_open", maybe_open, ("carried_on", "partition_txns")),
    planned(
        "open_spans", broker_opens, ("maybe_open",), ("events_of_batches", "carried_on", "logs"),
        narrowed={"events_of_batches": ("maybe_open", "producer_id")},
    ),
    Stage(
        "open_data", open_transactions, ("open_spans",), ("partition_txns", "logs"),
        narrowed={"partition_txns": ("maybe_open", "producer_id")},
    ),
    *line_stages(
        tables.BROKER_OPENS, "open_data", {"first_batch": "data_first_offset", "last_batch": "last_batch_offset"}, {},
        drop=("last_batch_offset",),
    ),
    Stage(
        DISPUTED, disputed, ("broker_opens",), ("logs", "partition_txns"),
        narrowed={"partition_txns": ("broker_opens", "producer_id")},
    ),
)  # fmt: skip
"""The transactions of each producer id in each log, and those that are open in the broker view."""

FAULTS = (
    Stage("several_copies", leader_epochs.several_copies, ("logs",)),
    Stage(DIVERGENCES, leader_epochs.divergences, ("several_copies",), ("log_batches", "logs", "leader_epochs")),
    Stage(TRUNCATED, truncated, ("divergences",), ("log_batches", "partition_txns")),
    Stage("cleaned_logs", cleaning.cleaned_logs, ("logs",)),
    Stage(
        "aborts_not_listed", cleaning.unlisted_aborts, ("cleaned_logs",),
        ("partition_txns", "placed_aborted_ranges", "places"),
    ),
    *line_stages(
        tables.UNLISTED_ABORTS, "aborts_not_listed", {"first_batch": "first_offset"}, MARKER, _with_names,
        ("producers",),
    ),
)  # fmt: skip
"""What is wrong with them: copies that part, and aborts that the cleaner did not know of."""

STAGES = (*BATCHES, *COPIES, *TRANSACTIONS, *FAULTS)
