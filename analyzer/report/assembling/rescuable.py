"""The committed records that the leader does not have, as rows of the document."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from analyzer.report.document.fetch_rows import Rescuable
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
    told = (
        {**row, "finding": ids.get((row["topic"], row["partition"], row["replica"])), "command": rescue_one(row, case)}
        for row in ordered[:SHOWN]
    )
    return [known(row, Rescuable.__annotations__) for row in told]
