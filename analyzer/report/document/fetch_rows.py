"""What to collect next, and what to rescue first, as rows of the document: a file, or a transaction, of one broker."""

from collections.abc import Iterable, Mapping
from typing import Any, NotRequired, TypedDict, cast

from analyzer.report.document.parts import known


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
    path = folder if segment is None else f"{folder}/{segment:020d}.log"
    return cast("Fetch", known({**row, "path": path, "broker": row.get("replica")}, Fetch.__annotations__))


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
