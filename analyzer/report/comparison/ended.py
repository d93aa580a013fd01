"""Whether a finding that a later capture does not have is gone, or only not shown there."""

from collections.abc import Mapping
from typing import Any

from analyzer.tables.coverage_kinds import BLINDING_KINDS

Row = Mapping[str, Any]
Place = tuple[str | None, int | None]
_OF_MOMENTS = {"early_moment", "untold_moment", "cleaner_risk"}
"""Kinds that leave no doubt about what a log's bytes show."""
HIDING = tuple(kind for kind in BLINDING_KINDS if kind not in _OF_MOMENTS)
"""Kinds of notes on a partition of which something is not here that may be open, or may have ended it."""


def judged(document: Row) -> dict[Place, Row]:
    """Return the partitions whose log the capture has, by the replica that is judged."""
    rows = document["partitions"]
    return {(row["topic"], row["partition"]): row for row in rows if row["authority"] and row.get("has_log", True)}


def hidden(document: Row, place: Place) -> str | None:
    """Return what a capture's notes say is missing of a partition's log, None if nothing is."""
    notes = document.get("coverage", {}).get("notes", ())
    told = [
        note["note"]
        for kind in HIDING
        for note in notes
        if note["kind"] == kind and note.get("topic") == place[0] and note.get("partition") in (None, place[1])
    ]
    return next(iter(told), None)


def ended(row: Row, before: Row, after: Row) -> tuple[bool, str]:
    """Return whether a finding of `before` that the later capture does not have is gone, and why so."""
    place: Place = (row["topic"], row["partition"])
    if None in place:
        clean = after["verdict"] == "clean"
        return clean, "the later capture is clean" if clean else "nothing in the later capture proves that it is gone"
    log = judged(after).get(place)
    if log is None:
        return False, "the later capture does not have this partition's log"
    doubt = _still(row, place, log, after) or _not_shown(row, place, log, after)
    if doubt is None and not any(_same(one, row, place) for one in before["open_transactions"]):
        doubt = _not_checked(row, before, after)
    return doubt is None, doubt or f"the LSO is {log['lso']} now, and nothing of it is open"


def _still(row: Row, place: Place, log: Row, after: Row) -> str | None:
    """Return what shows that it is still there."""
    still = next((one for one in after["open_transactions"] if _same(one, row, place)), None)
    if still is not None:
        return f"its transaction is still open there: {still['verdict']}"
    first = row["first_offset"]
    if first is not None and log["lso"] <= first < log["log_end_offset"]:
        return f"the LSO is still {log['lso']}"
    return None


def _not_shown(row: Row, place: Place, log: Row, after: Row) -> str | None:
    """Return what of the log the later capture lacks, so that nothing in it proves an end."""
    first = row["first_offset"]
    if first is not None and log["log_end_offset"] <= first:
        return f"the later capture's log ends at {log['log_end_offset']}, before it"
    return hidden(after, place)


def _not_checked(row: Row, before: Row, after: Row) -> str | None:
    """Return why the later capture cannot have this finding, which is not about what is open: its log alone tells none.

    Its check may have been left out there, or see fewer records of coordinators.
    """
    run = next((one for one in after.get("detector_runs", ()) if one["code"] == row["code"]), None)
    if run is not None and run["status"] == "skipped":
        return f"{row['code']} was not checked there: {run['reason']}"
    states = [(document.get("coverage", {}).get("state") or {}).get("partitions") or 0 for document in (before, after)]
    if states[1] < states[0]:
        return f"the later capture has {states[1]} partitions of __transaction_state, the earlier one {states[0]}"
    return None


def _same(opened: Row, finding: Row, place: Place) -> bool:
    here = opened["authority"] and (opened["topic"], opened["partition"]) == place
    names = ("producer_id", "first_offset")
    return bool(here and all(finding[name] in {None, opened[name]} for name in names))
