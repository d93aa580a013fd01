"""A producer id that two transactional ids have: whose open data is, no file tells, so nothing says that it is safe."""

import pytest
from fill_page import dumps_of
from judged_together import judged_together

TOML = {"capture.toml": "captured_at = 2026-01-01T10:10:00Z\n[partition_counts]\n__transaction_state = 1\n"}
RUNS = (
    ("0..1 data p7e0 s0 @100", "2 data p7e0 s2 @200", "3 COMMIT p7e0 @320", "4 data p7e0 s3 @400"),
    ("0 state a p7e0 Ongoing orders-0 @90", "1 state b p7e0 Ongoing orders-0 @195",
     "2 state b p7e0 PrepareCommit orders-0 @300", "3 state b p7e0 CompleteCommit @330"),
)  # fmt: skip
BOTH_DONE = (
    ("0..1 data p7e0 s0 @100", "2 COMMIT p7e0 @200", "3..4 data p7e0 s2 @300", "5 ABORT p7e0 @420",
     "6 data p7e0 s4 @430"),
    ("0 state a p7e0 Ongoing orders-0 @90", "1 state a p7e0 PrepareCommit orders-0 @190",
     "2 state a p7e0 CompleteCommit @210", "3 state b p7e0 Ongoing orders-0 @295",
     "4 state b p7e0 PrepareAbort orders-0 @400", "5 state b p7e0 CompleteAbort @430"),
)  # fmt: skip


@judged_together
def documents():
    return {
        name: dumps_of({"orders-0": "\n".join(log), "__transaction_state-0": "\n".join(states)}) | TOML
        for name, (log, states) in {"one runs": RUNS, "both done": BOTH_DONE}.items()
    }


@pytest.mark.parametrize("name", ["one runs", "both done"])
def test_nothing_of_a_shared_producer_id_is_told_to_be_aborted(documents, name):
    document = documents[name]
    assert {one["code"] for one in document["findings"]} == {"PID004"}
    (held,) = document["open_transactions"]
    assert held["verdict"] == "undecided"
    assert "several transactional ids" in held["why"]
    assert not [one for one in document["findings"] if one["action"]["summary"].startswith("ABORT")]
