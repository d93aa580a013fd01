"""Each form of text, as short as it gets, with every row that comes out of it."""

import json

import pytest

from analyzer.tables import NO_EVIDENCE

BATCH = "baseOffset: 0 lastOffset: 0 count: 1 baseSequence: 0 lastSequence: 0 producerId: 7 producerEpoch: 3 partitionLeaderEpoch: 2 isTransactional: true isControl: false"
TAIL = "position: 0 CreateTime: 10 size: 80 magic: 2 compresscodec: none crc: 4000000000 isvalid: true"
HEADER = "Dumping /logs/broker-1/t-0/00000000000000000000.log\nLog starting offset: 0\n"


def filled(rows):
    """The rows without their empty columns."""
    return [{name: value for name, value in row.items() if value is not None} for row in rows]


def test_a_dump_of_today_with_contents(read):
    facts = read(
        f"{HEADER}{BATCH} deleteHorizonMs: OptionalLong.empty {TAIL}\n| offset: 0 CreateTime: 10 keySize: 1 valueSize: 2 sequence: 0 headerKeys: [h] key: k payload: vw\n"
    )
    assert set(facts) == {"batches", "sections"}
    assert filled(facts["batches"]) == [
        {
            "section": 0, "line": 3, "byte_offset": 75, "batch_source": "batch", "base_offset": 0, "last_offset": 0, "count": 1,
            "base_sequence": 0, "last_sequence": 0, "producer_id": 7, "producer_epoch": 3, "partition_leader_epoch": 2,
            "is_transactional": True, "is_control": False, "timestamp_type": "CreateTime", "max_timestamp": 10, "position": 0,
            "size": 80, "magic": 2, "codec": "none", "payload_bytes": 3, "crc": 4000000000, "crc_valid": True,
        }
    ]  # fmt: skip
    assert filled(facts["sections"]) == [
        {
            "section": 0, "line": 1, "byte_offset": 0, "kind": "log", "dumped_path": "/logs/broker-1/t-0/00000000000000000000.log",
            "dumped_topic": "t", "dumped_partition": 0, "dumped_replica": "1", "segment": 0, "layout": "3.2.0", "decoder": "data",
            "deep": True, "batches": 1, "records": 1, "last_line": 4, "ending": "complete",
        }
    ]  # fmt: skip


def test_a_marker_with_a_delete_horizon(read):
    control = BATCH.replace("isControl: false", "isControl: true").replace("Sequence: 0", "Sequence: -1")
    facts = read(
        f"{HEADER}{control} deleteHorizonMs: OptionalLong[1700000000000] {TAIL}\n| offset: 0 CreateTime: 10 keySize: 4 valueSize: 6 sequence: -1 headerKeys: [] endTxnMarker: ABORT coordinatorEpoch: 15\n"
    )
    (row,) = facts["batches"]
    assert (row["marker"], row["coordinator_epoch"], row["delete_horizon_ms"]) == ("ABORT", 15, 1700000000000)
    assert row["marker_line"] == 4
    assert row["is_control"] is True


@pytest.mark.parametrize(
    "control",
    [
        'LeaderChange: {"version":0,"leaderId":1,"voters":[]}',
        "controlType: LEADER_CHANGE(2)",
        'SnapshotHeader {"version":0}',
        'KRaftVersion {"version":0,"kRaftVersion":1}',
    ],
)
def test_other_control_records_are_no_markers(read, control):
    batch = BATCH.replace("isControl: false", "isControl: true")
    facts = read(
        f"{HEADER}{batch} deleteHorizonMs: OptionalLong.empty {TAIL}\n| offset: 0 CreateTime: 10 keySize: 4 valueSize: 6 sequence: -1 headerKeys: [] {control}\n"
    )
    assert (facts["batches"][0]["marker"], facts["batches"][0]["is_control"]) == (None, True)
    assert not facts["unparsed_lines"]


def test_a_marker_counts_only_in_a_control_batch(read):
    facts = read(
        f"{HEADER}{BATCH} deleteHorizonMs: OptionalLong.empty {TAIL}\n| offset: 0 CreateTime: 10 keySize: 4 valueSize: 6 sequence: -1 headerKeys: [] endTxnMarker: ABORT coordinatorEpoch: 15\n"
    )
    assert facts["batches"][0]["marker"] is None


def test_a_batch_that_the_cleaner_emptied(read):
    empty = BATCH.replace("count: 1", "count: 0").replace("lastOffset: 0", "lastOffset: 4")
    following = BATCH.replace("baseOffset: 0 lastOffset: 0", "baseOffset: 5 lastOffset: 5")
    facts = read(
        f"{HEADER}{empty} deleteHorizonMs: OptionalLong.empty {TAIL}\n{following} deleteHorizonMs: OptionalLong.empty "
        f"{TAIL.replace('position: 0', 'position: 80')}\n| offset: 5 CreateTime: 10 keySize: -1 valueSize: 1 sequence: 0 headerKeys: []\n"
    )
    assert [(row["count"], row["last_offset"]) for row in facts["batches"]] == [(0, 4), (1, 5)]


def test_message_format_0_and_1_with_batch_lines(read):
    facts = read(
        "Dumping t-0/00000000000000000000.log\nStarting offset: 0\n"
        "offset: 0 position: 0 NoTimestampType: -1 size: 50 magic: 0 compresscodec: NONE crc: 5 isvalid: true\n"
        "| offset: 0 NoTimestampType: -1 keysize: -1 valuesize: 3 crc: 5 isvalid: true payload: a\nb\n"
        "offset: 3 position: 50 CreateTime: 9 size: 90 magic: 1 compresscodec: GZIP crc: 6 isvalid: true\n"
        "| offset: 2 CreateTime: 8 keysize: -1 valuesize: 1 crc: 7 isvalid: true payload: x\n"
        "| offset: 3 CreateTime: 9 keysize: -1 valuesize: 1 crc: 8 isvalid: true payload: y\n"
    )
    legacy = {
        "base_sequence": -1,
        "last_sequence": -1,
        "producer_id": -1,
        "producer_epoch": -1,
        "partition_leader_epoch": -1,
        "is_transactional": False,
        "is_control": False,
    }
    assert filled(facts["batches"]) == [
        {
            "section": 0,
            "line": 3,
            "byte_offset": 56,
            "batch_source": "batch",
            "base_offset": 0,
            "last_offset": 0,
            "count": 1,
            **legacy,
            "timestamp_type": "NoTimestampType",
            "max_timestamp": -1,
            "position": 0,
            "size": 50,
            "magic": 0,
            "codec": "none",
            "payload_bytes": 3,
            "crc": 5,
            "crc_valid": True,
        },
        {
            "section": 0,
            "line": 6,
            "byte_offset": 248,
            "batch_source": "batch",
            "base_offset": 2,
            "last_offset": 3,
            "count": 2,
            **legacy,
            "timestamp_type": "CreateTime",
            "max_timestamp": 9,
            "position": 50,
            "size": 90,
            "magic": 1,
            "codec": "gzip",
            "payload_bytes": 2,
            "crc": 6,
            "crc_valid": True,
        },
    ]
    assert not facts["unparsed_lines"]


def test_flat_records_of_0_11(read):
    line = "offset: {} position: {} CreateTime: {} isvalid: true keysize: {} valuesize: {} magic: 2 compresscodec: LZ4 producerId: 7 producerEpoch: 3 sequence: {} isTransactional: true headerKeys: []{}\n"
    facts = read(
        "Dumping t-0/00000000000000000000.log\nStarting offset: 0\n"
        + line.format(0, 0, 10, -1, 2, 5, "") + line.format(1, 0, 12, -1, 2, 6, "") + line.format(2, 99, 13, 4, 6, -1, " endTxnMarker: COMMIT coordinatorEpoch: 1")
    )  # fmt: skip
    shared = {
        "section": 0,
        "batch_source": "records",
        "producer_id": 7,
        "producer_epoch": 3,
        "is_transactional": True,
        "timestamp_type": "CreateTime",
        "magic": 2,
        "codec": "lz4",
    }
    assert filled(facts["batches"]) == [
        {
            **shared,
            "line": 3,
            "byte_offset": 56,
            "base_offset": 0,
            "last_offset": 1,
            "count": 2,
            "base_sequence": 5,
            "last_sequence": 6,
            "is_control": False,
            "payload_bytes": 4,
            "max_timestamp": 12,
            "position": 0,
        },
        {
            **shared,
            "line": 5,
            "byte_offset": 424,
            "base_offset": 2,
            "last_offset": 2,
            "count": 1,
            "base_sequence": -1,
            "last_sequence": -1,
            "is_control": True,
            "payload_bytes": 10,
            "max_timestamp": 13,
            "position": 99,
            "marker": "COMMIT",
            "coordinator_epoch": 1,
            "marker_line": 5,
            "marker_byte_offset": 424,
        },
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sequence: -1", "sequence: 0"),
        ("keysize: 4", "keysize: 5"),
        ("isTransactional: true", "isTransactional: false"),
        ("headerKeys: []", "headerKeys: [x]"),
    ],
)
def test_a_flat_marker_counts_only_in_a_marker_s_shape(read, old, new):
    line = "offset: 2 position: 99 CreateTime: 13 isvalid: true keysize: 4 valuesize: 6 magic: 2 compresscodec: NONE producerId: 7 producerEpoch: 3 sequence: -1 isTransactional: true headerKeys: [] endTxnMarker: COMMIT coordinatorEpoch: 1\n"
    assert read(line)["batches"][0]["marker"] == "COMMIT"
    assert [row["marker"] for row in read(line.replace(old, new))["batches"]] == [None]


def test_records_of_0_8_to_0_10(read):
    facts = read(
        "Dumping t-0/00000000000000000000.log\nStarting offset: 0\n"
        "offset: 0 position: 0 isvalid: true payloadsize: 2 magic: 0 compresscodec: NoCompressionCodec crc: 11 keysize: 1 key: k payload: a\n\n"
        "offset: 1 position: 28 CreateTime: 5 isvalid: false payloadsize: 1 magic: 1 compresscodec: SnappyCompressionCodec crc: 12 payload: b\n"
    )
    assert [
        (row["base_offset"], row["last_offset"], row["count"], row["codec"], row["crc"], row["crc_valid"])
        for row in facts["batches"]
    ] == [
        (0, 0, 1, "none", 11, True),
        (None, 1, None, "snappy", None, None),
    ]
    assert facts["sections"][0]["layout"] == "0.10.1"


STATE = {
    "section": 0,
    "offset": 0,
    "timestamp": 10,
    "transactional_id": "t,1 payload: x",
    "tombstone": False,
    "producer_id": 12,
    "producer_epoch": 3,
    "timeout_ms": 60000,
    "state": "Ongoing",
    "partitions": ["a-0", "b-b-1"],
    "last_update_ms": 9,
}
RECORD = "| offset: 0 CreateTime: 10 keySize: 18 valueSize: 37 sequence: -1 headerKeys: []"


@pytest.mark.parametrize(
    ("record", "more"),
    [
        (
            "key: transactionalId=t,1 payload: x payload: producerId:12,producerEpoch:3,state=Ongoing,partitions=Set(b-b-1, a-0),txnLastUpdateTimestamp=9,txnTimeoutMs=60000",
            {},
        ),
        (
            "key: transaction_metadata::transactionalId=t,1 payload: x payload: producerId:12,producerEpoch:3,state=Ongoing,partitions=HashSet(b-b-1, a-0),txnLastUpdateTimestamp=9,txnTimeoutMs=60000",
            {},
        ),
        (
            "key: transaction_metadata::transactionalId=t,1 payload: x payload: producerId:12,producerEpoch:3,state=Ongoing,partitions=[b-b-1,a-0],txnLastUpdateTimestamp=9,txnTimeoutMs=60000",
            {},
        ),
        (
            'key: {"type":"0","data":{"transactionalId":"t,1 payload: x"}} payload: {"version":"0","data":{"producerId":12,"producerEpoch":3,"transactionTimeoutMs":60000,"transactionStatus":1,"transactionPartitions":[{"topic":"b-b","partitionIds":[1]},{"topic":"a","partitionIds":[0]}],"transactionLastUpdateTimestampMs":9,"transactionStartTimestampMs":8}}',
            {"version": 0, "start_ms": 8},
        ),
        (
            'key: {"type":"0","data":{"transactionalId":"t,1 payload: x"}} payload: {"version":"1","data":{"producerId":12,"previousProducerId":11,"nextProducerId":13,"producerEpoch":3,"transactionTimeoutMs":60000,"transactionStatus":"Ongoing","transactionPartitions":[{"topic":"b-b","partitionIds":[1]},{"topic":"a","partitionIds":[0]}],"transactionLastUpdateTimestampMs":9,"transactionStartTimestampMs":8,"clientTransactionVersion":2}}',
            {
                "version": 1,
                "start_ms": 8,
                "previous_producer_id": 11,
                "next_producer_id": 13,
                "client_transaction_version": 2,
            },
        ),
    ],
)
def test_coordinator_states(read, record, more):
    header = HEADER.replace("t-0", "__transaction_state-7")
    facts = read(f"{header}{BATCH} deleteHorizonMs: OptionalLong.empty {TAIL}\n{RECORD} {record}\n")
    place = {
        "line": 4,
        "byte_offset": facts["batches"][0]["byte_offset"]
        + len(BATCH)
        + len(" deleteHorizonMs: OptionalLong.empty ")
        + len(TAIL)
        + 1,
    }
    assert filled(facts["coordinator_states"]) == [{**STATE, **place, **more}]
    assert facts["sections"][0]["decoder"] == "transaction"
    assert not facts["unparsed_lines"]


@pytest.mark.parametrize(
    "key",
    [
        "transaction_metadata::transactionalId=t,1 payload: x",
        '{"type":"0","data":{"transactionalId":"t,1 payload: x"}}',
    ],
)
def test_a_tombstone(read, key):
    facts = read(
        f"{HEADER.replace('t-0', '__transaction_state-7')}{BATCH} deleteHorizonMs: OptionalLong.empty {TAIL}\n{RECORD} key: {key} payload: <DELETE>\n"
    )
    (row,) = facts["coordinator_states"]
    assert (row["transactional_id"], row["tombstone"], row["state"], row["partitions"]) == (
        "t,1 payload: x",
        True,
        None,
        None,
    )


def test_a_transactional_id_with_line_ends_in_it(read):
    fake = f"{BATCH.replace('Offset: 0', 'Offset: 1')} deleteHorizonMs: OptionalLong.empty {TAIL.replace('position: 0', 'position: 80')}"
    name = f"x payload: producerId:1,producerEpoch:1,state=Empty,partitions=[],txnLastUpdateTimestamp=1,txnTimeoutMs=1\n{fake}\n"
    record = f"| offset: 0 CreateTime: 10 keySize: {len(name) + 4} valueSize: 37 sequence: -1 headerKeys: [] key: transaction_metadata::transactionalId={name}"
    facts = read(
        f"{HEADER.replace('t-0', '__transaction_state-7')}{BATCH} deleteHorizonMs: OptionalLong.empty {TAIL}\n{record} payload: producerId:12,producerEpoch:3,state=Ongoing,partitions=[a-0],txnLastUpdateTimestamp=9,txnTimeoutMs=60000\n"
    )
    assert len(facts["batches"]) == 1
    assert [(row["transactional_id"], row["producer_id"]) for row in facts["coordinator_states"]] == [(name, 12)]


def test_a_data_topic_may_look_like_the_coordinator_s(read):
    key = "transactionalId=t1"
    value = "producerId:12,producerEpoch:3,state=Ongoing,partitions=Set(),txnLastUpdateTimestamp=9,txnTimeoutMs=60000"
    record = f"| offset: 0 CreateTime: 10 keySize: {len(key)} valueSize: {len(value)} sequence: 0 headerKeys: [] key: {key} payload: {value}"
    for header in (HEADER, ""):
        facts = read(f"{header}{BATCH} deleteHorizonMs: OptionalLong.empty {TAIL}\n{record}\n")
        assert set(facts) == {"batches", "sections"}
        assert facts["sections"][0]["decoder"] == "data"


COMMIT = {
    "section": 0,
    "line": 4,
    "offset": 0,
    "timestamp": 10,
    "group": "g,partition=x-1 payload: y",
    "topic": "t-t",
    "partition": 5,
    "committed_offset": 42,
    "metadata": "a,b payload: c",
    "tombstone": False,
    "producer_id": 7,
    "producer_epoch": 3,
    "is_transactional": True,
}


@pytest.mark.parametrize(
    ("record", "more"),
    [
        ("key: offset::g,partition=x-1 payload: y:t-t:5 payload: 42:a,b payload: c", {}),
        (
            "key: offset_commit::group=g,partition=x-1 payload: y,partition=t-t-5 payload: offset=42,metadata=a,b payload: c",
            {},
        ),
        (
            'key: {"type":"1","data":{"group":"g,partition=x-1 payload: y","topic":"t-t","partition":5}} payload: {"version":"3","data":{"offset":42,"leaderEpoch":6,"metadata":"a,b payload: c","commitTimestamp":9}}',
            {"leader_epoch": 6, "commit_ms": 9},
        ),
    ],
)
def test_offset_commits(read, record, more):
    head = "| offset: 0 CreateTime: 10 keySize: 39 valueSize: 38 sequence: 0 headerKeys: []"
    facts = read(
        f"{HEADER.replace('t-0', '__consumer_offsets-7')}{BATCH} deleteHorizonMs: OptionalLong.empty {TAIL}\n{head} {record}\n"
    )
    found = [
        {name: value for name, value in row.items() if name != "byte_offset"} for row in filled(facts["offset_commits"])
    ]
    assert found == [{**COMMIT, **more}]


def test_commit_metadata_with_line_ends_in_it(read):
    fake = f"{BATCH.replace('Offset: 0', 'Offset: 1')} deleteHorizonMs: OptionalLong.empty {TAIL.replace('position: 0', 'position: 80')}"
    metadata = f"m\n{fake}\n"
    head = f"| offset: 0 CreateTime: 10 keySize: 12 valueSize: {24 + len(metadata)} sequence: 0 headerKeys: []"
    facts = read(
        f"{HEADER.replace('t-0', '__consumer_offsets-7')}{BATCH} deleteHorizonMs: OptionalLong.empty {TAIL}\n{head} key: offset_commit::group=g,partition=t-0 payload: offset=1,metadata={metadata}\n"
    )
    assert len(facts["batches"]) == 1
    assert facts["offset_commits"][0]["metadata"] == metadata


GROUP = {
    "section": 0,
    "line": 4,
    "offset": 0,
    "timestamp": 10,
    "group": "g1",
    "tombstone": False,
    "generation": 3,
    "protocol_type": "consumer",
    "members": ["m1", "m2"],
    "key_type": 2,
}


@pytest.mark.parametrize(
    ("record", "more"),
    [
        ("key: metadata::g1 payload: consumer:range:3:{m2=[t-0, u-1],m1=[]}", {}),
        (
            'key: {"metadata":"g1"} payload: {"protocolType":"consumer","protocol":"range","generationId":3,"assignment":"{m2=[t-0, u-1],m1=[]}"}',
            {},
        ),
        (
            'key: group_metadata::group=g1 payload: {"protocolType":"consumer","protocol":null,"generationId":3,"assignment":"{m2=[t-0, u-1],m1=[]}"}',
            {},
        ),
        (
            'key: {"type":"2","data":{"group":"g1"}} payload: {"version":"3","data":{"protocolType":"consumer","generation":3,"protocol":"range","leader":"m1","currentStateTimestamp":1,"members":[{"memberId":"m2"},{"memberId":"m1"}]}}',
            {"leader": "m1"},
        ),
    ],
)
def test_groups(read, record, more):
    head = "| offset: 0 CreateTime: 10 keySize: 6 valueSize: 38 sequence: 0 headerKeys: []"
    facts = read(
        f"{HEADER.replace('t-0', '__consumer_offsets-7')}{BATCH} deleteHorizonMs: OptionalLong.empty {TAIL}\n{head} {record}\n"
    )
    found = [
        {name: value for name, value in row.items() if name != "byte_offset"} for row in filled(facts["group_metadata"])
    ]
    assert found == [{**GROUP, **more}]


NEWER = [
    (3, {}, '{"version":"0","data":{"epoch":5}}', (5, "consumer", [])),
    (5, {"memberId": "m1"}, '{"version":"0","data":{"instanceId":null,"rackId":null}}', (None, "consumer", ["m1"])),
    (
        8,
        {"memberId": "m1"},
        '{"version":"0","data":{"memberEpoch":4,"previousMemberEpoch":3}}',
        (4, "consumer", ["m1"]),
    ),
    (8, {"memberId": "m1"}, "<DELETE>", (None, "consumer", ["m1"])),
    (16, {"regularExpression": "a.*"}, '{"version":"0","data":{"topics":[]}}', (None, "consumer", [])),
    (11, {}, '{"version":"0","data":{"epoch":2}}', (2, "share", [])),
    (17, {}, '{"version":"0","data":{"epoch":7,"metadataHash":1}}', (7, "streams", [])),
    (22, {"memberId": "m2"}, '{"version":"0","data":{"memberEpoch":9}}', (9, "streams", ["m2"])),
]


@pytest.mark.parametrize(("kind", "more", "value", "wanted"), NEWER)
def test_what_newer_protocols_keep_of_a_group(read, kind, more, value, wanted):
    head = "| offset: 0 CreateTime: 10 keySize: 6 valueSize: 38 sequence: 0 headerKeys: []"
    key = json.dumps({"type": str(kind), "data": {"groupId": "g1", **more}}, separators=(",", ":"))
    text = f"{head} key: {key} payload: {value}"
    (row,) = read(
        f"{HEADER.replace('t-0', '__consumer_offsets-7')}{BATCH} deleteHorizonMs: OptionalLong.empty {TAIL}\n{text}\n"
    )["group_metadata"]
    assert (row["generation"], row["protocol_type"], row["members"]) == wanted
    assert (row["group"], row["key_type"], row["tombstone"]) == ("g1", kind, value == "<DELETE>")


@pytest.mark.parametrize(
    "key",
    [
        "unknown::version=3",
        "Unknown record type 24 at offset 0, skipping.",
        "Error at offset 0, skipping. Found an unknown record version 9",
    ],
)
def test_records_that_the_tool_could_not_decode_are_noted(read, key):
    head = "| offset: 0 CreateTime: 10 keySize: 19 valueSize: 17 sequence: 0 headerKeys: []"
    facts = read(
        f"{HEADER.replace('t-0', '__consumer_offsets-7')}{BATCH} deleteHorizonMs: OptionalLong.empty {TAIL}\n{head} key: {key}\n"
    )
    assert set(facts) == {"batches", "sections"}
    assert key[:20] in facts["sections"][0]["note"]


PRODUCER = {
    "section": 0,
    "line": 2,
    "byte_offset": 49,
    "snapshot_offset": 100,
    "producer_id": 7,
    "producer_epoch": 3,
    "last_sequence": 6,
    "last_offset": 60,
    "offset_delta": 1,
    "timestamp": 9,
    "coordinator_epoch": 4,
    "current_txn_first_offset": 5,
}
IDLE = {**PRODUCER, "last_sequence": -1, "last_offset": -1, "offset_delta": 0}


@pytest.mark.parametrize(
    ("line", "row"),
    [
        (
            "producerId: 7 producerEpoch: 3 lastSequence: 6 lastOffset: 60 offsetDelta: 1 lastTimestamp: 9 coordinatorEpoch: 4 currentTxnFirstOffset: Some(5)",
            PRODUCER,
        ),
        (
            "producerId: 7 producerEpoch: 3 coordinatorEpoch: 4 currentTxnFirstOffset: Some(5) cachedMetadata: Queue(BatchMetadata(firstSeq=1, lastSeq=2, firstOffset=3, lastOffset=4, timestamp=1), BatchMetadata(firstSeq=5, lastSeq=6, firstOffset=59, lastOffset=60, timestamp=9))",
            PRODUCER,
        ),
        (
            "producerId: 7 producerEpoch: 3 coordinatorEpoch: 4 currentTxnFirstOffset: Some(5) firstSequence: 5 lastSequence: 6 lastOffset: 60 offsetDelta: 1 timestamp: 9",
            PRODUCER,
        ),
        (
            "producerId: 7 producerEpoch: 3 coordinatorEpoch: 4 currentTxnFirstOffset: Some(5) firstSequence: 2147483647 lastSequence: -1 lastOffset: -1 offsetDelta: 0 timestamp: 9",
            IDLE,
        ),
        (
            "producerId: 7 producerEpoch: 3 coordinatorEpoch: 4 currentTxnFirstOffset: OptionalLong[5] lastTimestamp: 9 firstSequence: 5 lastSequence: 6 lastOffset: 60 offsetDelta: 1 timestamp: 9",
            PRODUCER,
        ),
        (
            "producerId: 7 producerEpoch: 3 coordinatorEpoch: 4 currentTxnFirstOffset: OptionalLong[5] lastTimestamp: 9 ",
            IDLE,
        ),
        (
            "producerId: 7 producerEpoch: 3 coordinatorEpoch: 4 currentTxnFirstOffset: OptionalLong[5] lastTimestamp: 9",
            IDLE,
        ),
        (
            "producerId: 7 producerEpoch: 3 coordinatorEpoch: 4 currentTxnFirstOffset: Some(5) ",
            {name: value for name, value in IDLE.items() if name != "timestamp"},
        ),
    ],
)
def test_producer_states(read, line, row):
    facts = read(f"Dumping __x/t-0/00000000000000000100.snapshot\n{line}\n".replace("__x", "abc"))
    assert filled(facts["producer_states"]) == [row | {"byte_offset": 46}]
    assert facts["sections"][0]["kind"] == "snapshot"


def test_aborted_ranges(read):
    facts = read("version: 0 producerId: 1000 firstOffset: 5 lastOffset: 9 lastStableOffset: 10\n")
    assert filled(facts["aborted_ranges"]) == [
        {
            "section": 0,
            "line": 1,
            "byte_offset": 0,
            "producer_id": 1000,
            "first_offset": 5,
            "last_offset": 9,
            "last_stable_offset": 10,
        }
    ]


def test_several_dumps_in_one_file_with_stderr_between(read):
    facts = read(
        "Picked up JAVA_TOOL_OPTIONS: -Xmx1g\n"
        "Dumping t-0/00000000000000000000.txnindex\nversion: 0 producerId: 1 firstOffset: 5 lastOffset: 9 lastStableOffset: 10\n"
        "Dumping t-0/00000000000000000000.log\nkafka.serializer.StringDecoder is deprecated. Please use org.apache.kafka.tools.api.StringDecoder instead\n"
        f"Log starting offset: 0\n{BATCH} deleteHorizonMs: OptionalLong.empty {TAIL}\n"
        "Found 17 invalid bytes at the end of 00000000000000000000.log\n"
        'Exception in thread "main" java.lang.IllegalStateException: Unknown offset message version: 4\n\tat kafka.tools.X.y(X.scala:1)\n'
        "Dumping t-0/00000000000000000005.timeindex\ntimestamp: 5 offset: 6\nMismatches in :/x\n  Index offset: 5, log offset: 6\n"
    )
    assert [(row["kind"], row["ending"], row["note"], row["line"], row["last_line"]) for row in facts["sections"]] == [
        ("txnindex", "complete", None, 2, 3),
        (
            "log",
            "died",
            'Found 17 invalid bytes at the end of 00000000000000000000.log; Exception in thread "main" java.lang.IllegalStateException: Unknown offset message version: 4',
            4,
            10,
        ),
        ("timeindex", "complete", "Mismatches in :/x", 11, 14),
    ]
    assert not facts["unparsed_lines"]


def test_lines_of_no_grammar_are_one_row_a_run(read):
    facts = read("what is this\nand this\n" + HEADER)
    assert filled(facts["unparsed_lines"]) == [
        {"section": 0, "line": 1, "byte_offset": 0, "lines": 2, "text": "what is this", "reason": NO_EVIDENCE}
    ]


def test_what_may_be_evidence_is_told_from_plain_words(read):
    lines = ("Hello,", "here is the dump", "$ kubectl exec kafka-0 -- ls /data", "Topic Partition ProducerId", "...")
    rows = filled(read("\n".join(lines) + "\n" + HEADER)["unparsed_lines"])
    assert [(row["line"], row["lines"], row["reason"]) for row in rows] == [
        (1, 3, NO_EVIDENCE), (4, 1, "no grammar takes it")
    ]  # fmt: skip


def observed(facts):
    names = ("observed", "topic", "partition", "name", "number", "other_number", "text")
    return [tuple(row[name] for name in names) for row in facts["observations"]]


@pytest.mark.parametrize(
    ("name", "text", "rows"),
    [
        (
            "replication-offset-checkpoint",
            "0\n2\nmy-topic 0 57\nb 1 3\n",
            [("high_watermark", "my-topic", 0, None, 57, None, None), ("high_watermark", "b", 1, None, 3, None, None)],
        ),
        ("recovery-point-offset-checkpoint", "0\n1\nb 1 3\n", [("recovery_point", "b", 1, None, 3, None, None)]),
        ("cleaner-offset-checkpoint", "0\n1\nb 1 3\n", [("cleaner_checkpoint", "b", 1, None, 3, None, None)]),
        ("log-start-offset-checkpoint", "0\n1\nb 1 3\n", [("log_start", "b", 1, None, 3, None, None)]),
        (
            "leader-epoch-checkpoint",
            "0\n2\n0 0\n4 120\n",
            [("leader_epoch", None, None, None, 0, 0, None), ("leader_epoch", None, None, None, 120, 4, None)],
        ),
        ("leader-epoch-checkpoint", "", []),
    ],
)
def test_checkpoints(read, name, text, rows):
    facts = read(text, "checkpoint", name)
    assert observed(facts) == rows
    assert not facts["unparsed_lines"]
    assert [row["ending"] for row in facts["sections"]] == (["complete"] if text else [])


def test_a_cut_checkpoint(read):
    facts = read("0\n3\na 0 57\nb 1", "checkpoint", "replication-offset-checkpoint")
    assert observed(facts) == [("high_watermark", "a", 0, None, 57, None, None)]
    assert (facts["sections"][0]["ending"], facts["unparsed_lines"][0]["line"]) == ("cut", 4)


def test_metadata_files(read):
    assert observed(read("version: 0\ntopic_id: OEVznpHbTIGWyfvN3qCJnw", "metadata", "partition.metadata")) == [
        ("topic_id", None, None, None, None, None, "OEVznpHbTIGWyfvN3qCJnw")
    ]
    properties = read(
        "#\n#Sat Nov 21 09:13:11 UTC 2026\nnode.id=3\nversion=1\ndirectory.id=abc\ncluster.id=fnk10_WA6jeiHPg9EMdjeA\n",
        "metadata",
        "meta.properties",
    )
    assert observed(properties) == [
        ("broker_id", None, None, None, 3, None, None),
        ("cluster_id", None, None, None, None, None, "fnk10_WA6jeiHPg9EMdjeA"),
    ]
    assert not properties["unparsed_lines"]


def test_topics_described(read):
    facts = read(
        "Topic: orders\tTopicId: q6\tPartitionCount: 2\tReplicationFactor: 1\tConfigs: \n\tTopic: orders\tPartition: 0\tLeader: 3\tReplicas: 3,1\tIsr: 3\n\tTopic: orders\tPartition: 1\tLeader: none\tReplicas: 1\tIsr: \n",
        "admin",
    )
    assert [row[:6] for row in observed(facts)] == [
        ("partition_count", "orders", None, None, 2, None),
        ("partition_leader", "orders", 0, None, 3, None),
        ("partition_leader", "orders", 1, None, None, None),
    ]
    assert facts["observations"][1]["text"] == "Replicas: 3,1 Isr: 3"


def test_transactions_listed_and_described(read):
    facts = read(
        "$ kafka-transactions.sh --bootstrap-server x list\nTransactionalId\tCoordinator\tProducerId\tTransactionState\t\nmy id          \t0          \t12        \tOngoing         \t\n"
        "CoordinatorId\tTransactionalId\tProducerId\tProducerEpoch\tTransactionState\tTransactionTimeoutMs\tCurrentTransactionStartTimeMs\tTransactionDurationMs\tTopicPartitions\t\n0\tmy id\t12\t4\tOngoing\t60000\t5\t6\ta-0,b-1\t\n",
        "admin",
    )
    names = "asked transactional_id producer_id producer_epoch state timeout_ms started_ms answered_ms partitions text"
    assert answers(facts, names) == [
        ("list_transactions", "my id", 12, None, "Ongoing", None, None, None, None, "my id 0 12 Ongoing"),
        ("describe_transaction", "my id", 12, 4, "Ongoing", 60000, 5, 11, ["a-0", "b-1"],
         "0 my id 12 4 Ongoing 60000 5 6 a-0,b-1"),
    ]  # fmt: skip


def answers(facts, names):
    """These columns of the rows of `answers`."""
    return [tuple(row[name] for name in names.split()) for row in facts["answers"]]


PRODUCERS = "ProducerId\tProducerEpoch\tLatestCoordinatorEpoch\tLastSequence\tLastTimestamp\tCurrentTransactionStartOffset\t\n5         \t0            \t-1                    \t5           \t1795252401091\t72                          \t\n6\t0\t-1\t5\t1795252401091\tNone\t\n"


def test_producers_described(read):
    rows = [("t-x", 3, 72, 5), ("t-x", 3, None, 6)]
    above = read(
        f"$ kafka-transactions.sh --bootstrap-server <c> describe-producers --topic t-x --partition 3\n{PRODUCERS}",
        "admin",
    )
    named = read(PRODUCERS, "admin", "describe-producers.t-x-3.txt")
    for facts in (above, named):
        assert answers(facts, "topic partition first_offset producer_id") == rows
        assert answers(facts, "asked") == [("describe_producers",)] * 2
    assert answers(read(PRODUCERS, "admin", "paste.txt"), "topic partition")[0] == (None, None)


def test_hanging_candidates_and_groups(read):
    facts = read(
        "Topic \tPartition\tProducerId\tProducerEpoch\tCoordinatorEpoch\tStartOffset\tLastTimestamp\tDuration(min)\t\norders\t3        \t2000      \t5            \t-1              \t87         \t1795253286492\t2            \t\n",
        "admin",
    )
    names = "asked topic partition first_offset producer_id producer_epoch coordinator_epoch last_ms answered_ms"
    at = 1795253286492
    assert answers(facts, names) == [("find_hanging", "orders", 3, 87, 2000, 5, -1, at, at + 120_000)]
    facts = read(
        "\nGROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG             CONSUMER-ID     HOST            CLIENT-ID\n"
        "my group        profile-events  0          29              40              11              -               -               -\n"
        "my group        profile-events  1          -               40              -               rdkafka-1       /127.0.0.1      rdkafka\n"
        "\nConsumer group 'my group' has no active members.\n",
        "admin",
    )
    assert [row[:6] for row in observed(facts)] == [
        ("group_position", "profile-events", 0, "my group", 29, 40),
        ("group_position", "profile-events", 1, "my group", None, None),
    ]
    assert not facts["unparsed_lines"]


def test_old_console_forms(read):
    facts = read(
        "t::TransactionMetadata(transactionalId=t, producerId=1, producerEpoch=2, txnTimeoutMs=60000, state=Ongoing, pendingState=None, topicPartitions=HashSet(b-1, a-0), txnStartTimestamp=5, txnLastUpdateTimestamp=6)\n"
        "gone::NULL\nunknown::version=3\n"
        "[g,t,0]::OffsetAndMetadata(offset=5, leaderEpoch=Optional[3], metadata=note, commitTimestamp=7, expireTimestamp=None)\n"
        "[g,t,1]::[OffsetMetadata[6,NO_METADATA],CommitTime 8,ExpirationTime 9]\n[g,t,2]::NULL\n"
        "Processed a total of 6 messages\nwhat\n",
        "console",
    )
    assert [
        (row["transactional_id"], row["state"], row["partitions"], row["start_ms"], row["tombstone"])
        for row in facts["coordinator_states"]
    ] == [("t", "Ongoing", ["a-0", "b-1"], 5, False), ("gone", None, None, None, True)]
    assert [(row["partition"], row["committed_offset"], row["leader_epoch"], row["metadata"], row["commit_ms"], row["tombstone"]) for row in facts["offset_commits"]] == [
        (0, 5, 3, "note", 7, False), (1, 6, None, "", 8, False), (2, None, None, None, None, True),
    ]  # fmt: skip
    assert [(row["line"], row["text"]) for row in facts["unparsed_lines"]] == [(8, "what")]


STATE_FIELDS = "producerId=15, producerEpoch=1, txnTimeoutMs=9, state=Ongoing, pendingState=None, topicPartitions=HashSet(a-0, b-1), txnStartTimestamp=1699766244914, txnLastUpdateTimestamp=1699766244915)"


@pytest.mark.parametrize(
    "line",
    [
        f"t x::TransactionMetadata(transactionalId=t x, {STATE_FIELDS}",
        f"// t x::TransactionMetadata(transactionalId=t x, {STATE_FIELDS} // after send()",
        f"  > t x::TransactionMetadata(transactionalId=t x, {STATE_FIELDS}".removesuffix(")"),
        "t x::TransactionMetadata(transactionalId=t x, producerId15, producerEpoch=1, txnTimeoutMs=9, state=Ongoing, pendingState=None, txnStartTimestamp=1699766244914, txnLastUpdateTimestamp=1699766244915, partitions=[a-0, b-1])",
        "t x::TransactionMetadata(transactionalId=t x, producerId=15, prevProducerId=-1, nextProducerId=-1, producerEpoch=1, lastProducerEpoch=0, txnTimeoutMs=9, state=Ongoing, pendingState=Optional[PrepareAbort], topicPartitions=[b-1, a-0], txnStartTimestamp=1699766244914, txnLastUpdateTimestamp=1699766244915, clientTransactionVersion=TV_2)",
    ],
)  # fmt: skip
def test_states_of_the_console_in_every_form(read, line):
    facts = read(f"{line}\n", "console")
    names = ("transactional_id", "producer_id", "producer_epoch", "timeout_ms", "state", "partitions", "start_ms", "last_update_ms")  # fmt: skip
    assert [tuple(row[name] for name in names) for row in facts["coordinator_states"]] == [
        ("t x", 15, 1, 9, "Ongoing", ["a-0", "b-1"], 1699766244914, 1699766244915)
    ]
    assert not facts["unparsed_lines"]


@pytest.mark.parametrize(
    "line",
    [
        f"t::TransactionMetadata(transactionalId=u, {STATE_FIELDS}",
        f"t::TransactionMetadata(transactionalId=t, {STATE_FIELDS}"[:-2],
        "t::TransactionMetadata(transactionalId=t, producerId=15, producerEpoch=1, state=Ongoing, ...)",
    ],
)
def test_a_state_that_is_cut_is_none(read, line):
    facts = read(f"{line}\n", "console")
    assert not facts["coordinator_states"]
    assert [row["lines"] for row in facts["unparsed_lines"]] == [1]


def test_glued_json_of_the_console(read):
    state = '{"key":{"type":0,"data":{"transactionalId":"tä"}},"value":{"version":1,"data":{"producerId":1,"producerEpoch":2,"transactionTimeoutMs":3,"transactionStatus":4,"transactionPartitions":[],"transactionLastUpdateTimestampMs":5,"transactionStartTimestampMs":6}}}'
    commit = '{"key":{"type":1,"data":{"group":"g","topic":"t","partition":0}},"value":{"version":4,"data":{"offset":5,"leaderEpoch":-1,"metadata":"","commitTimestamp":7}}}'
    gone = '{"key":{"version":0,"data":{"transactionalId":"x"}},"value":null}'
    for block_bytes in (7, 1 << 20):
        facts = read(
            f"{state}{commit}{gone}09:21:35.915 [main] ERROR org.x - terminating\norg.apache.kafka.common.errors.TimeoutException: null\n",
            "console",
            block_bytes=block_bytes,
        )
        assert [(row["transactional_id"], row["state"], row["byte_offset"]) for row in facts["coordinator_states"]] == [
            ("tä", "CompleteCommit", 0),
            ("x", None, len((state + commit).encode())),
        ]
        assert [
            (row["committed_offset"], row["leader_epoch"], row["producer_id"]) for row in facts["offset_commits"]
        ] == [(5, -1, None)]
        assert not facts["unparsed_lines"]


def test_stderr(read):
    facts = read(
        'Exception in thread "main" java.lang.NullPointerException: x\n\tat kafka.tools.X.y(X.scala:1)\nodd\n', "stderr"
    )
    assert [(row["kind"], row["ending"], row["note"]) for row in facts["sections"]] == [
        ("stderr", "died", 'Exception in thread "main" java.lang.NullPointerException: x')
    ]
    assert facts["unparsed_lines"][0]["text"] == "odd"


@pytest.mark.parametrize("kind", ["dump", "console", "checkpoint", "metadata", "admin", "broker_log", "stderr"])
def test_an_empty_file_gives_no_rows(read, kind):
    assert not read("", kind)


def test_broker_log(read):
    changed = (
        "org.apache.kafka.common.KafkaException: Transaction topic number of partitions has changed from 50 to 150"
    )
    found = read(
        "[2026-11-21 09:26:36,410] INFO [TransactionCoordinator id=0] Elected (kafka.coordinator.transaction.X)\n"
        f"{changed}\n\tat kafka.coordinator.transaction.TransactionStateManager.x(TransactionStateManager.scala:1)\n",
        "broker_log",
    )
    assert [
        (row["observed"], row["topic"], row["number"], row["other_number"], row["line"], row["text"])
        for row in found["observations"]
    ] == [("count_changed", "__transaction_state", 50, 150, 2, changed)]
    assert not found["unparsed_lines"]
