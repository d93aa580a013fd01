"""Everything that the data partitions' logs show by themselves, stage by stage."""

import dataclasses

from pyspark.sql import DataFrame

from analyzer.lifecycles.inputs import Inputs
from analyzer.lifecycles.logs.batches import log_batches
from analyzer.lifecycles.logs.cleaning import cleaned_ranges
from analyzer.lifecycles.logs.damage import damages
from analyzer.lifecycles.logs.leader_epochs import leader_epochs
from analyzer.lifecycles.logs.opens import broker_opens, open_transactions
from analyzer.lifecycles.logs.replicas import log_spans, replica_logs
from analyzer.lifecycles.logs.transactions import carried_in, partition_txns, transaction_events
from analyzer.lifecycles.placing import placed
from analyzer.tables.unions import union_filled


@dataclasses.dataclass(frozen=True, slots=True)
class Logs:
    """What the data partitions show: places of files, batches, bounds of each log, transactions, damaged places."""

    places: DataFrame
    observations: DataFrame
    batches: DataFrame
    states: DataFrame
    logs: DataFrame
    txns: DataFrame
    opens: DataFrame
    epochs: DataFrame
    cleaned: DataFrame
    aborted: DataFrame
    """What the .txnindex files list."""
    damage: DataFrame


def build_logs(inputs: Inputs) -> Logs:
    """Return what the data partitions show by themselves (RULES A 1, 2)."""
    read, places, hold = inputs.read, inputs.places, inputs.hold
    batches = hold.keep(log_batches(read("batches"), places))
    states = hold.keep(placed(read("producer_states"), places))
    seen = hold.settle(placed(read("observations"), places))
    logs = hold.settle(replica_logs(log_spans(batches), places, seen, states))
    events = transaction_events(batches)
    txns = hold.settle(partition_txns(union_filled(events, carried_in(states, logs))))
    opens = hold.settle(open_transactions(broker_opens(events, states, logs), txns, logs))
    epochs = hold.settle(leader_epochs(batches, seen))
    cleaned = hold.settle(cleaned_ranges(logs, places))
    aborted = hold.settle(placed(read("aborted_ranges"), places))
    broken = hold.settle(damages(batches, placed(read("damaged_ranges"), places), places))
    return Logs(places, seen, batches, states, logs, txns, opens, epochs, cleaned, aborted, broken)
