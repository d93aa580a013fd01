"""Records of internal topics that kcat printed: nobody decoded them, and the report says so and how many there are."""

import json

import pytest
from judged_together import judged_together

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


@judged_together
def told():
    return {topic.strip("_"): {"paste.txt": printed(topic)} for topic in TOPICS}


@pytest.mark.parametrize("topic", TOPICS)
def test_they_are_counted_and_no_answer(told, topic):
    document = told[topic.strip("_")]
    assert document["verdict"] == "inconclusive"
    lines = [(one["says"], one["topic"], one["partition"], one["number"]) for one in document["log_lines"]["lines"]]
    assert lines == [("undecoded_record", topic, 12, 2), ("undecoded_record", topic, 13, 1)]


def test_state_partitions_that_hold_them_are_missed(told):
    [note] = [one for one in told["transaction_state"]["coverage"]["notes"] if one["kind"] == "missing_state"]
    assert "2 of those that are not read hold records" in note["note"]
    assert "--transaction-log-decoder" in note["fetch"]


STATE = "Dumping /data/__transaction_state-31/00000000000000000000.log\nLog starting offset: 0\n"
BATCH = (
    "baseOffset: {at} lastOffset: {at} count: 1 baseSequence: -1 lastSequence: -1 producerId: -1 producerEpoch: -1 "
    "partitionLeaderEpoch: 0 isTransactional: false isControl: false deleteHorizonMs: OptionalLong.empty position: {to} "
    "CreateTime: 1767261600000 size: 120 magic: 2 compresscodec: none crc: 9 isvalid: true\n"
)
OPEN = "Dumping /data/orders-0/00000000000000000000.log\nLog starting offset: 0\n" + BATCH.format(at=0, to=0).replace(
    "Id: -1", "Id: 7"
).replace("Epoch: -1", "Epoch: 0").replace("isTransactional: false", "isTransactional: true").replace(
    "Sequence: -1", "Sequence: 0"
)
DUMPS = {
    "batches": STATE + BATCH.format(at=0, to=0) + BATCH.format(at=1, to=120) + OPEN,
    "records": STATE
    + BATCH.format(at=0, to=0)
    + "| offset: 0 CreateTime: 1767261600000 keySize: 9 valueSize: 41 sequence: -1 headerKeys: []\n"
    + OPEN,
    "nothing": STATE + OPEN,
}


@judged_together
def dumped():
    return {name: {"paste.txt": text} for name, text in DUMPS.items()}


@pytest.mark.parametrize(("name", "missing"), [("batches", 50), ("records", 50), ("nothing", 49)])
def test_a_state_partition_whose_records_nobody_decoded_is_not_here(dumped, name, missing):
    """It may be the one that has the id: what is asked for must name it."""
    document = dumped[name]
    assert [one["verdict"] for one in document["open_transactions"]] == ["undecided"]
    notes = {one["kind"]: one["note"] for one in document["coverage"]["notes"]}
    told = notes["missing_coordinator" if name == "nothing" else "missing_state"]
    read = "1 partition" if name == "nothing" else "no partition"
    assert told.startswith(f"the records of {read} of __transaction_state are read here, and nothing tells how many")
    assert ("then 49 are missing" in told) == (missing == 49)
    assert ("1 of those that are not read holds records" in told) == (name != "nothing")
