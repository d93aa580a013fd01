"""From the incidents to the table of actions: what to do where, what waits, since when, whose it is."""

import dataclasses

from analyzer.report.sentences.cells import WIDTH, cut, cut_middle, name, pad, pad_left, visible, width, wrap
from analyzer.report.sentences.quantities import clock, size, span
from analyzer.report.sentences.triage import Incident, where

HEADS = ("ACTION", "PARTITION", "LSO", "WAITING", "SINCE", "TRANSACTIONAL.ID")
_LEAST_PLACE, _LEAST_OWNER = 16, 16


@dataclasses.dataclass(frozen=True, slots=True)
class Row:
    """A row of the table; `records` and `bytes` are the two halves of what waits."""

    action: str
    place: str
    lso: str
    records: str
    bytes: str
    since: str
    owner: str


def action_rows(incidents: tuple[Incident, ...], captured_at: int | None) -> list[Row]:
    """Return a row for each incident; of what hangs nothing, the offsets stand where the waiting records would."""
    return [_row(incident, captured_at) for incident in incidents]


def action_table(rows: list[Row], *, cells: int = WIDTH) -> list[str]:
    """Return the table, head first, in at most so many cells.

    Long partitions are cut in their middle; owners that do not fit beside the numbers stand on lines of their own.
    """
    halves = max(width(row.records) for row in rows), max(width(row.bytes) for row in rows)
    waiting = [_waiting(row, *halves) for row in rows]
    columns = [
        [HEADS[0], *(row.action for row in rows)],
        [HEADS[1], *(row.place for row in rows)],
        [HEADS[2], *(row.lso for row in rows)],
        [HEADS[3], *waiting],
        [HEADS[4], *(row.since for row in rows)],
    ]
    widths = [max(map(width, column)) for column in columns]
    owners = max(width(row.owner) for row in rows)
    taken = sum(widths) - widths[1] + 2 * len(columns) + 2
    widths[1] = min(widths[1], max(_LEAST_PLACE, cells - taken - min(owners, _LEAST_OWNER)))
    room = cells - taken - widths[1]
    lines = []
    for index, owner in enumerate([HEADS[5], *(row.owner for row in rows)]):
        texts = [column[index] for column in columns]
        texts[1] = cut_middle(texts[1], widths[1])
        line = "  " + "  ".join(_aligned(place, text, widths[place], index) for place, text in enumerate(texts))
        if width(owner) <= room:
            lines.append(f"{line}  {owner}".rstrip())
        else:
            lines += [line.rstrip()] + ([] if index == 0 else wrap(owner, first=" " * (widths[0] + 4), cells=cells))
    return [cut(line, cells) for line in lines]


def _row(incident: Incident, captured_at: int | None) -> Row:
    """Return one row."""
    finding = incident.finding
    owner = finding["transactional_id"]
    producer = finding["producer_id"]
    whose = name(owner) if owner is not None else "-" if producer is None else f"producer {producer}"
    label = visible(finding.get("label") or "")
    moving = finding["action"]["kind"] == "none"
    records = span(finding["first_offset"], finding["last_offset"]) if moving else _number(incident.records, " rec")
    return Row(
        action=incident.action,
        place=name(where(finding)),
        lso=_number(incident.lso),
        records=records,
        bytes="" if incident.bytes is None else size(incident.bytes),
        since="-" if incident.since is None else clock(incident.since, captured_at),
        owner=f"{whose}  {label}" if label else whose,
    )


def _number(value: int | None, unit: str = "") -> str:
    """Return a number with its unit, or `-`."""
    return "-" if value is None else f"{value}{unit}"


def _waiting(row: Row, records: int, sizes: int) -> str:
    """Return both halves of what waits, each aligned right."""
    return f"{pad_left(row.records, records)} {pad_left(row.bytes, sizes)}" if sizes else pad_left(row.records, records)


def _aligned(place: int, text: str, cells: int, index: int) -> str:
    """Return a cell: numbers right, names and heads of names left."""
    right = place == 2 or (place == 3 and index > 0)  # noqa: PLR2004 - LSO, WAITING
    return pad_left(text, cells) if right else pad(text, cells)
