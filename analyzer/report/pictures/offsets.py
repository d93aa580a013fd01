"""The offset strip: a cell for each offset or run, a row for each replica, with the bounds that readers stop at."""

import itertools
from collections.abc import Iterator, Mapping

from markupsafe import Markup

from analyzer.report.document.neighbours import Cell, Strip
from analyzer.report.pictures import svg
from analyzer.report.sentences.quantities import span
from analyzer.report.sentences.strip import edges

LABELS, LEAST, TOP, ROW = 120.0, 34.0, 40.0, 30.0
_MARKERS = {"COMMIT": "C", "ABORT": "A", "control": "?", "gap": ""}


def strip_picture(strip: Strip, epochs: Mapping[str, Mapping[int, int]]) -> Markup | None:
    """Return the picture; `epochs` has, for each replica, the leader epoch that starts at an offset."""
    starts = edges(strip)
    if len(starts) < 2:  # noqa: PLR2004 - one edge bounds nothing
        return None
    places, at = {}, LABELS
    for first, after in zip(starts, [*starts[1:], None], strict=True):
        places[first] = at
        words = "" if after is None else span(first, after - 1)
        at += max(LEAST, svg.wide(words) + 8)
    told = {
        replica: ", ".join(f"epoch {own[offset]} from {offset}" for offset in sorted(own) if offset in places)
        for replica, own in ((row["replica"], epochs.get(row["replica"], {})) for row in strip["rows"])
    }
    beside = max([110.0, *(svg.wide(words) + 4 for words in told.values())])
    width, height = at + beside, TOP + ROW * len(strip["rows"]) + 26
    parts = []
    for first, after in itertools.pairwise(starts):
        middle = (places[first] + places[after]) / 2
        parts.append(svg.text(middle, TOP - 6, span(first, after - 1), "note", anchor="middle"))
    for number, row in enumerate(strip["rows"]):
        y = TOP + ROW * number
        replica = row["replica"]
        label = f"broker {replica}" if replica.isdecimal() else replica
        parts.append(svg.text(0, y + 17, label, "name", room=LABELS - 12))
        for cell in row["cells"]:
            parts += _cell(cell, places, y) if cell["last"] >= cell["first"] else ()
        for offset in epochs.get(replica, {}).keys() & places.keys():
            parts.append(svg.line(places[offset], y - 3, places[offset], y + 27, "epoch-line"))
        if told[replica]:
            parts.append(svg.text(at - 28, y + 16, told[replica], "note"))
    parts += _bounds(strip, starts, places, height)
    return svg.picture(width, height, "Offsets around the finding", _told(strip), parts)


def _cell(cell: Cell, places: Mapping[int, float], y: float) -> Iterator[Markup]:
    left, right = places[cell["first"]], places[cell["last"] + 1]
    kind = "own" if cell["own"] else cell["kind"].lower()
    producer = "" if cell["producer_id"] is None else f"p{cell['producer_id']}"
    words = producer if cell["kind"] == "data" else _MARKERS[cell["kind"]]
    offsets = span(cell["first"], cell["last"])
    tip = f"{offsets} {cell['kind']}" + (f" of producer {cell['producer_id']}" if producer else "")
    yield svg.box(left + 1, y, right - left - 2, 24, f"cell {kind}", tip=tip)
    yield svg.text((left + right) / 2, y + 16, words, f"on-{kind}", room=right - left, anchor="middle")


def _bounds(strip: Strip, starts: list[int], places: Mapping[int, float], height: float) -> Iterator[Markup]:
    """Yield the lines of the LSO and of the high watermark, where the picture reaches them."""
    lso, high = strip["lso"], strip["high_watermark"]
    bottom = height - 18
    if lso not in places:
        yield svg.text(0, 11, f"LSO {lso}, not in this picture", "note")
    else:
        yield svg.line(places[lso], 16, places[lso], bottom, "lso")
        yield svg.text(places[lso], 11, f"LSO {lso}: read_committed stops", "lso-name", anchor="middle")
    if high is None:
        yield svg.text(places[starts[-1]] + 10, height - 4, "high watermark not known", "note", anchor="end")
    elif high != lso:
        known = high in places
        x = places[high] if known else places[starts[-1]] + 10
        if known:
            yield svg.line(x, 16, x, bottom, "high")
        further = "" if known else ", further on"
        yield svg.text(x, height - 4, f"high watermark {high}{further}", "note", anchor="end")


def _told(strip: Strip) -> str:
    own = [span(cell["first"], cell["last"]) for cell in strip["rows"][0]["cells"] if cell["own"]]
    one = len(own) == 1 and ".." not in own[0]
    whose = f"Offset {own[0]} belongs" if one else f"Offsets {', '.join(own)} belong"
    return f"{whose} to this finding; the LSO is {strip['lso']}."
