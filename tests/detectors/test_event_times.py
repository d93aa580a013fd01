"""Records that bear the times of events, as those of Kafka Streams do: their age says nothing of when they came."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from cluster import START_MS
from fill_page import dumps_of
from judged_captures import documents_of, taken_at

HOUR = 3_600_000
SECONDS = START_MS // 1000 - START_MS
"""A timestamp of the start, in seconds, as what lies between it and one in milliseconds."""
STATES = """0 state pay-1 p7e0 Empty @50
1 state pay-1 p7e0 Ongoing orders-0 @100
2 state pay-1 p7e0 PrepareAbort orders-0 @300
3 state pay-1 p7e0 CompleteAbort @320
4 state other p9e0 Empty @600000"""
FRESH = "0 state pay-1 p7e0 Empty @50\n1 state other p9e0 Empty @600000"
LATER = "\n4 data p8e0 s0 @90000\n5 COMMIT p8e0 @90100"


def log(first, then, more=""):
    """A transaction with data of `first`, aborted at 310, then data of `then`, ms; `more` lines."""
    return f"0..1 data p7e0 s0 @{first}\n2 ABORT p7e0 @310\n3 data p7e0 s2 @{then}{more}"


CAPTURES = {
    "own times": (log(110, 250), STATES),
    "events of hours ago": (log(-5 * HOUR, -5 * HOUR + 900), STATES),
    "events of a second before": (log(-700, -600), STATES),
    "one event of hours ago": (log(110, -5 * HOUR), STATES),
    "the first event of hours ago": (f"0 data p7e0 s0 @{-5 * HOUR}", FRESH),
    "the first, in seconds, ago": (f"0 data p7e0 s0 @{SECONDS}", "0 state other p9e0 Empty @600000"),
    "events before others' data": (log(-5 * HOUR, -5 * HOUR + 900, LATER), STATES),
    "the first, own time": ("0 data p7e0 s0 @400", FRESH),
}
RESTARTED = f"0..1 data p7e0 s0 @{-5 * HOUR}\n2 ABORT p7e0 @310\n3 data "
JUST_NOW = {
    "own times, just now": log(110, 250),
    "events of a second ago": log(-700, -600),
    "a slow clock, a second ago": log(-1_500, 200),
    "a new epoch, events of hours ago": f"{RESTARTED}p7e1 s0 @{-5 * HOUR + 900}",
    "a new producer id, events of hours ago": f"{RESTARTED}p8e0 s0 @{-5 * HOUR + 900}",
}


@pytest.fixture(scope="module")
def documents(spark, tmp_path_factory):
    just_now = {name: (data, STATES.rpartition("\n")[0], "10:00:01") for name, data in JUST_NOW.items()}
    captures = {
        name: taken_at(at) | dumps_of({"orders-0": data, "__transaction_state-0": states})
        for name, (data, states, at) in (
            {name: (*one, "10:30:00") for name, one in CAPTURES.items()} | just_now
        ).items()
    }
    return documents_of(spark, tmp_path_factory.mktemp("events"), captures)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("own times", "TXN002"),
        ("own times, just now", "TXN002"),
        ("events before others' data", "TXN002"),
        ("events of a second before", "TXN002"),
        ("the first, own time", "TXN013"),
    ],
)
def test_it_hangs_by_times_that_hold(documents, name, code):
    assert [(one["code"], one["confidence"]) for one in documents[name]["findings"]] == [(code, "certain")]


@pytest.mark.parametrize("name", [name for name in (*CAPTURES, *JUST_NOW) if "ago" in name])
def test_what_may_have_come_just_now_is_not_accused(documents, name):
    document = documents[name]
    (row,) = document["open_transactions"]
    assert (document["findings"], row["verdict"], document["verdict"]) == ([], "undecided", "inconclusive")
    assert "__transaction_state" in row["fetch"]


def test_the_words_say_what_the_times_are(documents):
    assert (
        "bear times from before its transaction began"
        in documents["events of hours ago"]["open_transactions"][0]["why"]
    )
