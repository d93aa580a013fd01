"""The coordinator's side of a look-up: the records of an id, its transactions, and what each did in which log."""

import bisect
import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lookups.asking import Asking, Row

KEY = ("state_partition", "transactional_id", "coordinator_txn")
"""What names a transaction of an id within a capture."""


def key_of(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what names the transaction of a row of `id_txns` or `id_txn_logs`."""
    return tuple(row[column] for column in KEY)


def id_txns(asked: Asking, *transactional_ids: str) -> list[Row]:
    """Return the transactions of these ids in the order of their records."""
    rows = asked.rows("id_txns", ("transactional_id", "in", transactional_ids))
    return sorted(rows, key=lambda row: (row["transactional_id"], row["state_partition"], row["coordinator_txn"]))


def records(asked: Asking, *transactional_ids: str) -> list[Row]:
    """Return the records of these ids in `__transaction_state` in order, each once, with its place.

    Of several copies or dumps of a state partition each value is the first that one of them tells
    (`coordinator_records`). Console output prints no offsets: its lines take their place.
    """
    facts = asked.placed(asked.rows("coordinator_states", ("transactional_id", "in", transactional_ids)))
    own = [one for one in facts if one["place"]["topic"] == STATE_TOPIC and one["place"]["partition"] is not None]
    same: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for one in own:
        offset = one["line"] if one["offset"] is None else one["offset"]
        same[one["place"]["partition"], offset].append(one)
    return [_merged(partition, offset, rows) for (partition, offset), rows in sorted(same.items())]


def _merged(partition: int, offset: int, rows: Sequence[Row]) -> Row:
    ranked = sorted(rows, key=lambda row: (row["place"]["path"], row["line"] or 0, row["byte_offset"]))
    out = dict(ranked[0])
    for row in ranked[1:]:
        out |= {name: value for name, value in row.items() if out[name] is None and value is not None}
    at = out["last_update_ms"] if out["timestamp"] is None else out["timestamp"]
    return out | {"state_partition": partition, "offset": offset, "timestamp": at}


def by_txn(txns: Iterable[Row], told: Iterable[Row]) -> dict[tuple[Any, ...], list[Row]]:
    """Return the records of each transaction, by its key: those up to its newest one and after the one before.

    `txns` and `told` are of one id or several, in order. Records that belong to none (Empty, Dead, a tombstone) are
    left out.
    """
    ends: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for txn in txns:
        ends[txn["state_partition"], txn["transactional_id"]].append(txn)
    out: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for record in told:
        if record["state"] in {None, "Empty", "Dead"}:
            continue
        own = ends[record["state_partition"], record["transactional_id"]]
        at = bisect.bisect_left(own, record["offset"], key=_newest_record)
        if at < len(own):
            out[key_of(own[at])].append(record)
    return out


def _newest_record(txn: Row) -> int:
    return int(txn["latest_at"])


def partitions_of(told: Iterable[Row]) -> list[str]:
    """Return the names of all partitions that records of a transaction list."""
    return sorted(set(itertools.chain.from_iterable(one["partitions"] or () for one in told)))


def logs_of(asked: Asking, txns: Sequence[Row]) -> dict[tuple[Any, ...], list[Row]]:
    """Return what these decided transactions did in each copy of a log: rows of `id_txn_logs` with their data.

    `data` is the row of `log_txns` that the marker ends, null where the copy has no marker of it.
    """
    ids = sorted({txn["transactional_id"] for txn in txns})
    alone = [("coordinator_txn", "=", txns[0]["coordinator_txn"])] if len(txns) == 1 else []
    named = asked.rows("id_txn_logs", ("transactional_id", "in", ids), *alone)
    wanted = {key_of(txn) for txn in txns}
    own = [one for one in named if key_of(one) in wanted]
    spans = asked.rows(
        "log_txns", ("producer_id", "in", sorted({one["producer_id"] for one in own})),
        ("txn_no", "in", sorted({one["txn_no"] for one in own if one["txn_no"] is not None})),
    )  # fmt: skip
    place = ("topic", "partition", "replica", "producer_id", "txn_no")
    data = {tuple(one[column] for column in place): one for one in spans}
    judged = judged_copies(asked)
    out: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for one in own:
        found = None if one["txn_no"] is None else data.get(tuple(one[column] for column in place))
        copy = (one["topic"], one["partition"], one["replica"])
        out[key_of(one)].append({**one, "data": found, "judged": copy in judged})
    for rows in out.values():
        rows.sort(key=lambda row: (row["topic"], row["partition"], not row["judged"], row["replica"]))
    return out


def judged_copies(asked: Asking) -> set[tuple[str, int, str]]:
    """Return the copies of logs that are judged: topic, partition and replica."""
    rows = asked.few("partition_health", authority=True)
    return {(row["topic"], row["partition"], row["replica"]) for row in rows}


def ids_of_producer(asked: Asking, producer_id: int) -> list[str]:
    """Return the transactional ids that a producer id was given to, by the coordinator's records and admin tools."""
    ids: set[str] = set()
    for name in ("coordinator_states", "answers"):
        columns = ["file_id", "section", "transactional_id"]
        rows = asked.placed(asked.rows(name, ("producer_id", "=", producer_id), columns=columns))
        ids.update(row["transactional_id"] for row in rows if row["transactional_id"] is not None)
    return sorted(ids)
