"""The parts `group_impact` and `expiry` of the document, and the groups that wait for one finding."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict


class GroupImpact(TypedDict):
    """A consumer group that an open transaction holds up: at the LSO of a partition, or at its own pending offsets."""

    topic: str
    partition: int
    replica: str
    lso: int
    group: str
    pending: bool
    position: NotRequired[int | None]
    file: NotRequired[str | None]
    line: NotRequired[int | None]
    byte_position: NotRequired[int | None]
    groups: int


class FirstOpen(TypedDict):
    """Where the first of a producer id's open transactions begins."""

    topic: str
    partition: int
    first_offset: int


class Expiry(TypedDict):
    """When a producer id and its transactional id expire, and what it left open."""

    producer_id: int
    producer_epoch: NotRequired[int | None]
    transactional_id: NotRequired[str | None]
    state: NotRequired[str | None]
    last_update_ms: NotRequired[int | None]
    id_status: Literal["open", "live", "due", "expired", "unknown"]
    id_expires_ms: NotRequired[int | None]
    last_write_ms: NotRequired[int | None]
    producer_status: NotRequired[Literal["open", "live", "due"] | None]
    producer_expires_ms: NotRequired[int | None]
    open_transactions: int
    first_open: NotRequired[FirstOpen | None]
    outlived: bool
    file: NotRequired[str | None]
    line: NotRequired[int | None]
    byte_position: NotRequired[int | None]


def group_impact(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the groups that wait, by partition, the greatest lag first; `groups` counts all of the partition."""
    ordered = sorted(rows, key=lambda row: (row["topic"], row["partition"], row["turn"]))
    return [_shown(row, "turn") for row in ordered]


def expiry(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the expiry report: first what left a transaction open and is gone, then by the time of expiry."""
    return [_shown(row, "total") for row in sorted(rows, key=_urgency)]


def _urgency(row: Mapping[str, Any]) -> tuple[bool, bool, int, int]:
    expires = row.get("id_expires_ms") or row.get("producer_expires_ms") or 0
    return not row["outlived"], not row["open_transactions"], expires, row["producer_id"]


def groups_of(finding: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the names of the groups that wait in the partition of a finding, the one with the greatest lag first."""
    here = [row for row in rows if all(row[name] == finding[name] for name in ("topic", "partition"))]
    return [row["group"] for row in sorted(here, key=lambda row: row["turn"])]


def _shown(row: Mapping[str, Any], left_out: str) -> dict[str, Any]:
    """Return what the document says of a row: null is left out, `path` is `file`."""
    names = {"path": "file"}
    return {
        names.get(key, key): value
        for key, value in row.items()
        if value is not None and key not in {"capture", left_out}
    }
