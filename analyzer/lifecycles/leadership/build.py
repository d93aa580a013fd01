"""The controllers' log beside the other logs, stage by stage."""

import dataclasses
from typing import Annotated

from pyspark.sql import DataFrame

from analyzer.lifecycles.controller.build import Controller
from analyzer.lifecycles.coordinator.build import Coordinator
from analyzer.lifecycles.inputs import Hold
from analyzer.lifecycles.leadership import lost_commits, tables
from analyzer.lifecycles.leadership.elections import coordinator_reigns, elections
from analyzer.lifecycles.leadership.served import served_by
from analyzer.lifecycles.logs.build import Logs
from analyzer.lifecycles.matching.build import Matched
from analyzer.lifecycles.matching.decisions import delivered_markers


@dataclasses.dataclass(frozen=True, slots=True)
class Leadership:
    """Elections and what they took, reigns of coordinators, and whom they served."""

    elections: Annotated[DataFrame, tables.ELECTIONS]
    lost_commits: Annotated[DataFrame, tables.LOST_COMMITS]
    reigns: Annotated[DataFrame, tables.COORDINATOR_REIGNS]
    served: Annotated[DataFrame, tables.SERVED_BY]


def build_elections(controller: Controller, hold: Hold) -> DataFrame:
    """Return rows of `elections`."""
    if hold.is_empty(controller.partitions):
        return hold.nothing(tables.ELECTIONS)
    return hold.settle(elections(controller.partitions, controller.topics))


def build_leadership(
    controller: Controller, logs: Logs, matched: Matched, coordinator: Coordinator, answers: DataFrame, hold: Hold
) -> Leadership:
    """Return what the controllers' log says of the other logs, and the commits that are gone (RULES E 5, E 6)."""
    elected = build_elections(controller, hold)
    lost = hold.settle(
        lost_commits.lost_commits(
            matched.decisions, logs.txns, logs.batches, logs.logs, matched.unmarked, logs.damage, logs.epochs,
            hold.settle,
        )
    )  # fmt: skip
    if hold.is_empty(lost):
        rows = hold.nothing(tables.LOST_COMMITS)
    else:
        judged = lost_commits.with_elections(lost, elected, controller.brokers, controller.logs)
        delivered = delivered_markers(matched.decisions, logs.logs)
        told = lost_commits.by_id(judged, delivered, coordinator.records)
        rows = hold.settle(lost_commits.with_marker_refs(told, logs, hold))
    if hold.is_empty(elected):
        reigns = hold.nothing(tables.COORDINATOR_REIGNS)
        served = hold.nothing(tables.SERVED_BY)
    else:
        reigns = hold.settle(coordinator_reigns(matched.decisions, logs, elected, hold))
        served = hold.settle(served_by(logs, coordinator.producers, elected, answers, hold))
    return Leadership(elected, rows, reigns, served)
