"""What happened, in order, from all sources: bounded, and with what is left out."""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from analyzer.lookups.asking import Row
from analyzer.lookups.events import SOURCES, event
from analyzer.lookups.window import Part

UNDATED = {"coordinator_states": "timestamp", "log_lines": "logged_ms", "answers": "answered_ms"}
"""Facts that may have no time, and the column that would tell it."""


class Timeline(NamedTuple):
    """Events in order of time, and what is not among them, by source: beyond the limit, and without a time."""

    events: Iterator[Row]
    left_out: dict[str, int]
    undated: dict[str, int]


def timeline(part: Part, limit: int) -> Timeline:
    """Return the first events of a part of a capture, at most `limit`; each source is read once, up to the limit."""
    found = [source(part, limit) for source in SOURCES]
    merged = sorted(itertools.chain(_judged(part), *(one.rows for one in found)), key=_order)
    shown = merged[:limit]
    counts = {one.source: sum(row["source"] == one.source for row in shown) for one in found}
    left_out = {one.source: one.total - counts[one.source] for one in found if one.total > counts[one.source]}
    return Timeline(iter(shown), left_out, _undated(part))


def _order(one: Row) -> tuple[int, str]:
    return one["at_ms"], one["source"]


def _judged(part: Part) -> list[Row]:
    """Return the moment at which the report judges the capture, if it lies in the part."""
    at = part.asked.captured_at
    inside = at is not None and at >= (part.since_ms or 0) and (part.until_ms is None or at < part.until_ms)
    return (
        [event(at, "Capture Time", "the moment that the report judges", "capture")] if at is not None and inside else []
    )


def _undated(part: Part) -> dict[str, int]:
    rows = {
        name: part.asked.table(name, ("file_id", "in", part.files), (column, "is null", None), columns=["file_id"])
        for name, column in UNDATED.items()
    }
    return {name: found.num_rows for name, found in rows.items() if found.num_rows}
