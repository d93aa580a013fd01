"""A decision that its coordinator wrote and that was not replicated: it may be taken back, and no marker was written."""

import pytest
from cluster import START_MS
from fill_page import dumps_of
from judged_captures import documents_of

OPEN = "0..1 data p7e0 s0 @100\n2 plain lat @590000"
MARKED = "0 data p7e0 s0 @110\n1 COMMIT p7e0 @305"
STATES = """0 state pay-1 p7e0 Empty @50
1 state pay-1 p7e0 Ongoing orders-0,orders-1 @90
2 state pay-1 p7e0 PrepareCommit orders-0,orders-1 @300"""
CHECKPOINT = "broker-1/replication-offset-checkpoint"


def capture(mark, *, at=600_000, other=None, up_at=599_000):
    """A capture of PrepareCommit at offset 2, whose coordinator was up then; `mark` is the high watermark there."""
    states = f"{STATES}\n3 state pay-9 p99e0 Empty @{min(up_at, at - 1_000)}"
    logs = {"orders-0": OPEN, "__transaction_state-0": states} | ({"orders-1": other} if other else {})
    checkpoint = {} if mark is None else {CHECKPOINT: f"0\n1\n__transaction_state 0 {mark}\n"}
    toml = f"captured_at = {START_MS + at}\n[partition_counts]\n__transaction_state = 1\n"
    return dumps_of(logs) | checkpoint | {"capture.toml": toml}


CAPTURES = {
    "below": capture(2),
    "above": capture(3),
    "unknown": capture(None),
    "below, a marker elsewhere": capture(2, other=MARKED),
    "below, young": capture(2, at=60_000),
    "above, down since": capture(4, up_at=300_000),
}


OLDER = dumps_of({
    "orders-0": "0..1 data p7e0 s0 @100",
    "__transaction_state-0": STATES.replace(",orders-1", "") + """
3 state pay-2 p8e0 Ongoing orders-0 @1000
4 state pay-3 p9e0 Ongoing orders-0 @1001
5 state pay-2 p8e0 PrepareCommit orders-0 @2000
6 state pay-3 p9e0 PrepareCommit orders-0 @2001
7 state pay-2 p8e0 CompleteCommit - @2010
8 state pay-3 p9e0 CompleteCommit - @2011""",
})  # fmt: skip
CAPTURES["an older log"] = OLDER | {"capture.toml": CAPTURES["above"]["capture.toml"]}


@pytest.fixture(scope="module")
def documents(spark, tmp_path_factory):
    return documents_of(spark, tmp_path_factory.mktemp("unreplicated"), CAPTURES)


def stuck(document):
    (found,) = [one for one in document["findings"] if (one["code"], one["partition"]) == ("TXN006", 0)]
    return found


def test_what_no_high_watermark_covers_may_be_taken_back(documents):
    found = stuck(documents["below"])
    assert found["confidence"] == "likely"
    assert "the high watermark of __transaction_state-0 is 2, not above this record at 2" in found["explanation"]
    assert found["cause"][0].startswith("replicas of __transaction_state-0 are down or not in sync")
    assert found["action"]["kind"] == "wait"
    assert found["action"]["summary"].startswith("BRING BACK THE REPLICAS of __transaction_state-0")
    assert "DO NOT ABORT" in found["action"]["summary"]


@pytest.mark.parametrize("name", ["above", "unknown", "below, a marker elsewhere"])
def test_what_is_replicated_is_decided(documents, name):
    """A coordinator sends markers only once the decision is on every replica in sync."""
    found = stuck(documents[name])
    assert found["confidence"] == "certain"
    assert found["action"]["summary"].startswith("BRING BACK THE LEADER of orders-0")


def test_a_broker_that_may_have_been_down_does_not_tell_of_its_successor(documents):
    """Five minutes without a sign of it: another one may have led since, and completed the transaction."""
    found = stuck(documents["above, down since"])
    assert found["confidence"] == "likely"
    assert found["settled_by"].startswith("the leader's copy of __transaction_state-0")
    assert "DO NOT ABORT" in found["action"]["summary"]


def test_the_file_that_would_tell_is_named(documents):
    assert stuck(documents["unknown"])["settled_by"].startswith(
        "replication-offset-checkpoint of the leader of __trans"
    )
    for name in ("above", "below, a marker elsewhere"):
        assert stuck(documents[name]).get("settled_by") is None


def test_a_log_that_was_copied_before_lacks_no_marker(documents):
    """Two completed transactions have no marker in it either: it ends before all of them (RULES A 11, A 15)."""
    document = documents["an older log"]
    assert "TXN006" not in {one["code"] for one in document["findings"]}
    assert [one["verdict"] for one in document["open_transactions"]] == ["completing"]


def test_a_checkpoint_may_be_older_than_a_young_record(documents):
    assert not any("not above this record" in one["explanation"] for one in documents["below, young"]["findings"])
