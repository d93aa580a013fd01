"""What changed from one document to a later one, as data."""

from typing import TypedDict, cast

from analyzer.errors import UsageError
from analyzer.report.comparison.ended import Place, Row, ended, hidden, judged
from analyzer.report.document.types import UNDER_WAY


class Side(TypedDict):
    """One of the two captures."""

    capture: str
    captured_at: int | None
    verdict: str


class Change(TypedDict):
    """A finding, and why it counts as new, still there, gone or not shown."""

    id: str
    code: str
    name: str
    severity: str
    confidence: str
    topic: str | None
    partition: int | None
    headline: str
    why: str


class Moved(TypedDict):
    """A partition whose LSO or waiting records differ, or that waits in both captures.

    `state`: freed; not shown, if the later log ends before the earlier one or lacks a part; moved, if the LSO did and
    records wait still; otherwise, of what the later capture has open there, running (inside its timeout or being
    completed), open (nobody can tell), stuck (it hangs), the last two with `since` where nothing waited before.
    """

    topic: str
    partition: int
    state: str
    lso_before: int
    lso_after: int
    log_end_before: int
    log_end_after: int
    waiting_before: int
    waiting_after: int


class Changes(TypedDict):
    """What changed, by the words of a finding's `status`, and the partitions where something waits or waited.

    A finding is `gone` only where the later capture has that partition's log, nothing missing of it, and nothing of it
    is open there; `cannot_tell` has those of which it does not show that.
    """

    version: int
    before: Side
    after: Side
    opened: list[Change]
    gone: list[Change]
    cannot_tell: list[Change]
    still: list[Change]
    partitions: list[Moved]


def compare(before: Row, after: Row) -> Changes:
    """Return what changed between two documents (`schemas/report.schema.json`) of one cluster.

    Raises UsageError where their files name different clusters.
    """
    clusters = [set(document["capture"].get("cluster_ids") or ()) for document in (before, after)]
    if all(clusters) and clusters[0].isdisjoint(clusters[1]):
        told = [
            f"{one['capture']['name']} ({', '.join(sorted(ids))})"
            for one, ids in zip((before, after), clusters, strict=True)
        ]
        raise UsageError(f"{' and '.join(told)} are of different clusters.", wanted="two captures of one cluster")
    old, now = ({row["id"]: row for row in document["findings"]} for document in (before, after))
    moved = _moved(before, after)
    over = {key: ended(row, before, after) for key, row in old.items() if key not in now}
    return {
        "version": 1,
        "before": _side(before),
        "after": _side(after),
        "opened": [_change(row, _since(row, before)) for key, row in now.items() if key not in old],
        "gone": [_change(old[key], why) for key, (gone, why) in over.items() if gone],
        "cannot_tell": [_change(old[key], why) for key, (gone, why) in over.items() if not gone],
        "still": [_change(row, _growth(row, moved)) for key, row in now.items() if key in old],
        "partitions": moved,
    }


def _side(document: Row) -> Side:
    capture = document["capture"]
    return {"capture": capture["name"], "captured_at": capture["captured_at"], "verdict": document["verdict"]}


def _change(row: Row, why: str) -> Change:
    told = {**row, "why": why}
    return cast("Change", {name: told[name] for name in Change.__annotations__})


def _since(row: Row, before: Row) -> str:
    """Say that a new finding may be older than the earlier capture, where that does not have its partition."""
    place = (row["topic"], row["partition"])
    if None in place or place in judged(before):
        return ""
    return "the earlier capture does not have this partition's log: the fault may be older"


def _growth(row: Row, moved: list[Moved]) -> str:
    """Say how many records more or fewer wait in the partition of a finding that is still there."""
    place = (row["topic"], row["partition"])
    here = next((one for one in moved if (one["topic"], one["partition"]) == place), None)
    if here is None or here["waiting_before"] == here["waiting_after"]:
        return ""
    return f"{here['waiting_before']} -> {here['waiting_after']} records wait"


def grows(changes: Changes) -> bool:
    """Return whether more records wait than before in a partition that is stuck, or may be."""
    return any(
        row["state"] in {"stuck", "open"} and row["waiting_after"] > row["waiting_before"]
        for row in changes["partitions"]
    )


def _moved(before: Row, after: Row) -> list[Moved]:
    old, now = judged(before), judged(after)
    both = old.keys() & now.keys()
    rows = [_pair(old[place], now[place], _holding(after, place), hidden(after, place)) for place in both]
    told = [row for row in rows if row["state"] != "free"]
    return sorted(told, key=lambda row: (row["topic"], row["partition"]))


def _holding(document: Row, place: Place) -> str:
    """Return what the transactions are that hold the LSO of a partition: running, open or stuck."""
    opened = document["open_transactions"]
    verdicts = {one["verdict"] for one in opened if one["authority"] and (one["topic"], one["partition"]) == place}
    found = any((one["topic"], one["partition"]) == place for one in document["findings"])
    if verdicts - UNDER_WAY - {"undecided"} or (found and not verdicts):
        return "stuck"
    return "running" if verdicts and verdicts <= UNDER_WAY else "open"


def _pair(old: Row, now: Row, holding: str, lacks: str | None) -> Moved:
    waited, waits = old["lso"] < old["log_end_offset"], now["lso"] < now["log_end_offset"]
    if not waits:
        shown = lacks is None and now["log_end_offset"] >= old["log_end_offset"]
        state = ("freed" if shown else "not shown") if waited else "free"
    elif not waited:
        state = holding if holding == "running" else f"{holding} since"
    else:
        state = "moved" if now["lso"] > old["lso"] else holding
    return {
        "topic": now["topic"],
        "partition": now["partition"],
        "state": state,
        "lso_before": old["lso"],
        "lso_after": now["lso"],
        "log_end_before": old["log_end_offset"],
        "log_end_after": now["log_end_offset"],
        "waiting_before": old["blocked_records"],
        "waiting_after": now["blocked_records"],
    }
