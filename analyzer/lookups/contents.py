"""What stands at an offset: why this copy shows no record there, and what a record of an internal topic says."""

from analyzer.kafka.topics import OFFSETS_TOPIC, STATE_TOPIC
from analyzer.lookups.asking import Asking, Row
from analyzer.lookups.logs import Copy, holes
from analyzer.lookups.outcome import Outcome


def absent(asked: Asking, copy: Copy, offset: int | None) -> Row:
    """Return why this copy shows no record at an offset, and which file would."""
    place = f"{copy.topic}-{copy.partition}"
    start, end = copy.health["log_start_offset"], copy.health["log_end_offset"]
    hole = None if offset is None else next((one for one in holes(asked, copy) if one[0] <= offset < one[1]), None)
    fetch = None
    if offset is None:
        why = "no batch in the files here has this time or a later one"
    elif not copy.health["has_log"]:
        why, fetch = "no log of this copy is here", f"the log of {place}"
    elif (unread := _unread(asked, copy, offset)) is not None:
        why, fetch = "its segment is known and was not read", unread
    elif hole is not None:
        why, fetch = f"offsets {hole[0]} and after are missing from the files here", f"the segments of {place}"
    elif offset < start:
        why = f"the log starts at offset {start}: it was deleted"
    elif offset >= end:
        why = f"the log ends at offset {end}: it was not written when the files were taken"
    else:
        why = "no batch has this offset: the cleaner took it"
    return {"outcome": "not here", "why": why, "fetch": fetch}


def _unread(asked: Asking, copy: Copy, offset: int) -> str | None:
    """Return the path of the segment that would hold this offset, if it is known and was not read."""
    rows = asked.rows(
        "capture_files", ("folder_topic", "=", copy.topic), ("folder_partition", "=", copy.partition),
        ("folder_segment", "<=", offset), ("problem", "is null", None),
        columns=["path", "file_id", "folder_segment", "folder_replica", "file_kind"],
    )  # fmt: skip
    own = [one for one in rows if (one["folder_replica"] or copy.replica) == copy.replica and _is_segment(one)]
    newest = max(own, key=lambda one: one["folder_segment"], default=None)
    return None if newest is None or newest["file_id"] is not None else newest["path"]


def _is_segment(file: Row) -> bool:
    return file["file_kind"] in {"dump", "segment", "transaction_segment", "offsets_segment"}


def contents_of(asked: Asking, copy: Copy, offset: int, outcome: Outcome) -> Row | None:
    """Return what a record of an internal topic says: a group's position, or the state of an id."""
    tables = {OFFSETS_TOPIC: ("offset_commits", _commit), STATE_TOPIC: ("coordinator_states", _state)}
    if copy.topic not in tables:
        return None
    table, told = tables[copy.topic]
    files = [one["file_id"] for one in copy.dumps]
    rows = asked.placed(asked.rows(table, ("file_id", "in", files), ("offset", "=", offset)), copy.dumps)
    return told(rows[0], outcome) if rows else None


def _commit(row: Row, outcome: Outcome) -> Row:
    """Return a position: pending while its transaction is open, unless it is committed outside of one."""
    standing = {"plain": "committed", "open": "pending"}.get(outcome.word, outcome.word)
    names = ("group", "topic", "partition", "committed_offset", "metadata", "commit_ms", "tombstone")
    return {"kind": "group position", "standing": standing, **{name: row[name] for name in names}}


def _state(row: Row, _: Outcome) -> Row:
    names = ("transactional_id", "producer_id", "producer_epoch", "state", "partitions", "timeout_ms", "tombstone")
    return {"kind": "state of an id", **{name: row[name] for name in names}}
