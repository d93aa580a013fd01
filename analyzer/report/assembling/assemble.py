"""The document of a capture, put together from its result rows in the shape of `schemas/report.schema.json`."""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from analyzer.kafka.reaching.reach import UNKNOWN, Reach
from analyzer.report.actions.plan import with_plans
from analyzer.report.actions.reached import pasted_way
from analyzer.report.assembling.incidents import incidents
from analyzer.report.document.controller_log import controller_part
from analyzer.report.document.fetch_rows import Rescuable, fetch
from analyzer.report.document.group_rows import expiry, group_impact, groups_of, pending_positions
from analyzer.report.document.keyed_rows import keyed_topics, thresholds
from analyzer.report.document.log_rows import log_lines
from analyzer.report.document.neighbours import strip_of
from analyzer.report.document.parts import Parts, known
from analyzer.report.document.routed import routing_part
from analyzer.report.document.types import Finding, Note, OpenTransaction, Partition
from analyzer.report.sentences.action_words import action_word, said_upwards
from analyzer.report.sentences.commands import place_options, rescue_one
from analyzer.report.sentences.open_for_long import open_for_long
from analyzer.report.triage.incident import folds, subject
from analyzer.tables import BLINDING_KINDS, MAY_MATTER, UNREAD_KINDS
from analyzer.tables.action_words import FORBIDS

VERSION = 1
SHOWN = 1_000
"""Transactions that a document lists; a case has all of them, for `rescue --lost`."""
NOT_SHOWN = frozenset({"capture", "is_verdict", "prior_partition", "expansion", "id_state", "own_moments"})
"""What findings carry for the assembly only."""


def assemble(case: str, parts: Parts, engine: str = "", reach: Reach = UNKNOWN) -> dict[str, Any]:
    """Return the document of a capture; `engine` names what computed it, `reach` is the way that its reader gave.

    Its commands are those for $BOOTSTRAP whatever is known: `reached` puts in the way of the one who reads it.
    """
    opens = _ordered(parts.open_transactions)
    heads, under = folds(cast("Sequence[Finding]", parts.findings))
    also = {head["id"]: said_upwards(head, under[head["id"]]) for head in heads}
    findings = [_finding(one, parts, also.get(one["id"], ())) for one in sorted(parts.findings, key=_place)]
    document = {
        "version": VERSION,
        "case": case,
        "capture": _capture(parts.capture),
        "verdict": verdict(parts, opens),
        "findings": findings,
        "incidents": incidents(findings, parts),
        "open_transactions": [known(row, OpenTransaction.__annotations__) for row in opens],
        "partitions": [_partition(row, parts) for row in _ordered(parts.partitions)],
        "rescuable": _rescuable(parts, place_options(case, str(parts.capture["capture"]))),
        "routing": routing_part(parts.routing, parts.id_places, parts.cutovers),
        "group_impact": group_impact(parts.impact),
        "pending_positions": pending_positions(parts.pending_positions),
        "expiry": expiry(parts.expiry),
        "keyed_topics": keyed_topics(parts.keyed),
        "thresholds": thresholds(parts.thresholds, parts.reads),
        "coverage": _coverage(parts, engine),
        **controller_part(parts, findings),
        "fetch": fetch(parts.fetch),
        "detector_runs": [known(dataclasses.asdict(run)) for run in parts.runs],
        "unparsed": _unparsed(parts.unparsed),
        **log_lines(parts.log_lines),
        "omitted": {
            "findings": sum(parts.totals.values()) - len(parts.findings),
            "open_transactions": parts.open_total - len(opens),
            "expiry": max((row["total"] for row in parts.expiry), default=0) - len(parts.expiry),
            **_omitted(parts),
        },
    }
    way = reach or pasted_way(parts.capture)
    return with_plans(document) | ({"reach": way.told()} if way else {})


def _omitted(parts: Parts) -> dict[str, int]:
    """Return how many files to fetch, and transactions to rescue, the document leaves out; only where it does."""
    left = {
        "fetch": max((row["total"] for row in parts.fetch), default=0) - len(parts.fetch),
        "rescuable": max((row["total"] for row in parts.rescuable), default=0) - min(len(parts.rescuable), SHOWN),
    }
    return {name: number for name, number in left.items() if number}


def unusable(case: str, name: str, found: str, wanted: str, do: str) -> dict[str, Any]:
    """Return the document of a PATH that holds nothing to judge: the shape of every document, and `error`."""
    error = {"found": found, "wanted": wanted or None, "do": do or None}
    return assemble(case, Parts({"capture": name}, (), {})) | {"verdict": "unusable", "error": known(error)}


def verdict(parts: Parts, opens: Iterable[Mapping[str, Any]]) -> str:
    """Return findings, inconclusive or clean; a finding of severity info alone leaves a capture clean.

    Clean is a claim: every partition of which a file is here has a log that was judged to its end (RULES D 7), and no
    transaction without a timeout is open for longer than any other may be: only its owner can say whether it hangs. A
    check of this program that failed found nothing, and clears nothing.
    """
    if any(finding["severity"] != "info" for finding in parts.findings):
        return "findings"
    undecided = any(row["authority"] and row["verdict"] == "undecided" for row in opens)
    blind = any(note["kind"] in BLINDING_KINDS for note in parts.coverage)
    endless = any(open_for_long(row, parts.capture.get("captured_at")) for row in opens)
    failed = any(run.status == "failed" for run in parts.runs)
    return "inconclusive" if undecided or blind or endless or failed or not parts.partitions else "clean"


def _capture(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": row["capture"],
        "captured_at": row.get("captured_at"),
        "captured_at_source": row.get("captured_at_source"),
        "kafka_version": row.get("kafka_version"),
        "cluster_ids": row.get("cluster_ids") or [],
        **({"redpanda": True} if row.get("redpanda") else {}),
    }


def _ordered(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: (row["topic"], row["partition"], row["replica"], row.get("first_offset") or 0))


def _place(one: Mapping[str, Any]) -> tuple[str, str, int, int, str]:
    return one["code"], one["topic"] or "", one["partition"] or 0, one["first_offset"] or 0, one["id"]


def _partition(row: Mapping[str, Any], parts: Parts) -> dict[str, Any]:
    points = [point for point in parts.growth if _same_log(point, row) and point["at_ms"] is not None]
    growth = [
        {"at": point["at_ms"], "log_end": point["log_end"], "lso": point["lso"]}
        for point in sorted(points, key=lambda point: point["log_end"])
    ]
    told = {**row, "contested": row.get("contested") or None, "growth": growth or None}
    counts = {name: row[name] for name in ("blocked_records", "blocked_bytes")}  # null: nobody counts
    return known(told, Partition.__annotations__) | counts


def _finding(finding: dict[str, Any], parts: Parts, also: Sequence[Finding]) -> dict[str, Any]:
    health = next((row for row in parts.partitions if _same_log(row, finding)), None)
    out = {key: value for key, value in finding.items() if key not in NOT_SHOWN}
    out["alert_line"] = _alert_line(finding, health, also)
    if health is not None and health.get("cleaner_checkpoint") is not None:
        out["compacted"] = True
    if health is not None and finding["first_offset"] is not None:
        out["strip"] = strip_of(finding, health, parts.near)
        if finding["is_verdict"]:
            groups = groups_of(finding, parts.impact) if parts.groups_told else None
            out["waiting"] = _waiting(health, parts.capture.get("captured_at"), groups)
    return out


def _same_log(row: Mapping[str, Any], finding: Mapping[str, Any]) -> bool:
    return all(row[name] == finding[name] for name in ("topic", "partition", "replica"))


def _waiting(health: Mapping[str, Any], captured_at: int | None, groups: list[str] | None) -> dict[str, Any]:
    since = health.get("blocked_since")
    return {
        "offsets": health["blocked_offsets"],
        "records": health["blocked_records"],
        "bytes": health["blocked_bytes"],
        "transactions": health["blocked_transactions"],
        "since": since,
        "for_ms": captured_at - since if captured_at and since else None,
        "groups": groups,
    }


def _alert_line(finding: Mapping[str, Any], health: Mapping[str, Any] | None, also: Sequence[Finding]) -> str:
    """Return an alert in one line: its first 80 characters are enough on a phone. `also`: folded, and to be told."""
    waiting = f", {health['blocked_records']} rec wait" if health and health["blocked_records"] else ""
    where = "-".join(str(finding[name]) for name in ("topic", "partition") if finding[name] is not None)
    producer = finding["name"] if finding["producer_id"] is None else f"producer {finding['producer_id']}"
    who = subject(cast("Finding", finding)) or producer
    word = action_word(cast("Finding", finding))
    action = ", also ".join([word.upper() if word in FORBIDS else word, *map(action_word, also)])
    what = f"{who} {finding['label']}".lstrip()
    return f"{finding['severity']} {where}: {what}{waiting}, {action} [{finding['id']}]"


def _coverage(parts: Parts, engine: str) -> dict[str, Any]:
    files: Mapping[str, Any] = parts.files[0] if parts.files else {}
    order = ("kind", "topic", "partition", "file", "replica", "note")
    notes = sorted(parts.coverage, key=lambda note: [(0, "") if note.get(k) is None else (1, note[k]) for k in order])
    return {
        "files": files.get("files", 0),
        "bytes": files.get("bytes") or 0,
        "replicas": sorted({row["replica"] for row in parts.partitions}),
        "notes": [known(note, Note.__annotations__) for note in notes],
        **({"not_read": not_read} if (not_read := _not_read(parts.not_read)) else {}),
        **_state_reach(parts.capture),
        **({"engine": engine} if engine else {}),
    }


def _rescuable(parts: Parts, kept: str) -> list[dict[str, Any]]:
    """Return the first of them in the order of the logs, each with its finding and the command that saves it."""
    found = (one for one in parts.findings if one["code"] == "TXN015")
    ids = {(one["topic"], one["partition"], one["replica"]): one["id"] for one in found}
    rows = parts.rescuable
    ordered = sorted(rows, key=lambda row: (row["topic"], row["partition"], row["replica"], row["first_offset"]))
    told = (
        {**row, "finding": ids.get((row["topic"], row["partition"], row["replica"])), "command": rescue_one(row, kept)}
        for row in ordered[:SHOWN]
    )
    return [known(row, Rescuable.__annotations__) for row in told]


def _not_read(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the files that no reader opens, by why; what may be evidence comes first."""
    order = list(UNREAD_KINDS)
    return [
        {
            "why": UNREAD_KINDS[row["file_kind"]], "may_matter": row["file_kind"] in MAY_MATTER, "files": row["files"],
            "bytes": row["bytes"] or 0,
            "listed": [known({"file": file["path"], "bytes": file["bytes"]}) for file in row["listed"]],
        }
        for row in sorted(rows, key=lambda row: order.index(row["file_kind"]))
    ]  # fmt: skip


def _state_reach(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return from when to when the records of __transaction_state are; nothing without any."""
    if row.get("oldest_state_ms") is None:
        return {}
    ends = row.get("state_horizon_ms")
    return {
        "state": known(
            {
                "from": row["oldest_state_ms"],
                "to": row["newest_state_ms"] if ends is None else ends,
                "partitions": row["state_count"] - row["missing_states"],
                "of": row["state_count"],
                "untold": None if row["state_count_told"] else True,
                "old": ends is not None,
            }
        )
    }


def _unparsed(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    files = [
        {"file": row["path"], "line": row["first"]["line"], "text": row["first"].get("text") or "",
         "reason": row["first"]["reason"], "lines": row["lines"]}
        for row in rows
    ]  # fmt: skip
    return {"lines": sum(file["lines"] for file in files), "files": sorted(files, key=lambda file: file["file"])}
