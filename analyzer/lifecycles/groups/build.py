"""Everything about groups and producer ids, stage by stage."""

import dataclasses
import functools
from typing import Annotated

from pyspark.sql import DataFrame

from analyzer.lifecycles.build import Lifecycles
from analyzer.lifecycles.controller.known_settings import producer_id_expirations
from analyzer.lifecycles.groups import tables
from analyzer.lifecycles.groups.commits import (
    commit_rows,
    committed_positions,
    group_commits,
    judged_places,
    newest_commits,
    offsets_markers,
    rebalances,
)
from analyzer.lifecycles.groups.conflicts import committers, conflicts, counting_commits, group_turns, styles
from analyzer.lifecycles.groups.impact import group_impact, groups_told, pending_commits, pending_positions
from analyzer.lifecycles.inputs import Hold, Inputs
from analyzer.lifecycles.producers import tables as producer_tables
from analyzer.lifecycles.producers.epochs import producer_epochs, sequence_gaps, suspects
from analyzer.lifecycles.producers.expiry import expiry
from analyzer.lifecycles.producers.foreign_epochs import foreign_epochs


@dataclasses.dataclass(frozen=True, slots=True)
class Groups:
    """What detectors and reports ask about groups and producer ids."""

    commits: Annotated[DataFrame, tables.COMMITS]
    conflicts: Annotated[DataFrame, tables.CONFLICTS]
    styles: Annotated[DataFrame, tables.STYLES]
    pending: Annotated[DataFrame, tables.PENDING]
    foreign: Annotated[DataFrame, producer_tables.FOREIGN_EPOCHS]
    gaps: Annotated[DataFrame, producer_tables.SEQUENCE_GAPS]
    pending_positions: Annotated[DataFrame, tables.PENDING_POSITIONS]
    impact: Annotated[DataFrame, tables.IMPACT]
    told: Annotated[DataFrame, tables.TOLD]
    expiry: Annotated[DataFrame, producer_tables.EXPIRY]
    positions: Annotated[DataFrame, tables.POSITIONS]


def build_groups(inputs: Inputs, lifecycles: Lifecycles, limit: int) -> Groups:
    """Return the groups and producer ids of the captures; `limit` bounds the expiry rows of each capture."""
    logs, coordinator = lifecycles.logs, lifecycles.coordinator
    expirations = producer_id_expirations(lifecycles.settings)
    of_groups, (foreign, gaps) = inputs.hold.both(
        lambda: _of_groups(inputs, lifecycles), lambda: _of_producers(lifecycles, expirations, inputs.hold)
    )
    rows = expiry(
        inputs.captures,
        coordinator.records,
        logs.txns,
        logs.snapshots,
        lifecycles.matched.opens,
        lifecycles.matched.moments,
        expirations,
        limit,
    )
    return Groups(foreign=foreign, gaps=gaps, expiry=rows, **of_groups)


def _of_groups(inputs: Inputs, lifecycles: Lifecycles) -> dict[str, DataFrame]:
    """Return what is asked about groups, by the names that `Groups` gives."""
    read, hold, logs, opens = inputs.read, inputs.hold, lifecycles.logs, lifecycles.matched.opens
    places = hold.few(judged_places(logs.places, logs.logs))
    rows, changes = commit_rows(read("offset_commits"), places), rebalances(read("group_metadata"), places)
    markers = hold.few(offsets_markers(logs.txns))
    by_shares = functools.partial(hold.by_shares, "offsets_partition")
    commits = by_shares(lambda only: group_commits(only(rows), only(markers), only(changes)))
    known = lifecycles.coordinator.producers
    who = by_shares(lambda only: committers(counting_commits(only(commits), known, opens)))
    turns = by_shares(lambda only: group_turns(counting_commits(only(commits), known, opens), only(who), only(changes)))
    newest = hold.in_shares("offsets_partition", lambda only: newest_commits(only(commits)))
    pending = hold.settle(pending_commits(commits))
    positions = committed_positions(newest, logs.observations)
    return {
        "commits": commits,
        "conflicts": hold.settle(conflicts(turns)),
        "styles": styles(who),
        "pending": pending,
        "pending_positions": pending_positions(commits, positions),
        "impact": group_impact(opens, positions, pending),
        "told": groups_told(commits, logs.observations),
        "positions": positions,
    }


def _of_producers(lifecycles: Lifecycles, expirations: DataFrame, hold: Hold) -> tuple[DataFrame, DataFrame]:
    """Return the epochs that others wrote with, and the gaps in sequences of producer ids."""
    logs, coordinator, matched = lifecycles.logs, lifecycles.coordinator, lifecycles.matched
    epochs = hold.by_shares("log_no", lambda only: producer_epochs(only(logs.batches), logs.logs))
    foreign = foreign_epochs(
        epochs,
        coordinator.producers,
        logs.batches,
        coordinator.txns,
        coordinator.records,
        matched.decisions,
        matched.moments,
        hold.settle,
    )
    asked = hold.settle(suspects(epochs, logs.logs))
    batches = hold.narrowing(asked, "producer_id")(logs.batches)
    return hold.settle(foreign), hold.settle(sequence_gaps(asked, batches, expirations))
