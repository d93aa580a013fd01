"""Both sides put together: decisions with their markers, and what is known of each open transaction, stage by stage."""

import dataclasses

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.config import VerdictsConfig
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles.coordinator.build import Coordinator
from analyzer.lifecycles.coordinator.copies import known_records, state_copies
from analyzer.lifecycles.coordinator.moments import refs_of, with_ref_at, with_refs
from analyzer.lifecycles.coverage.states import beyond_records, newest_records, state_coverage
from analyzer.lifecycles.inputs import Hold, Inputs
from analyzer.lifecycles.logs import cleaning
from analyzer.lifecycles.logs.build import Logs
from analyzer.lifecycles.logs.lines import with_batches, with_marker_ref
from analyzer.lifecycles.logs.transactions import repeated_markers
from analyzer.lifecycles.matching import open_transactions, pairs, timing, unread
from analyzer.lifecycles.matching import unmarked as lost
from analyzer.lifecycles.matching.decisions import closed_spans, delivered_markers, told_markers
from analyzer.lifecycles.matching.gone import with_proofs
from analyzer.lifecycles.matching.idle import with_idle
from analyzer.lifecycles.matching.rest import with_rest
from analyzer.lifecycles.matching.slips import early_spans, with_extent
from analyzer.lifecycles.matching.tables import SLIPS, TOLD
from analyzer.lifecycles.matching.unmarked_context import with_context
from analyzer.lifecycles.matching.unseen import unseen
from analyzer.lifecycles.placing import LOG, PRODUCER, PRODUCER_NO, with_log
from analyzer.lifecycles.routing.build import Routing, sure_counts
from analyzer.lifecycles.routing.faults import orphaned_data, orphans


@dataclasses.dataclass(frozen=True, slots=True)
class Matched:
    """The moments judged at, each decision in each log, what is open, what slipped, and data without its own marker."""

    moments: DataFrame
    decisions: DataFrame
    opens: DataFrame
    slips: DataFrame
    unmarked: DataFrame
    state_copies: DataFrame
    unseen: DataFrame


def build_matched(
    inputs: Inputs, logs: Logs, coordinator: Coordinator, routing: Routing, config: VerdictsConfig
) -> Matched:
    """Return the two sides put together (RULES A 4 and the facts that A 5 to 10 and D ask about)."""
    captures, hold = inputs.captures, inputs.hold
    known = hold.by_shares("state_partition", lambda only: known_records(only(coordinator.records)))
    judged = timing.judged_at(captures, logs.logs, known)
    read = logs.logs.where("has_log")
    repeated = hold.by_shares("log_no", lambda only: repeated_markers(only(logs.txns)))
    decided = _decisions(coordinator, read, pairs.markers(logs.txns), repeated, hold)
    agreed = hold.by_shares("log_no", lambda only: pairs.agreeing(only(logs.txns), only(repeated), only(decided)))
    in_order = hold.by_shares(
        "log_no", lambda only: _with_names(pairs.matched_by_order(only(logs.txns), only(decided), only(agreed)), logs)
    )
    clocks = hold.settle(pairs.clocks(in_order, logs.logs, config))
    others = hold.by_shares(
        "log_no",
        lambda only: _with_names(pairs.matched_by_time(only(logs.txns), only(decided), only(agreed), clocks), logs),
    )
    decisions = in_order if hold.is_empty(others) else in_order.unionByName(others)
    moments = hold.settle(_moments(inputs, judged, clocks, pairs.markers(logs.txns), decisions, logs, known, routing))
    (opens, slips, copies), (unmarked, running) = hold.both(
        lambda: _opens(inputs, logs, coordinator, routing, repeated, decisions, moments, judged, known),
        lambda: (
            hold.settle(_unmarked(logs, decisions, moments, coordinator, hold)),
            hold.settle(unseen(coordinator.txns, coordinator.records, coordinator.registrations, logs.logs, moments)),
        ),
    )
    return Matched(moments, decisions, opens, slips, unmarked, copies, running)


def _decisions(
    coordinator: Coordinator, read: DataFrame, found: DataFrame, repeated: DataFrame, hold: Hold
) -> DataFrame:
    """Return the decisions in each log that they name, or that holds the marker of one whose list is gone."""
    txns = coordinator.txns
    named = hold.in_shares(
        "state_partition", lambda only: pairs.listed_decisions(only(txns), only(coordinator.registrations), read)
    )
    recovered, histories = hold.few(pairs.recovered(txns, found, repeated)), hold.few(pairs.histories(txns))
    return hold.by_shares("log_no", lambda only: pairs.decisions(only(named), only(recovered), histories))


def _with_names(decisions: DataFrame, logs: Logs) -> DataFrame:
    return with_log(decisions.drop("capture"), logs.logs)


def _opens(
    inputs: Inputs,
    logs: Logs,
    coordinator: Coordinator,
    routing: Routing,
    repeated: DataFrame,
    decisions: DataFrame,
    moments: DataFrame,
    judged: DataFrame,
    known: DataFrame,
) -> tuple[DataFrame, DataFrame, DataFrame]:
    """Return what is known of each open transaction, data that slipped past a marker, and the copies of the state."""
    hold = inputs.hold
    theirs = hold.narrowing(logs.opens, "producer_id")
    of_producers = theirs(coordinator.txns)
    of_ids = hold.narrowing(of_producers, "transactional_id")
    told = open_transactions.with_history(
        logs.opens, theirs(logs.txns), theirs(repeated), theirs(decisions), of_producers,
        of_ids(coordinator.registrations), theirs(coordinator.producers), hold.few,
    )  # fmt: skip
    told = hold.settle(with_marker_ref(hold.settle(told), logs.events, hold).drop("marker_offset"))
    own = hold.narrowing(told, "transactional_id")(coordinator.records)
    told = hold.settle(with_refs(told, TOLD, of_ids(coordinator.records), hold.settle))
    opens = timing.appended_by(told, decisions, logs.batches, moments)
    closed = hold.settle(closed_spans(logs.txns, decisions, coordinator.registrations, hold.few))
    closed = timing.appended_by(closed, decisions, logs.batches, moments)
    opens = orphaned_data(opens, orphans(routing.misplaced))
    horizons = timing.horizons(decisions, logs.logs, judged)
    opens = hold.settle(timing.beyond_states(opens.join(horizons, list(LOG)).join(moments, "capture")))
    states = inputs.read("coordinator_states")
    copies = hold.settle(state_copies(states, logs.places, logs.logs, logs.batches, logs.damage, logs.segments, known))
    opens = with_rest(opens, own, copies, decisions, logs.logs, logs.batches)
    opens = hold.settle(with_idle(hold.settle(opens), theirs(logs.txns)))
    holes = unread.unread_holes(logs, opens, hold)
    opens = hold.settle(with_proofs(opens, logs.logs, logs.segments, logs.damage, logs.snapshots, holes))
    whole = unread.without_holes(closed, unread.unread_holes(logs, closed, hold))
    early = hold.settle(early_spans(whole.join(moments, "capture"), opens))
    if hold.is_empty(early):
        return opens, hold.nothing(SLIPS), copies
    records = hold.narrowing(early, "transactional_id")(coordinator.records)
    told = with_ref_at(early, "registered_at", records, "registered_ref").drop("state_partition", "registered_at")
    told = with_batches(hold.settle(told), logs.events, {"first_batch": "first_offset"}, hold).drop("first_ms")
    early = hold.settle(with_marker_ref(told, logs.events, hold).drop("log_no"))
    return opens, hold.settle(with_extent(early, logs.batches, decisions, hold)), copies


def _moments(
    inputs: Inputs,
    judged: DataFrame,
    clocks: DataFrame,
    found: DataFrame,
    decisions: DataFrame,
    logs: Logs,
    known: DataFrame,
    routing: Routing,
) -> DataFrame:
    """Return per capture the moment judged at, how its clocks stand, and how far its state files reach."""
    captures, few = inputs.captures, inputs.hold.few
    newest = few(newest_records(known))
    key = [*PRODUCER_NO, "marker_offset"]
    unmatched = few(beyond_records(found, newest)).join(decisions.select(*key), key, "left_anti")
    proven = sure_counts(routing.counts, STATE_TOPIC)
    states = state_coverage(captures, logs.places, logs.observations, newest, unmatched, proven)
    timeouts = timing.longest_timeouts(captures, logs.observations)
    return judged.join(clocks, "capture", "left").join(states, "capture", "left").join(timeouts, "capture")


def _unmarked(logs: Logs, decisions: DataFrame, moments: DataFrame, coordinator: Coordinator, hold: Hold) -> DataFrame:
    """Return data that no marker of its own closes, with what tells one cause from another (RULES A 6)."""
    ids = coordinator.producers.select("capture", "producer_id", F.col("transactional_id").alias("known_id"))
    explained = logs.opens.join(ids, ["capture", "producer_id"], "left_semi")
    found = lost.unmarked(logs, decisions, moments, explained, hold)
    unsure = found.where("closer = 'later'").join(unread.torn_states(logs), ["capture", "state_partition"], "left_semi")
    rows = hold.settle(found.join(unsure.select(*lost.CLAIM), list(lost.CLAIM), "left_anti"))
    theirs = hold.narrowing(rows, "producer_id")
    told = with_context(rows, theirs(logs.txns), logs, hold)
    taken = hold.settle(unread.told_apart(cleaning.gaps(logs.batches, rows, hold.few), logs.places))
    key = ["capture", *pairs.DECISION]
    asked = theirs(decisions).join(F.broadcast(rows.select(*key).distinct()), key, "left_semi")
    holes = unread.unread_holes(logs, rows, hold)
    told = told.join(unread.unread_after(rows, taken, holes), [*PRODUCER, "first_offset"], "left")
    delivered = told_markers(delivered_markers(asked, logs.logs), logs.events, hold)
    named = told.join(delivered, key, "left")
    judged = moments.select("capture", "captured_at", "state_horizon_ms")
    records = hold.narrowing(rows, "transactional_id")(coordinator.records)
    refs = refs_of(rows, records, "prepared_ref", "completed_ref")
    gone = cleaning.first_gap(named, taken, logs.cleaned)
    return (
        gone.withColumn("gap", F.when(F.col("cut_offset").isNull(), F.col("gap")))
        .drop("cut_offset")
        .join(refs, key, "left")
        .join(ids, ["capture", "producer_id"], "left")
        .withColumn("transactional_id", F.coalesce("transactional_id", "known_id"))
        .join(judged, "capture")
        .drop("log_no")
    )
