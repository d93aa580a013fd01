"""Everything that the logs of data partitions show by themselves, stage by stage."""

import dataclasses
from collections.abc import Callable
from typing import Annotated

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.inputs import Hold, Inputs
from analyzer.lifecycles.logs import tables
from analyzer.lifecycles.logs.batches import dumped_segments, log_batches
from analyzer.lifecycles.logs.cleaning import cleaned_ranges
from analyzer.lifecycles.logs.damage import damages
from analyzer.lifecycles.logs.leader_epochs import leader_epochs
from analyzer.lifecycles.logs.lines import with_batches
from analyzer.lifecycles.logs.opens import broker_opens, carried_on, maybe_open, open_transactions
from analyzer.lifecycles.logs.replicas import replica_logs
from analyzer.lifecycles.logs.segments import bounds, segments
from analyzer.lifecycles.logs.strayed import restored, strayed
from analyzer.lifecycles.logs.transactions import all_events, carried_in, partition_txns, transaction_events
from analyzer.lifecycles.placing import log_names, placed


@dataclasses.dataclass(frozen=True, slots=True)
class Logs:
    """What the data partitions show by themselves."""

    places: Annotated[DataFrame, tables.PLACES]
    observations: Annotated[DataFrame, tables.OBSERVATIONS]
    batches: Annotated[DataFrame, tables.LOG_BATCHES]
    snapshots: Annotated[DataFrame, tables.SNAPSHOTS]
    logs: Annotated[DataFrame, tables.LOGS]
    segments: Annotated[DataFrame, tables.SEGMENTS]
    txns: Annotated[DataFrame, tables.PARTITION_TXNS]
    opens: Annotated[DataFrame, tables.BROKER_OPENS]
    epochs: Annotated[DataFrame, tables.LEADER_EPOCHS]
    cleaned: Annotated[DataFrame, tables.CLEANED_RANGES]
    aborted: Annotated[DataFrame, tables.ABORTED]
    damage: Annotated[DataFrame, tables.DAMAGE]
    strayed: Annotated[DataFrame, tables.STRAYED]

    @property
    def events(self) -> DataFrame:
        """What opens, extends and ends the transactions, to look some of it up: see `lines.py`."""
        return all_events(self.batches, carried_in(self.snapshots, self.logs))


def build_logs(inputs: Inputs, told: Callable[[DataFrame], DataFrame]) -> Logs:
    """Return what the data partitions show (RULES A 1, 2); `told` adds to the placed observations."""
    read, places, hold = inputs.read, inputs.places, inputs.hold
    batches = log_batches(read("batches"), hold.few(dumped_segments(places)), hold.keep_with_facts)
    names = hold.few(log_names(places))
    extents = hold.settle(segments(batches, names))
    wrong = hold.settle(strayed(batches, extents, places, hold.few))
    if not hold.is_empty(wrong):
        batches = hold.keep(restored(batches, wrong))
        extents = hold.settle(segments(batches, names))
    # A dump that does not name its file has the offset of the name under which it was saved.
    named = F.coalesce("snapshot_offset", F.nullif(F.col("segment"), F.lit(0)))
    snapshots = hold.keep(placed(read("producer_states"), places, "log_no").withColumn("snapshot_offset", named))
    seen = hold.settle(told(placed(read("observations"), places)))
    logs = hold.settle(replica_logs(bounds(extents), places, seen, snapshots, inputs.unread))
    broken = damages(batches, placed(read("damaged_ranges"), places), places, wrong)
    (txns, opens), by_place = hold.both(
        lambda: _transactions(batches, snapshots, logs, names, hold),
        lambda: {
            "epochs": hold.settle(leader_epochs(batches, seen, hold.few)),
            "cleaned": hold.settle(cleaned_ranges(logs, places)),
            "aborted": hold.settle(placed(read("aborted_ranges"), places)),
            "damage": hold.settle(broken),
        },
    )
    return Logs(places, seen, batches, snapshots, logs, extents, txns=txns, opens=opens, strayed=wrong, **by_place)


def _transactions(
    batches: DataFrame, snapshots: DataFrame, logs: DataFrame, names: DataFrame, hold: Hold
) -> tuple[DataFrame, DataFrame]:
    """Return the transactions of each producer id in each log, and those that are open in the broker view."""
    before = carried_in(snapshots, logs)
    txns = hold.by_shares("log_no", lambda only: partition_txns(all_events(only(batches), only(before)), names))
    carried = carried_on(snapshots, logs)
    asked = hold.few(maybe_open(carried, txns))
    theirs = hold.narrowing(asked, "producer_id")
    opens = broker_opens(theirs(transaction_events(batches)), carried, asked, logs)
    known = hold.settle(open_transactions(opens, theirs(txns), logs))
    if hold.is_empty(known):
        return txns, hold.nothing(tables.BROKER_OPENS)
    wanted = {"first_batch": "data_first_offset", "last_batch": "last_batch_offset"}
    events = all_events(batches, before)
    return txns, hold.settle(with_batches(known, events, wanted, hold).drop("last_batch_offset"))
