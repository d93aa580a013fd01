"""Where the LSO of a log is whose begin, or the begin of its open transaction, is not here or was deleted.

DeleteRecords may move a log's start into a batch of an open transaction: from 4.0 on its LSO is where that begins.
"""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "detectors"))

from cluster import START_MS
from fill_page import dumps_of
from judged_captures import taken_at
from judged_together import judged_together

LOGS = {
    "orders-0": "0 data p7e0 s0 @9000\n1..4 data p7e0 s1 @9001\n5..6 plain @9500",
    "__transaction_state-0": "0 state pay-1 p7e0 Empty @50\n1 state pay-1 p7e0 Ongoing orders-0 @8900",
}
STARTS = {"none": 0, "within": 3, "at": 1, "above": 5, "above, within": 6}
LSO = {
    "3.9.1": {"none": 0, "within": 3, "at": 1, "above": 5, "above, within": 6},
    "4.1.1": {"none": 0, "within": 1, "at": 1, "above": 5, "above, within": 5},
    None: {"none": 0, "within": 3, "at": 1, "above": 5, "above, within": 6},
}
CASES = [(version, name) for version, known in LSO.items() for name in known]


@judged_together
def documents():
    captures = {}
    for version, name in CASES:
        text = taken_at("10:00:10")["capture.toml"]
        told = "" if version is None else f'kafka_version = "{version}"\n'
        files = {
            "capture.toml": told + text,
            "broker-1/log-start-offset-checkpoint": f"0\n1\norders 0 {STARTS[name]}\n",
        }
        captures[f"{version} {name}"] = files | dumps_of(LOGS)
    snapshot = (
        "Dumping orders-0/00000000000000000020.snapshot\nproducerId: 7 producerEpoch: 0 coordinatorEpoch: -1 "
        f"currentTxnFirstOffset: OptionalLong[4] lastTimestamp: {START_MS + 9000} firstSequence: 0 lastSequence: 0 "
        f"lastOffset: 4 offsetDelta: 0 timestamp: {START_MS + 9000}\n"
    )
    captures["without its first segment"] = taken_at("10:00:10") | {
        **dumps_of({"orders-0 20": "20..21 plain @9500", "__transaction_state-0": LOGS["__transaction_state-0"]}),
        "broker-1/orders-0/00000000000000000020.snapshot.txt": snapshot,
        "broker-1/orders-0/leader-epoch-checkpoint": "0\n1\n0 0\n",
    }
    return captures


@pytest.mark.parametrize(("version", "name"), CASES)
def test_the_lso_is_the_brokers(documents, version, name):
    document = documents[f"{version} {name}"]
    (row,) = [row for row in document["partitions"] if row["topic"] == "orders"]
    assert (row["log_start_offset"], row["lso"]) == (STARTS[name], LSO[version][name])


def test_an_offset_that_is_only_not_here_is_where_it_was(documents):
    document = documents["without its first segment"]
    (row,) = [row for row in document["partitions"] if row["topic"] == "orders"]
    assert (row["lso"], row["log_end_offset"]) == (4, 22)
    assert [(one["first_offset"], one["verdict"]) for one in document["open_transactions"]] == [(4, "in_flight")]
