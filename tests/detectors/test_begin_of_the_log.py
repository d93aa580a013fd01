"""A log that retention or DeleteRecords has begun anew does not show that the marker of an old decision is missing."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fill_page import dumps_of
from judged_captures import documents_of

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
LOGS = {
    "begins after the marker": ("orders-0 20", SLOW),
    "reaches back to it": ("orders-0 18", "18 data p9e0 s0 @150\n19 COMMIT p9e0 @210\n" + SLOW),
    "whole": ("orders-0", "0..19 plain @300\n" + SLOW),
}


@pytest.fixture(scope="module")
def documents(spark, tmp_path_factory):
    toml = "captured_at = 2026-01-01T10:30:00Z\n[partition_counts]\n__transaction_state = 2\n"
    captures = {
        name: {
            "capture.toml": toml,
            **dumps_of({path: log, "__transaction_state-0": STATES, "__transaction_state-1": OTHER}),
        }
        for name, (path, log) in LOGS.items()
    }
    return documents_of(spark, tmp_path_factory.mktemp("begin"), captures)


def _slips(documents, name):
    return [one["code"] for one in documents[name]["findings"] if one["topic"] == "orders"]


def test_data_at_the_begin_of_a_log_is_not_an_older_decisions_by_its_own_timestamps(documents):
    assert _slips(documents, "begins after the marker") == []


@pytest.mark.parametrize("name", ["reaches back to it", "whole"])
def test_it_is_where_the_log_would_have_that_marker(documents, name):
    assert _slips(documents, name) == ["TXN011"]
