"""Which open transactions a rescue is about: those of a finding, or the one of a producer in a partition."""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from analyzer.errors import UsageError
from analyzer.storage.reading.rows import StoredRows

LOST = "TXN015"
"""The code of findings about committed records that the leader does not have."""
LISTED = 10
"""How many open transactions a message lists."""


@dataclasses.dataclass(frozen=True, slots=True)
class Ask:
    """What the user named: a finding, or topic, partition and producer id, with offsets if they are to be others.

    `replica` reads another copy of the log than the one that was judged. `lost`: all committed records that only a copy
    has whose broker will cut them off.
    """

    finding: str | None = None
    topic: str | None = None
    partition: int | None = None
    producer_id: int | None = None
    first_offset: int | None = None
    last_offset: int | None = None
    replica: str | None = None
    lost: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class Target:
    """Data to save: that of a producer id in a copy of a partition, from one offset to another, both included.

    `replica` is None where nothing says which copy; `finding` is None for a transaction without one. `lost`: it is
    committed, and the leader does not have it; what the transaction has outside the range, the leader has.
    """

    topic: str
    partition: int
    replica: str | None
    producer_id: int
    first_offset: int
    last_offset: int
    finding: str | None
    lost: bool = False
    open_end: bool = False
    """No file of the capture shows where it ends: an answer or a snapshot tells where it begins."""
    transactional_id: str | None = None
    decided_ms: int | None = None

    @property
    def name(self) -> str:
        """What it is, in words."""
        offsets = f"offsets {self.first_offset} to {self.last_offset}"
        return f"{self.topic}-{self.partition}, producer {self.producer_id}, {offsets}"


def targets(read: StoredRows, capture: str, ask: Ask) -> list[Target]:
    """Return what is to be saved. Raises UsageError if that is no open transaction, and lists those there are."""
    doomed = _rescuable(read, capture, ask) if ask.lost or ask.finding is not None else []
    if ask.lost and not doomed:
        raise UsageError(
            f"no committed record of capture {capture} is only on a copy that will be cut off.",
            wanted="--lost for a capture whose report lists such records; --finding ID for an open transaction",
        )
    if doomed:
        return doomed
    opens = read("open_transactions", {"capture": [capture]})
    judged = [row for row in opens if row["authority"]]
    if ask.finding is not None:
        chosen = [row for row in judged if row["finding"] == ask.finding] or _of_other_finding(
            read, capture, ask.finding, judged
        )
    else:
        chosen = [
            row
            for row in judged
            if (row["topic"], row["partition"], row["producer_id"]) == (ask.topic, ask.partition, ask.producer_id)
        ]
        given = _given(ask, chosen)
        if given is not None:
            return [_as_lost(given, read("rescuable_records", {"capture": [capture]}))]
    if not chosen:
        raise UsageError("no open transaction is meant: an abort would discard nothing.", wanted=_choice(judged))
    return [_target(row, ask) for row in chosen]


def _rescuable(read: StoredRows, capture: str, ask: Ask) -> list[Target]:
    """Return the records of `rescuable_records`: all of them, or those of the finding; in the order of the logs."""
    rows = read("rescuable_records", {"capture": [capture]})
    if ask.finding is not None:
        about = read("findings", {"capture": [capture], "id": [ask.finding]}) if rows else []
        places = {(one["topic"], one["partition"], one["replica"]) for one in about if one["code"] == LOST}
        rows = [row for row in rows if (row["topic"], row["partition"], row["replica"]) in places]
    ordered = sorted(rows, key=lambda row: (row["topic"], row["partition"], row["replica"], row["first_offset"]))
    return [_lost(row, ask.replica or row["replica"], ask.finding) for row in ordered]


def _lost(row: Mapping[str, Any], replica: str | None, finding: str | None) -> Target:
    return Target(
        row["topic"], row["partition"], replica, row["producer_id"], row["first_offset"], row["last_offset"], finding,
        lost=True, transactional_id=row["transactional_id"], decided_ms=row["decided_ms"],
    )  # fmt: skip


def _as_lost(given: Target, rows: Iterable[Mapping[str, Any]]) -> Target:
    """Return the target as one of these committed transactions, where it is exactly that."""
    names = ("topic", "partition", "producer_id", "first_offset", "last_offset")
    same = (row for row in rows if all(row[name] == getattr(given, name) for name in names))
    return next((_lost(row, given.replica, given.finding) for row in same), given)


def _of_other_finding(
    read: StoredRows, capture: str, finding: str, judged: Iterable[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """Return the open transaction of the producer and partition of a finding that does not name its verdict."""
    rows = read("findings", {"capture": [capture], "id": [finding]})
    if not rows:
        raise UsageError(f"no finding {finding} in capture {capture}.", wanted=_choice(judged))
    names = ("topic", "partition", "producer_id")
    about = {tuple(row[name] for name in names) for row in rows if row["producer_id"] is not None}
    return [row for row in judged if tuple(row[name] for name in names) in about]


def _given(ask: Ask, judged: Sequence[Mapping[str, Any]]) -> Target | None:
    """Return the range of offsets that the user gave in full, whether or not an open transaction is there."""
    if ask.topic is None or ask.partition is None or ask.producer_id is None:
        return None
    if ask.first_offset is None or ask.last_offset is None:
        return None
    if ask.first_offset > ask.last_offset:
        raise UsageError(f"--from {ask.first_offset} is after --to {ask.last_offset}.", wanted="--from not above --to")
    replica = ask.replica or next((row["replica"] for row in judged), None)
    return Target(ask.topic, ask.partition, replica, ask.producer_id, ask.first_offset, ask.last_offset, None)


def _target(row: Mapping[str, Any], ask: Ask) -> Target:
    first = row["first_offset"] if ask.first_offset is None else ask.first_offset
    last = row["last_offset"] if ask.last_offset is None else ask.last_offset
    replica = ask.replica or row["replica"]
    return Target(row["topic"], row["partition"], replica, row["producer_id"], first, last, row["finding"])


def _choice(judged: Iterable[Mapping[str, Any]]) -> str:
    """Return the options that name each open transaction."""
    options = [
        f"--finding {row['finding']}"
        if row["finding"]
        else f"--topic {row['topic']} --partition {row['partition']} --producer-id {row['producer_id']}"
        for row in judged
    ]
    unique = list(dict.fromkeys(options))
    more = f"; {len(unique) - LISTED} more" if len(unique) > LISTED else ""
    return "; ".join(unique[:LISTED]) + more or "a capture with an open transaction; this one has none"
