"""Everything that the coordinator's records show by themselves, stage by stage."""

import dataclasses
from typing import Annotated

from pyspark.sql import DataFrame

from analyzer.lifecycles.coordinator import tables
from analyzer.lifecycles.coordinator.transactions import (
    coordinator_records,
    coordinator_txns,
    numbered_records,
    owners,
    producers,
    registrations,
)  # fmt: skip
from analyzer.lifecycles.inputs import Inputs


@dataclasses.dataclass(frozen=True, slots=True)
class Coordinator:
    """What __transaction_state shows by itself."""

    records: Annotated[DataFrame, tables.COORDINATOR_RECORDS]
    txns: Annotated[DataFrame, tables.COORDINATOR_TXNS]
    registrations: Annotated[DataFrame, tables.REGISTRATIONS]
    producers: Annotated[DataFrame, tables.PRODUCERS]


def build_coordinator(inputs: Inputs) -> Coordinator:
    """Return what the coordinator's records show (RULES A 3)."""
    hold = inputs.hold
    records = coordinator_records(inputs.read("coordinator_states"), inputs.places)
    numbered = hold.by_shares("state_partition", lambda only: numbered_records(only(records)))
    txns = hold.by_shares("state_partition", lambda only: coordinator_txns(only(numbered)))
    joined = hold.by_shares("state_partition", lambda only: registrations(only(numbered)))
    owned = hold.in_shares("state_partition", lambda only: owners(only(numbered)))
    return Coordinator(numbered, txns, joined, hold.settle(producers(owned)))
