"""A log that retention or DeleteRecords has begun anew does not show that the marker of an old decision is missing."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fill_page import dumps_of
from judged_captures import documents_of, taken_at

STATES = """0 state pay-1 p7e0 Empty @50
1 state pay-1 p7e0 Ongoing orders-0 @100
2 state pay-1 p7e0 PrepareCommit orders-0 @9000
3 state pay-1 p7e0 CompleteCommit @9020
4 state pay-1 p7e0 Ongoing orders-0 @9100
5 state pay-1 p7e0 PrepareCommit orders-0 @9800
6 state pay-1 p7e0 CompleteCommit @9820"""
OTHER = """0 state other p9e0 Empty @20
1 state other p9e0 Ongoing orders-0 @110
2 state other p9e0 PrepareCommit orders-0 @200
3 state other p9e0 CompleteCommit @220"""
SLOW = "20..21 data p7e0 s6 @8900\n22 COMMIT p7e0 @9810"
AGAIN = """
4 state other p9e0 Ongoing orders-0 @9250
5 state other p9e0 PrepareCommit orders-0 @9450
6 state other p9e0 CompleteCommit @9520"""
RUNS = STATES.rpartition("\n5 ")[0]
OPEN = "20..21 data p7e0 s6 @9150"
LOGS = {
    "begins after the marker": ("orders-0 20", SLOW),
    "reaches back to it": ("orders-0 18", "18 data p9e0 s0 @150\n19 COMMIT p9e0 @210\n" + SLOW),
    "whole": ("orders-0", "0..19 plain @300\n" + SLOW),
}
RUNNING = {
    "running": ("orders-0 20", OPEN),
    "running, reaches back": (
        "orders-0 18",
        "18 data p9e0 s0 @150\n19 COMMIT p9e0 @210\n" + OPEN + "\n22 data p9e0 s1 @9300\n23 COMMIT p9e0 @9500",
    ),
}
# The copy of pay-1's state partition is from before its transaction at 21; the records of p9 bear times of events.
OLD = STATES
LATER = """0 state other p9e0 Empty @20
1 state other p9e0 Ongoing orders-0 @15000
2 state other p9e0 PrepareCommit orders-0 @15200
3 state other p9e0 CompleteCommit @15220"""
MIXED = "20 data p9e0 s0 @-18000000\n21 data p7e0 s6 @15050\n22 COMMIT p9e0 @15210\n23 COMMIT p7e0 @16000"


@pytest.fixture(scope="module")
def documents(spark, tmp_path_factory):
    toml = taken_at("10:00:40", states=2)
    captures = {
        name: toml
        | dumps_of(
            {
                path: log,
                "__transaction_state-0": RUNS if name in RUNNING else STATES,
                "__transaction_state-1": OTHER + AGAIN * name.startswith("running, "),
            }
        )
        for name, (path, log) in (LOGS | RUNNING).items()
    }
    logs = {"orders-0 20": MIXED, "__transaction_state-0": OLD, "__transaction_state-1": LATER}
    captures["an older copy of the state"] = toml | dumps_of(logs)
    return documents_of(spark, tmp_path_factory.mktemp("begin"), captures)


def _slips(documents, name):
    return [one["code"] for one in documents[name]["findings"] if one["topic"] == "orders"]


def test_data_at_the_begin_of_a_log_is_not_an_older_decisions_by_its_own_timestamps(documents):
    assert _slips(documents, "begins after the marker") == []


@pytest.mark.parametrize("name", ["reaches back to it", "whole"])
def test_it_is_where_the_log_would_have_that_marker(documents, name):
    assert _slips(documents, name) == ["TXN011"]


def test_a_running_transaction_does_not_wait_for_a_marker_that_was_deleted(documents):
    document = documents["running"]
    (row,) = document["open_transactions"]
    assert (document["findings"], row["verdict"]) == ([], "in_flight")


def test_a_marker_that_the_log_would_show_is_missing(documents):
    (row,) = documents["running, reaches back"]["open_transactions"]
    assert row["verdict"] == "marker_missing_commit"


def test_a_marker_is_not_that_of_a_decision_completed_long_before(documents):
    assert documents["an older copy of the state"]["findings"] == []
