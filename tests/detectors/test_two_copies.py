"""Files of two copies of one log that do not say whose they are: they are judged as if they did."""

import pytest
from dump_text import Batch, State, log_text
from judged_together import judged_together

AT = 1_767_261_600_000
SEGMENT = "orders-0/00000000000000000000.log"
DATA = Batch(0, 0, AT + 200, 7, 0, 0, transactional=True)
COMMIT = Batch(1, 1, AT + 310, 7, 0, transactional=True, marker="COMMIT")
LATER = Batch(1, 1, AT + 9_000, 8, 0, 0, leader_epoch=1)
ABORT = Batch(2, 2, AT + 9_500, 7, 0, transactional=True, marker="ABORT", leader_epoch=1)
OLD, NEW = (DATA, COMMIT), (DATA, LATER, ABORT)
"""The old leader's log, and that of the next one, which never had the marker."""

STATES = [
    Batch(at, at, AT + ms, state=State("pay-1", 7, 0, state, partitions, AT + ms))
    for at, (ms, state, partitions) in enumerate(
        [
            (50, "Empty", ()),
            (100, "Ongoing", ("orders-0",)),
            (300, "PrepareCommit", ("orders-0",)),
            (320, "CompleteCommit", ()),
        ]
    )
]
STATE_NAME = "__transaction_state-0/00000000000000000000.log"
SHARED = {
    "capture.toml": f"captured_at = {AT + 60_000}\n[partition_counts]\n__transaction_state = 1\n",
    f"state/{STATE_NAME}.txt": log_text(STATE_NAME, STATES),
}
old, new = log_text(SEGMENT, OLD), log_text(SEGMENT, NEW)
SEGMENTED = "orders-0/00000000000000000001.log"
CAPTURES = {
    "named": {f"broker-1/{SEGMENT}.txt": old, f"broker-2/{SEGMENT}.txt": new},
    "folders": {"a/dump.txt": old, "b/dump.txt": new},
    "names": {"first-orders-0.txt": old, "second-orders-0.txt": new},
    "names of brokers": {"broker1-orders-0.txt": old, "broker2-orders-0.txt": new},
    "suffixes": {"orders-0.txt": old, "orders-0 (1).txt": new},
    "one file": {"dumps.txt": old + new},
    "segments": {
        "a/dump.txt": old,
        "b/1.txt": log_text(SEGMENT, [DATA]),
        "b/2.txt": log_text(SEGMENTED, [LATER, ABORT]),
    },
    "once": {"a/dump.txt": old},
    "twice": {"a/dump.txt": old, "b/dump.txt": old + "\n"},
    "older": {"a/dump.txt": old, "b/dump.txt": log_text(SEGMENT, [DATA])},
    "older in one file": {"dumps.txt": old + log_text(SEGMENT, [DATA])},
    "named older": {f"broker-1/{SEGMENT}.txt": old, f"broker-2/{SEGMENT}.txt": log_text(SEGMENT, [DATA])},
    "excerpt": {"a/dump.txt": old, "b/dump.txt": log_text(SEGMENT, [DATA]) + "...\n"},
}
APART = ("folders", "names", "suffixes", "one file", "segments")
"""Those of which only the contents say that two copies are here."""


@judged_together
def told():
    return {name: {**SHARED, **more} for name, more in CAPTURES.items()}


def said(document):
    found = {(one["code"], one["confidence"], one["first_offset"]) for one in document["findings"]}
    return document["verdict"], found, {one["verdict"] for one in document["open_transactions"]}


def apart(document):
    return [one for one in document["coverage"]["notes"] if one["kind"] == "told_apart"]


@pytest.mark.parametrize("name", [*APART, "names of brokers"])
def test_two_copies_are_judged_as_if_their_folders_named_the_brokers(told, name):
    assert said(told[name]) == said(told["named"])


@pytest.mark.parametrize("name", APART)
def test_the_report_says_what_told_them_apart_and_asks_whose_they_are(told, name):
    assert [one["fetch"] for one in apart(told[name])] == [
        "which broker each is of: put its files into a folder broker-<id>"
    ]


def test_the_same_content_is_one_copy(told):
    assert said(told["twice"]) == said(told["once"])
    assert not apart(told["twice"])


@pytest.mark.parametrize("name", ["older", "older in one file"])
def test_one_that_ends_before_a_marker_of_the_other_may_be_the_leaders(told, name):
    """As where folders name the brokers (RULES A 16 a), the longer one alone proves nothing."""
    assert told["named older"]["verdict"] == told[name]["verdict"] == "inconclusive"
    assert not told[name]["findings"]
    assert not apart(told[name])
    (note,) = [one for one in told[name]["coverage"]["notes"] if one["kind"] == "short_dump"]
    assert "ends at offset 0, before the marker at 1" in note["note"]
    assert "--describe --topic orders" in note["fetch"]


def test_an_excerpt_does_not_show_where_its_log_ends(told):
    assert "short_dump" not in {one["kind"] for one in told["excerpt"]["coverage"]["notes"]}


def test_nothing_is_told_apart_where_folders_or_names_say_whose_they_are(told):
    assert not apart(told["named"])
    assert not apart(told["names of brokers"])
