"""The answer of `top` as text, with the pace as bars, and as CSV."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analyzer.lookups.shown.lines import MARGIN, table
from analyzer.report.sentences.cells import name, visible
from analyzer.report.sentences.quantities import duration, size
from analyzer.report.sentences.times import Clock

Row = Mapping[str, Any]

LISTS = {
    "longest": "Longest transactions", "largest": "Largest transactions", "slowest": "Slowest markers",
    "aborts": "Ids with the most aborts", "busiest": "Ids with the most transactions",
    "waiting": "Partitions where most waits",
}  # fmt: skip
BAR_CELLS = 40
MARKS = {"committed": "#", "aborted": "x", "open": "?"}
DURATIONS = ("duration_ms", "latency_ms")
NUMBERS = frozenset(
    {"records", "partitions", "aborted", "transactions", "blocked_records", "blocked_transactions", "lso"}
)


def top_text(answer: Row, clock: Clock) -> str:
    """Return every list that has rows, then the pace."""
    lines = [f"{answer['transactions']:,} transactions of ids  in {name(answer['capture'], 60)}"]
    if answer["without_a_begin"]:
        lines.append(f"{MARGIN}and {answer['without_a_begin']:,} whose begin is not known, which are not ranked")
    for key, title in LISTS.items():
        if answer[key]:
            lines += ["", title, *_list(answer[key], clock)]
    lines += _pace(answer["pace"], clock)
    return "".join(f"{line}\n" for line in lines)


def _list(rows: Sequence[Row], clock: Clock) -> Iterator[str]:
    columns = [key for key in rows[0] if key not in {"partition", "coordinator_txn"}]
    heads = [_head(key) for key in columns]
    right = [at for at, key in enumerate(columns) if key in NUMBERS or key.endswith("bytes") or key in DURATIONS]
    yield from table(heads, [[_cell(row, key, clock) for key in columns] for row in rows], right)


def _head(key: str) -> str:
    words = {"topic": "PARTITION", "transactional_id": "TRANSACTIONAL.ID", "producer_id": "PRODUCER"}
    return words.get(key, key.removesuffix("_ms").replace("blocked_", "").replace("_", " ").upper())


def _cell(row: Row, key: str, clock: Clock) -> str:
    value = row[key]
    if value is None:
        return "-"
    if key == "topic":
        return f"{name(value)}-{row['partition']}"
    if key in DURATIONS:
        return duration(max(0, value))
    if key.endswith("bytes"):
        return size(value)
    if key.endswith("_ms") or key == "blocked_since":
        return clock.moment(value)
    return f"{value:,}" if key in NUMBERS else name(str(value))


def _pace(pace: Row, clock: Clock) -> Iterator[str]:
    if not pace["bars"]:
        return
    each = "minute" if pace["minutes"] == 1 else f"{pace['minutes']} min"
    yield ""
    yield f"Begun in each {each}: # committed, x aborted, ? open"
    most = max(_total(bar) for bar in pace["bars"])
    for bar in pace["bars"]:
        marks = "".join(mark * _cells(bar[word], most) for word, mark in MARKS.items())
        yield f"{MARGIN}{clock.moment(bar['from_ms'])[:16]}  {marks:<{BAR_CELLS + 2}} {_total(bar):,}"


def _total(bar: Row) -> int:
    return sum(bar[word] for word in MARKS)


def _cells(number: int, most: int) -> int:
    """Return how long a bar is: at least one cell for anything at all."""
    return max(1, number * BAR_CELLS // most) if number else 0


def top_csv(answer: Row) -> str:
    """Return all lists as one table: list, rank, then every column that a list has; the pace has rows, too."""
    rows = [{"list": key, "rank": rank, **row} for key in LISTS for rank, row in enumerate(answer[key], 1)]
    pace = answer["pace"]
    rows += [{"list": "pace", "rank": at, "minutes": pace["minutes"], **bar} for at, bar in enumerate(pace["bars"], 1)]
    columns = list(dict.fromkeys(key for row in rows for key in row)) or ["list", "rank"]
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _inert(value) for key, value in row.items()} for row in rows)
    return out.getvalue()


def _inert(value: object) -> object:
    """Return a cell without control characters that a spreadsheet does not take for a formula."""
    if not isinstance(value, str):
        return value
    shown = visible(value)
    return f"'{shown}" if shown.startswith(("=", "+", "-", "@")) else shown
