"""Answers that are values: JSON of pages' APIs and of clients, YAML, what Python prints, and tables of other tools."""

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
PRODUCER = {"producer_id": 2000, "producer_epoch": 5, "last_sequence": 9, "last_timestamp": MS, "coordinator_epoch": 4,
            "current_transaction_start_offset": 87}  # fmt: skip
DESCRIPTION = {"coordinator_id": 1, "state": "Ongoing", "producer_id": 2000, "producer_epoch": 5,
               "transaction_timeout_ms": 60000, "transaction_start_time_ms": MS,
               "topic_partitions": [{"topic": "orders", "partition": 3}, {"topic": "orders", "partition": 0}]}  # fmt: skip
PRINTED = """\
{'orders:3': {'active_producers': [{'coordinator_epoch': 4,
                                    'current_transaction_start_offset': 87,
                                    'last_sequence': 9,
                                    'last_timestamp': 1795252401091,
                                    'producer_epoch': 5,
                                    'producer_id': 2000}]}}
"""
CALLED = (
    "{TopicPartition(topic='orders', partition=3): PartitionProducerState(active_producers=[ProducerState("
    "producer_id=2000, producer_epoch=5, last_sequence=9, last_timestamp=1795252401091, coordinator_epoch=4, "
    "current_transaction_start_offset=87)])}\n"
)
DESCRIBED = (
    "{'pay-1': TransactionDescription(coordinator_id=1, state=<TransactionState.ONGOING: 'Ongoing'>, "
    "producer_id=2000, producer_epoch=5, transaction_timeout_ms=60000, transaction_start_time_ms=1795252401091, "
    "topic_partitions={TopicPartition(topic='orders', partition=3), TopicPartition(topic='orders', partition=0)})}\n"
)
OF_RPK = """\
- leader: 1
  topic: orders
  partition: 3
  producer_id: 2000
  producer_epoch: 5
  last_timestamp: "2026-11-21T09:13:21.091Z"
  last_sequence: 9
  coordinator_epoch: 4
  current_transaction_start_offset: 87
"""


def read(tmp_path: Path, text: str) -> dict[str, list[dict]]:
    path = tmp_path / "pasted.txt"
    path.write_text(text)
    return rows_by_table(read_facts(scan_capture(CaptureRequest((str(path),))).sources()[0]))


def told(rows: list[dict], names: str) -> list[tuple]:
    return [tuple(row[name] for name in names.split()) for row in rows]


def observed(facts: dict[str, list[dict]]) -> list[tuple]:
    return told(facts["observations"], "observed topic partition name number other_number")


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"orders:3": {"active_producers": [PRODUCER]}}),
        json.dumps({"orders:3": {"active_producers": [PRODUCER]}}, indent=2),
        f"$ python -m kafka.admin -b k:9092 transactions describe-producers -t orders -p 3\n{PRINTED}",
        f">>> admin.describe_producers([TopicPartition('orders', 3)])\n{CALLED}",
        f"$ rpk cluster txn describe-producers --format yaml\n{OF_RPK}",
    ],
)
def test_what_a_leader_has_open(tmp_path, text):
    facts = read(tmp_path, text)
    assert told(facts["answers"], "asked topic partition producer_id producer_epoch first_offset last_ms") == [
        ("describe_producers", "orders", 3, 2000, 5, 87, MS)
    ]


@pytest.mark.parametrize("text", [json.dumps({"pay-1": DESCRIPTION}), DESCRIBED])
def test_what_a_coordinator_runs(tmp_path, text):
    facts = read(tmp_path, text)
    names = "asked transactional_id producer_id producer_epoch state timeout_ms started_ms partitions coordinator"
    assert told(facts["answers"], names) == [
        ("describe_transaction", "pay-1", 2000, 5, "Ongoing", 60000, MS, ["orders-0", "orders-3"], 1)
    ]
    assert not facts["unparsed_lines"]


def test_what_python_calls_hanging_is_what_coordinators_run(tmp_path):
    """kafka-python asks coordinators alone, and names what they have run for long: nothing in it hangs."""
    row = {"transactional_id": "pay-1", "producer_id": 2000, "producer_epoch": 5, "state": "Ongoing",
           "age_ms": 2_000_000, "coordinator_id": 1, "topic_partitions": [{"topic": "orders", "partition": 3}]}  # fmt: skip
    facts = read(tmp_path, json.dumps([row]))
    assert told(facts["answers"], "asked state partitions first_offset answered_ms") == [
        ("describe_transaction", "Ongoing", ["orders-3"], None, None)
    ]


def test_a_list_by_broker(tmp_path):
    text = json.dumps({"1": [{"transactional_id": "pay-1", "producer_id": 2000, "state": "Ongoing"}], "2": []})
    assert told(read(tmp_path, text)["answers"], "asked coordinator transactional_id producer_id state") == [
        ("list_transactions", 1, "pay-1", 2000, "Ongoing")
    ]


REDPANDAS = {"transactional_id": "pay-1", "pid": {"id": 2000, "epoch": 5}, "tx_seq": 7, "etag": 3, "status": "ongoing",
             "timeout_ms": 60000, "staleness_ms": 723000,
             "partitions": [{"ns": "kafka", "topic": "orders", "partition_id": 3, "etag": 2}], "groups": []}  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "state", "partitions"),
    [
        ({}, "Ongoing", ["orders-3"]),
        ({"partitions": []}, "Empty", []),
        ({"status": "prepared"}, "PrepareCommit", ["orders-3"]),
        ({"status": "preparing_abort", "groups": [{"group_id": "readers", "etag": 1}]}, "PrepareAbort", None),
        ({"status": "completed_commit"}, "CompleteCommit", ["orders-3"]),
        ({"status": "something_new"}, "something_new", ["orders-3"]),
    ],
)
def test_transactions_of_redpandas_admin_api(tmp_path, changed, state, partitions):
    facts = read(tmp_path, json.dumps([REDPANDAS | changed]))
    names = "asked transactional_id producer_id producer_epoch state timeout_ms partitions"
    assert told(facts["answers"], names) == [("describe_transaction", "pay-1", 2000, 5, state, 60000, partitions)]
    assert [row["observed"] for row in facts["observations"]] == ["redpanda"]


@pytest.mark.parametrize("indent", [None, 2])
def test_what_a_partition_of_redpanda_has_open(tmp_path, indent):
    """Its answer does not name the partition; the address that was asked does."""
    row = {"producer_id": {"id": 2000, "epoch": 5}, "status": "ongoing", "lso_bound": 87, "staleness_ms": -1,
           "timeout_ms": -1}  # fmt: skip
    answer = json.dumps({"active_transactions": [], "expired_transactions": [row]}, indent=indent)
    names = "asked topic partition producer_id producer_epoch first_offset"
    [alone] = told(read(tmp_path, answer)["answers"], names)
    assert alone == ("describe_producers", None, None, 2000, 5, 87)
    command = "$ curl -s http://rp:9644/v1/partitions/kafka/orders/3/transactions | jq .\n"
    [asked] = told(read(tmp_path, command + answer)["answers"], names)
    assert asked == ("describe_producers", "orders", 3, 2000, 5, 87)


NODES = [{"id": 1, "leader": True, "inSyncs": True}, {"id": 2, "leader": False, "inSyncs": False}]
AKHQ = {
    "name": "orders",
    "partitions": [{"id": 0, "topic": "orders", "nodes": NODES, "firstOffset": 0, "lastOffset": 1042}],
}
KAFDROP = {"name": "orders", "partitions": [{"id": 0, "size": 1042, "firstOffset": 0, "leader": {"id": 1},
           "replicas": [{"id": 1}, {"id": 2}], "inSyncReplicas": [{"id": 1}], "leaderPreferred": True}]}  # fmt: skip
REPLICAS = [{"broker": 1, "leader": True, "inSync": True}, {"broker": 2, "leader": False, "inSync": False}]
KAFKA_UI = {"name": "orders", "partitionCount": 1, "partitions": [
            {"partition": 0, "leader": 1, "replicas": REPLICAS, "offsetMax": 1042, "offsetMin": 0}]}  # fmt: skip


@pytest.mark.parametrize("value", [AKHQ, KAFDROP, KAFKA_UI])
@pytest.mark.parametrize("indent", [None, 4])
def test_topics_of_pages(tmp_path, value, indent):
    facts = read(tmp_path, json.dumps(value, indent=indent))
    assert observed(facts) == [
        ("partition_count", "orders", None, None, 1, None),
        ("log_end", "orders", 0, None, 1042, None),
        ("partition_leader", "orders", 0, None, 1, None),
    ]
    assert facts["observations"][2]["text"] == "Replicas: 1,2 Isr: 1"
    assert not facts["unparsed_lines"]


def test_a_leader_that_nobody_knows_is_not_told_as_none(tmp_path):
    akhq = {"partitions": [{"id": 0, "topic": "orders", "nodes": NODES[1:], "firstOffset": 0, "lastOffset": 7}]}
    assert [row[0] for row in observed(read(tmp_path, json.dumps(akhq)))] == ["log_end"]
    redpanda = {
        "ns": "kafka",
        "topic": "orders",
        "partition_id": 3,
        "leader_id": -1,
        "raft_group_id": 4,
        "replicas": [],
    }
    assert [row[0] for row in observed(read(tmp_path, json.dumps(redpanda)))] == ["redpanda"]


STATE = {"topic": "orders", "partition": 3, "leader": -1, "replicas": [1, 2], "in-sync": [], "out-of-sync": [1, 2],
         "offline": [1, 2], "min-isr": 2}  # fmt: skip
STATES = """\
Under Replicated, Offline, and Under MinIsr Partitions:
                    TOPIC PARTITION    LEADER          REPLICAS           IN-SYNC       OUT-OF-SYNC      OFFLINE   MIN-ISR
Offline Partitions:
                   orders         3        -1            [1, 2]                []            [1, 2]       [1, 2]         2
Under MinIsr Partitions:
"""


@pytest.mark.parametrize(
    "text", [STATES, json.dumps({"KafkaPartitionState": {"offline": [STATE], "urp": []}, "version": 1})]
)
def test_a_partition_without_a_leader_by_cruise_control(tmp_path, text):
    facts = read(tmp_path, text)
    assert observed(facts) == [("partition_leader", "orders", 3, None, None, None)]
    assert not facts["unparsed_lines"]


def test_partitions_of_rest_proxy(tmp_path):
    row = {"kind": "KafkaPartition", "topic_name": "orders", "partition_id": 3,
           "leader": {"related": "http://k/v3/clusters/c/topics/orders/partitions/3/replicas/1"}}  # fmt: skip
    facts = read(tmp_path, json.dumps({"kind": "KafkaPartitionList", "metadata": {"next": None}, "data": [row]}))
    assert observed(facts) == [("partition_leader", "orders", 3, None, 1, None)]
    assert not facts["observations"][0]["text"]


OFFSET = {"topic": "orders", "partition": 3}
GROUPS = (
    {"id": "readers", "offsets": [OFFSET | {"offset": 87, "metadata": "", "firstOffset": 0, "lastOffset": 1042}]},
    {"groupId": "readers", "partitions": [OFFSET | {"currentOffset": 87, "endOffset": 1042, "consumerLag": 955}]},
    {"kind": "KafkaConsumerLagList", "data": [{
        "kind": "KafkaConsumerLag", "consumer_group_id": "readers", "topic_name": "orders", "partition_id": 3,
        "current_offset": 87, "log_end_offset": 1042, "lag": 955}]},
    {"Group": {"Name": "readers"}, "Topics": [{"Name": "orders", "Partitions": [
        {"Partition": 3, "newestOffset": 1042, "oldestOffset": 0, "consumerOffset": 87, "Lead": 87, "Lag": 955}]}]},
)  # fmt: skip
KAFKACTL_YAML = """\
group:
  name: readers
  protocoltype: consumer
  topics: []
protocol: range
state: Stable
topics:
- name: orders
  partitions:
  - partition: 3
    newestOffset: 1042
    oldestOffset: 0
    consumerOffset: 87
    lead: 87
    lag: 955
  totalLag: 955
"""
KAFKACTL_TABLE = """\
$ kafkactl describe consumer-group readers
TOPIC      PARTITION     NEWEST_OFFSET     OLDEST_OFFSET     CONSUMER_OFFSET     LEAD     LAG
orders     3             1042              0                 87                  87       955
"""


@pytest.mark.parametrize("text", [*map(json.dumps, GROUPS), KAFKACTL_YAML, KAFKACTL_TABLE])
def test_positions_of_groups(tmp_path, text):
    facts = read(tmp_path, text)
    assert ("group_position", "orders", 3, "readers", 87, 1042) in observed(facts)
    assert not facts["unparsed_lines"]


TOPIC_YAML = """\
name: orders
partitions:
- id: 3
  oldestOffset: 0
  newestOffset: 1042
  leader: kafka-1:9092
  replicas: [1, 2]
  inSyncReplicas: [1]
"""
TOPIC_TABLE = """\
$ kafkactl describe topic orders
PARTITION     OLDEST_OFFSET     NEWEST_OFFSET     EMPTY     LEADER           REPLICAS     IN_SYNC_REPLICAS
3             0                 1042              false     kafka-1:9092     1,2          1
"""


@pytest.mark.parametrize(
    "text",
    [TOPIC_YAML, TOPIC_TABLE, "$ kcat -b k:9092 -Q -t orders:3:-1\norders [3] offset 1042\n",
     "% Reached end of topic orders [3] at offset 1042: exiting\n"],
)  # fmt: skip
def test_how_far_a_log_reached(tmp_path, text):
    facts = read(tmp_path, text)
    assert observed(facts) == [("log_end", "orders", 3, None, 1042, None)]
    assert not facts["unparsed_lines"]


def test_a_table_of_no_known_topic_is_counted(tmp_path):
    facts = read(tmp_path, TOPIC_TABLE.partition("\n")[2])
    assert not facts["observations"]
    assert [row["lines"] for row in facts["unparsed_lines"]] == [1]


@pytest.mark.parametrize(
    "text",
    [
        OF_RPK.replace("producer_id: 2000", "producer_id: |\n    2000"),
        PRINTED.replace("2000}", "open(1)}"),
        CALLED.replace("partition=3", "partition=__import__('os')"),
        OF_RPK.replace("  leader", " leader").replace("  partition", "      partition"),
    ],
)
def test_what_is_no_such_value_is_counted(tmp_path, text):
    facts = read(tmp_path, text)
    assert not facts["answers"]
    assert sum(row["lines"] for row in facts["unparsed_lines"]) >= text.count("\n") - 1


def test_a_quoted_answer_is_older(tmp_path):
    """As in a table: what stands below is later, but not where a mail quotes it."""
    ended = PRODUCER | {"current_transaction_start_offset": -1}
    lines = [json.dumps({"orders:3": {"active_producers": [one]}}) for one in (ended, PRODUCER)]
    facts = read(tmp_path, f"{lines[0]}\n\n> {lines[1]}\n")
    assert told(facts["answers"], "first_offset quoted") == [(None, None), (87, 1)]


def test_json_that_nobody_knows_is_counted(tmp_path):
    """It was passed over in silence, as lines of a value."""
    text = TOPIC_TABLE + json.dumps({"version": 1, "partitions": [{"topic": "orders", "replicas": [1]}]}, indent=2)
    facts = read(tmp_path, f"{text}\n{TOPIC_TABLE}")
    lines = text.count("\n") - TOPIC_TABLE.count("\n") + 1
    assert told(facts["unparsed_lines"], "line lines") == [(TOPIC_TABLE.count("\n") + 1, lines)]


def test_long_values(tmp_path):
    """A list is read in parts, each of whole items; lines that were tried together are not tried again one by one."""
    facts = read(tmp_path, OF_RPK * 8_000)
    assert {row["first_offset"] for row in facts["answers"]} == {87}
    assert len(facts["answers"]) == 8_000
    assert not read(tmp_path, OF_RPK.replace("producer_epoch: 5", "producer_epoch: [") * 2_000)["answers"]
