"""The capture that a command means, and its stored document."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from analyzer.errors import CaseError
from analyzer.kafka.reaching.reach import UNKNOWN, Reach, stored
from analyzer.storage.reading.rows import StoredRows


def newest_capture(read: StoredRows, name: str | None, location: str) -> str:
    """Return the capture of this name, or the newest. Raises CaseError if there is none."""
    return chosen_capture(read("captures", {}, ("capture", "captured_at")), name, location)


def chosen_capture(captures: Sequence[Mapping[str, Any]], name: str | None, location: str) -> str:
    """Return the capture of this name, or the newest, of rows of `captures`. Raises CaseError if there is none."""
    names = [row["capture"] for row in captures]
    if name is None and names:
        return cast("str", max(captures, key=_order)["capture"])
    if name in names:
        return cast("str", name)
    if not names:
        raise CaseError(f"{location} holds no captures.", do="txn-forensics ingest PATH... --case FOLDER")
    raise CaseError(f"no capture {name} in {location}.", wanted="one of " + ", ".join(sorted(names)))


def capture_of_finding(read: StoredRows, finding: str | None) -> str | None:
    """Return the newest capture with a finding of this id, None if there is none."""
    found = {row["capture"] for row in read("findings", {"id": [finding]}, ("capture",))} if finding else set()
    rows = [row for row in read("captures", {}, ("capture", "captured_at")) if row["capture"] in found]
    return cast("str", max(rows, key=_order)["capture"]) if rows else None


def stored_document(read: StoredRows, name: str | None, location: str) -> dict[str, Any]:
    """Return the stored document of this capture, or of the newest. Raises CaseError if it was not analyzed."""
    chosen = newest_capture(read, name, location)
    rows = read("summaries", {"capture": [chosen]})
    if not rows:
        raise CaseError(f"capture {chosen} of {location} was not analyzed yet.", do="txn-forensics analyze --case ...")
    return cast("dict[str, Any]", json.loads(rows[0]["document"]))


def kept_reach(read: StoredRows) -> Reach:
    """Return how commands reach the brokers as options of the last run told it; unknown where none did."""
    told = [row for row in read("summaries", {}, ("capture", "captured_at", "reach")) if row["reach"]]
    if not told:
        return UNKNOWN
    return stored(json.loads(max(told, key=_order)["reach"]))


def incident_capture(read: StoredRows, name: str | None) -> str | None:
    """Return the capture that a post-mortem is about: that of this name, else the newest with findings."""
    rows = read("summaries", {}, ("capture", "captured_at", "verdict")) if name is None else []
    found = [row for row in rows if row["verdict"] == "findings"]
    return name if not found else cast("str", max(found, key=_order)["capture"])


def later_capture(read: StoredRows, document: Mapping[str, Any]) -> str | None:
    """Return the newest capture of the case that was taken after that of a document, None if there is none."""
    taken = document["capture"]["captured_at"]
    rows = read("summaries", {}, ("capture", "captured_at"))
    later = [row for row in rows if taken is not None and (row["captured_at"] or 0) > taken]
    return cast("str", max(later, key=_order)["capture"]) if later else None


def _order(row: Mapping[str, Any]) -> tuple[int, str]:
    return (row["captured_at"] or 0, row["capture"])
