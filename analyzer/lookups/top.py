"""What stands out in a capture: the longest, largest and slowest transactions, ids and partitions, and the pace."""

from collections import Counter
from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from analyzer.lookups.asking import Asking, Row
from analyzer.lookups.ids import KEY
from analyzer.lookups.outcome import DECIDED
from analyzer.lookups.window import Part

MINUTE_MS = 60_000
WIDTHS = (1, 5, 10, 30, 60, 360, 1_440, 10_080)
"""How many minutes a bar of the pace may stand for."""
MOST_BARS = 40
SUMS = {
    "bytes_sum": "bytes",
    "records_sum": "records",
    "topic_count": "partitions",
    "marked_ms_max": "last_marker_ms",
}
"""What Arrow calls the sums of `_sizes`, and what we call them."""
SPAN = ("topic", "partition", "replica", "producer_id", "txn_no")


def top(asked: Asking, part: Part, limit: int) -> Row:
    """Return the lists of a part of a capture, at most `limit` rows each, and the transactions over time."""
    txns = asked.table("id_txns", *part.within("begun_ms"), *part.of_ids())
    undated = asked.table("id_txns", ("begun_ms", "is null", None), columns=["capture"]).num_rows
    sizes = _sizes(asked, part, txns)
    return {
        "capture": asked.capture,
        "transactions": txns.num_rows,
        "without_a_begin": undated,
        "longest": _longest(asked, txns, limit),
        "largest": _ranked(sizes, "bytes", limit, "records", "partitions"),
        "slowest": _slowest(sizes, limit),
        "aborts": _aborts(txns, limit),
        "busiest": _busiest(txns, limit),
        "waiting": _waiting(asked, limit),
        "pace": _pace(txns),
    }


def _longest(asked: Asking, txns: pa.Table, limit: int) -> list[Row]:
    """Return the transactions that took longest until their Complete record; those without one until the capture."""
    ends = pc.coalesce(txns["completed_ms"], txns["latest_ms"])
    if asked.captured_at is not None:
        ends = pc.if_else(pc.is_null(txns["completed_ms"]), asked.captured_at, ends)
    return _ranked(txns.append_column("duration_ms", pc.subtract(ends, txns["begun_ms"])), "duration_ms", limit)


def _sizes(asked: Asking, part: Part, txns: pa.Table) -> pa.Table:
    """Return the decided ones with what they wrote to judged logs: bytes, records, partitions, last_marker_ms."""
    spans = Part(asked, whose=part.whose).spans("marker_ms").select([*SPAN, "records", "bytes"])
    named = asked.table("id_txn_logs", ("txn_no", "is not null", None), *part.of_ids()).select(
        [*SPAN, "state_partition", "transactional_id", "coordinator_txn", "marked_ms"]
    )
    both = named.join(spans, list(SPAN), join_type="inner").group_by(list(KEY)).aggregate(
        [("bytes", "sum"), ("records", "sum"), ("topic", "count"), ("marked_ms", "max")]
    )  # fmt: skip
    told = both.rename_columns([SUMS.get(name, name) for name in both.column_names])
    return txns.join(told, list(KEY), join_type="inner")


def _slowest(sizes: pa.Table, limit: int) -> list[Row]:
    """Return the transactions whose last marker came longest after the decision."""
    waited = pc.subtract(sizes["last_marker_ms"], sizes["decided_ms"])
    return _ranked(sizes.append_column("latency_ms", waited), "latency_ms", limit, "partitions")


def _ranked(rows: pa.Table, column: str, limit: int, *more: str) -> list[Row]:
    """Return the rows with the highest value of a column, and what names a transaction."""
    known = rows.filter(pc.is_valid(rows[column]))
    keys = [(column, "descending"), ("transactional_id", "ascending"), ("coordinator_txn", "ascending")]
    first: list[Row] = known.take(pc.sort_indices(known, sort_keys=keys)[:limit]).to_pylist()
    names = ("transactional_id", "producer_id", "coordinator_txn", "begun_ms", "state", column, *more)
    return [{name: one[name] for name in names} for one in first]


def _aborts(txns: pa.Table, limit: int) -> list[Row]:
    """Return the ids with the most aborted transactions."""
    aborted = Counter(txns.filter(pc.equal(txns["decision"], "ABORT"))["transactional_id"].to_pylist())
    every = Counter(txns["transactional_id"].to_pylist())
    first = sorted(aborted.items(), key=lambda one: (-one[1], one[0]))[:limit]
    return [{"transactional_id": whose, "aborted": number, "transactions": every[whose]} for whose, number in first]


def _busiest(txns: pa.Table, limit: int) -> list[Row]:
    """Return the ids with the most transactions, and how many that is in a minute from the first to the last begin."""
    told = txns.group_by("transactional_id").aggregate(
        [("begun_ms", "count"), ("begun_ms", "min"), ("begun_ms", "max")]
    )
    rows = [(one["transactional_id"], one["begun_ms_count"], one["begun_ms_min"], one["begun_ms_max"])
            for one in told.to_pylist()]  # fmt: skip
    first = sorted(rows, key=lambda one: (-one[1], one[0]))[:limit]
    return [
        {"transactional_id": whose, "transactions": number, "per_minute": _per_minute(number, begin, end),
         "first_ms": begin, "last_ms": end}
        for whose, number, begin, end in first
    ]  # fmt: skip


def _per_minute(number: int, begin: int, end: int) -> float | None:
    return round((number - 1) * MINUTE_MS / (end - begin), 1) if end > begin else None


def _waiting(asked: Asking, limit: int) -> list[Row]:
    """Return the partitions in which most waits above the LSO."""
    rows = asked.rows("partition_health", ("authority", "=", True), ("blocked_offsets", ">", 0))
    names = ("topic", "partition", "lso", "blocked_records", "blocked_bytes", "blocked_transactions", "blocked_since")
    held = [one for one in rows if one["blocked_since"] is not None or (one["blocked_records"] or 0) > 0]
    ranked = sorted(held, key=lambda one: (-(one["blocked_records"] or 0), one["topic"], one["partition"]))
    return [{name: one[name] for name in names} for one in ranked[:limit]]


def _pace(txns: pa.Table) -> Row:
    """Return how many transactions began in each stretch of time, by outcome; of one minute if these are few."""
    if not txns.num_rows:
        return {"minutes": 1, "bars": []}
    began = txns["begun_ms"].to_pylist()
    minutes = next((one for one in WIDTHS if (max(began) - min(began)) // (one * MINUTE_MS) < MOST_BARS), WIDTHS[-1])
    step = minutes * MINUTE_MS
    counted = Counter(zip((at // step * step for at in began), txns["decision"].to_pylist(), strict=True))
    return {"minutes": minutes, "bars": _bars(counted)}


def _bars(counted: Mapping[tuple[int, str | None], int]) -> list[Row]:
    words = (*DECIDED.values(), "open")
    bars: dict[int, Row] = {at: {"from_ms": at, **dict.fromkeys(words, 0)} for at in sorted({at for at, _ in counted})}
    for (at, decision), number in counted.items():
        bars[at][DECIDED.get(decision or "", "open")] += number
    return list(bars.values())
