"""The part `controller` of the document, and how it is made: how far that log reaches, what it dates around each."""

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict

from analyzer.kafka.hashing import partition_for
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.report.document.parts import Parts, known

AROUND_MS = 60_000
"""This much before and after the moments that a finding names is told as well."""
MOST, MOST_WINDOWS, MOST_SERVED = 40, 20, 100
"""Events of one incident, incidents with events, and producer ids whose coordinator is told by their markers."""
_RARE = {
    "unclean_election": 0, "partitions_added": 1, "restarted": 2, "fenced": 2, "quorum_leader": 2, "feature": 1,
    "setting": 3, "unregistered": 3, "topic_deleted": 3,
}  # fmt: skip


class ControllerEvent(TypedDict):
    """One change that the controllers' log dates; equal events of one moment are one, with all their partitions."""

    at: int
    event: str
    places: list[str]
    broker: NotRequired[int | None]
    subject: NotRequired[str | None]
    was: NotRequired[str | None]
    now: NotRequired[str | None]


class ControllerWindow(TypedDict):
    """The minutes of an incident: its finding, and what changed in them."""

    finding: str
    since: int
    until: int
    covered: bool
    events: list[ControllerEvent]
    more: int


class Served(TypedDict):
    """A producer id that no state file names, and the partitions of __transaction_state that its markers fit."""

    producer_id: int
    transactional_id: NotRequired[str | None]
    markers: int
    state_partitions: list[int]
    counts: list[int]
    coordinator: NotRequired[int | None]
    since: NotRequired[int | None]


class ControllerLog(TypedDict):
    """The controllers' log of a KRaft cluster; counts are partition counts of __transaction_state that fit an id."""

    first_ms: NotRequired[int | None]
    last_ms: NotRequired[int | None]
    complete: bool
    undecoded: int
    undecoded_types: NotRequired[str | None]
    markers: int
    strange_markers: int
    strange: NotRequired[str | None]
    served: NotRequired[list[Served]]
    high_watermark_asked: NotRequired[int | None]
    quorum_end: NotRequired[int | None]
    windows: list[ControllerWindow]


def controller_part(parts: Parts, findings: Sequence[Mapping[str, Any]]) -> dict[str, ControllerLog]:
    """Return the part, or nothing for a capture without the controllers' log."""
    if not parts.quorum:
        return {}
    row = parts.quorum[0]
    own = {one["id"]: one["own_moments"] for one in parts.findings}
    heads = [(one["id"], own[one["id"]]) for one in findings if one["folded_under"] is None and own[one["id"]]]
    told: ControllerLog = {
        "complete": row["complete"],
        "undecoded": row["undecoded_records"],
        "markers": row.get("markers") or 0,
        "strange_markers": row.get("strange_markers") or 0,
        "windows": [_window(name, at, row, parts.quorum_events) for name, at in heads[:MOST_WINDOWS]],
    }
    if row.get("first_ms") is not None:
        told |= {"first_ms": row["first_ms"], "last_ms": row["last_ms"]}
    if row.get("some_undecoded"):
        told["undecoded_types"] = row["some_undecoded"]
    if row.get("strange"):
        told["strange"] = _strange(row["strange"])
    if parts.served:
        wanted = ("partitions_added", STATE_TOPIC)
        added = [one for one in parts.quorum_events if (one["event"], one["topic"]) == wanted]
        counts = sorted({int(one[name]) for one in added for name in ("was", "now")})
        told["served"] = [_served(row, counts) for row in parts.served[:MOST_SERVED]]
    asked = {one["observed"]: one["number"] for one in parts.asked}
    if asked.get("quorum_high_watermark") is not None:
        told |= {"high_watermark_asked": asked["quorum_high_watermark"], "quorum_end": row["quorum_end"]}
    return {"controller": told}


def _served(row: Mapping[str, Any], counts: Sequence[int]) -> Served:
    """Return a producer id without state files; each count of __transaction_state fits that leads to a partition."""
    fitting, name = row["state_partitions"], row.get("transactional_id")
    told: Served = {
        "producer_id": row["producer_id"],
        "markers": row["markers"],
        "state_partitions": fitting,
        "counts": [
            count
            for count in counts
            if (min(fitting) < count if name is None else partition_for(name, count) in fitting)
        ],
    }
    if name is not None:
        told["transactional_id"] = name
    if row.get("coordinator") is not None:
        told |= {"coordinator": row["coordinator"], "since": row.get("since_ms")}
    return told


def _strange(row: Mapping[str, Any]) -> str:
    marker = row["first_marker"]
    return (
        f"the marker at offset {marker['marker_offset']} of {marker['topic']}-{marker['partition']} (producer "
        f"{marker['producer_id']}) has coordinator epoch {row['coordinator_epoch']}, but the leader epoch of "
        f"__transaction_state-{row['state_partition']} was {row['expected_epoch']} then: a deposed coordinator, an "
        "administrator, or somebody else wrote it"
    )


def _window(
    finding: str, moments: Sequence[int], log: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]
) -> ControllerWindow:
    """Return what is dated around these moments; `covered`: the log reaches over them, and no event was left out."""
    since, until = min(moments) - AROUND_MS, max(moments) + AROUND_MS
    events = _together([row for row in rows if since <= row["changed_ms"] <= until])
    kept = sorted(sorted(events, key=lambda one: _RARE.get(one["event"], 9))[:MOST], key=lambda one: one["at"])
    first, last = log.get("first_ms"), log.get("last_ms")
    reaches = first is not None and last is not None and (log["from_start"] or first <= since) and last >= max(moments)
    often = [row["changed_ms"] for row in rows if row["some_left_out"] and row["event"] not in _RARE]
    covered = reaches and (min(often) < since if often else not any(row["some_left_out"] for row in rows))
    return {
        "finding": finding,
        "since": since,
        "until": until,
        "covered": covered,
        "events": kept,
        "more": len(events) - len(kept),
    }


def _together(rows: Sequence[Mapping[str, Any]]) -> list[ControllerEvent]:
    """Return the rows as events: those of one moment that differ only in their partition are one."""
    found: dict[tuple[Any, ...], ControllerEvent] = {}
    for row in rows:
        was = row.get("was") if row["event"] not in ("election", "no_leader") else None
        told = known({**row, "was": was}, ("broker", "subject", "was", "now"))
        new: Any = {"at": row["changed_ms"], "event": row["event"], "places": [], **told}
        event = found.setdefault((row["changed_ms"], row["event"], *told.items()), new)
        if row.get("topic") is not None:
            place = row["topic"] if row.get("partition") is None else f"{row['topic']}-{row['partition']}"
            event["places"].append(place)
    return [event | {"places": sorted(set(event["places"]))} for event in found.values()]
