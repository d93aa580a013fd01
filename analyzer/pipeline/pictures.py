"""What reports draw, gathered in one job: neighbours of findings by offset and by time, growing logs, places of ids."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame

from analyzer.lifecycles import Lifecycles
from analyzer.lifecycles.logs.neighbourhood import neighbourhood
from analyzer.lifecycles.pictures import around
from analyzer.lifecycles.pictures.growth import growth
from analyzer.lifecycles.pictures.id_places import id_places
from analyzer.pipeline.workbench import Bench, Rows
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
    lifecycles: Lifecycles,
    found: Sequence[Finding],
    opens: Sequence[Mapping[str, Any]],
    partitions: Sequence[Mapping[str, Any]],
) -> Rows:
    """Return rows by the names that `Parts` gives them: near, bars, states, epoch_starts, growth, id_places."""
    parts = {
        **_near(lifecycles, found),
        **_around(bench, lifecycles, found, opens),
        **_growth(lifecycles, partitions),
        **_places(bench, lifecycles),
    }
    out = bench.collected(parts)
    out["bars"] += out.pop("bars_elsewhere", [])
    return out


def _near(lifecycles: Lifecycles, found: Sequence[Finding]) -> dict[str, DataFrame]:
    """Return the batches around each finding's first offset."""
    places = {(f["capture"], f["topic"], f["partition"], f["first_offset"]) for f in found if f["replica"]}
    rows = [dict(zip(TARGETS.names, place, strict=True)) for place in sorted(p for p in places if p[-1] is not None)]
    batches = lifecycles.logs.batches
    return {"near": neighbourhood(batches, frame_of(batches.sparkSession, rows, TARGETS))} if rows else {}


def _around(
    bench: Bench, lifecycles: Lifecycles, found: Sequence[Finding], opens: Sequence[Mapping[str, Any]]
) -> dict[str, DataFrame]:
    """Return what surrounds the findings in time, then the other open transactions, the heads of folds first."""
    by_capture: dict[str, list[dict[str, Any]]] = defaultdict(list)
    heads = sorted((f for f in found if f["folded_under"] is None), key=lambda f: (f["code"], f["id"]))
    folded = [f for f in found if f["folded_under"] is not None]
    for one in [*heads, *(row for row in opens if row["authority"]), *folded]:
        wanted = by_capture[one["capture"]]
        known = one["transactional_id"] is not None or one["producer_id"] is not None
        if known and len(wanted) < MOST_DATED:
            wanted.append({"target": one["first_offset"]} | {name: one[name] for name in DATED.names[:-1]})
    rows = [row for wanted in by_capture.values() for row in wanted]
    if not rows:
        return {}
    txns, coordinator = lifecycles.logs.txns, lifecycles.coordinator
    asked = frame_of(txns.sparkSession, rows, DATED)
    of_producers, of_ids = (bench.hold.narrowing(asked, name) for name in ("producer_id", "transactional_id"))
    targets = bench.hold.few(around.dated(asked, of_producers(txns)))
    return {
        "bars": around.bars(txns, targets),
        "bars_elsewhere": around.bars_elsewhere(of_producers(txns), of_ids(coordinator.registrations), targets),
        "states": around.states(of_ids(coordinator.records), targets),
        "epoch_starts": around.epoch_starts(lifecycles.logs.epochs, targets),
    }


def _growth(lifecycles: Lifecycles, partitions: Sequence[Mapping[str, Any]]) -> dict[str, DataFrame]:
    """Return how the logs of stuck partitions grew, those with most to read after the LSO first."""
    by_capture: dict[str, list[dict[str, Any]]] = defaultdict(list)
    stuck = [row for row in partitions if row["authority"] and row["has_log"] and row["log_end_offset"] > row["lso"]]
    for row in sorted(stuck, key=lambda row: row["lso"] - row["log_end_offset"]):
        wanted, high = by_capture[row["capture"]], row["log_end_offset"]
        if len(wanted) < MOST_PINNED:
            low = max(row["log_start_offset"], row["lso"] - (high - row["lso"]))
            wanted.append({name: row[name] for name in PINNED.names[:-2]} | {"low": low, "high": high})
    rows = [row for wanted in by_capture.values() for row in wanted]
    logs = lifecycles.logs
    pinned = frame_of(logs.txns.sparkSession, rows, PINNED) if rows else None
    return {"growth": growth(logs.batches, logs.txns, logs.logs, pinned)} if pinned is not None else {}


def _places(bench: Bench, lifecycles: Lifecycles) -> dict[str, DataFrame]:
    """Return where the ids of an expanded topic are."""
    if bench.hold.is_empty(lifecycles.routing.misplaced) and bench.hold.is_empty(lifecycles.routing.cutovers):
        return {}
    return {"id_places": id_places(lifecycles.routing.located)}
