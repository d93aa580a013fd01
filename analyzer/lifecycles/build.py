"""From the stored tables of some captures to all their lifecycles, stage by stage."""

import dataclasses
from collections.abc import Callable

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.config import VerdictsConfig
from analyzer.lifecycles import coordinator_txns as coordination
from analyzer.lifecycles import matching, situations, timing
from analyzer.lifecycles.log_batches import log_batches
from analyzer.lifecycles.partition_txns import broker_opens, carried_in, partition_txns, transaction_events
from analyzer.lifecycles.placing import LOG, capture_sections, placed
from analyzer.lifecycles.replicas import log_spans, replica_logs
from analyzer.lifecycles.state_coverage import state_coverage

Read = Callable[[str], DataFrame]
Settle = Callable[[DataFrame], DataFrame]
"""Computes a stage's result now and returns it without its history: plans of plans of plans outgrow any planner."""


@dataclasses.dataclass(frozen=True, slots=True)
class Logs:
    """What the data partitions show: places of files, batches, bounds of each log, transactions."""

    places: DataFrame
    batches: DataFrame
    states: DataFrame
    logs: DataFrame
    txns: DataFrame
    opens: DataFrame


@dataclasses.dataclass(frozen=True, slots=True)
class Coordinator:
    """What __transaction_state shows: records, transactions, and when each partition joined."""

    records: DataFrame
    txns: DataFrame
    registrations: DataFrame


@dataclasses.dataclass(frozen=True, slots=True)
class Lifecycles:
    """Everything the detectors read; each row carries its capture."""

    logs: Logs
    coordinator: Coordinator
    moments: DataFrame
    decisions: DataFrame
    opens: DataFrame
    slips: DataFrame


def build(read: Read, captures: DataFrame, config: VerdictsConfig, settle: Settle) -> Lifecycles:
    """Return the lifecycles of these captures (rows of the table `captures`); `read` gives a stored table by name."""
    files = read("capture_files").join(captures.select("capture"), "capture")
    places = settle(capture_sections(files, read("sections")))
    logs = build_logs(read, places, settle)
    coordinator = build_coordinator(read, places, settle)
    judged = timing.judged_at(captures, logs.logs, coordinator.records)
    return _join_both(read, captures, logs, coordinator, judged, config, settle)


def build_logs(read: Read, places: DataFrame, settle: Settle) -> Logs:
    """Return what the data partitions show by themselves (RULES A 1, 2)."""
    batches = log_batches(read("batches"), places)
    states = placed(read("producer_states"), places)
    logs = settle(replica_logs(log_spans(batches), places, read("observations"), states))
    events = transaction_events(batches)
    txns = settle(partition_txns(events.unionByName(carried_in(states, logs), allowMissingColumns=True)))
    opens = situations.open_transactions(broker_opens(events, states, logs), txns, logs)
    return Logs(places, batches, states, logs, txns, opens)


def build_coordinator(read: Read, places: DataFrame, settle: Settle) -> Coordinator:
    """Return what the coordinator's records show by themselves (RULES A 3)."""
    records = coordination.coordinator_records(read("coordinator_states"), places)
    numbered = settle(coordination.numbered_records(records))
    txns = settle(coordination.coordinator_txns(numbered))
    return Coordinator(numbered, txns, settle(coordination.registrations(numbered)))


def _join_both(
    read: Read,
    captures: DataFrame,
    logs: Logs,
    coordinator: Coordinator,
    judged: DataFrame,
    config: VerdictsConfig,
    settle: Settle,
) -> Lifecycles:
    """Return the two sides put together (RULES A 4 and the facts that A 5 to 10 ask about)."""
    decided = settle(matching.decisions(coordinator.txns, coordinator.registrations, logs.logs))
    found = matching.markers(logs.txns)
    ordered = settle(matching.matched_by_order(found, decided))
    clocks = settle(matching.clocks(ordered, logs.logs, config))
    timed = matching.matched_by_time(found, decided, ordered, clocks)
    decisions = settle(situations.decision_states(decided, ordered.drop("lag_ms", "done_ms").unionByName(timed)))
    witnesses = situations.witnesses(logs.txns, decisions)
    known = coordination.producers(coordinator.records)
    situated = situations.situations(
        logs.opens, logs.txns, decisions, coordinator.txns, coordinator.registrations, known
    )
    horizons = timing.horizons(decisions, logs.logs, judged, logs.states)
    unmatched = found.join(
        decisions.select(*LOG, "producer_id", "marker_offset"), [*LOG, "producer_id", "marker_offset"], "left_anti"
    )
    states = state_coverage(captures, logs.places, read("observations"), unmatched, coordinator.records)
    moments = settle(judged.join(clocks, "capture", "left").join(states, "capture", "left"))
    opens = timing.appended_by(situated, witnesses, logs.batches, moments)
    closed = timing.appended_by(situations.closed_spans(logs.txns, decisions), witnesses, logs.batches, moments)
    opens = settle(opens.join(horizons, list(LOG)).join(moments, "capture"))
    slips = situations.slips(closed.join(moments, "capture"), opens, logs.batches, witnesses)
    return Lifecycles(logs, coordinator, moments, decisions, opens, slips)


def stored_captures(read: Read, names: list[str]) -> DataFrame:
    """Return the rows of these captures."""
    return read("captures").where(F.col("capture").isin(names))
