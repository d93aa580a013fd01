"""From folders of files to our documents, and whether what a document says is so, by what happened or by the whole."""

from collections.abc import Iterable, Mapping
from typing import Any

from judged_together import Document

Row = Mapping[str, Any]

HANGS = frozenset({
    "hanging", "hanging_undecided", "hanging_late_write", "hanging_never_registered", "hanging_unexplained",
    "marker_missing_commit", "marker_missing_abort", "marker_lost_truncation", "marker_cleaned_away", "prepare_stuck",
    "snapshot_only", "orphan_state", "coordinator_forgot", "torn_transaction",
})  # fmt: skip
"""Kinds of truth.json and names of findings that say: nothing will end this transaction by itself."""
PLACE = ("topic", "partition", "producer_id")
BY_THE_ID = frozenset({"pending_group_commit", "illegal_transition", "coordinator_forgot", "prepare_stuck"})
"""Findings that may stand at another partition of the transaction than truth.json does."""


def agree(one: Row, other: Row, names: Iterable[str] = PLACE) -> bool:
    """Return whether two rows are about the same; what one of them leaves open is no difference."""
    return all(one[name] == other[name] for name in names if None not in (one.get(name), other.get(name)))


def names_of(expected: Row) -> set[str]:
    """Return every name that is right for an entry of truth.json."""
    return {expected["kind"], *expected.get("accept", []), *expected.get("alt_kinds", [])}


def false_accusations(document: Document, truth: Row) -> list[str]:
    """Return the headlines of findings at places where nothing is wrong; causes need not be told."""
    return [
        f"{finding['confidence']} {finding['code']} {finding['topic']}-{finding['partition']}: {finding['headline']}"
        for finding in document["findings"]
        if finding["severity"] != "info" and finding["name"] not in truth.get("allowed_extra", [])
        if not any(_explains(expected, finding) for expected in truth["expected_findings"])
    ]


def _explains(expected: Row, finding: Row) -> bool:
    name = finding["name"]
    if agree(expected, finding) and (name in names_of(expected) or (name in HANGS and expected["kind"] in HANGS)):
        return True
    if finding["partition"] is None and name in names_of(expected):
        return agree(expected, finding, ["topic"])
    same_id = agree(expected, finding, ["transactional_id", "producer_id"])
    return name in BY_THE_ID and same_id and expected.get("producer_id", expected.get("transactional_id")) is not None


def called_clean(document: Document, truth: Row) -> bool:
    """Return whether a capture is called clean although a transaction hangs, or one is open and not listed."""
    kinds = {one["kind"] for one in truth["expected_findings"] if not one.get("optional")}
    broken = kinds & HANGS or ("in_flight" in kinds and not document["open_transactions"])
    return document["verdict"] == "clean" and bool(broken)


def hangs(truth: Row) -> set[tuple[str, int, int]]:
    """Return topic, partition and producer id of every transaction that hangs in a data partition."""
    return {
        (one["topic"], one["partition"], one["producer_id"])
        for one in truth["expected_findings"]
        if one["kind"] in HANGS - {"torn_transaction"} and not one.get("optional")
        if one.get("producer_id") is not None and not str(one["topic"]).startswith("__transaction")
        if one.get("partition") is not None
    }


def named(document: Document) -> set[tuple[str, int, int]]:
    """Return topic, partition and producer id of every transaction that we say hangs."""
    findings = [row for row in document["findings"] if row["name"] in HANGS]
    opens = [row for row in document["open_transactions"] if row["verdict"] in HANGS | {"orphaned"}]
    return {(row["topic"], row["partition"], row["producer_id"]) for row in [*findings, *opens]}
