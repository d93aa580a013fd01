"""The capture that a command means, and its stored document."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from analyzer.errors import CaseError
from analyzer.kafka.reaching.reach import UNKNOWN, Reach, stored
from analyzer.storage.case import Case
from analyzer.storage.stored_rows import StoredRows


def newest_capture(case: Case, name: str | None) -> str:
    """Return the capture of this name, or the newest. Raises CaseError if there is none."""
    rows = case.read("captures").select("capture", "captured_at").collect()
    return chosen_capture([row.asDict() for row in rows], name, case.location)


def chosen_capture(captures: Sequence[Mapping[str, Any]], name: str | None, location: str) -> str:
    """Return the capture of this name, or the newest, of rows of `captures`. Raises CaseError if there is none."""
    names = [row["capture"] for row in captures]
    if name is None and names:
        return cast("str", max(captures, key=lambda row: (row["captured_at"] or 0, row["capture"]))["capture"])
    if name in names:
        return cast("str", name)
    raise _missing(location, name, names)


def stored_document(read: StoredRows, name: str | None, location: str) -> dict[str, Any]:
    """Return the stored document of this capture, or of the newest. Raises CaseError if it was not analyzed."""
    chosen = chosen_capture(read("captures", {}), name, location)
    rows = read("summaries", {"capture": [chosen]})
    if not rows:
        raise CaseError(f"capture {chosen} of {location} was not analyzed yet.", do="txn-forensics analyze --case ...")
    return cast("dict[str, Any]", json.loads(rows[0]["document"]))


def kept_reach(read: StoredRows) -> Reach:
    """Return how commands reach the brokers as options of the last run told it; unknown where none did."""
    told = [row for row in read("summaries", {}, ("capture", "captured_at", "reach")) if row["reach"]]
    if not told:
        return UNKNOWN
    newest = max(told, key=lambda row: (row["captured_at"] or 0, row["capture"]))
    return stored(json.loads(newest["reach"]))


def _missing(location: str, name: str | None, names: list[str]) -> CaseError:
    if not names:
        return CaseError(f"{location} holds no captures.", do="txn-forensics ingest PATH... --case FOLDER")
    return CaseError(f"no capture {name} in {location}.", wanted="one of " + ", ".join(sorted(names)))
