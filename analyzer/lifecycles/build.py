"""From the stored tables of some captures to all their lifecycles, stage by stage."""

import dataclasses
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.config import VerdictsConfig
from analyzer.lifecycles.coordinator import faults as coordinator_faults
from analyzer.lifecycles.coordinator.build import Coordinator, build_coordinator
from analyzer.lifecycles.inputs import Hold, Inputs, Read
from analyzer.lifecycles.logs import cleaning, leader_epochs
from analyzer.lifecycles.logs.build import Logs, build_logs
from analyzer.lifecycles.matching.build import Matched, build_matched
from analyzer.lifecycles.routing.build import Routing, build_routing, orphans
from analyzer.lifecycles.routing.places import routing


@dataclasses.dataclass(frozen=True, slots=True)
class Sides:
    """What the data partitions and the coordinator show, each by itself, and where the coordinator's state lies."""

    logs: Logs
    coordinator: Coordinator
    routing: Routing


@dataclasses.dataclass(frozen=True, slots=True)
class Lifecycles:
    """Everything the detectors read; each row carries its capture."""

    logs: Logs
    coordinator: Coordinator
    routing: Routing
    matched: Matched
    faults: Mapping[str, DataFrame]
    """Faults that need no further reading: preparing, forbidden_orders, divergences, unlisted_aborts."""
    orphans: DataFrame


def build(inputs: Inputs, config: VerdictsConfig) -> Lifecycles:
    """Return the lifecycles of the captures."""
    sides, hold = build_sides(inputs), inputs.hold
    logs, coordinator = sides.logs, sides.coordinator
    matched = build_matched(inputs, logs, coordinator, sides.routing, config)
    faults = _faults(logs, coordinator, matched, hold)
    orphaned = orphans(sides.routing, matched.opens, hold)
    return Lifecycles(logs, coordinator, sides.routing, matched, faults, orphaned)


def build_sides(inputs: Inputs) -> Sides:
    """Return what can be said of each side without the other: enough to say where ids lie, and where they would."""
    read, places, hold = inputs.read, inputs.places, inputs.hold
    with ThreadPoolExecutor(1) as beside:
        states = beside.submit(build_coordinator, inputs)
        logs = build_logs(inputs)
        coordinator = states.result()
    held = hold.keep(routing(coordinator.records, read("offset_commits"), read("group_metadata"), places))
    routed = build_routing(held, inputs.captures, places, logs.observations, logs.batches, hold)
    return Sides(logs, coordinator, routed)


def _faults(logs: Logs, coordinator: Coordinator, matched: Matched, hold: Hold) -> dict[str, DataFrame]:
    names = coordinator.producers.select("capture", "producer_id", "transactional_id")
    stuck = hold.settle(coordinator_faults.stuck(coordinator.txns, coordinator.records))
    several = hold.settle(leader_epochs.several_copies(logs.logs))
    return {
        "preparing": hold.settle(
            coordinator_faults.preparing(
                stuck, coordinator.registrations, matched.decisions, logs.logs, matched.opens, logs.txns
            )
        ),
        "forbidden_orders": hold.settle(coordinator_faults.forbidden_orders(coordinator.records)),
        "divergences": hold.settle(
            leader_epochs.divergences(logs.batches, logs.logs, several, logs.epochs, logs.cleaned)
        ),
        "unlisted_aborts": hold.settle(
            cleaning.unlisted_aborts(logs.txns, logs.aborted, logs.cleaned, logs.logs, logs.places).join(
                names, ["capture", "producer_id"], "left"
            )
        ),
    }


def stored_captures(read: Read, names: list[str]) -> DataFrame:
    """Return the rows of these captures."""
    return read("captures").where(F.col("capture").isin(names))
