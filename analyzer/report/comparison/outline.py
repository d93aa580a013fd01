"""A comparison in its formats: JSON, and what it says as an outline that the formats of reports show."""

import json
from typing import cast

from analyzer.report.comparison.changes import Change, Changes, Moved, Side
from analyzer.report.comparison.ended import Row
from analyzer.report.document.types import Document
from analyzer.report.formats.look import Look
from analyzer.report.formats.markdown import markdown_of
from analyzer.report.formats.text import text_of
from analyzer.report.outline.parts import Drawing, Item, Outline, Section, Text
from analyzer.report.sentences.cells import aligned
from analyzer.report.sentences.times import Clock

COMPARISONS = ("text", "json", "markdown", "html")
"""Every format by its name on the command line; the first is the default."""
_HEADS = ("PARTITION", "", "LSO", "LOG END", "WAITING")


def render_comparison(changes: Changes, after: Row, format: str, look: Look) -> str:  # noqa: A002 - the flag is --format
    """Return the comparison in one of COMPARISONS, ended by a line end; HTML shows the later report below it."""
    if format == "json":
        return json.dumps(changes, ensure_ascii=False, indent=2) + "\n"
    told = comparison_outline(changes, look.clock)
    if format == "html":
        from analyzer.report.formats.html import html_report  # noqa: PLC0415 - no other format needs Jinja

        return html_report(cast("Document", after), look, told)
    return markdown_of(told) if format == "markdown" else text_of(told, look)


def comparison_outline(changes: Changes, clock: Clock) -> Outline:
    """Return what a comparison says, its moments in the clock's zone; foreign strings are not escaped."""
    before, after = changes["before"], changes["after"]
    title = f"txn-forensics  {before['capture']} -> {after['capture']}"
    lists = {
        "Opened": changes["opened"],
        "Still": changes["still"],
        "Gone": changes["gone"],
        "Cannot tell": changes["cannot_tell"],
    }
    counts = ", ".join(f"{word.lower()} {len(rows)}" for word, rows in lists.items() if rows)
    verdict = f"{counts.capitalize()}." if counts else "Nothing was found in either capture."
    head = (Text(f"{_side(before, clock)}, then {_side(after, clock)}."),), (Text(verdict, "title"),)
    told = [Section(word, (tuple(map(_item, rows)),)) for word, rows in lists.items() if rows]
    table = aligned([_HEADS, *map(_cells, changes["partitions"])])
    moved = [Section("Partitions", ((Drawing(tuple(table)),),))] if changes["partitions"] else []
    return Outline(title, (Section("", head), *told, *moved))


def _side(side: Side, clock: Clock) -> str:
    at = side["captured_at"]
    return f"{side['capture']} ({'unknown time' if at is None else clock.moment(at)}): {side['verdict']}"


def _item(row: Change) -> Item:
    place = f"{row['topic']}-{row['partition']}: " if row["partition"] is not None else ""
    details = (f"{row['name']} {row['code']}, {row['id']}", row["why"])
    return Item(f"{place}{row['headline']}", tuple(filter(None, details)))


def _cells(row: Moved) -> tuple[str, ...]:
    return (
        f"{row['topic']}-{row['partition']}",
        row["state"],
        _step(row["lso_before"], row["lso_after"]),
        _step(row["log_end_before"], row["log_end_after"]),
        _step(row["waiting_before"], row["waiting_after"]),
    )


def _step(before: int, after: int) -> str:
    return str(after) if before == after else f"{before} -> {after}"
