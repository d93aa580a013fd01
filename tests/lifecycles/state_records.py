"""Rows of coordinator records before they are numbered, of one state partition."""

RECORDS = (
    "capture string, state_partition int, offset bigint, has_offset boolean, timestamp bigint, "
    "transactional_id string, tombstone boolean, producer_id bigint, producer_epoch int, timeout_ms bigint, "
    "state string, partitions array<string>, last_update_ms bigint, start_ms bigint, "
    "previous_producer_id bigint, next_producer_id bigint, client_transaction_version int, "
    "ref struct<path:string,line:bigint,byte_offset:bigint,record:int>, hole bigint, copies array<string>"
)


def record(offset, state, name="orders-1", producer_id=7, path="0.log", copies=None, start_ms=1000):
    names = [] if state.startswith("Complete") else ["orders-0"]
    at = (path, None, 100 * offset + len(path), 0)
    return ("c", 3, offset, True, 1000 + offset, name, False, producer_id, 0, 60_000, state, names, 1000 + offset,
            start_ms, -1, -1, 0, at, 0 if copies is None else offset, copies)  # fmt: skip


def begun(offset, state, start_ms, hole=0, names=("orders-0",)):
    """A record of a transaction that began then, after so many missing offsets."""
    fields = record(offset, state)
    return (*fields[:11], list(names), fields[12], start_ms, *fields[14:18], hole, None)
