"""The table of KIP-98: framing bytes as measured and by the formulas, and what fuller batches would save."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from analyzer.kafka.framing import framing_bytes, kip_bytes, saved_bytes
from analyzer.report.document.parts import grouped
from analyzer.report.sentences.cells import visible

MOST_SIZES = 12
"""The batch sizes of a topic that has more of them are put into ranges."""
FULLER = (10, 100)
"""Batch sizes for which savings are computed."""
NEW_FORMAT = 2

Row = Mapping[str, Any]


def framing_rows(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Return one row per topic, format and batch size (or range of sizes): counts, and bytes of framing a record.

    measured is null where nothing could be measured, and `why` says so; by_formula is 26, 34 or (61 + 10 n) / n,
    kip_98 (45 + 17 n) / n, its own estimate of the new format.
    """
    groups = grouped(rows, lambda row: (row["topic"], row["magic"], row["state"]))
    out = []
    for (topic, magic, state), members in sorted(groups.items()):
        out += [{"topic": topic, "format": magic, **_measured(magic, state, part)} for part in _parts(members)]
    return out


def _parts(rows: Sequence[Row]) -> list[list[Row]]:
    """Return the rows by batch size; where there are many sizes, by ranges that begin at 1, 2, 4, 8, ..."""
    many = len({row["records_per_batch"] for row in rows}) > MOST_SIZES

    def begin(row: Row) -> int:
        size: int = row["records_per_batch"]
        return 1 << (size.bit_length() - 1) if many else size

    return [some for _, some in sorted(grouped(rows, begin).items())]


def _measured(magic: int, state: str, rows: Sequence[Row]) -> dict[str, Any]:
    batches, records = _sum(rows, "batches"), _sum(rows, "records")
    formula = sum(framing_bytes(magic, row["records_per_batch"]) * row["batches"] for row in rows)
    kip = sum(kip_bytes(row["records_per_batch"]) * row["batches"] for row in rows)
    framed = _sum(rows, "framing_bytes") if state == "measured" else None
    sizes = [row["records_per_batch"] for row in rows]
    return {
        "records_per_batch": min(sizes),
        "records_per_batch_to": max(sizes),
        "batches": batches,
        "records": records,
        "bytes": _sum(rows, "bytes"),
        "framing_bytes": framed,
        "measured": None if framed is None else round(framed / records, 3),
        "by_formula": round(formula / records, 3),
        "kip_98": round(kip / records, 3) if magic == NEW_FORMAT else None,
        "why": {"compressed": "compressed", "unknown": "no sizes of keys and values"}.get(state),
    }


def savings(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Return per topic in format 2 what batches of 10 and of 100 records would save, from rows of `framing_rows`."""
    topics = grouped((row for row in rows if row["format"] == NEW_FORMAT), lambda row: row["topic"])
    out = []
    for topic, members in sorted(topics.items()):
        batches, records, size = (_sum(members, name) for name in ("batches", "records", "bytes"))
        for fuller in FULLER:
            saved = saved_bytes(batches, records, fuller)
            if saved:
                out.append({"topic": topic, "records_per_batch": fuller, "saved_bytes": saved, "bytes": size})
    return out


def framing_text(rows: Sequence[Row]) -> str:
    """Return the table as text, from rows of `framing_rows`."""
    head = ("topic", "format", "records a batch", "batches", "records", "measured", "by formula", "KIP-98")
    cells = [head, *[_cells(row) for row in rows]]
    widths = [max(len(row[index]) for row in cells) for index in range(len(head))]
    lines = ["Framing: bytes of a batch that are neither key nor value, for each record.", ""]
    for row in cells:
        padded = [
            cell.ljust(width) if index == 0 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(padded).rstrip())
    lines += ["", "by formula: 26 n (format 0), 34 n (format 1), 61 + 10 n and up (format 2). KIP-98: 45 + 17 n."]
    for saved in savings(rows):
        share = 100 * saved["saved_bytes"] / saved["bytes"]
        lines.append(
            f"{visible(saved['topic'])}: batches of {saved['records_per_batch']} records would save "
            f"{saved['saved_bytes']:,} of {saved['bytes']:,} bytes ({share:.1f} %)."
        )
    return "\n".join(lines) + "\n"


def _cells(row: Row) -> tuple[str, ...]:
    low, high = row["records_per_batch"], row["records_per_batch_to"]
    return (
        visible(row["topic"]),
        str(row["format"]),
        str(low) if low == high else f"{low}..{high}",
        f"{row['batches']:,}",
        f"{row['records']:,}",
        row["why"] if row["measured"] is None else f"{row['measured']:.2f}",
        f"{row['by_formula']:.2f}",
        "" if row["kip_98"] is None else f"{row['kip_98']:.2f}",
    )


def _sum(rows: Iterable[Row], name: str) -> int:
    return sum(row[name] for row in rows)
