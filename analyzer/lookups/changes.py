"""What happened to an id between its transactions: who was fenced when, new producer ids, expiry (KIP-890)."""

from collections.abc import Iterable, Iterator
from typing import Any

from analyzer.lookups.asking import Row
from analyzer.lookups.ids import key_of

BUMPS_AT_END = 2
"""The transaction.version in which the end of each transaction raises the epoch (KIP-890)."""


def changes(told: Iterable[Row]) -> Iterator[Row]:
    """Yield what records of ids, in order, say beside their transactions: kind, when, the record, one sentence."""
    before: dict[tuple[int, str], Row] = {}
    for record in told:
        place = record["state_partition"], record["transactional_id"]
        old = before.get(place)
        said = _changed(old, record)
        before[place] = record
        if said is not None:
            kind, words = said
            names = ("state_partition", "transactional_id", "offset", "timestamp", "producer_id", "producer_epoch")
            yield {"kind": kind, "said": words, **{name: record[name] for name in names}}


def _changed(old: Row | None, record: Row) -> tuple[str, str] | None:
    if record["tombstone"]:
        return "expired", "the coordinator deleted the id: it had not been used for transactional.id.expiration.ms"
    if record["state"] == "Dead":
        return "expired", "the coordinator is about to delete the id"
    if old is None or old["tombstone"]:
        return None
    if record["producer_id"] != old["producer_id"]:
        return "new producer id", f"producer {old['producer_id']} was replaced by {record['producer_id']}"
    if (record["producer_epoch"] or 0) <= (old["producer_epoch"] or 0):
        return None
    epochs = f"epoch {old['producer_epoch']} to {record['producer_epoch']}"
    if record["state"] == "Empty":
        return "started", f"a producer started with this id ({epochs}): older ones are fenced"
    if record["state"] == "PrepareAbort" and record["client_transaction_version"] != BUMPS_AT_END:
        return "fenced", f"{_by_whom(old, record)}: its producer is fenced ({epochs})"
    return None


def _by_whom(old: Row, record: Row) -> str:
    """Return who aborted a transaction over its producer's head, as far as its times tell."""
    begun, timeout, at = old["start_ms"], old["timeout_ms"], record["timestamp"]
    over = None not in {begun, timeout, at} and begun >= 0 and at >= begun + timeout
    if over:
        return "the coordinator aborted it after its timeout"
    return "another producer with this id started, or an administrator ended it, before its timeout"


def oddities(txn: Row, logs: Iterable[Row], fenced: Iterable[Row], captured_at: int | None) -> list[str]:
    """Return what is odd about a transaction (a row of `id_txns`), in words; nothing where it went as it should."""
    out = []
    if txn["state"] == "Ongoing":
        out.append(_running(txn, captured_at))
    elif txn["state"] in {"PrepareCommit", "PrepareAbort"}:
        out.append(f"decided, and not completed: {txn['state']}")
    lacking = sorted(
        {f"{one['topic']}-{one['partition']}" for one in logs if one["marker_offset"] is None and one["judged"]}
    )
    if lacking:
        out.append(
            f"no marker here in {', '.join(lacking[:5])}" + (f" and {len(lacking) - 5} more" if lacking[5:] else "")
        )
    out += [one["said"] for one in fenced]
    if not (txn["whole"] and txn["list_known"]):
        out.append("records of it may have been compacted away")
    return out


def _running(txn: Row, captured_at: int | None) -> str:
    deadline = txn["deadline_ms"]
    if deadline is not None and captured_at is not None and captured_at > deadline:
        return "still open, over its timeout"
    return "still open" if deadline is not None else "still open, without a timeout"


def fenced_in(found: Iterable[Row], told: dict[tuple[Any, ...], list[Row]], txn: Row) -> list[Row]:
    """Return those of the changes that are records of this transaction."""
    own = {one["offset"] for one in told.get(key_of(txn), ())}
    key = (txn["state_partition"], txn["transactional_id"])
    return [
        one for one in found
        if one["kind"] == "fenced" and (one["state_partition"], one["transactional_id"]) == key and one["offset"] in own
    ]  # fmt: skip
