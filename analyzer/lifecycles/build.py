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
from analyzer.lifecycles.matching.build import Matched
from analyzer.lifecycles.registry import ALL
from analyzer.lifecycles.routing.build import Routing
from analyzer.lifecycles.running import Run
from analyzer.lifecycles.tables import filled, paths


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
    run = Run(ALL, inputs, Config(verdicts=config))
    run.tables(*[name for room in (Controller, Logs, Coordinator, Routing, Matched) for name in paths(room)])
    return build_upon(run, inputs.hold)


def build_upon(run: Run, hold: Hold) -> Lifecycles:
    """Return the lifecycles, of what both sides show and what is open."""
    controller, logs, coordinator = filled(Controller, run), filled(Logs, run), filled(Coordinator, run)
    matched = filled(Matched, run)
    names = ("preparing", "forbidden_orders", "forgotten", "divergences", "truncated", "unlisted_aborts", "orphans")
    return Lifecycles(
        controller,
        logs,
        coordinator,
        filled(Routing, run),
        matched,
        build_leadership(controller, logs, matched, coordinator, hold),
        settings=_settings(controller, logs, hold),
        **run.tables(*names),
    )


def _settings(controller: Controller, logs: Logs, hold: Hold) -> DataFrame:
    told = (controller.configs, controller.features, logs.observations)
    return hold.nothing(KNOWN_SETTINGS) if all(map(hold.is_empty, told)) else known_settings(*told)


def stored_captures(read: Read, names: list[str]) -> DataFrame:
    """Return the rows of `captures` with these names."""
    return read("captures").where(F.col("capture").isin(names))
