"""What to collect next, and what to rescue first, as rows of the document: a file, or a transaction, of one broker."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NotRequired, TypedDict

from analyzer.report.sentences.cells import is_safe
from analyzer.report.sentences.commands import case_word

SHOWN = 1_000
"""Transactions that a document lists; a case has all of them, for `rescue --lost`."""
LOST_FOLDER = "rescued-lost"


class Fetch(TypedDict):
    """A segment that is not here, or a whole partition where no list of its segments is here, and why to fetch it."""

    step: int
    broker: NotRequired[str | None]
    topic: str
    partition: int
    segment: NotRequired[int | None]
    path: str
    bytes: NotRequired[int | None]
    why: str


def fetch(rows: Iterable[Mapping[str, Any]]) -> list[Fetch]:
    """Return the rows of the plan, in its order; `path` is that inside a log dir."""
    return [_row(row) for row in sorted(rows, key=lambda row: row["turn"])]


def _row(row: Mapping[str, Any]) -> Fetch:
    folder, segment = f"{row['topic']}-{row['partition']}", row.get("segment")
    out: Fetch = {
        "step": row["step"],
        "topic": row["topic"],
        "partition": row["partition"],
        "path": folder if segment is None else f"{folder}/{segment:020d}.log",
        "why": row["why"],
    }
    if segment is not None:
        out["segment"] = segment
    if row.get("replica") is not None:
        out["broker"] = row["replica"]
    if row.get("bytes") is not None:
        out["bytes"] = row["bytes"]
    return out


class Rescuable(TypedDict):
    """The records of one committed transaction that the leader does not have, and the copy that has them."""

    topic: str
    partition: int
    replica: str
    also_on: list[str]
    producer_id: int
    transactional_id: NotRequired[str | None]
    first_offset: int
    last_offset: int
    records: int
    decided_ms: NotRequired[int | None]
    marker_offset: NotRequired[int | None]
    finding: NotRequired[str | None]
    command: NotRequired[str | None]


def rescuable(
    rows: Iterable[Mapping[str, Any]], findings: Sequence[Mapping[str, Any]], case: str
) -> list[dict[str, Any]]:
    """Return the first of them in the order of the logs, each with its finding and the command that saves it."""
    ids = {(one["topic"], one["partition"], one["replica"]): one["id"] for one in findings if one["code"] == "TXN015"}
    ordered = sorted(rows, key=lambda row: (row["topic"], row["partition"], row["replica"], row["first_offset"]))
    return [_rescuable_row(row, ids, case) for row in ordered[:SHOWN]]


def _rescuable_row(row: Mapping[str, Any], ids: Mapping[tuple[str, int, str], str], case: str) -> dict[str, Any]:
    names = (
        "topic", "partition", "replica", "also_on", "producer_id", "transactional_id", "first_offset", "last_offset",
        "records", "decided_ms", "marker_offset",
    )  # fmt: skip
    told = {name: row[name] for name in names if row.get(name) is not None}
    finding = ids.get((row["topic"], row["partition"], row["replica"]))
    command = rescue_one(row, case)
    return told | ({"finding": finding} if finding else {}) | ({"command": command} if command else {})


def rescue_lost(case: str) -> str | None:
    """Return the command that saves all such records of a capture; None where the case's name is unsafe in a shell."""
    return f"txn-forensics rescue --case {case_word(case)} --lost -o {LOST_FOLDER}" if is_safe(case) else None


def rescue_one(row: Mapping[str, Any], case: str) -> str | None:
    """Return the command that saves the records of one of them."""
    topic, first = row["topic"], row["first_offset"]
    if not (is_safe(case) and is_safe(topic) and is_safe(row["replica"])):
        return None
    place = f"--topic {shlex.quote(topic)} --partition {row['partition']} --producer-id {row['producer_id']}"
    offsets = f"--replica {shlex.quote(row['replica'])} --from {first} --to {row['last_offset']}"
    out = shlex.quote(f"rescued-{topic}-{row['partition']}-{first}")
    return f"txn-forensics rescue --case {case_word(case)} {place} {offsets} -o {out}"
