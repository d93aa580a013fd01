"""The committed records that the leader does not have, as rows of the document."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from analyzer.report.document.parts import known
from analyzer.report.sentences.rescue_commands import rescue_one

SHOWN = 1_000
"""Transactions that a document lists; a case has all of them, for `rescue --lost`."""


def rescuable(
    rows: Iterable[Mapping[str, Any]], findings: Sequence[Mapping[str, Any]], case: str
) -> list[dict[str, Any]]:
    """Return the first of them in the order of the logs, each with its finding and the command that saves it."""
    ids = {(one["topic"], one["partition"], one["replica"]): one["id"] for one in findings if one["code"] == "TXN015"}
    ordered = sorted(rows, key=lambda row: (row["topic"], row["partition"], row["replica"], row["first_offset"]))
    return [_rescuable_row(row, ids, case) for row in ordered[:SHOWN]]


def _rescuable_row(row: Mapping[str, Any], ids: Mapping[tuple[str, int, str], str], case: str) -> dict[str, Any]:
    names = (
        "topic", "partition", "replica", "also_on", "producer_id", "transactional_id", "first_offset", "last_offset",
        "records", "decided_ms", "marker_offset",
    )  # fmt: skip
    finding = ids.get((row["topic"], row["partition"], row["replica"]))
    return known(row, names) | known({"finding": finding, "command": rescue_one(row, case)}, ("finding", "command"))
