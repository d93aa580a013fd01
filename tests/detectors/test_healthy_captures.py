"""What random healthy captures showed: clocks apart, compaction, copies of two moments accuse nobody."""

import pytest
from fill_page import dumps_of
from judged_captures import taken_at
from judged_together import judged_together

# Epoch 6 is of the transaction whose records compaction took; the next one began with epoch 7, and ended after this copy.
EPOCHS = {
    "orders-0": "0..2 data p1e6 s0 @2000\n3 ABORT p1e7 @3010 l1",
    "__transaction_state-0": """19 state pay-1 p1e7 CompleteAbort @3020
20 state pay-1 p1e7 Ongoing orders-1 @3037
21 state pay-1 p1e7 Ongoing orders-1,orders-0 @3188
22 state pay-1 p1e8 PrepareAbort orders-1,orders-0 @3444
23 state pay-1 p1e8 CompleteAbort @3593""",
}
# The second decision is stamped before the first: another broker coordinates, whose clock is 0.5 s behind.
TURNED = {
    "broker-1/orders-0 17": """17 ABORT p9e0 @1700
18..21 data p3e0 s6 @1400
22 COMMIT p3e0 @1990
23 ABORT p9e0 @3374
24..25 data p3e0 s10 @2900""",
    "__transaction_state-0": """0 state pay-1 p3e0 Empty @865
1 state pay-1 p3e0 Ongoing orders-0 @905
2 state pay-1 p3e0 PrepareCommit orders-0 @1797
3 state pay-1 p3e0 CompleteCommit @1253 l1
4 state pay-1 p3e0 Ongoing orders-0 @1364 l1
5 state pay-1 p3e0 PrepareCommit orders-0 @1681 l1
6 state pay-1 p3e0 CompleteCommit @2011 l1
7 state pay-1 p3e0 Ongoing orders-0 @2874 l1""",
}
# One copy of the state partition is old, and compaction took from the other what came between.
TWO_MOMENTS = {
    "broker-1/__transaction_state-0": "2 state pay-1 p3e0 Ongoing orders-0,orders-1 @1688",
    "broker-2/__transaction_state-0": """8 state pay-1 p3e0 CompleteAbort @7055
9 state pay-1 p3e0 Ongoing orders-0 @7056
10 state pay-1 p3e0 Ongoing orders-0,orders-1 @7379""",
    "broker-2/orders-0": "0..2 data p3e0 s0 @1700\n3 COMMIT p3e0 @4032\n4 plain @5000\n5..7 data p3e0 s3 @8537\n8 ABORT p9e0 @9500",
}
# The transaction that this data is of has no record any more, and ended after this copy.
COMPACTED = {
    "orders-0": "0 data p4e1 s0 @1000\n1 COMMIT p4e1 @2000\n2 data p4e1 s1 @3000",
    "__transaction_state-0": "32 state pay-1 p4e1 Ongoing orders-1 @9000",
}
# The client's clock is 1.5 s slow, and no transaction of it has ended in these files.
SLOW = {
    "orders-0": "0 data p3e0 s0 @80\n1 ABORT p3e1 @90\n2..4 data p2e1 s0 @-600\n5 ABORT p3e1 @1117",
    "__transaction_state-0": "4 state pay-1 p2e1 CompleteAbort @139\n5 state pay-2 p3e1 Empty @220",
}
# The leader's clock is 1.5 s ahead of the coordinator's.
AHEAD = {
    "broker-2/orders-0": "0 plain @100\n1 data p9e0 s0 @3900\n2 ABORT p9e0 @4200",
    "broker-1/__transaction_state-0": """0 state pay-1 p2e6 Empty @2500
1 state pay-1 p2e6 Ongoing orders-0 @2600
2 state pay-1 p2e7 PrepareAbort orders-0 @2707""",
}
CAPTURES = {
    "epochs": (EPOCHS, "10:00:04"),
    "turned": (TURNED, "10:00:03.400"),
    "two moments": (TWO_MOMENTS, "10:00:10"),
    "compacted": (COMPACTED, "10:00:10"),
    "slow": (SLOW, "10:00:02"),
    "ahead": (AHEAD, "10:00:04.300"),
}


@judged_together
def documents():
    return {name: taken_at(at) | dumps_of(logs) for name, (logs, at) in CAPTURES.items()}


@pytest.mark.parametrize("name", CAPTURES)
def test_what_never_happened_is_not_found(documents, name):
    assert [one["headline"] for one in documents[name]["findings"]] == []
