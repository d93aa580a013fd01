"""From the stored tables of some captures to all their lifecycles, stage by stage."""

import dataclasses
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.config import VerdictsConfig
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles import (
    compaction,
    coordination_faults,
    leader_epochs,
    matching,
    routing_faults,
    situations,
    timing,
)
from analyzer.lifecycles import coordinator_txns as coordination
from analyzer.lifecycles import unmarked as lost
from analyzer.lifecycles.damage import damages
from analyzer.lifecycles.inputs import Hold, Inputs, Read
from analyzer.lifecycles.log_batches import log_batches
from analyzer.lifecycles.partition_txns import broker_opens, carried_in, partition_txns, transaction_events
from analyzer.lifecycles.placing import LOG, placed
from analyzer.lifecycles.replicas import log_spans, replica_logs
from analyzer.lifecycles.routing import routing
from analyzer.lifecycles.routing_build import Routing, build_routing, orphans, sure_counts
from analyzer.lifecycles.state_coverage import state_coverage
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


@dataclasses.dataclass(frozen=True, slots=True)
class Coordinator:
    """What __transaction_state shows: records, transactions, when each partition joined, and whose an id is."""

    records: DataFrame
    txns: DataFrame
    registrations: DataFrame
    producers: DataFrame


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
    moments: DataFrame
    decisions: DataFrame
    opens: DataFrame
    slips: DataFrame
    unmarked: DataFrame
    faults: Mapping[str, DataFrame]
    """Faults that need no further reading: preparing, forbidden_orders, divergences, unlisted_aborts."""
    routing: Routing
    orphans: DataFrame


def build(inputs: Inputs, config: VerdictsConfig) -> Lifecycles:
    """Return the lifecycles of the captures."""
    return _join_both(inputs.captures, build_sides(inputs), config, inputs.hold)


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


def build_logs(inputs: Inputs) -> Logs:
    """Return what the data partitions show by themselves (RULES A 1, 2)."""
    read, places, hold = inputs.read, inputs.places, inputs.hold
    batches = hold.keep(log_batches(read("batches"), places))
    states = hold.keep(placed(read("producer_states"), places))
    seen = hold.settle(placed(read("observations"), places))
    logs = hold.settle(replica_logs(log_spans(batches), places, seen, states))
    events = transaction_events(batches)
    txns = hold.settle(partition_txns(union_filled(events, carried_in(states, logs))))
    opens = hold.settle(situations.open_transactions(broker_opens(events, states, logs), txns, logs))
    epochs = hold.settle(leader_epochs.leader_epochs(batches, seen))
    cleaned = hold.settle(compaction.cleaned_ranges(logs, places))
    aborted = hold.settle(placed(read("aborted_ranges"), places))
    broken = hold.settle(damages(batches, placed(read("damaged_ranges"), places), places))
    return Logs(places, seen, batches, states, logs, txns, opens, epochs, cleaned, aborted, broken)


def build_coordinator(inputs: Inputs) -> Coordinator:
    """Return what the coordinator's records show by themselves (RULES A 3)."""
    hold = inputs.hold
    records = coordination.coordinator_records(inputs.read("coordinator_states"), inputs.places)
    numbered = hold.settle(coordination.numbered_records(records))
    txns = hold.settle(coordination.coordinator_txns(numbered))
    registrations = hold.settle(coordination.registrations(numbered))
    return Coordinator(numbered, txns, registrations, hold.settle(coordination.producers(numbered)))


def _join_both(captures: DataFrame, sides: Sides, config: VerdictsConfig, hold: Hold) -> Lifecycles:
    """Return the two sides put together (RULES A 4 and the facts that A 5 to 10 ask about)."""
    logs, coordinator, routed = sides.logs, sides.coordinator, sides.routing
    judged = timing.judged_at(captures, logs.logs, coordinator.records)
    decided = hold.settle(matching.decisions(coordinator.txns, coordinator.registrations, logs.logs))
    found = matching.markers(logs.txns)
    ordered = hold.settle(matching.matched_by_order(found, decided))
    clocks = hold.settle(matching.clocks(ordered, logs.logs, config))
    timed = matching.matched_by_time(found, decided, ordered, clocks)
    decisions = hold.settle(situations.decision_states(decided, ordered.drop("lag_ms", "done_ms").unionByName(timed)))
    witnesses = situations.witnesses(logs.txns, decisions)
    situated = situations.situations(
        logs.opens, logs.txns, decisions, coordinator.txns, coordinator.registrations, coordinator.producers
    )
    horizons = timing.horizons(decisions, logs.logs, judged, logs.states)
    unmatched = found.join(
        decisions.select(*LOG, "producer_id", "marker_offset"), [*LOG, "producer_id", "marker_offset"], "left_anti"
    )
    states = state_coverage(
        captures,
        logs.places,
        logs.observations,
        unmatched,
        coordinator.records,
        sure_counts(routed.counts, STATE_TOPIC),
    )
    moments = hold.settle(judged.join(clocks, "capture", "left").join(states, "capture", "left"))
    opens = timing.appended_by(situated, witnesses, logs.batches, moments)
    closed = timing.appended_by(situations.closed_spans(logs.txns, decisions), witnesses, logs.batches, moments)
    opens = routing_faults.orphaned_data(opens, routing_faults.orphans(routed.misplaced))
    opens = hold.settle(opens.join(horizons, list(LOG)).join(moments, "capture"))
    early = hold.settle(situations.early_spans(closed.join(moments, "capture"), opens))
    slips = hold.settle(situations.slips(early, logs.batches, witnesses))
    unmarked = hold.settle(_unmarked(logs, decisions, moments, coordinator.producers, hold))
    faults = _faults(logs, coordinator, decisions, opens, hold)
    return Lifecycles(
        logs, coordinator, moments, decisions, opens, slips, unmarked, faults, routed, orphans(routed, opens, hold)
    )


def _unmarked(logs: Logs, decisions: DataFrame, moments: DataFrame, known: DataFrame, hold: Hold) -> DataFrame:
    """Return data that no marker of its own closes, with what tells one cause from another (RULES A 6)."""
    ids = known.select("capture", "producer_id", F.col("transactional_id").alias("known_id"))
    explained = logs.opens.join(ids, ["capture", "producer_id"], "left_semi")
    rows = lost.unmarked(logs.txns, decisions, logs.batches, logs.logs, moments, explained, hold.settle)
    told = lost.with_context(rows, logs.txns, logs.states, logs.epochs, logs.logs, logs.opens, logs.observations)
    taken = compaction.gaps(logs.batches, rows)
    named = told.join(matching.delivered(decisions, logs.txns, logs.logs), ["capture", *matching.DECISION], "left")
    judged = moments.select("capture", "captured_at", "state_horizon_ms")
    return (
        compaction.first_gap(named, taken, logs.cleaned)
        .join(ids, ["capture", "producer_id"], "left")
        .withColumn("transactional_id", F.coalesce("transactional_id", "known_id"))
        .join(judged, "capture")
    )


def _faults(
    logs: Logs, coordinator: Coordinator, decisions: DataFrame, opens: DataFrame, hold: Hold
) -> dict[str, DataFrame]:
    names = coordinator.producers.select("capture", "producer_id", "transactional_id")
    stuck = hold.settle(coordination_faults.stuck(coordinator.txns, coordinator.records))
    several = hold.settle(leader_epochs.several_copies(logs.logs))
    return {
        "preparing": hold.settle(
            coordination_faults.preparing(stuck, coordinator.registrations, decisions, logs.logs, opens, logs.txns)
        ),
        "forbidden_orders": hold.settle(coordination_faults.forbidden_orders(coordinator.records)),
        "divergences": hold.settle(
            leader_epochs.divergences(logs.batches, logs.logs, several, logs.epochs, logs.cleaned)
        ),
        "unlisted_aborts": hold.settle(
            compaction.unlisted_aborts(logs.txns, logs.aborted, logs.cleaned, logs.logs, logs.places).join(
                names, ["capture", "producer_id"], "left"
            )
        ),
    }


def stored_captures(read: Read, names: list[str]) -> DataFrame:
    """Return the rows of these captures."""
    return read("captures").where(F.col("capture").isin(names))
