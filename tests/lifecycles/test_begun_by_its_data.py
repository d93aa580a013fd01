"""An administrator's ABORT in a transaction whose first batch was made before it began, as every client does."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "detectors"))

from fill_page import dumps_of
from judged_captures import taken_at
from judged_together import judged_together


def history(raise_epoch, *, more=True, made=19_990):
    """Two transactions; data of the second was made 10 ms before its begin, and its first batch was aborted by hand.

    Each decision raises the epoch by `raise_epoch`; with `more` the client goes on after the ABORT. `made` is when
    that batch was made.
    """
    second, last = raise_epoch, 2 * raise_epoch
    log = f"""0 data p7e0 s0 @9000
1 COMMIT p7e{second} @11000
2 data p7e{second} s0 @{made}
3 ABORT p7e{second} @25000
""" + (f"4 data p7e{second} s1 @26000\n5 COMMIT p7e{last} @31000" if more else f"4 COMMIT p7e{last} @31000")
    state = f"""0 state pay-1 p7e0 Empty @5000
1 state pay-1 p7e0 Ongoing orders-0 @9010
2 state pay-1 p7e{second} PrepareCommit orders-0 @10990
3 state pay-1 p7e{second} CompleteCommit @11010
4 state pay-1 p7e{second} Ongoing orders-0 @20000
5 state pay-1 p7e{last} PrepareCommit orders-0 @30990
6 state pay-1 p7e{last} CompleteCommit @31010"""
    return taken_at("10:02:40") | dumps_of({"orders-0": log, "__transaction_state-0": state})


@judged_together
def documents():
    return {
        "version 2": history(1),
        "version 2, nothing after": history(1, more=False),
        "version 1": history(0),
        "version 1, nothing after": history(0, more=False),
        "late": history(0, made=10_900),
        "late, nothing after": history(0, more=False, made=10_900),
    }


def torn(document):
    found = [one for one in document["findings"] if one["code"] == "TXN010"]
    return [(one["confidence"], one["first_offset"], one["last_offset"]) for one in found]


@pytest.mark.parametrize("name", ["version 2", "version 2, nothing after", "version 1", "version 1, nothing after"])
def test_what_was_committed_and_aborted_by_hand_is_torn(documents, name):
    """A client makes a batch, then has its transaction begun or its partition added, whatever the version."""
    assert torn(documents[name]) == [("likely", 2, 2)]


@pytest.mark.parametrize("name", ["late", "late, nothing after"])
def test_what_was_made_before_the_decision_before_may_be_late_where_epochs_stay(documents, name):
    assert torn(documents[name]) == []
