"""Answers of rpk, kcl and kafka-get-offsets, in the forms that their sources print, and metrics of exporters."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from conftest import rows_by_table

from analyzer.parse.reading import read_facts
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest

MS = 1_795_252_401_091
TIME = "2026-11-21 09:13:21.091"


def read(tmp_path: Path, text: str, kind: str = "admin") -> dict[str, list[dict]]:
    path = tmp_path / "pasted.txt"
    path.write_text(text)
    capture = scan_capture(CaptureRequest((str(path),)))
    assert [file["file_kind"] for file in capture.files] == [kind]
    return rows_by_table(read_facts(capture.sources()[0]))


def told(rows: list[dict], names: str) -> list[tuple]:
    return [tuple(row[name] for name in names.split()) for row in rows]


KCL_PRODUCERS = (
    f"TOPIC   PARTITION  ERROR  ID    EPOCH  LAST-SEQUENCE  LAST-TIMESTAMP           COORDINATOR-EPOCH  TXN-START-OFFSET\n"
    f"orders  3                 2000  5      9              {TIME}  4                  87\n"
    f"orders  3                 2001  0      2              {TIME}  -1                 -1\n"
)
RPK_PRODUCERS = (
    "LEADER  TOPIC   PARTITION  PRODUCER-ID  PRODUCER-EPOCH  LAST-TIMESTAMP                 LAST-SEQUENCE  "
    "COORDINATOR-EPOCH  TXN-START-OFFSET  ERROR\n"
    f"1       orders  3          2000         5               {TIME.replace(' ', 'T')}Z       9              4                  87\n"
    f"1       orders  3          2001         0               {TIME.replace(' ', 'T')}Z       2              -1                 -1\n"
)


@pytest.mark.parametrize(
    "text", [KCL_PRODUCERS, RPK_PRODUCERS, KCL_PRODUCERS.replace("-SEQ", " SEQ").replace("LAST-T", "LAST T").replace("N-S", "N S").replace("T-O", "T O").replace("R-E", "R E")]
)  # fmt: skip
def test_producers_of_a_partition(tmp_path, text):
    facts = read(tmp_path, text)
    assert told(facts["answers"], "asked topic partition producer_id producer_epoch first_offset last_ms") == [
        ("describe_producers", "orders", 3, 2000, 5, 87, MS),
        ("describe_producers", "orders", 3, 2001, 0, None, MS),
    ]
    assert not facts["unparsed_lines"]


def test_transactions_listed_by_kcl(tmp_path):
    text = (
        "BROKER  TRANSACTIONAL-ID  PRODUCER-ID  STATE          ERROR\n"
        "1       pay-1             2000         Ongoing        \n"
        "2       pay-2             2001         PrepareCommit\n"
    )
    facts = read(tmp_path, text)
    assert told(facts["answers"], "asked coordinator transactional_id producer_id state") == [
        ("list_transactions", 1, "pay-1", 2000, "Ongoing"),
        ("list_transactions", 2, "pay-2", 2001, "PrepareCommit"),
    ]
    assert not facts["unparsed_lines"]


KCL_DESCRIBED = (
    "TRANSACTIONAL-ID  STATE    PRODUCER-ID  PRODUCER-EPOCH  TIMEOUT-MS  START-TIMESTAMP          TOPICS                   ERROR\n"
    f"pay-1             Ongoing  2000         5               60000       {TIME}  orders[0 3], payments[1]  \n"
)
RPK_DESCRIBED = (
    "COORDINATOR  TRANSACTIONAL-ID  PRODUCER-ID  PRODUCER-EPOCH  STATE    START-TIMESTAMP          TIMEOUT  TOPICS\n"
    f"1            pay-1             2000         5               Ongoing  {TIME.replace(' ', 'T')}Z  1m0s     {{}}\n"
)
BOTH = ["orders-0", "orders-3", "payments-1"]


@pytest.mark.parametrize(
    ("text", "partitions"),
    [
        (KCL_DESCRIBED, BOTH),
        (RPK_DESCRIBED.format("orders[0;3],payments[1]"), BOTH),
        (RPK_DESCRIBED.format("orders,payments"), None),
    ],
)
def test_transactions_described(tmp_path, text, partitions):
    facts = read(tmp_path, text)
    names = "asked transactional_id producer_id producer_epoch state timeout_ms started_ms partitions"
    assert told(facts["answers"], names) == [
        ("describe_transaction", "pay-1", 2000, 5, "Ongoing", 60_000, MS, partitions)
    ]
    assert not facts["unparsed_lines"]


KCL_OFFSETS = (
    "BROKER  TOPIC   PARTITION  START  STABLE  END   ERROR\n"
    "1       orders  0          0      87      1042  \n"
    "1       orders  1          0      50      50    \n"
)
RPK_OFFSETS = (
    "$ rpk topic describe -p orders\n"
    "PARTITION  LEADER  EPOCH  REPLICAS  LOG-START-OFFSET  LAST-STABLE-OFFSET  HIGH-WATERMARK\n"
    "0          1       3      [1 2 3]   0                 87                  1042\n"
    "1          1       3      [1 2 3]   0                 50                  50\n"
)
SUMMARY = "SUMMARY\n=======\nNAME        orders\nPARTITIONS  2\n\nPARTITIONS\n==========\n"
COMMAND = "$ kafka-get-offsets.sh --bootstrap-server b:9092 --topic orders"
RC = f"{COMMAND} --command-config rc.properties"


@pytest.mark.parametrize(
    "text", [KCL_OFFSETS, KCL_OFFSETS.replace("END ", "END   START-EPOCH ").replace("1042", "1042  3")]
)
def test_tables_with_stable_offsets(tmp_path, text):
    facts = read(tmp_path, text)
    assert told(facts["log_lines"], "says source topic partition offset number") == [
        ("stable_offset", "tool", "orders", 0, 87, 1042),
        ("stable_offset", "tool", "orders", 1, 50, 50),
    ]
    assert not facts["unparsed_lines"]


@pytest.mark.parametrize(("option", "rows"), [("", 2), ("--with-epochs", 2), ("--committed", 0)])
def test_an_end_that_read_committed_readers_see_tells_no_lso(tmp_path, option, rows):
    """It is the LSO itself: that both are equal does not show that nothing is open."""
    facts = read(tmp_path, f"$ kcl topic list-offsets orders {option}\n{KCL_OFFSETS}")
    assert len(facts["log_lines"]) == rows
    assert not facts["unparsed_lines"]


def test_rpk_tells_no_high_watermark(tmp_path):
    """Of both questions the answer is the LSO: where they differ, it moved on; where not, something may be open."""
    facts = read(tmp_path, RPK_OFFSETS)
    assert told(facts["log_lines"], "says source topic partition offset number") == [
        ("stable_offset", "tool", "orders", 0, 87, None),
        ("stable_offset", "tool", "orders", 1, 50, None),
    ]
    assert not facts["unparsed_lines"]


def test_the_topic_of_rpk_is_named_by_its_summary(tmp_path):
    facts = read(tmp_path, SUMMARY + RPK_OFFSETS.partition("\n")[2])
    assert {row["topic"] for row in facts["log_lines"]} == {"orders"}
    unplaced = read(tmp_path, RPK_OFFSETS.partition("\n")[2])
    assert unplaced["log_lines"] == []


def test_a_table_of_rpk_without_stable_offsets_tells_none(tmp_path):
    text = (
        RPK_OFFSETS.replace("  LAST-STABLE-OFFSET", "")
        .replace("87                  ", "")
        .replace("50                  ", "")
    )
    facts = read(tmp_path, text)
    assert (facts["log_lines"], facts["unparsed_lines"]) == ([], [])


@pytest.mark.parametrize(
    ("text", "stable"),
    [
        (f"{COMMAND}\norders:0:1042\n{COMMAND} --command-config rc.properties\norders:0:87\n", [(0, 87, 1042)]),
        # the first answer may be the older one
        (f"{COMMAND} --command-config rc.properties\norders:0:87\n{COMMAND}\norders:0:1042\n", []),
        (f"{COMMAND}\norders:0:1042\n{COMMAND} --time -2\norders:0:87\n", []),
        (f"{COMMAND} --time latest\norders:0:1042\n{RC} --time=-1\norders:0:87\norders:1:5\n", [(0, 87, 1042)]),
        # a client without a configuration is given no LSO; nor is that of another way
        (f"{RC}\norders:0:1042\n{COMMAND}\norders:0:87\n", []),
        (
            f"$ kubectl -n prod exec k -- {COMMAND[2:]}\norders:0:1042\n$ kubectl -n stage exec k -- {RC[2:]}\norders:0:87\n",
            [],
        ),
        (
            f"{COMMAND}\norders:0:99\n{RC}\norders:0:42\n{COMMAND}\norders:0:90\n{RC}\norders:0:80\n",
            [(0, 42, 99), (0, 80, 90)],
        ),
        # the same question twice: the topic may have been created anew in between
        (f"{COMMAND}\norders:0:1042\n{COMMAND}\norders:0:87\n", []),
        (f"{COMMAND}\norders:0:1042\n{RC.replace('b:9092', 'mirror:9092')}\norders:0:87\n", []),
        (
            f"{COMMAND} \\\n  --time -1\norders:0:1042\n{COMMAND} \\\n  --command-config rc.properties\norders:0:87\n",
            [(0, 87, 1042)],
        ),
        (f"{COMMAND}\norders:0:1042\n{COMMAND}\norders:0:1042\n", []),
    ],
)
def test_an_end_below_an_earlier_end_is_an_lso(tmp_path, text, stable):
    assert told(read(tmp_path, text)["log_lines"], "partition offset number") == stable


@pytest.mark.parametrize(
    "line",
    [
        'kafka_cluster_partition_laststableoffsetlag{partition="3",topic="orders",} 17.0',
        'kafka_cluster_Partition_Value{name="LastStableOffsetLag",partition="3",topic="orders",} 17.0',
        'kafka_cluster_partition_laststableoffsetlag_value{topic="orders",partition="3"} 17',
        'kafka_topic_partition_last_stable_offset_lag{broker="1",topic="orders",partition="3"} 17 1700000000000',
    ],
)
def test_the_lag_of_the_lso_by_every_exporter(tmp_path, line):
    facts = read(tmp_path, f"# TYPE x gauge\n{line}\n", "broker_log")
    assert told(facts["log_lines"], "says topic partition number") == [("stable_offset_lag", "orders", 3, 17)]


@pytest.mark.parametrize(
    "line",
    [
        "kafka_server_replicamanager_partitionswithlatetransactionscount 2.0",
        'kafka_server_ReplicaManager_Value{name="PartitionsWithLateTransactionsCount",} 2.0',
        'kafka_server_replicamanager_partitionswithlatetransactionscount{pod="kafka 0",namespace="x"} 2.0',
        'kafka_server_replicamanager_partitionswithlatetransactionscount_value{instance="x",} 2.0',
        "kafka_replica_manager_partitions_with_late_transactions_count 2",
    ],
)
def test_late_transactions_by_every_exporter(tmp_path, line):
    facts = read(tmp_path, f"# TYPE x gauge\n{line}\n", "broker_log")
    assert told(facts["log_lines"], "says number") == [("late_transactions", 2)]


def test_other_metrics_tell_nothing(tmp_path):
    text = (
        'kafka_cluster_Partition_Value{name="LastStableOffsetLag",partition="3",topic="orders",} 0.0\n'
        'kafka_cluster_Partition_Value{name="UnderReplicated",partition="3",topic="orders",} 17.0\n'
        'kafka_server_ReplicaManager_Value{name="PartitionCount",} 2.0\n'
    )
    facts = read(tmp_path, text, "broker_log")
    assert told(facts["log_lines"], "says number") == [("stable_offset_lag", 0)]


DESCRIPTION = (
    "TransactionDescription(coordinatorId=1, state=Ongoing, producerId=2000, producerEpoch=5, "
    "transactionTimeoutMs=60000, transactionStartTimeMs={}, topicPartitions=[payments-1, orders-3])"
)
STATES = (
    f"ProducerState(producerId=2000, producerEpoch=5, lastSequence=9, lastTimestamp={MS}, "
    "coordinatorEpoch=OptionalInt[4], currentTransactionStartOffset=OptionalLong[87]), "
    f"ProducerState(producerId=2001, producerEpoch=0, lastSequence=2, lastTimestamp={MS}, "
    "coordinatorEpoch=OptionalInt.empty, currentTransactionStartOffset=OptionalLong.empty)"
)


@pytest.mark.parametrize(
    ("printed", "transactional_id", "started_ms"),
    [
        (f"{{pay-1={DESCRIPTION}}}", "pay-1", MS),
        (f"{{other={DESCRIPTION}, pay-1={DESCRIPTION}}}", "pay-1", MS),
        (f"description={DESCRIPTION}", None, MS),
        (f"Result: {DESCRIPTION}", None, None),
    ],
)
def test_transactions_printed_by_a_java_program(tmp_path, printed, transactional_id, started_ms):
    started = f"OptionalLong[{MS}]" if started_ms else "OptionalLong.empty"
    facts = read(tmp_path, printed.replace("{}", started) + "\n", "broker_log")
    row = facts["answers"][-1]
    names = "asked transactional_id producer_id producer_epoch coordinator state timeout_ms started_ms partitions"
    asked = ("describe_transaction", transactional_id, 2000, 5, 1, "Ongoing", 60_000, started_ms)
    assert told([row], names) == [(*asked, ["orders-3", "payments-1"])]
    assert not facts["unparsed_lines"]


@pytest.mark.parametrize(
    ("printed", "place"),
    [
        (f"{{orders-3=PartitionProducerState(activeProducers=[{STATES}])}}\n", ("orders", 3)),
        (f"PartitionProducerState(activeProducers=[{STATES}])\n", (None, None)),
        (f"{{orders-1=PartitionProducerState(activeProducers=[]), orders-3=PartitionProducerState(activeProducers=[{STATES}])}}\n",
         ("orders", 3)),
    ],
)  # fmt: skip
def test_producers_printed_by_a_java_program(tmp_path, printed, place):
    facts = read(tmp_path, printed, "broker_log")
    names = "asked topic partition producer_id producer_epoch coordinator_epoch first_offset last_ms"
    assert told(facts["answers"], names) == [
        ("describe_producers", *place, 2000, 5, 4, 87, MS),
        ("describe_producers", *place, 2001, 0, None, None, MS),
    ]
    assert all(row["text"] in printed for row in facts["answers"])


def test_a_program_that_logs_its_answers(tmp_path):
    text = (
        "2026-11-21 09:13:21.091  INFO 1 --- [main] c.a.Watch : "
        "[TransactionListing(transactionalId='pay-1', producerId=2000, transactionState=Ongoing), "
        "TransactionListing(transactionalId='it's, 2', producerId=2001, transactionState=CompleteCommit)]\n"
        "2026-11-21 09:13:22.091  INFO 1 --- [main] c.a.Watch : done\n"
    )
    facts = read(tmp_path, text, "broker_log")
    assert told(facts["answers"], "asked transactional_id producer_id state answered_ms") == [
        ("list_transactions", "pay-1", 2000, "Ongoing", None),
        ("list_transactions", "it's, 2", 2001, "CompleteCommit", None),
    ]
    assert not facts["unparsed_lines"]


KCAT = """Metadata for {} (from broker -1: kafka:9092/bootstrap):
 3 brokers:
  broker 1 at kafka1:9092 (controller)
  broker 2 at kafka2:9092
 1 topics:
  topic "orders" with 2 partitions:
    partition 0, leader 1, replicas: 1,2,3, isrs: 1,2
    partition 1, leader -1, replicas: 2, isrs: 2, Broker: Leader not available
"""


@pytest.mark.parametrize("asked", ["all topics", "orders"])
def test_topics_described_by_kcat(tmp_path, asked):
    facts = read(tmp_path, KCAT.format(asked))
    found = told(facts["observations"], "observed topic partition number text")
    every = ("all_topics", None, None, None, "Metadata for all topics (from broker -1: kafka:9092/bootstrap):")
    assert found == [
        *([every] if asked == "all topics" else []),
        ("partition_count", "orders", None, 2, 'topic "orders" with 2 partitions:'),
        ("partition_leader", "orders", 0, 1, "Replicas: 1,2,3 Isr: 1,2"),
        ("partition_leader", "orders", 1, None, "Replicas: 2 Isr: 2"),
    ]
    assert not facts["unparsed_lines"]


ACTIVE = {
    "partition": 3, "producerId": 5017, "producerEpoch": 2, "lastSequence": 41, "lastTimestampMs": 1789880852499,
    "coordinatorEpoch": 7, "currentTransactionStartOffset": 1042,
}  # fmt: skip
LOGGED = "[2024-05-25 13:14:14,560] INFO [TransactionCoordinator id=1] Startup complete. (kafka.X)\n"


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("before", ["", LOGGED])
@pytest.mark.parametrize(("named", "place"), [({}, (None, None)), ({"topic": "orders"}, ("orders", 3))])
def test_active_producers_of_a_ui(tmp_path, indent, before, named, place):
    """The page's address names the topic, its answer does not: what is open there is of no known partition."""
    idle = ACTIVE | {"producerId": 5018, "currentTransactionStartOffset": -1}
    text = before + json.dumps([ACTIVE | named, idle | named], indent=indent) + "\n"
    facts = read(tmp_path, text, kind="broker_log")
    assert told(facts["answers"], "topic partition producer_id producer_epoch first_offset last_ms") == [
        (*place, 5017, 2, 1042, 1789880852499),
        (*place, 5018, 2, None, 1789880852499),
    ]


RPK_ROW = {"leader": 1, "topic": "orders", "partition": 3, "producer_id": 2000, "producer_epoch": 5, "last_sequence": 9,
           "last_timestamp": str(MS), "coordinator_epoch": 4, "transaction_start_offset": 87}  # fmt: skip
RPK_NOBODY = RPK_ROW | {"partition": 4, "producer_id": 0, "producer_epoch": 0, "last_timestamp": "",
                        "transaction_start_offset": 0, "error": "NOT_LEADER_FOR_PARTITION: not the leader"}  # fmt: skip
RPK_PART = {"coordinator_id": 1, "transaction_id": "pay-1", "producer_id": 2000, "producer_epoch": 5,
            "state": "Ongoing", "start_timestamp": str(MS), "timeout": 60_000, "topic": "orders"}  # fmt: skip


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("before", ["", "$ rpk cluster txn describe-producers --all --format json\n"])
def test_producers_as_rpk_prints_them_in_json(tmp_path, indent, before):
    """A partition that was not described has a row of zeros: no transaction is open there for all that anybody knows."""
    text = before + json.dumps([RPK_ROW, RPK_ROW | {"transaction_start_offset": -1}, RPK_NOBODY], indent=indent) + "\n"
    facts = read(tmp_path, text, "broker_log")
    assert told(facts["answers"], "asked topic partition producer_id producer_epoch first_offset last_ms") == [
        ("describe_producers", "orders", 3, 2000, 5, 87, MS),
        ("describe_producers", "orders", 3, 2000, 5, None, MS),
    ]
    assert told(facts["log_lines"], "says topic partition") == [("not_answered", "orders", 4)]


@pytest.mark.parametrize("indent", [None, 2])
def test_transactions_as_rpk_prints_them_in_json(tmp_path, indent):
    listed = [{"broker": 1, "transaction_id": "pay-1", "producer_id": 2000, "state": "PrepareCommit"}]
    facts = read(tmp_path, json.dumps(listed, indent=indent) + "\n", "broker_log")
    assert told(facts["answers"], "asked coordinator transactional_id producer_id state") == [
        ("list_transactions", 1, "pay-1", 2000, "PrepareCommit")
    ]
    described = [RPK_PART | {"partition": partition} for partition in (3, 0)]
    facts = read(tmp_path, json.dumps(described, indent=indent) + "\n", "broker_log")
    assert told(facts["answers"], "asked producer_epoch state started_ms timeout_ms partitions topic") == [
        ("describe_transaction", 5, "Ongoing", MS, 60_000, ["orders-0", "orders-3"], None)
    ]


@pytest.mark.parametrize(
    "other",
    [
        {"level": "info", "msg": "began", "producer_id": 2000, "producer_epoch": 5, "state": "InTransaction"},
        {"producer_id": 2000, "state": "Ongoing", "topic": "orders", "shop": "berlin"},
    ],
)
def test_objects_with_other_fields_are_no_answers(tmp_path, other):
    facts = read(tmp_path, json.dumps([other]) + "\n", "broker_log")
    assert not facts["answers"]


def test_a_topic_as_rpk_prints_it_in_json(tmp_path):
    parts = [
        {"partition": 0, "leader": 1, "replicas": [1, 2], "log_start_offset": 0, "last_stable_offset": 87, "high_watermark": 99},
        {"partition": 1, "leader": -1, "replicas": [1, 2], "log_start_offset": 0, "high_watermark": 5},
        {"partition": 2, "leader": 2, "replicas": [2], "last_stable_offset": -1, "high_watermark": 5},
    ]  # fmt: skip
    text = json.dumps([{"summary": {"name": "orders", "partitions": 3}, "configs": None, "partitions": parts}]) + "\n"
    facts = read(tmp_path, text, "broker_log")
    assert told(facts["log_lines"], "says topic partition offset number") == [("stable_offset", "orders", 0, 87, None)]
    assert told(facts["observations"], "observed topic partition number") == [
        ("partition_leader", "orders", 0, 1),
        ("partition_leader", "orders", 1, None),
        ("partition_leader", "orders", 2, 2),
    ]


RPK_GROUP = """\
GROUP             ledger
COORDINATOR-NODE  1
STATE             Stable
MEMBERS           1
TOTAL-LAG         50

TOPIC    PARTITION  CURRENT-OFFSET  LOG-START-OFFSET  LOG-END-OFFSET  LAG   MEMBER-ID    CLIENT-ID  HOST
orders   0          80100           0                 80150           50    member-1-ab  my-app     10.0.0.1
orders   1          -               0                 3151            3151
"""


def test_a_group_whose_name_stands_above_its_positions(tmp_path):
    facts = read(tmp_path, RPK_GROUP)
    assert told(facts["observations"], "observed name topic partition number other_number") == [
        ("group_position", "ledger", "orders", 0, 80100, 80150),
        ("group_position", "ledger", "orders", 1, None, None),
    ]
    assert not facts["unparsed_lines"]
    other = "\nGROUP   TOPIC   PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG\nreaders orders  2          7               9               2\n"
    facts = read(tmp_path, RPK_GROUP + other)
    assert told(facts["observations"], "name partition number")[2:] == [("readers", 2, 7)]


KCL_NOW = f"""\
TOPIC   PARTITION  PRODUCER-ID  PRODUCER-EPOCH  LAST-SEQUENCE  LAST-TIMESTAMP           COORDINATOR-EPOCH  TXN-START-OFFSET  ERROR                     MESSAGE
orders  3          2000         5               9              {TIME}  4                  87
orders  4          -            -               -              -                        -                  -                 NOT_LEADER_FOR_PARTITION
TRANSACTIONAL-ID  STATE    PRODUCER-ID  PRODUCER-EPOCH  TIMEOUT-MS  START-TIMESTAMP          TOPICS                   ERROR
pay-1             Ongoing  2000         5               60000       {TIME}  orders:0,3;payments:1
"""
KCL_ROW = {"topic": "orders", "partition": 3, "producer_id": 2000, "producer_epoch": 5, "last_sequence": 9, "last_timestamp": MS,
           "coordinator_epoch": 4, "txn_start_offset": 87, "error": "", "message": ""}  # fmt: skip
KCL_NONE = dict.fromkeys(KCL_ROW) | {"topic": "orders", "partition": 4, "error": "NOT_LEADER", "message": "no"}
KCL_TXN = {"transactional_id": "pay-1", "state": "Ongoing", "producer_id": 2000, "producer_epoch": 5, "timeout_ms": 60_000, "start_timestamp": MS,
           "topics": [{"topic": "orders", "partitions": [0, 3]}, {"topic": "payments", "partitions": [1]}], "error": ""}  # fmt: skip


@pytest.mark.parametrize("indent", ["text", None, 2])
def test_answers_of_kcl_as_it_prints_them_now(tmp_path, indent):
    answers: list[dict] = [
        {"_version": 1, "producers": [KCL_ROW, KCL_NONE]},
        {"_version": 1, "transactions": [KCL_TXN]},
    ]
    texts = [json.dumps(one, indent=indent, sort_keys=True) + "\n" for one in answers]
    texts = [KCL_NOW] if indent == "text" else texts
    read_texts = [read(tmp_path, text, "admin" if indent == "text" else "broker_log") for text in texts]
    rows = [row for facts in read_texts for row in facts["answers"]]
    assert told(rows, "asked topic partition producer_id first_offset last_ms started_ms timeout_ms partitions") == [
        ("describe_producers", "orders", 3, 2000, 87, MS, None, None, None),
        ("describe_transaction", None, None, 2000, None, None, MS, 60_000, BOTH),
    ]
    refused = [row for facts in read_texts for row in (*facts["unparsed_lines"], *facts["log_lines"])]
    assert len(refused) == 1
