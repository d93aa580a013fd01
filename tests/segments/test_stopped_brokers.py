"""A broker that was stopped: its files are of one moment, with the controllers' log of its node as without."""

import pytest
from judged_together import judged_together
from written import batch, end_marker, state_record, written_capture

START = 1_795_252_000_000
MINE = {"producer_id": 200, "producer_epoch": 0}
STATES = (("Ongoing", 0), ("PrepareAbort", 1_000), ("CompleteAbort", 1_010))
LATE_MS = 5_000
ENDS = b"0\n2\norders 0 3\n__transaction_state 0 3\n"
NO_OP = batch(0, (None, b"\1\x14\0\0"), timestamp=START)


def data(offset, sequence, after_ms):
    return batch(offset, (b"k", b"v"), flags=0x10, base_sequence=sequence, timestamp=START + after_ms, **MINE)


@judged_together
def documents(root):
    states = [
        state_record(at, b"x", state, (200, 0), (0,) if at < 2 else (), timestamp=START + after, begun=START)
        for at, (state, after) in enumerate(STATES)
    ]
    files = {
        "orders-0": data(0, 0, 10) + end_marker(1, commit=False, timestamp=START + 1_005, **MINE) + data(2, 1, LATE_MS),
        "__transaction_state-0": b"".join(states),
    }
    made = {}
    for name, more, points in (
        ("without", {}, ENDS),
        ("with the controllers' log", {"__cluster_metadata-0": NO_OP}, ENDS),
        ("before the end", {"__cluster_metadata-0": NO_OP}, ENDS.replace(b"orders 0 3", b"orders 0 2")),
    ):
        written_capture(root, name, files | more, START + LATE_MS + 1_000)
        (root / name / "broker-1" / "recovery-point-offset-checkpoint").write_bytes(points)
        made[name] = root / name
    return made


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("without", "hanging_late_write"),
        ("with the controllers' log", "hanging_late_write"),
        ("before the end", "undecided"),
    ],
)
def test_a_stop_shows_that_the_state_files_reach_the_data(documents, name, verdict):
    """The controllers' log has no recovery point: it is written through as it is appended to."""
    assert [row["verdict"] for row in documents[name]["open_transactions"]] == [verdict]
