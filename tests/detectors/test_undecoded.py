"""Records of internal topics that kcat printed: nobody decoded them, and the report says so and how many there are."""

import json

import pytest
from judged_captures import documents_of

TOPICS = ("__transaction_state", "__consumer_offsets")


def printed(topic):
    """Two records of partition 12, from offset 0 on, and one of 13."""
    one = {
        "topic": topic,
        "partition": 12,
        "tstype": "create",
        "ts": 9,
        "broker": 1,
        "key": "\0\0\0\5pay-1",
        "payload": "\0\7",
    }
    records = [one | {"offset": 0}, one | {"offset": 1}, one | {"partition": 13, "offset": 0}]
    return "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records)


@pytest.fixture(scope="module")
def told(spark, tmp_path_factory):
    captures = {topic.strip("_"): {"paste.txt": printed(topic)} for topic in TOPICS}
    return documents_of(spark, tmp_path_factory.mktemp("told"), captures)


@pytest.mark.parametrize("topic", TOPICS)
def test_they_are_counted_and_no_answer(told, topic):
    document = told[topic.strip("_")]
    assert document["verdict"] == "inconclusive"
    lines = [(one["says"], one["topic"], one["partition"], one["number"]) for one in document["log_lines"]["lines"]]
    assert lines == [("undecoded_record", topic, 12, 2), ("undecoded_record", topic, 13, 1)]


def test_state_partitions_that_hold_them_are_missed(told):
    [note] = [one for one in told["transaction_state"]["coverage"]["notes"] if one["kind"] == "missing_state"]
    assert "2 of them hold records" in note["note"]
    assert "--transaction-log-decoder" in note["fetch"]
