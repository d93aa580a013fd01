"""The lines of logs and metrics in the document: the newest of each kind first said, with what each proves."""

from collections.abc import Iterable, Mapping
from typing import Any, NotRequired, TypedDict

from analyzer.kafka.log_lines.registry import PROVES
from analyzer.report.document.parts import known


class LogLine(TypedDict):
    """A line of a log or of metrics that says something: what, about whom, what it proves, where it stands."""

    says: str
    source: str
    proves: str
    file: str
    line: int
    text: str
    at: NotRequired[int | None]
    topic: NotRequired[str | None]
    partition: NotRequired[int | None]
    transactional_id: NotRequired[str | None]
    producer_id: NotRequired[int | None]
    producer_epoch: NotRequired[int | None]
    offset: NotRequired[int | None]
    number: NotRequired[int | None]


class LogLines(TypedDict):
    """The first of these lines in the order of time, and how many there are."""

    total: int
    lines: list[LogLine]


def log_lines(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return `log_lines` of the document, nothing without any: the lines in the order of their files, and how many."""
    told = sorted(rows, key=lambda row: (row["logged_ms"] or 0, row["path"], row["line"]))
    if not told:
        return {}
    lines = [
        known(
            {**row, "at": row.get("logged_ms"), "proves": PROVES[row["says"]], "file": row["path"]},
            LogLine.__annotations__,
        )
        for row in told
    ]
    return {"log_lines": {"total": max(row["total"] for row in told), "lines": lines}}
