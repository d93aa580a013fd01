"""One copy of a log: its files, the batch that holds an offset, and the transactions around it."""

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

from analyzer.lookups.asking import Asking, Row, with_moments

TAIL = 1 << 62
"""Where a hole ends that has no end."""


@dataclasses.dataclass(frozen=True)
class Copy:
    """A copy of a log: whose it is, whether it is the one judged, where it stands, and the dumps that show it."""

    topic: str
    partition: int
    replica: str
    health: Row
    dumps: Sequence[Row]

    @property
    def judged(self) -> bool:
        """Return whether this copy is the one judged (RULES A 1)."""
        return bool(self.health["authority"])

    @property
    def key(self) -> dict[str, Any]:
        """The values that name this copy."""
        return {"topic": self.topic, "partition": self.partition, "replica": self.replica}

    @property
    def of(self) -> list[tuple[str, str, Any]]:
        """The conditions that pick the rows of this copy."""
        return [(name, "=", value) for name, value in self.key.items()]


def copies(asked: Asking, topic: str, partition: int) -> list[Copy]:
    """Return the copies of a partition, the judged one first; none where no file of it is here."""
    rows = asked.few("partition_health", topic=topic, partition=partition)
    dumps = [one for one in asked.places if (one["topic"], one["partition"]) == (topic, partition)]
    return [
        Copy(topic, partition, row["replica"], row,
             [one for one in dumps if one["replica"] == row["replica"] and one["kind"] == "log"])
        for row in sorted(rows, key=lambda row: (not row["authority"], row["replica"]))
    ]  # fmt: skip


def batch_at(asked: Asking, copy: Copy, offset: int) -> Row | None:
    """Return the batch of a copy that holds this offset, with its `place`; None where no file shows one."""
    found = _batches(asked, copy, ("base_offset", "<=", offset), ("last_offset", ">=", offset))
    return found[0] if found else None


def batches_of(asked: Asking, copy: Copy, producer_id: int, first: int, last: int) -> list[Row]:
    """Return the batches of a producer id in this range of offsets, in order."""
    return _batches(
        asked, copy, ("producer_id", "=", producer_id), ("base_offset", ">=", first), ("base_offset", "<=", last)
    )


def first_from(asked: Asking, copy: Copy, time_ms: int) -> int | None:
    """Return the first offset whose batch has this timestamp or a later one, as a broker's search by time does."""
    files = ("file_id", "in", [one["file_id"] for one in copy.dumps])
    found = asked.rows("batches", files, ("max_timestamp", ">=", time_ms), columns=["base_offset"])
    return min((row["base_offset"] for row in found), default=None)


def _batches(asked: Asking, copy: Copy, *where: tuple[str, str, Any]) -> list[Row]:
    """Return batches in order of their offsets; of several dumps of one segment all that any says (`log_batches`)."""
    rows = asked.rows("batches", ("file_id", "in", [one["file_id"] for one in copy.dumps]), *where)
    same: dict[tuple[int, int], list[Row]] = {}
    for row in asked.placed(rows, copy.dumps):
        same.setdefault((row["place"]["segment"], row["position"]), []).append(row)
    merged = [_merged(rows) for rows in same.values()]
    return sorted(merged, key=lambda row: (row["base_offset"], row["place"]["segment"], row["position"]))


def _merged(rows: Iterable[Row]) -> Row:
    """Return a batch with all that any dump of its segment says: a batch line wins over record lines."""
    ranked = sorted(rows, key=lambda row: (row["batch_source"] != "batch", row["place"]["path"], row["line"] or 0))
    out = dict(ranked[0])
    for row in ranked[1:]:
        out |= {name: value for name, value in row.items() if out[name] is None and value is not None}
    by_sequence = bool(out["is_transactional"]) and out["base_sequence"] == -1
    told = out["is_control"]
    return out | {"is_control": out["marker"] is not None or by_sequence if told is None else told}


def span_at(asked: Asking, copy: Copy, producer_id: int, offset: int) -> Row | None:
    """Return the transaction of a producer id in this copy whose data this offset is among, None for none."""
    rows = asked.rows(
        "log_txns", *copy.of, ("producer_id", "=", producer_id), ("first_offset", "<=", offset),
        ("last_offset", ">=", offset),
    )  # fmt: skip
    return rows[0] if rows else None


def ended_by(asked: Asking, copy: Copy, producer_id: int, marker_offset: int) -> Row | None:
    """Return the transaction that the marker at this offset ends, None where the log view has no such marker."""
    rows = asked.rows("log_txns", *copy.of, ("producer_id", "=", producer_id), ("marker_offset", "=", marker_offset))
    return rows[0] if rows else None


def covering(asked: Asking, copy: Copy, offset: int) -> list[Row]:
    """Return the transactions of any producer id that began at or before this offset and ended after it, or never."""
    rows = asked.rows("log_txns", *copy.of, ("first_offset", "<=", offset))
    return [row for row in rows if row["marker_offset"] is None or row["marker_offset"] > offset]


def holes(asked: Asking, copy: Copy) -> list[tuple[int, int]]:
    """Return the holes of a copy in which a marker may have been (RULES A 6 f, g): from, and where the log goes on."""
    rows = asked.few("log_holes", **copy.key)
    ends = ((row["gap_offset"], TAIL if row["gap_end"] is None else row["gap_end"]) for row in rows)
    return sorted(ends)


def opened_in(asked: Asking, copy: Copy) -> list[Row]:
    """Return what the report says of the transactions that are open in this copy, the first in the log first."""
    rows = map(with_moments, asked.few("open_transactions", **copy.key))
    return sorted(rows, key=lambda row: int(row["first_offset"]))
