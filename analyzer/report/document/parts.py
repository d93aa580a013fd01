"""What the analysis of a capture hands to its document: rows by their place there, what is known of one, groups."""

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

Key = TypeVar("Key")
One = TypeVar("One")


def known(row: Mapping[str, Any], names: Iterable[str] | None = None) -> dict[str, Any]:
    """Return these values of a row, or all, without those that are null or missing."""
    return {name: row[name] for name in (row if names is None else names) if row.get(name) is not None}


def grouped(rows: Iterable[One], key: Callable[[One], Key]) -> dict[Key, list[One]]:
    """Return the rows by a key of theirs, the keys in the order of their first rows."""
    groups: dict[Key, list[One]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


@dataclasses.dataclass(slots=True)
class Parts:
    """What the analysis says of one capture: lists of rows by their place in the document."""

    capture: dict[str, Any]
    runs: Sequence[Any]
    totals: Mapping[str, int]
    findings: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    open_transactions: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    partitions: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    coverage: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    log_lines: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    unparsed: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    not_read: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    files: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    impact: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    pending_positions: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    expiry: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    groups_told: bool = False
    keyed: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    thresholds: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    reads: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    fetch: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    rescuable: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    routing: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    cutovers: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    open_total: int = 0
    near: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    bars: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    states: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    epoch_starts: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    growth: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    quorum: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    quorum_events: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    served: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    asked: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    id_places: list[dict[str, Any]] = dataclasses.field(default_factory=list)
