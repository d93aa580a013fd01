"""The verdict on every open transaction: in_flight, completing, undecided, orphaned, or the name of its finding.

`orphaned`: its state is where no broker looks for it (RTE004), so neither its timeout nor its client can end it.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors.folding import Finding, head_of
from analyzer.detectors.undecided import undecided
from analyzer.detectors.wording import table_of
from analyzer.kafka.timeouts import NO_TIMEOUT_MS, has_timeout
from analyzer.tables.moments import foreign, moment, moments_of, stated
from analyzer.tables.unions import union_filled

Key = tuple[str, str, int, str, int]
OrphanKey = tuple[str, str, int]

ORPHAN = "RTE004"
ROUTING = frozenset({"RTE003", ORPHAN})
UNLED = {"unled_by": "string", "unled_ms": "bigint", "held_by": "string", "may_lead": "string"}
"""What is told of a partition that has no leader."""
OF_ORPHANS = frozenset({"hanging_undecided", "marker_missing_commit", "marker_missing_abort", "prepare_stuck"})
"""Findings that the open data of an orphan may have; the orphan is their cause."""


def open_rows(opens: DataFrame) -> DataFrame:
    """Return the open transactions of every replica with what their verdict depends on; the caller bounds them."""
    return opens.select(
        "capture", "topic", "partition", "replica", "authority", "producer_id",
        F.coalesce("producer_epoch", "snapshot_epoch").alias("producer_epoch"), "transactional_id", "first_offset",
        F.coalesce("last_offset", "snapshot_last_offset", "first_offset").alias("last_offset"),
        F.col("judgement.standing").alias("standing"),
        F.col("running.begun_ms").alias("begun_ms"),
        F.col("running.timeout_ms").alias("timeout_ms"),
        F.col("lost.decision").alias("decision"),
        F.col("lost.decided_ms").alias("decided_ms"),
        F.col("lost.completed_ms").alias("completed_ms"),
        F.expr("has_log AND NOT judgement.has_data").alias("emptied"),
        "has_log",
        F.col("rest.ms").alias("rest_ms"),
        F.col("rest.state").alias("rest_state"),
        F.coalesce("rest.now", "newest.state").alias("id_state"),
        F.when(F.col("latest_txn.state") == "Ongoing", F.col("latest_txn.deadline_ms")).alias("timeout_at"),
        F.when(
            (F.col("latest_txn.state") == "Ongoing") & (F.col("latest_txn.timeout_ms") == NO_TIMEOUT_MS),
            F.col("latest_txn.begun_ms"),
        ).alias("without_timeout_since"),
        "highest_data_epoch", "highest_epoch", "state_horizon_ms", "state_count", "state_count_told",
        F.size("missing_states").alias("missing_states"),
        F.array_join(F.slice("missing_states", 1, 10).cast("array<string>"), ",").alias("missing_some"),
        "orphan", "previous_marker_offset", "unread_offset", "snapshot_coordinator_epoch", "ahead_on",
        F.when(F.col("disputed"), F.lit(True)).alias("disputed"),
        F.lit(None).cast("string").alias("told_state"), F.lit(None).cast("int").alias("follower"),
        F.lit(None).cast("string").alias("silent_by"), F.lit(None).cast("string").alias("told_by"),
        F.lit(None).cast("string").alias("place_by"),
        *[F.lit(None).cast(kind).alias(name) for name, kind in UNLED.items()],
    )  # fmt: skip


def answered_rows(answered: DataFrame) -> DataFrame:
    """Return what pasted answers say of each open transaction of which no record of its coordinator is here."""
    standing = F.when(F.col("standing") == "prepared", "completing").otherwise(F.col("standing"))
    decision = F.upper(F.regexp_extract("state", "^Prepare(Commit|Abort)", 1))
    return answered.where("topic IS NOT NULL AND first_offset IS NOT NULL").select(
        "capture", "topic", "partition", "replica", F.lit(True).alias("authority"), "producer_id", "producer_epoch",
        "transactional_id", "first_offset", F.col("first_offset").alias("last_offset"),
        F.concat(F.lit("answered "), standing).alias("standing"),
        F.col("started_ms").alias("begun_ms"), "timeout_ms", decision.alias("decision"), "coordinator_epoch",
        "in_files", F.col("state").alias("told_state"), "follower", "silent_by", "place_by",
    )  # fmt: skip


def with_answers(answered: DataFrame, rows: DataFrame) -> DataFrame:
    """Add to `open_rows` what answers tell of them, and the rows that only answers show (RULES F 1 to 4)."""
    told = answered_rows(answered)
    place = ["capture", "topic", "partition", "replica", "producer_id"]
    names = (
        "transactional_id", "standing", "begun_ms", "timeout_ms", "decision", "coordinator_epoch", "told_state",
        "follower", "silent_by", "place_by",
    )  # fmt: skip
    known = told.where("in_files").select(*place, *[F.col(name).alias(f"answered_{name}") for name in names])
    joined = rows.join(known, place, "left").withColumns({name: F.coalesce(f"answered_{name}", name) for name in names})
    both = joined.drop(*[f"answered_{name}" for name in names])
    return union_filled(both, told.where("NOT in_files").drop("in_files"))


def with_states(told: DataFrame, rows: DataFrame) -> DataFrame:
    """Add what the coordinator answered of the producers of which neither its records nor the leader tell anything."""
    both = rows.join(told, ["capture", "producer_id"], "left")
    bare = "standing = 'no_record' AND answered_by IS NOT NULL AND has_log"
    return both.withColumns({
        "told_by": F.expr(f"CASE WHEN {bare} THEN answered_by END"),
        "told_state": F.expr(f"CASE WHEN {bare} THEN coordinator_says ELSE told_state END"),
        "transactional_id": F.expr(f"coalesce(transactional_id, CASE WHEN {bare} THEN told_id END)"),
    }).drop("told_id", "coordinator_says", "answered_by")  # fmt: skip


def verdicts(rows: Iterable[Mapping[str, Any]], findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """Return rows of the table `open_transactions`: the head finding's name, otherwise what the files allow.

    The head of the fold names the verdict, unless that is about routing. A finding of severity info is a remark on a
    transaction, not its verdict.
    """
    found = list(findings)
    head = head_of(found)
    heads: dict[Key, Mapping[str, Any]] = {}
    orphans: dict[OrphanKey, Mapping[str, Any]] = {}
    for finding in found:
        if finding["code"] == ORPHAN:
            orphans[finding["capture"], finding["transactional_id"], finding["partition"]] = finding
        if finding["is_verdict"] and finding["severity"] != "info":
            cause = head(finding)
            heads.setdefault(_key(finding), finding if cause["code"] in ROUTING else cause)
    return [_judged(row, heads.get(_key(row)), orphans.get(_orphan_key(row))) for row in rows]


def _key(row: Mapping[str, Any]) -> Key:
    return row["capture"], row["topic"], row["partition"], row["replica"], row["producer_id"]


def _orphan_key(row: Mapping[str, Any]) -> OrphanKey:
    orphan = row["orphan"] or {"id": "", "state_partition": -1}
    return row["capture"], orphan["id"], orphan["state_partition"]


def _judged(row: Mapping[str, Any], head: Mapping[str, Any] | None, orphan: Mapping[str, Any] | None) -> dict[str, Any]:
    names = (
        "capture", "topic", "partition", "replica", "authority", "producer_id", "producer_epoch", "transactional_id",
        "first_offset", "last_offset", "highest_data_epoch", "coordinator_epoch", "id_state", "timeout_at",
        "without_timeout_since", "disputed", "unled_by",
    )  # fmt: skip
    out = {name: row.get(name) for name in names}
    if row.get("unled_by"):
        out["unled_since"] = row["unled_ms"]
        out |= {name: row[name].split(",") for name in ("held_by", "may_lead") if row[name]}
    if orphan is not None and head is None and row["standing"] == "completing":
        return out | _perhaps_marked(row)
    if orphan is not None and _is_orphans(row, head):
        return out | _orphaned(row["orphan"], orphan)
    if orphan is None and head is None and row["orphan"] is not None:
        old = row["state_horizon_ms"] is not None or not row["orphan"]["proven"]
        if old and _is_orphans(row, None):
            return out | _perhaps_ended(row["orphan"])
    if head is not None:
        return out | _found(head["name"], head, head["id"])
    verdict, why, fetch = _words(foreign(row))
    why += table_of(foreign(row.get("place_by")), f"{row['topic']}-{row['partition']}")
    if verdict == "in_flight" and has_timeout(row["timeout_ms"]):
        out["running_since"] = row["begun_ms"]
    return out | stated({"verdict": verdict, "finding": None, "why": why, "fetch": fetch})


def _found(verdict: str, finding: Mapping[str, Any], named: str | None, fetch: str | None = None) -> dict[str, Any]:
    """Return a verdict whose reason is the headline of a finding, and the moments in that."""
    moments = [{**one, "sentence": "/why"} for one in moments_of(finding, "/headline")]
    told = {"verdict": verdict, "finding": named, "why": finding["headline"], "fetch": fetch}
    return told | ({"moments": moments} if moments else {})


def _is_orphans(row: Mapping[str, Any], head: Mapping[str, Any] | None) -> bool:
    """Return whether nothing but the orphan explains this open transaction."""
    if head is not None:
        return row["orphan"]["proven"] and head["name"] in OF_ORPHANS
    return row["standing"] in {"running", "completing", "older_copy", "older_state", "undated", "committed"}


def _orphaned(state: Mapping[str, Any], finding: Mapping[str, Any]) -> dict[str, Any]:
    if state["proven"]:
        return _found("orphaned", finding, finding["id"])
    fetch = f"leader-epoch-checkpoint of {finding['topic']}-{finding['partition']} from its leader"
    return _found("undecided", finding, None, fetch)


def _perhaps_marked(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the verdict where this log need not reach the marker, which may have been written before (RULES B 7)."""
    state, place = row["orphan"], f"{row['topic']}-{row['partition']}"
    why = (
        f"{state['state']} of {state['id']} is in __transaction_state-{state['state_partition']}, where restarted "
        f"brokers do not look for it; this copy of {place} may end before the marker, if one was written before that"
    )
    return {"verdict": "undecided", "finding": None, "why": why, "fetch": f"a newer copy of {place}"}


def _perhaps_ended(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the verdict where its state is misplaced, in a copy too old to tell whether it has ended (RULES B 7)."""
    place = f"__transaction_state-{state['state_partition']}"
    why = (
        f"{state['state']} of {state['id']} is in {place}, where restarted brokers do not look for it; this copy is "
        "too old to tell whether the transaction has ended since"
    )
    fetch = f"a newer copy of {place} and of __transaction_state-{state['belongs']}"
    return {"verdict": "undecided", "finding": None, "why": why, "fetch": fetch}


def _words(row: Mapping[str, Any]) -> tuple[str, str, str | None]:
    """Return verdict, reason and what to fetch for a transaction that no finding claims."""
    who = row["transactional_id"] or f"producer {row['producer_id']}"
    standing = row["standing"]
    if standing == "running":
        gone = "; its data has left the log" if row["emptied"] else ""
        return "in_flight", f"{who} {_runs(row)}{gone}", None
    if standing == "answered running":
        begun = "" if row["begun_ms"] is None else f" since {moment(row['begun_ms'])}"
        return "in_flight", f"its coordinator answered that {who} is running{begun}", None
    if standing == "answered completing":
        return "completing", f"its coordinator answered that {row['decision']} of {who} is decided", None
    if standing == "completing":
        decided = f"{row['decision']} of {who} was decided at {moment(row['decided_ms'])}"
        return "completing", f"{decided}; markers are on their way", None
    return ("undecided", *undecided(row, who))


def _runs(row: Mapping[str, Any]) -> str:
    """Say since when a transaction is running, and what will end it."""
    begun = moment(row["begun_ms"])
    if row["timeout_ms"] is None:
        cut = "its record is cut inside its timeout, so whether it is over that is not known"
        return f"is running since {begun}; {cut}"
    if has_timeout(row["timeout_ms"]):
        return f"is running since {begun}, inside its timeout"
    return (
        f"is open since {begun} without a timeout ({NO_TIMEOUT_MS}: two-phase commit, KIP-939): no coordinator ends "
        "it, and readers wait until its owner outside Kafka commits or aborts it"
    )
