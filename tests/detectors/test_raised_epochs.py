"""transaction.version 2 in dumps of tools before 4.1, which do not print it: whose data of the marker's epoch is."""

import pytest
from dump_text import Batch, State, log_text
from judged_together import judged_together

AT = 1_767_261_600_000
SECOND, MINUTE = 1_000, 60_000
LATER = AT + 5 * MINUTE
SEGMENT = "orders-0/00000000000000000000.log"
STATE_NAME = "__transaction_state-0/00000000000000000000.log"
ENDS = {"left": ("CompleteCommit",), "decided": ("PrepareCommit", "CompleteCommit")}
"""What compaction left of the transaction that the marker ended."""


def capture(began: int, ends: tuple[str, ...]) -> dict[str, str]:
    """A commit of `pay-1` with the marker's epoch 3, whose data has the epoch `began`, and then data of epoch 3."""
    data = [
        Batch(0, 0, AT + 50, 7, began, 0, transactional=True),
        Batch(1, 1, AT + 105, 7, 3, transactional=True, marker="COMMIT"),
        Batch(2, 2, AT + SECOND, 7, 3, 0, transactional=True),
        Batch(3, 3, LATER + 50, 8, 0, 0, transactional=True),
        Batch(4, 4, LATER + 105, 8, 0, transactional=True, marker="COMMIT"),
    ]
    told = [
        (AT + 110 if state.startswith("Complete") else AT + 100, State("pay-1", 7, 3, state, listed, AT + 100))
        for state, listed in ((one, () if one.startswith("Complete") else ("orders-0",)) for one in ends)
    ]
    told += [
        (LATER, State("pay-2", 8, 0, "Ongoing", ("orders-0",), LATER)),
        (LATER + 100, State("pay-2", 8, 0, "PrepareCommit", ("orders-0",), LATER + 100)),
        (LATER + 110, State("pay-2", 8, 0, "CompleteCommit", (), LATER + 100)),
    ]
    states = [Batch(at, at, ms, state=state) for at, (ms, state) in enumerate(told, 4 - len(ends))]
    return {
        "capture.toml": f"captured_at = {LATER + 5 * MINUTE}\n[partition_counts]\n__transaction_state = 1\n",
        f"broker-1/{SEGMENT}.txt": log_text(SEGMENT, data),
        f"broker-1/{STATE_NAME}.txt": log_text(STATE_NAME, states),
    }


@judged_together
def judged():
    return {f"{began} {name}": capture(began, ends) for began in (2, 3) for name, ends in ENDS.items()}


@pytest.mark.parametrize("name", ENDS)
def test_data_of_the_epoch_that_the_marker_raised_is_no_late_write(judged, name):
    (finding,) = judged[f"2 {name}"]["findings"]
    assert (finding["code"], finding["confidence"], finding["first_offset"]) == ("TXN013", "certain", 2)
    assert "DO NOT ABORT YET" in finding["action"]["summary"]


@pytest.mark.parametrize("name", ENDS)
def test_data_of_the_epoch_that_the_marker_left_as_it_was_is_late(judged, name):
    (finding,) = judged[f"3 {name}"]["findings"]
    assert (finding["code"], finding["confidence"], finding["first_offset"]) == ("TXN002", "certain", 2)
