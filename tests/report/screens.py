"""The first screen of a text report, read back: its lines, and the rows of its table by the heads of their columns."""

from analyzer.report.rendering import render

HEADS = ("#", "ID", "OPEN AT", "WAITING", "SINCE", "DECIDED", "ACTION", "DISCARDS")


def rows_of(document, **look):
    """Return the rows of the table as dicts; what stands below a row is its `notes`, its places where they are there."""
    lines = render(document, "text", **look).splitlines()
    head = next(number for number, line in enumerate(lines) if line.startswith("# ") and " ACTION " in line)
    heads = [name for name in HEADS if name in lines[head]]
    starts = [lines[head].index(name) for name in heads]
    rows = []
    for line in lines[head + 1 :]:
        if not line or line.startswith(("times of", "* ", "certain,")):
            break
        if line.startswith(" "):
            rows[-1]["notes"] += " " + line.strip()
            continue
        ends = [*starts[1:], len(line) + 1]
        cells = [line[start:end].strip() for start, end in zip(starts, ends, strict=True)]
        rows.append({"OPEN AT": "", **dict(zip(heads, cells, strict=True)), "notes": ""})
    for row in rows:
        row["OPEN AT"] = row["OPEN AT"] or row["notes"].strip()
    return rows
