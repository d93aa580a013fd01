"""The strip of a finding: the batches around it as cells, replica by replica."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypedDict

CELLS_BEFORE, CELLS_AFTER = 4, 6
"""Cells drawn on either side of the finding's first batch."""


class Cell(TypedDict):
    """Neighbouring offsets that one batch, marker or gap takes."""

    first: int
    last: int
    producer_id: int | None
    kind: Literal["data", "COMMIT", "ABORT", "control", "gap"]
    own: bool


class StripRow(TypedDict):
    """The cells of one replica."""

    replica: str
    cells: list[Cell]
    note: str


class Strip(TypedDict):
    """The neighbourhood of the finding, offset by offset."""

    rows: list[StripRow]
    lso: int
    log_end: int
    high_watermark: int | None
    captured_beyond: bool


def strip_of(
    finding: Mapping[str, Any], health: Mapping[str, Any], near: Iterable[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the document's strip: the judged replica first, then those that differ from it."""
    rows = [
        row
        for row in near
        if all(row[name] == finding[name] for name in ("topic", "partition"))
        and row["target"] == finding["first_offset"]
    ]
    own = _cells(rows, finding["replica"], finding)
    others = [(one, _cells(rows, one, finding)) for one in sorted({row["replica"] for row in rows})]
    drawn = [(finding["replica"], own), *((one, cells) for one, cells in others if cells != own)]
    last = max((cell["last"] for cell in own), default=finding["first_offset"])
    return {
        "rows": [{"replica": replica, "cells": cells, "note": ""} for replica, cells in drawn],
        "lso": health["lso"],
        "log_end": health["log_end_offset"],
        "high_watermark": health.get("high_watermark"),
        "captured_beyond": last + 1 < health["log_end_offset"],
    }


def _cells(rows: Iterable[Mapping[str, Any]], replica: str, finding: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the cells of one replica: neighbouring batches of one producer are one cell."""
    mine = sorted((row for row in rows if row["replica"] == replica), key=lambda row: row["base_offset"])
    cells: list[dict[str, Any]] = []
    for row in mine:
        cell = _cell(row, finding)
        before = cells[-1] if cells else None
        if before and cell["first"] > before["last"] + 1:
            between = {"first": before["last"] + 1, "last": cell["first"] - 1}
            cells.append({**between, "producer_id": None, "kind": "gap", "own": False})
        same = before and all(before[name] == cell[name] for name in ("kind", "producer_id", "own"))
        if before and same and cell["kind"] == "data" and before["last"] + 1 == cell["first"]:
            before["last"] = cell["last"]
        else:
            cells.append(cell)
    start = next((i for i, cell in enumerate(cells) if cell["last"] >= finding["first_offset"]), len(cells))
    return cells[max(0, start - CELLS_BEFORE) : start + CELLS_AFTER]


def _cell(row: Mapping[str, Any], finding: Mapping[str, Any]) -> dict[str, Any]:
    """Return a batch as a cell; an answer of a tool tells where an open transaction begins, not how far it goes."""
    last = finding["last_offset"]
    own = (
        row["producer_id"] == finding["producer_id"]
        and not row["is_control"]
        and finding["first_offset"] <= row["base_offset"]
        and (last is None or row["base_offset"] <= last)
    )
    kind = (row["marker"] or "control") if row["is_control"] else "data"
    producer_id = row["producer_id"] if row["producer_id"] is not None and row["producer_id"] >= 0 else None
    bounds = {"first": row["base_offset"], "last": row["last_offset"]}
    return {**bounds, "producer_id": producer_id, "kind": kind, "own": own}
