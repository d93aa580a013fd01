"""Metrics of exporters of groups, Burrow and kcat's JSON: what they tell is read, and said to tell no transaction.

The texts are of issues 275 of kafka_exporter, 32 of kafka-lag-exporter and 551 of Burrow, kminion's documentation, and
`json.c` of kcat 1.7.
"""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from test_other_tools import read, told

from analyzer.kafka.log_lines.registry import PROVES

KAFKA_EXPORTER = """\
# HELP kafka_brokers Number of Brokers in the Kafka Cluster.
# TYPE kafka_brokers gauge
kafka_brokers 4
# HELP kafka_consumergroup_current_offset Current Offset of a ConsumerGroup at Topic/Partition
# TYPE kafka_consumergroup_current_offset gauge
kafka_consumergroup_current_offset{consumergroup="readers",partition="3",topic="orders"} 8.8123e+07
kafka_consumergroup_current_offset{consumergroup="readers",partition="0",topic="payments"} -1
# TYPE kafka_consumergroup_lag gauge
kafka_consumergroup_lag{consumergroup="readers",partition="3",topic="orders"} 10877
kafka_consumergroup_lag{consumergroup="readers",partition="0",topic="payments"} 0
kafka_topic_partition_current_offset{partition="3",topic="orders"} 8.8133877e+07
kafka_topic_partition_leader{partition="3",topic="orders"} 2
kafka_topic_partitions{topic="orders"} 4
"""
LAG_EXPORTER = (
    'kafka_consumergroup_group_offset{cluster_name="data-dev",group="readers",topic="orders",partition="3",'
    'member_host="/10.4.248.137",consumer_id="rdkafka-0783a24c-53d6-4403-9c17-55e0583cd7da",client_id="rdkafka",} 88123.0\n'
    'kafka_consumergroup_group_lag{cluster_name="data-dev",group="readers",topic="orders",partition="3",} 10877.0\n'
)
KMINION = (
    "# TYPE kminion_kafka_consumer_group_topic_partition_lag gauge\n"
    'kminion_kafka_consumer_group_topic_partition_lag{group_id="readers",partition_id="3",topic_name="orders"} 10877\n'
)
BURROW = {
    "error": False,
    "message": "consumer status returned",
    "status": {
        "cluster": "kafka-cluster",
        "group": "readers",
        "status": "ERR",
        "complete": 0.125,
        "partitions": [
            {
                "topic": "orders",
                "partition": 3,
                "owner": "/10.0.0.27",
                "client_id": "",
                "status": "STOP",
                "start": {"offset": 462081794, "timestamp": 1564023467929, "lag": 1089816},
                "end": {"offset": 462272558, "timestamp": 1564023484325, "lag": 899052},
                "current_lag": 899052,
                "complete": 0.9,
            }
        ],
        "partition_count": 1,
        "maxlag": None,
        "totallag": 899052,
    },
    "request": {"url": "/v3/kafka/kafka-cluster/consumer/readers/lag", "host": "burrow"},
}
METADATA = {
    "originating_broker": {"id": 1, "name": "kafka-broker-1:29092/1"},
    "query": {"topic": "*"},
    "controllerid": 2,
    "brokers": [{"id": 2, "name": "kafka-broker-2:29092"}, {"id": 1, "name": "kafka-broker-1:29092"}],
    "topics": [
        {
            "topic": "orders",
            "partitions": [
                {"partition": 0, "leader": 1, "replicas": [{"id": 1}, {"id": 2}], "isrs": [{"id": 1}]},
                {
                    "partition": 1,
                    "error": "Broker: Leader not available",
                    "leader": -1,
                    "replicas": [{"id": 2}],
                    "isrs": [{"id": 2}],
                },
            ],
        },
        {"topic": "gone", "error": "Broker: Unknown topic or partition", "partitions": []},
    ],
}
RECORD = {"topic": "orders", "partition": 0, "offset": 17, "tstype": "create", "ts": 1650000000000, "broker": 1}
RECORD |= {"key": None, "payload": "producerId: 7 is COMMIT, state=Ongoing"}
STATE = RECORD | {"topic": "__transaction_state", "partition": 20, "key": "\0\0\0\5pay-1", "payload": "\0\0"}


def test_kafka_exporter(tmp_path):
    facts = read(tmp_path, KAFKA_EXPORTER, "broker_log")
    assert told(facts["observations"], "observed topic partition name number") == [
        ("group_position", "orders", 3, "readers", 88_123_000),
        ("partition_count", "orders", None, None, 4),
    ]
    assert told(facts["log_lines"], "says topic partition number") == [("group_lag", "orders", 3, 10877)]


@pytest.mark.parametrize("text", [LAG_EXPORTER, KMINION], ids=["kafka-lag-exporter", "kminion"])
def test_other_exporters(tmp_path, text):
    facts = read(tmp_path, text, "broker_log")
    assert told(facts["log_lines"], "says topic partition number") == [("group_lag", "orders", 3, 10877)]
    positions = [("group_position", "orders", 3, "readers", 88123)] if text is LAG_EXPORTER else []
    assert told(facts["observations"], "observed topic partition name number") == positions


def test_metrics_that_show_nothing_of_transactions_are_counted(tmp_path):
    text = "".join(line for line in KAFKA_EXPORTER.splitlines(keepends=True) if "_lag" not in line)
    facts = read(tmp_path, text, "broker_log")
    assert told(facts["log_lines"], "says line number") == [("silent_metric", 3, 6)]
    assert PROVES["silent_metric"].startswith("nothing")


def test_they_are_not_where_the_lso_is_told(tmp_path):
    lso = 'kafka_cluster_partition_laststableoffsetlag{topic="orders",partition="3"} 17\n'
    facts = read(tmp_path, KAFKA_EXPORTER + lso, "broker_log")
    assert [row["says"] for row in facts["log_lines"]] == ["group_lag", "stable_offset_lag"]


def test_metrics_of_redpanda_tell_the_lso(tmp_path):
    """`partition_probe` of Redpanda has both as gauges of each partition."""
    sample = 'vectorized_cluster_partition_{}{{namespace="{}",partition="{}",shard="0",topic="orders"}} {}\n'
    stable = [sample.format("last_stable_offset", "kafka", 1, 87), sample.format("last_stable_offset", "kafka", 2, 5)]
    marks = [sample.format("high_watermark", "kafka", 1, 1042), sample.format("high_watermark", "redpanda", 2, 5)]
    lines = read(tmp_path, "".join(stable + marks), "broker_log")["log_lines"]
    assert told(lines, "says source topic partition offset number") == [
        ("stable_offset", "metric", "orders", 1, 87, 1042)
    ]


@pytest.mark.parametrize(
    ("sample", "count"),
    [
        ("kafka_coordinator_transaction_transactionmarkerchannelmanager_unknowndestinationqueuesize 14.0", 14),
        ('kafka_coordinator_transaction_transactionmarkerchannelmanager_value{name="LogAppendRetryQueueSize",} 3.0', 3),
        ("kafka_coordinator_transaction_transactionmarkerchannelmanager_logappendretryqueuesize 0.0", None),
    ],
)
def test_markers_that_wait(tmp_path, sample, count):
    lines = [line for line in read(tmp_path, f"{sample}\n", "broker_log")["log_lines"] if line["number"] == count]
    assert [line["says"] for line in lines] == ([] if count is None else ["markers_waiting"])


def test_a_page_of_lags_does_not_hide_the_rest(tmp_path):
    lag = 'kafka_consumergroup_lag{{consumergroup="readers",partition="{}",topic="orders"}} 5\n'
    facts = read(tmp_path, "".join(map(lag.format, range(1_000))), "broker_log")
    assert len(facts["log_lines"]) == 10


@pytest.mark.parametrize(
    "line",
    [
        'sum(kafka_consumergroup_lag{consumergroup="readers",topic="orders"}) by (topic) > 100',
        'kafka_consumergroup_lag{consumergroup="readers",partition="3",topic="orders"} > 100',
        'kafka_consumergroup_current_offset{consumergroup="readers",partition="3",topic="orders"} NaN',
        'kafka_consumergroup_current_offset{consumergroup="readers",partition="3",topic="orders"} 1.5',
        'kafka_consumergroup_current_offset{consumergroup="readers",partition="3",topic="orders"} 9.9e+17',
        'kafka_consumergroup_current_offset_sum{consumergroup="readers",topic="orders"} 5',
    ],
)
def test_what_is_no_position(tmp_path, line):
    facts = read(tmp_path, f"# TYPE kafka_brokers gauge\n{line}\n", "broker_log")
    assert not facts["observations"]
    assert "group_lag" not in [row["says"] for row in facts["log_lines"]]


@pytest.mark.parametrize("indent", [None, 2, "\t"])
@pytest.mark.parametrize("before", ["", "> "])
def test_burrow(tmp_path, indent, before):
    text = "".join(f"{before}{line}\n" for line in json.dumps(BURROW, indent=indent).splitlines())
    facts = read(tmp_path, text, "broker_log")
    assert told(facts["observations"], "observed topic partition name number") == [
        ("group_position", "orders", 3, "readers", 462_272_558)
    ]
    assert told(facts["log_lines"], "says topic partition number text") == [
        ("group_lag", "orders", 3, 899_052, "Burrow: STOP, offset 462272558, current_lag 899052")
    ]


@pytest.mark.parametrize("indent", [None, 2])
def test_metadata_as_kcat_prints_it(tmp_path, indent):
    facts = read(tmp_path, json.dumps(METADATA, indent=indent, separators=(",", ":")) + "\n", "broker_log")
    assert told(facts["observations"], "observed topic partition number text") == [
        ("all_topics", None, None, None, "kcat -L -J"),
        ("partition_count", "orders", None, 2, 'topic "orders" with 2 partitions'),
        ("partition_leader", "orders", 0, 1, "Replicas: 1,2 Isr: 1"),
        ("partition_leader", "orders", 1, None, "Replicas: 2 Isr: 2"),
    ]


@pytest.mark.parametrize("indent", [None, 2])
def test_records_as_kcat_prints_them(tmp_path, indent):
    """Each partition is told once; what a record holds is nobody's line."""
    records = [STATE, RECORD, RECORD | {"offset": 18}, STATE | {"offset": 18, "payload": None}]
    text = "".join(json.dumps(one, indent=indent, separators=(",", ":")) + "\n" for one in records)
    facts = read(tmp_path, text, "broker_log")
    assert told(facts["log_lines"], "says topic partition offset number") == [
        ("silent_record", "orders", 0, 17, None),
        ("undecoded_record", "__transaction_state", 20, 17, 2),
    ]
    [undecoded] = [row for row in facts["log_lines"] if row["says"] == "undecoded_record"]
    assert undecoded["line"] == (1 if indent is None else len(json.dumps(STATE, indent=indent).splitlines()))
    assert "--formatter" in PROVES["undecoded_record"]
    assert not facts["coordinator_states"] + facts["observations"] + facts["answers"]
