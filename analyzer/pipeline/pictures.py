"""What reports draw, gathered in one job: neighbours of findings by offset and by time, growing logs, places of ids."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from analyzer.pipeline.reported import DRAWN_AS
from analyzer.pipeline.workbench import Bench, Rows
from analyzer.stages.running import Run
from analyzer.tables.frames import frame_of

TARGETS = pa.schema(
    [("capture", pa.string()), ("topic", pa.string()), ("partition", pa.int32()), ("first_offset", pa.int64())]
)
"""The columns that name a place whose neighbourhood a report draws."""
DATED = pa.schema(
    [("capture", pa.string()), ("topic", pa.string()), ("partition", pa.int32()), ("replica", pa.string()),
     ("transactional_id", pa.string()), ("producer_id", pa.int64()), ("target", pa.int64())]
)  # fmt: skip
"""The columns of a finding whose neighbours in time a report draws."""
PINNED = pa.schema(
    [("capture", pa.string()), ("topic", pa.string()), ("partition", pa.int32()), ("replica", pa.string()),
     ("low", pa.int64()), ("high", pa.int64())]
)  # fmt: skip
"""The columns that name a log whose growth a report draws."""
MOST_DATED, MOST_PINNED = 60, 20
"""Findings and stuck partitions of one capture that get such pictures."""

Finding = Mapping[str, Any]


def pictures(
    bench: Bench,
    run: Run,
    found: Sequence[Finding],
    opens: Sequence[Mapping[str, Any]],
    partitions: Sequence[Mapping[str, Any]],
) -> Rows:
    """Return rows by the names that `Parts` gives them: near, bars, states, epoch_starts, growth, id_places."""
    places = {(f["capture"], f["topic"], f["partition"], f["first_offset"]) for f in found if f["replica"]}
    near = [dict(zip(TARGETS.names, place, strict=True)) for place in sorted(p for p in places if p[-1] is not None)]
    told = {
        "finding_places": (near, TARGETS),
        "dated_findings": (_dated(found, opens), DATED),
        "stuck_logs": (_stuck(partitions), PINNED),
    }
    for name, (rows, schema) in told.items():
        run.give(name, frame_of(bench.files.sparkSession, rows, schema) if rows else None)
    drawn = run.with_rows(*DRAWN_AS.values())
    out = bench.collected({name: drawn[table] for name, table in DRAWN_AS.items() if table in drawn})
    out["bars"] += out.pop("bars_elsewhere", [])
    return out


def _dated(found: Sequence[Finding], opens: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return what a report draws the surroundings in time of: the heads of folds, other open transactions, the rest."""
    by_capture: dict[str, list[dict[str, Any]]] = defaultdict(list)
    heads = sorted((f for f in found if f["folded_under"] is None), key=lambda f: (f["code"], f["id"]))
    folded = [f for f in found if f["folded_under"] is not None]
    for one in [*heads, *(row for row in opens if row["authority"]), *folded]:
        wanted = by_capture[one["capture"]]
        known = one["transactional_id"] is not None or one["producer_id"] is not None
        if known and len(wanted) < MOST_DATED:
            wanted.append({"target": one["first_offset"]} | {name: one[name] for name in DATED.names[:-1]})
    return [row for wanted in by_capture.values() for row in wanted]


def _stuck(partitions: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the logs of stuck partitions, whose growth a report draws: those with most to read after the LSO first."""
    by_capture: dict[str, list[dict[str, Any]]] = defaultdict(list)
    stuck = [row for row in partitions if row["authority"] and row["has_log"] and row["log_end_offset"] > row["lso"]]
    for row in sorted(stuck, key=lambda row: row["lso"] - row["log_end_offset"]):
        wanted, high = by_capture[row["capture"]], row["log_end_offset"]
        if len(wanted) < MOST_PINNED:
            low = max(row["log_start_offset"], row["lso"] - (high - row["lso"]))
            wanted.append({name: row[name] for name in PINNED.names[:-2]} | {"low": low, "high": high})
    return [row for wanted in by_capture.values() for row in wanted]
