"""Open data of an id whose last decision is ABORT: only a broker's clock shows that it is of that transaction."""

import struct

import pytest
from judged_together import judged_together
from written import batch, end_marker, written_capture

START = 1_795_252_000_000
SECOND, MINUTE = 1_000, 60_000
BEGUN, DECIDED, DONE = START + 20 * SECOND, START + 21 * SECOND, START + 21 * SECOND + 10
"""The id's last transaction, which was aborted; compaction left its Complete record alone."""
MINE, OTHER = {"producer_id": 200, "producer_epoch": 0}, {"producer_id": 100, "producer_epoch": 0}
RECORDS = [(b"k", b"v")] * 3


def state(offset, name, producer_id, *, commit, times):
    """A Complete record as compaction leaves it: `times` are begin, decision and completion."""
    begun, decided, done = times
    key = struct.pack(">hh", 0, len(name)) + name
    value = struct.pack(">hqhibiqq", 0, producer_id, 0, MINUTE, 4 if commit else 5, 0, decided, begun)
    return batch(offset, (key, value), timestamp=done)


def partition(other_ms):
    """A whole transaction of another producer, the open data, and one that shows that the copy is newer."""
    return b"".join([
        batch(0, *RECORDS, flags=0x10, base_sequence=0, timestamp=other_ms - 10, **OTHER),
        end_marker(3, commit=True, timestamp=other_ms, **OTHER),
        batch(4, *RECORDS, flags=0x10, base_sequence=0, timestamp=BEGUN + 6 * SECOND, **MINE),
        batch(7, *RECORDS, flags=0x10, base_sequence=3, timestamp=START + 2 * MINUTE, **OTHER),
        end_marker(10, commit=True, timestamp=START + 2 * MINUTE + 10, **OTHER),
    ])  # fmt: skip


@judged_together
def documents(root):
    """The marker before the open data is from after the begin, or from before."""
    for name, other_ms in (("after", BEGUN + 5 * SECOND), ("before", START + SECOND)):
        files = {
            "orders-0": partition(other_ms),
            "__transaction_state-0": state(0, b"x", 200, commit=False, times=(BEGUN, DECIDED, DONE))
            + state(1, b"o", 100, commit=True, times=(START + 2 * MINUTE - 20,) + (START + 2 * MINUTE + 5,) * 2),
        }
        written_capture(root, name, files, START + 10 * MINUTE)
    return {name: root / name for name in ("after", "before")}


@pytest.mark.parametrize(("name", "summary"), [("after", "ABORT IT"), ("before", "DO NOT ABORT YET")])
def test_the_abort_is_safe_only_where_a_broker_set_a_time_before_the_data(documents, name, summary):
    """Clients give records any time: data from before, stamped ahead, may be of a transaction that was committed."""
    (finding,) = [one for one in documents[name]["findings"] if one["producer_id"] == 200]
    assert finding["code"] == "TXN013"
    assert finding["action"]["summary"].startswith(summary)
