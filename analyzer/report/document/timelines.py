"""What happened around findings, as types, and made from rows: lanes of states and of logs, in the order to draw."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict

from analyzer.report.document.parts import Parts, grouped, known

MOST_IDS, MOST_LOGS, MOST_BARS = 12, 24, 200
"""Lanes of ids, lanes of logs and bars of one timeline."""

Row = Mapping[str, Any]
Log = tuple[str, int, str]


class StateChange(TypedDict):
    """A record of an id in `__transaction_state`."""

    at: int
    state: str
    producer_id: int
    producer_epoch: int
    partitions: list[str]


class CoordinatorLane(TypedDict):
    """The states of one transactional id."""

    transactional_id: str
    state_partition: int
    states: list[StateChange]


class Bar(TypedDict):
    """A transaction as one log shows it; without `marker_offset` nothing ends it there."""

    producer_id: int
    producer_epoch: NotRequired[int | None]
    first_offset: NotRequired[int | None]
    last_offset: NotRequired[int | None]
    first_ms: NotRequired[int | None]
    last_ms: NotRequired[int | None]
    records: NotRequired[int | None]
    marker: NotRequired[Literal["COMMIT", "ABORT"] | None]
    marker_offset: NotRequired[int | None]
    marker_ms: NotRequired[int | None]
    finding: NotRequired[str | None]


class EpochStart(TypedDict):
    """Where a leader epoch starts in a log, and between which two moments that was."""

    epoch: int
    start_offset: int
    not_before: NotRequired[int | None]
    not_after: NotRequired[int | None]


class LogLane(TypedDict):
    """The transactions of one copy of a log."""

    topic: str
    partition: int
    replica: str
    authority: bool
    lso: int
    bars: list[Bar]
    epochs: list[EpochStart]


class TimelineOmitted(TypedDict):
    """How many lanes and bars a timeline leaves out."""

    ids: int
    logs: int
    bars: int


class Timeline(TypedDict):
    """What happened around the findings of an incident: coordinator states, and the transactions of the logs."""

    coordinator: list[CoordinatorLane]
    logs: list[LogLane]
    omitted: TimelineOmitted


class GrowthPoint(TypedDict):
    """How far a log reached at a moment, and where its LSO was."""

    at: int
    log_end: int
    lso: int


class Incident(TypedDict):
    """A cause and its findings: heads first, each with what is folded under it."""

    id: str
    headline: str
    cause: str
    heads: list[str]
    findings: list[str]
    timeline: Timeline


def timeline(findings: Sequence[Row], parts: Parts) -> dict[str, Any]:
    """Return the timeline of these findings, given in the order of importance, from the rows of a capture."""
    ids = list(dict.fromkeys(one["transactional_id"] for one in findings if one["transactional_id"] is not None))
    lanes = [lane for one in ids for lane in _coordinator_lanes(one, parts.states)]
    logs = _logs(findings, ids, parts)
    shown = logs[:MOST_LOGS]
    bars = sum(len(lane["bars"]) for lane in shown)
    for lane in shown:
        lane["bars"] = _nearest(lane["bars"], max(2, MOST_BARS // len(shown))) if bars > MOST_BARS else lane["bars"]
    return {
        "coordinator": lanes[:MOST_IDS],
        "logs": shown,
        "omitted": {
            "ids": len(_ids(lanes) - _ids(lanes[:MOST_IDS])),
            "logs": len(logs) - len(shown),
            "bars": bars - sum(len(lane["bars"]) for lane in shown),
        },
    }


def _coordinator_lanes(transactional_id: str, states: Iterable[Row]) -> Iterator[dict[str, Any]]:
    """Yield the states of an id, a lane for each state partition that has some, the one with the newest record last."""
    mine = [row for row in states if row["transactional_id"] == transactional_id and row["timestamp"] is not None]
    places = grouped(sorted(mine, key=lambda row: row["offset"]), lambda row: row["state_partition"])
    for partition, rows in sorted(places.items(), key=lambda place: place[1][-1]["timestamp"]):
        told = [
            {
                "at": row["timestamp"],
                "state": "deleted" if row["tombstone"] else row["state"],
                "producer_id": -1 if row["producer_id"] is None else row["producer_id"],
                "producer_epoch": -1 if row["producer_epoch"] is None else row["producer_epoch"],
                "partitions": list(row["partitions"] or []),
            }
            for row in rows
        ]
        yield {"transactional_id": transactional_id, "state_partition": partition, "states": told}


def _ids(lanes: Iterable[Row]) -> set[str]:
    return {lane["transactional_id"] for lane in lanes}


def _logs(findings: Sequence[Row], ids: Sequence[str], parts: Parts) -> list[dict[str, Any]]:
    """Return a lane for each log: the findings' places, the judged copy first, then other places of their ids."""
    bounds: dict[Log, Row] = {_log(row): row for row in parts.partitions}
    bars = grouped(parts.bars, _log)
    own = [(one["topic"], one["partition"]) for one in findings if one["partition"] is not None]
    elsewhere = sorted({log[:2] for log in bars} & _touched(ids, parts.states))
    lanes = []
    for place in dict.fromkeys([*own, *elsewhere]):
        copies = sorted(
            (log for log in bars if log[:2] == place and log in bounds),
            key=lambda log: (not bounds[log]["authority"], log),
        )
        judged: set[tuple[int, int, int, str]] | None = None
        for log in copies:
            lane = _lane(log, bounds[log], bars[log], findings, parts)
            drawn = set(map(_place, lane["bars"]))
            lanes += [lane] if drawn != judged else []  # a copy that shows the same as the judged one is not drawn
            judged = drawn if judged is None else judged
    return lanes


def _touched(ids: Sequence[str], states: Iterable[Row]) -> set[tuple[str, int]]:
    """Return the partitions that the coordinator's records of these ids name."""
    names = {name for row in states if row["transactional_id"] in ids for name in row["partitions"] or []}
    split = (name.rpartition("-") for name in names)
    return {(topic, int(number)) for topic, _, number in split if number.isdecimal()}


def _lane(log: Log, bound: Row, bars: Iterable[Row], findings: Sequence[Row], parts: Parts) -> dict[str, Any]:
    whole = {_place(row): row for row in bars}
    drawn = []
    for _, row in sorted(whole.items()):
        found = next((one["id"] for one in findings if _is_about(one, row, log)), None)
        drawn.append(known({**row, "finding": found}, Bar.__annotations__))
    starts = sorted({(row["epoch"], row["start_offset"]) for row in parts.epoch_starts if _log(row) == log})
    return {
        "topic": log[0],
        "partition": log[1],
        "replica": log[2],
        "authority": bool(bound["authority"]),
        "lso": bound["lso"],
        "bars": drawn,
        "epochs": [_epoch(*start, drawn) for start in starts if start[1] > 0],
    }


def _is_about(finding: Row, row: Row, log: Log) -> bool:
    """Return whether the finding is about this transaction of this place."""
    if (finding["topic"], finding["partition"]) != log[:2] or finding["producer_id"] != row["producer_id"]:
        return False
    if finding["first_offset"] is None or row["first_offset"] is None:
        return False
    return bool(row["first_offset"] <= finding["first_offset"] <= row["last_offset"])


def _epoch(epoch: int, start_offset: int, bars: Iterable[Row]) -> dict[str, Any]:
    """Return a leader epoch with the times of the last known moment before its start and the first one after it."""
    seen = [
        (bar.get(offset), bar.get(ms))
        for bar in bars
        for offset, ms in (("first_offset", "first_ms"), ("last_offset", "last_ms"), ("marker_offset", "marker_ms"))
    ]
    dated = [(offset, ms) for offset, ms in seen if offset is not None and ms is not None]
    before = max((ms for offset, ms in dated if offset < start_offset), default=None)
    after = min((ms for offset, ms in dated if offset >= start_offset), default=None)
    start = {"epoch": epoch, "start_offset": start_offset, "not_before": before, "not_after": after}
    return known(start, start)


def _place(bar: Row) -> tuple[int, int, int, str]:
    """Return what makes a bar the same in another copy, in the order of the log."""
    first, marked = bar.get("first_offset"), bar.get("marker_offset")
    marker = -1 if marked is None else marked
    return (marker if first is None else first, marker, bar["producer_id"], bar.get("marker") or "")


def _nearest(bars: list[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    """Return at most so many bars: those of findings, and those next to the first of them."""
    centre = next((number for number, bar in enumerate(bars) if bar.get("finding")), 0)
    order = sorted(range(len(bars)), key=lambda number: (not bars[number].get("finding"), abs(number - centre)))
    kept = set(order[:most])
    return [bar for number, bar in enumerate(bars) if number in kept]


def _log(row: Row) -> Log:
    return row["topic"], row["partition"], row["replica"]
