"""The lifecycles of some captures, computed from their stored tables, stage by stage."""

import dataclasses
from typing import Annotated

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.config import Config, VerdictsConfig
from analyzer.lifecycles.controller.build import Controller
from analyzer.lifecycles.controller.known_settings import known_settings
from analyzer.lifecycles.controller.tables import KNOWN_SETTINGS
from analyzer.lifecycles.coordinator.build import Coordinator
from analyzer.lifecycles.inputs import Hold, Inputs, Read
from analyzer.lifecycles.leadership.build import Leadership, build_leadership
from analyzer.lifecycles.logs.build import Logs
from analyzer.lifecycles.matching.build import Matched, build_matched
from analyzer.lifecycles.registry import ALL
from analyzer.lifecycles.routing.build import Routing, build_routing, orphans_with_data
from analyzer.lifecycles.routing.places import group_ends, group_extents, group_rows, routing
from analyzer.lifecycles.running import Run
from analyzer.lifecycles.tables import filled, paths


@dataclasses.dataclass(frozen=True, slots=True)
class Sides:
    """What the data partitions and the coordinator show, each by itself, and where ids of internal topics lie."""

    controller: Controller
    logs: Logs
    coordinator: Coordinator
    routing: Routing
    run: Run


@dataclasses.dataclass(frozen=True, slots=True)
class Lifecycles:
    """The lifecycles of transactions, and what is wrong with them; each row carries its capture."""

    controller: Controller
    logs: Logs
    coordinator: Coordinator
    routing: Routing
    matched: Matched
    leadership: Leadership
    preparing: DataFrame
    forbidden_orders: DataFrame
    forgotten: DataFrame
    divergences: DataFrame
    truncated: DataFrame
    unlisted_aborts: DataFrame
    orphans: DataFrame
    settings: Annotated[DataFrame, KNOWN_SETTINGS]


def build(inputs: Inputs, config: VerdictsConfig) -> Lifecycles:
    """Return the lifecycles of the captures."""
    sides = build_sides(inputs)
    matched = build_matched(inputs, sides.logs, sides.coordinator, sides.routing, config)
    return build_upon(sides, matched, inputs.hold)


def build_upon(sides: Sides, matched: Matched, hold: Hold) -> Lifecycles:
    """Return the lifecycles, of what both sides show and what is open."""
    leadership, faults = hold.both(
        lambda: build_leadership(sides.controller, sides.logs, matched, sides.coordinator, hold),
        lambda: _faults(sides, matched),
    )
    return Lifecycles(
        sides.controller,
        sides.logs,
        sides.coordinator,
        sides.routing,
        matched,
        leadership,
        orphans=orphans_with_data(sides.routing, matched.opens, hold),
        settings=_settings(sides.controller, sides.logs, hold),
        **faults,
    )


def _faults(sides: Sides, matched: Matched) -> dict[str, DataFrame]:
    """Return what is wrong with the lifecycles, by the names that they give it."""
    for name in ("decisions", "opens"):
        sides.run.give(name, getattr(matched, name))
    names = ("preparing", "forbidden_orders", "forgotten", "divergences", "truncated", "unlisted_aborts")
    return sides.run.tables(*names)


def build_sides(inputs: Inputs) -> Sides:
    """Return what can be said of each side without the other, and where ids lie."""
    read, places, hold = inputs.read, inputs.places, inputs.hold
    run = Run(ALL, inputs, Config())
    run.tables(*[name for room in (Controller, Logs, Coordinator) for name in paths(room)])
    controller, logs, coordinator = filled(Controller, run), filled(Logs, run), filled(Coordinator, run)
    rows = group_rows(read("offset_commits"), read("group_metadata"), places)
    extents = hold.by_shares("offsets_partition", lambda only: group_extents(only(rows)))
    ends = hold.in_shares("offsets_partition", lambda only: group_ends(only(extents), only(rows)))
    held = hold.keep(routing(coordinator.records, extents, ends))
    routed = build_routing(held, inputs.captures, places, logs.observations, logs.batches, controller, hold)
    return Sides(controller, logs, coordinator, routed, run)


def _settings(controller: Controller, logs: Logs, hold: Hold) -> DataFrame:
    told = (controller.configs, controller.features, logs.observations)
    return hold.nothing(KNOWN_SETTINGS) if all(map(hold.is_empty, told)) else known_settings(*told)


def stored_captures(read: Read, names: list[str]) -> DataFrame:
    """Return the rows of `captures` with these names."""
    return read("captures").where(F.col("capture").isin(names))
