"""A partition where the cleaner was does not lack the marker of a Prepare: it may have taken it with the data."""

import pytest
from fill_page import dumps_of
from judged_captures import taken_at
from judged_together import judged_together

STATES = """\
0    state pay-1 p7e0 Empty @50
1    state pay-1 p7e0 Ongoing kv-0,orders-0 @90
2    state pay-1 p7e0 PrepareAbort kv-0,orders-0 @200
3    state pay-2 p8e0 Empty @599000"""
CLEANED = "0 data p8e0 s0 @50\n1 COMMIT p8e0 @60\n5 plain @300000"
STUCK = "0 data p7e0 s0 @100\n1 plain @300000"
WAITING = "0 data p7e0 s0 @100\n5 plain @300000"


def capture(compacted, checkpoint):
    logs = {"kv-0": compacted, "orders-0": STUCK, "__transaction_state-0": STATES}
    files = taken_at("10:10:00") | dumps_of(logs)
    return files | {"broker-1/cleaner-offset-checkpoint": f"0\n1\nkv 0 {checkpoint}\n"}


CAPTURES = {
    "cleaned": capture(CLEANED, 5),
    "not cleaned": capture("0 data p8e0 s0 @50\n1 COMMIT p8e0 @60\n2 plain @300000", 0),
    "data waits": capture(WAITING, 0),
}


@judged_together
def documents():
    return CAPTURES


@pytest.mark.parametrize(("name", "topics"), [
    ("cleaned", ["orders"]), ("not cleaned", ["kv", "orders"]), ("data waits", ["kv", "orders"]),
])  # fmt: skip
def test_only_what_shows_that_it_lacks_the_marker_is_named(documents, name, topics):
    stuck = [row for row in documents[name]["findings"] if row["code"] == "TXN006"]
    assert sorted(row["topic"] for row in stuck) == topics
    assert {row["confidence"] for row in stuck} == {"certain"}
