"""What describe-producers tells of an age is the time of a record, and a client gives its records any time."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from cluster import START_MS
from judged_together import judged_together
from test_several_answers import MINUTE, PRODUCERS

TOLD = f"9\t0\t0\t-1\t{START_MS + 60 * MINUTE}\tNone\n"
"""A producer whose marker tells when the leader was asked."""


def leader(last_ms, topic="orders"):
    """What describe-producers alone shows: a transaction whose last record bears this time."""
    row = f"7\t0\t-1\t3\t{last_ms}\t18\n"
    return f"$ kafka-transactions.sh describe-producers --topic {topic} --partition 0\n{PRODUCERS}{row}{TOLD}"


PASTES = {
    "an hour ago": leader(START_MS),
    "of a coordinator": leader(START_MS, "__consumer_offsets"),
    "1970": leader(1_000),
}


@judged_together
def documents():
    return {name: {"paste.txt": text} for name, text in PASTES.items()}


def found(document):
    return [(one["code"], one["confidence"]) for one in document["findings"]]


def test_the_time_of_a_record_alone_makes_a_hang_possible(documents):
    assert found(documents["an hour ago"]) == [("TXN013", "possible")]
    (finding,) = documents["an hour ago"]["findings"]
    assert "its client gives its records any time" in str(finding)


def test_commits_of_positions_bear_the_time_of_a_broker(documents):
    assert ("TXN013", "likely") in found(documents["of a coordinator"])


def test_what_bears_a_time_from_ten_years_ago_has_no_age(documents):
    assert found(documents["1970"]) == []
    assert [one["verdict"] for one in documents["1970"]["open_transactions"]] == ["undecided"]
