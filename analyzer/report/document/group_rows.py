"""The parts `group_impact` and `expiry` of the document, and the groups that wait for one finding."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict

from analyzer.report.document.parts import known


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


class PendingPosition(TypedDict):
    """A position that an open transaction in __consumer_offsets would set, and the committed one."""

    topic: str
    partition: int
    producer_id: int
    group: str
    committed_topic: str
    committed_partition: int
    pending: int
    committed: NotRequired[int | None]


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
    return [known({**row, "file": row.get("path")}, GroupImpact.__annotations__) for row in ordered]


def pending_positions(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the positions that an abort would discard, by partition of __consumer_offsets, group and partition."""
    key = ("partition", "producer_id", "group", "committed_topic", "committed_partition")
    ordered = sorted(rows, key=lambda row: tuple(row[name] for name in key))
    told = ({**row, "pending": row["pending_position"], "committed": row.get("committed_position")} for row in ordered)
    return [known(row, PendingPosition.__annotations__) for row in told]


def expiry(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the expiry report: first what left a transaction open and is gone, then by the time of expiry."""
    return [known({**row, "file": row.get("path")}, Expiry.__annotations__) for row in sorted(rows, key=_urgency)]


def _urgency(row: Mapping[str, Any]) -> tuple[bool, bool, int, int]:
    expires = row.get("id_expires_ms") or row.get("producer_expires_ms") or 0
    return not row["outlived"], not row["open_transactions"], expires, row["producer_id"]


def groups_of(finding: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the names of the groups that wait in the partition of a finding, the one with the greatest lag first."""
    here = [row for row in rows if all(row[name] == finding[name] for name in ("topic", "partition"))]
    return [row["group"] for row in sorted(here, key=lambda row: row["turn"])]
