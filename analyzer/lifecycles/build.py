"""The lifecycles of some captures, computed from their stored tables, stage by stage."""

import dataclasses
from typing import Annotated

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.config import VerdictsConfig
from analyzer.lifecycles.answers.answered import answered
from analyzer.lifecycles.answers.tables import ANSWERED, PLACED_ANSWERS
from analyzer.lifecycles.controller.build import Controller, build_controller
from analyzer.lifecycles.controller.known_settings import known_settings
from analyzer.lifecycles.controller.observed import with_controller
from analyzer.lifecycles.controller.tables import KNOWN_SETTINGS
from analyzer.lifecycles.coordinator import faults as coordinator_faults
from analyzer.lifecycles.coordinator.build import Coordinator, build_coordinator
from analyzer.lifecycles.coordinator.tables import FORBIDDEN_ORDERS, FORGOTTEN
from analyzer.lifecycles.inputs import Hold, Inputs, Read
from analyzer.lifecycles.leadership.build import Leadership, build_leadership
from analyzer.lifecycles.logs import cleaning, leader_epochs
from analyzer.lifecycles.logs.build import Logs, build_logs
from analyzer.lifecycles.logs.lines import with_batches, with_marker_ref
from analyzer.lifecycles.logs.parted_tables import TRUNCATED
from analyzer.lifecycles.logs.tables import UNLISTED_ABORTS
from analyzer.lifecycles.logs.truncated import truncated
from analyzer.lifecycles.matching.build import Matched, build_matched
from analyzer.lifecycles.placing import placed
from analyzer.lifecycles.routing.build import Routing, build_routing, orphans_with_data
from analyzer.lifecycles.routing.places import group_ends, group_extents, group_rows, routing


@dataclasses.dataclass(frozen=True, slots=True)
class Sides:
    """What the data partitions and the coordinator show, each by itself, and where ids of internal topics lie."""

    controller: Controller
    logs: Logs
    coordinator: Coordinator
    routing: Routing
    answers: DataFrame


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
    answers: Annotated[DataFrame, PLACED_ANSWERS]
    answered: Annotated[DataFrame, ANSWERED]
    settings: Annotated[DataFrame, KNOWN_SETTINGS]


def build(inputs: Inputs, config: VerdictsConfig) -> Lifecycles:
    """Return the lifecycles of the captures."""
    sides = build_sides(inputs)
    matched = build_matched(inputs, sides.logs, sides.coordinator, sides.routing, config)
    return build_upon(sides, matched, inputs.hold)


def build_upon(sides: Sides, matched: Matched, hold: Hold) -> Lifecycles:
    """Return the lifecycles, of what both sides show and what is open."""
    leadership, faults = hold.both(
        lambda: build_leadership(sides.controller, sides.logs, matched, sides.coordinator, sides.answers, hold),
        lambda: _faults(sides, matched, hold),
    )
    return Lifecycles(
        sides.controller,
        sides.logs,
        sides.coordinator,
        sides.routing,
        matched,
        leadership,
        answers=sides.answers,
        answered=_answered(sides.answers, matched, hold),
        orphans=orphans_with_data(sides.routing, matched.opens, hold),
        settings=_settings(sides.controller, sides.logs, hold),
        **faults,
    )


def _faults(sides: Sides, matched: Matched, hold: Hold) -> dict[str, DataFrame]:
    """Return what is wrong with the lifecycles, by the names that they give it."""
    logs, coordinator = sides.logs, sides.coordinator
    stuck = hold.settle(coordinator_faults.stuck(coordinator.txns, coordinator.records))
    theirs = hold.narrowing(stuck, "transactional_id")
    preparing = coordinator_faults.preparing(
        stuck, theirs(coordinator.records), theirs(coordinator.registrations), theirs(matched.decisions), logs.logs,
        matched.opens,
    )  # fmt: skip
    parted = _divergences(logs, hold)
    return {
        "preparing": hold.settle(preparing),
        **_odd_orders(coordinator, hold),
        "divergences": parted,
        "truncated": _truncated(parted, logs, hold),
        "unlisted_aborts": _unlisted_aborts(logs, coordinator, hold),
    }


def _odd_orders(coordinator: Coordinator, hold: Hold) -> dict[str, DataFrame]:
    """Return the records that must not follow the id's record before; only ids that have such a record are sorted."""
    odd = hold.settle(coordinator_faults.odd_ids(coordinator.records))
    if hold.is_empty(odd):
        return {"forbidden_orders": hold.nothing(FORBIDDEN_ORDERS), "forgotten": hold.nothing(FORGOTTEN)}
    records = hold.narrowing(odd, "transactional_id")(coordinator.records)
    return {
        "forbidden_orders": hold.settle(coordinator_faults.forbidden_orders(records, odd)),
        "forgotten": hold.settle(coordinator_faults.forgotten(records, odd)),
    }


def build_sides(inputs: Inputs) -> Sides:
    """Return what can be said of each side without the other, and where ids lie."""
    read, places, hold = inputs.read, inputs.places, inputs.hold
    (controller, logs), coordinator = hold.both(lambda: _brokers_side(inputs), lambda: build_coordinator(inputs))
    rows = group_rows(read("offset_commits"), read("group_metadata"), places)
    extents = hold.by_shares("offsets_partition", lambda only: group_extents(only(rows)))
    ends = hold.in_shares("offsets_partition", lambda only: group_ends(only(extents), only(rows)))
    held = hold.keep(routing(coordinator.records, extents, ends))
    routed = build_routing(held, inputs.captures, places, logs.observations, logs.batches, controller, hold)
    return Sides(controller, logs, coordinator, routed, hold.settle(placed(read("answers"), places)))


def _answered(answers: DataFrame, matched: Matched, hold: Hold) -> DataFrame:
    if hold.is_empty(answers):
        return hold.nothing(ANSWERED)
    return hold.settle(answered(answers, matched.opens, matched.moments))


def _brokers_side(inputs: Inputs) -> tuple[Controller, Logs]:
    controller = build_controller(inputs)
    return controller, build_logs(inputs, lambda seen: _told(seen, controller, inputs))


def _told(seen: DataFrame, controller: Controller, inputs: Inputs) -> DataFrame:
    """Return the placed observations, with leaders and counts by the controllers' log if there is one."""
    if inputs.hold.is_empty(controller.partitions):
        return seen
    return with_controller(seen, controller.partitions, controller.counts, inputs.captures)


def _settings(controller: Controller, logs: Logs, hold: Hold) -> DataFrame:
    told = (controller.configs, controller.features, logs.observations)
    return hold.nothing(KNOWN_SETTINGS) if all(map(hold.is_empty, told)) else known_settings(*told)


def _divergences(logs: Logs, hold: Hold) -> DataFrame:
    several = hold.settle(leader_epochs.several_copies(logs.logs))
    return hold.settle(leader_epochs.divergences(logs.batches, logs.logs, several, logs.epochs, logs.cleaned))


def _truncated(parted: DataFrame, logs: Logs, hold: Hold) -> DataFrame:
    if hold.is_empty(parted):
        return hold.nothing(TRUNCATED)
    return hold.settle(truncated(parted, logs.batches, logs.txns))


def _unlisted_aborts(logs: Logs, coordinator: Coordinator, hold: Hold) -> DataFrame:
    aborts = hold.settle(
        cleaning.unlisted_aborts(logs.txns, logs.aborted, logs.cleaned, logs.logs, logs.places, hold.few)
    )
    if hold.is_empty(aborts):
        return hold.nothing(UNLISTED_ABORTS)
    told = with_batches(aborts, logs.events, {"first_batch": "first_offset"}, hold)
    aborts = with_marker_ref(told, logs.events, hold)
    names = coordinator.producers.select("capture", "producer_id", "transactional_id")
    return hold.settle(aborts.join(names, ["capture", "producer_id"], "left"))


def stored_captures(read: Read, names: list[str]) -> DataFrame:
    """Return the rows of `captures` with these names."""
    return read("captures").where(F.col("capture").isin(names))
