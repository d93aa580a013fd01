"""RULES D 10 as a comparison: what a part of a capture must not say, given what the whole of it says."""

from collections.abc import Iterable
from typing import Any

from judging import HANGS, PLACE, Document, Row, agree

BY_REST = frozenset({"hanging_late_write", "marker_lost_truncation", "hanging_unexplained"})
"""Names by which D 1 to D 5 tell a hang whose cause the whole capture tells, or has another name for."""
BY_STATE = frozenset({"hanging_undecided", "prepare_stuck", "pending_group_commit"})
"""Names by which D 5 and D 6 tell what the whole shows to have ended later, or to hang: never certain then."""


def surer(part: Document, whole: Document) -> list[str]:
    """Return what the part says and the whole does not: findings, certainties, calm."""
    wrong = [told(row) for row in part["findings"] if not _known(row, whole)]
    wrong += [
        f"surer: {told(row)}" for row in part["findings"] if row["confidence"] == "certain" and _against(row, whole)
    ]
    unseen = list(_calm_about(part, whole)) if part["verdict"] == "clean" else []
    return wrong + [f"clean, without {row}" for row in unseen]


def contradicted(part: Document, whole: Document, apart: Iterable[str] = ()) -> list[str]:
    """Return the certain findings, but for these names, that the whole has neither as a finding nor as a hang."""
    sure = [row for row in part["findings"] if row["confidence"] == "certain" and row["name"] not in apart]
    return [told(row) for row in sure if _against(row, whole)]


def told(row: Row) -> str:
    """Return a finding in one line."""
    place = f"{row['topic']}-{row['partition']} producer {row['producer_id']} at {row['first_offset']}"
    return f"{row['confidence']} {row['code']} {place}: {row['headline']}"


def _known(row: Row, whole: Document) -> bool:
    """Return whether the whole has the finding, or what it hides in the part's words.

    An orphan is possible without the checkpoint file that would tell whether its leader works by the old count (B 7).
    """
    if _same(row, whole["findings"]) or _of_the_transaction(row, whole):
        return True
    if row["name"] == "orphan_state" and row["confidence"] == "possible":
        return True
    if row["name"] in BY_REST and _hangs(row, whole):
        return True
    return row["name"] in BY_STATE and (_hangs(row, whole) or row["confidence"] != "certain")


def _against(row: Row, whole: Document) -> bool:
    known = _same(row, whole["findings"]) or _of_the_transaction(row, whole)
    return not known and not (row["name"] in HANGS and _hangs(row, whole))


def _of_the_transaction(row: Row, whole: Document) -> bool:
    """Return whether the whole says of this row's stuck decision that it is stuck, in whatever partition."""
    stuck = [one for one in whole["findings"] if one["name"] in {"prepare_stuck", "orphan_state"}]
    return row["name"] == "prepare_stuck" and any(agree(row, one, ["transactional_id"]) for one in stuck)


def _same(row: Row, findings: Iterable[Row]) -> bool:
    about = (*PLACE, "transactional_id", "group", "key")
    return any(row["name"] == one["name"] and agree(row, one, about) for one in findings)


def _hangs(row: Row, whole: Document) -> bool:
    """Return whether the whole has any finding of a hang, or cannot tell, where this row is."""
    unsure = HANGS | {"undecided", "orphaned"}
    rows = [one for one in whole["findings"] if one["name"] in HANGS]
    rows += [one for one in whole["open_transactions"] if one["verdict"] in unsure]
    return any(agree(row, one) for one in rows)


BY_THE_TOPIC = frozenset({
    "stale_partition_count_producer", "key_order_broken_by_expansion", "position_below_threshold",
})  # fmt: skip
"""Findings that rest on the keys of several partitions; one of them alone shows nothing."""


def _calm_about(part: Document, whole: Document) -> Iterable[tuple[Any, ...]]:
    """Yield what is wrong or undecided in the whole at a partition that the part has something of.

    Not where the part has the one copy that parted from the leader's: by itself it shows a log in which all is well.
    """
    parted = {(row["topic"], row["partition"], row["replica"]) for row in _parted(whole)}
    here = {(row["topic"], row["partition"]) for row in part["partitions"]}
    here -= {one[:2] for one in parted if _copies(part, one[:2]) == {one[2]}}
    rows = [row for row in whole["findings"] if row["severity"] != "info" and row["name"] not in BY_THE_TOPIC]
    rows += [row for row in whole["open_transactions"] if row["verdict"] not in {"in_flight", "completing"}]
    for row in rows:
        if (row["topic"], row["partition"]) in here:
            yield row["topic"], row["partition"], row["producer_id"], row.get("verdict") or row["name"]


def _parted(whole: Document) -> Iterable[Row]:
    return (row for row in whole["findings"] if row["name"] == "replica_divergence")


def _copies(part: Document, place: tuple[Any, ...]) -> set[str]:
    """Return whose copies of a partition the part has."""
    return {row["replica"] for row in part["partitions"] if (row["topic"], row["partition"]) == place}
