"""The gauges of brokers and the statistics of clients, in the forms that tools print them."""

import json

import pytest

from analyzer.parse.logs.reader import said
from analyzer.scan.recognise import recognise

LAG = "kafka.cluster:type=Partition,name=LastStableOffsetLag,topic=orders,partition=3"
LATE = "kafka.server:type=ReplicaManager,name=PartitionsWithLateTransactionsCount"
SORTED_LAG = "kafka.cluster:name=LastStableOffsetLag,partition=3,topic=orders,type=Partition"
ANSWER = {
    "request": {"mbean": SORTED_LAG, "attribute": "Value", "type": "read"},
    "value": 17,
    "timestamp": 1_700_000_000,
}
ALL_BEANS = {
    "request": {"mbean": "kafka.cluster:name=LastStableOffsetLag,*", "type": "read"},
    "value": {SORTED_LAG: {"Value": 17}, "kafka.cluster:name=LastStableOffsetLag,type=Partition": {"Value": 1}},
    "timestamp": 1_700_000_000,
}
OF_ORDERS = [("stable_offset_lag", "orders", 3, 17)]
FORMS = {
    "JmxTool": f'"time","{LAG}:Value","kafka.server:type=x,name=y:Count"\n1700000000000,17,5\n',
    "JmxTool, properties": f"time=1700000000000\n{LAG}:Value=17\n",
    "JmxTool, csv": f'time,"1700000000000"\n{LAG}:Value,"17"\n',
    "JmxTool, tsv": f"time\t1700000000000\n{LAG}:Value\t17\n",
    "jmxterm": f"$>get -b {LAG} Value\n#mbean = {LAG}:\nValue = 17;\n",
    "jmxterm behind a prefix": f"kafka-1  | #mbean = {LAG}:\nkafka-1  | Value = 17;\n",
    "Jolokia": json.dumps(ANSWER),
    "Jolokia, several questions": json.dumps([ANSWER]),
    "Jolokia, a pattern": json.dumps(ALL_BEANS),
    "Jolokia, on several lines": json.dumps(ANSWER, indent=2),
    "Jolokia, several on several lines": json.dumps([ANSWER], indent=4),
}
STATISTICS = {
    "name": "rdkafka#consumer-1",
    "client_id": "rdkafka",
    "topics": {"orders": {"topic": "orders", "partitions": {"3": {"hi_offset": 40, "ls_offset": 23, "txmsgs": 0}}}},
    "eos": {"txn_state": "CommittingTransaction", "producer_id": 9, "producer_epoch": 2},
}


def told(read, tmp_path, text, *names):
    """Return these columns of what the lines of a file of unknown kind say."""
    path = tmp_path / "paste.txt"
    path.write_text(text)
    kind = recognise(path, path.stat().st_size).kind
    assert kind == "broker_log", kind
    return [tuple(row[name] for name in names) for row in read(text, kind)["log_lines"]]


@pytest.mark.parametrize("form", FORMS)
def test_the_lag_of_the_lso(read, tmp_path, form):
    assert told(read, tmp_path, FORMS[form], "says", "topic", "partition", "number") == OF_ORDERS


@pytest.mark.parametrize("form", ["JmxTool", "Jolokia", "Jolokia, a pattern", "Jolokia, on several lines"])
def test_its_moment_is_told(read, tmp_path, form):
    assert told(read, tmp_path, FORMS[form], "logged_ms") == [(1_700_000_000_000,)]


@pytest.mark.parametrize("form", FORMS)
def test_late_transactions(read, tmp_path, form):
    sorted_late = "kafka.server:name=PartitionsWithLateTransactionsCount,type=ReplicaManager"
    text = FORMS[form].replace(LAG, LATE).replace(SORTED_LAG, sorted_late)
    assert told(read, tmp_path, text, "says", "topic", "number") == [("late_transactions", None, 17)]


@pytest.mark.parametrize(("count", "says"), [(3, [("unclean_elections", 3, 1_700_000_000_000)]), (0, [])])
def test_unclean_elections_that_the_controller_counted(read, tmp_path, count, says):
    text = f'"time","kafka.controller:type=ControllerStats,name=UncleanLeaderElectionsPerSec:Count"\n1700000000000,{count}\n'
    assert told(read, tmp_path, text, "says", "number", "logged_ms") == says


@pytest.mark.parametrize("value", ["None", "", "1e", "-1", "x17"])
def test_a_value_that_is_no_number_tells_nothing(read, value):
    assert not read(f"#mbean = {LAG}:\nValue = {value};\n{LAG}:Value={value}\n", "broker_log")["log_lines"]


def test_a_value_belongs_to_the_gauge_right_above_it(read):
    text = f"#mbean = {LAG}:\nsomething else\nValue = 17;\n#mbean = kafka.server:name=x:\nValue = 17;\n"
    assert not read(text, "broker_log")["log_lines"]


@pytest.mark.parametrize(("printed", "number"), [("1.8233E7", 18_233_000), ("1.8233e+07", 18_233_000), ("17.0", 17)])
def test_numbers_as_exporters_print_them(printed, number):
    """Java prints a double of ten million and more with an exponent: this is not 1."""
    line = f'kafka_cluster_partition_laststableoffsetlag{{partition="3",topic="orders",}} {printed}'
    assert [row["number"] for row in said(line)] == [number]


@pytest.mark.parametrize(
    "text", [json.dumps(STATISTICS), json.dumps(STATISTICS, indent=2), json.dumps(STATISTICS, indent=4)]
)
def test_statistics_on_one_line_or_many(read, tmp_path, text):
    marked = text.replace('"hi_offset"', '**"hi_offset"').replace('"ls_offset": 23,', '"ls_offset": 23,**')
    for one in (text, marked) if "\n" in text else (text,):
        rows = told(read, tmp_path, one, "says", "topic", "number", "offset", "producer_id")
        assert rows == [("client_state", None, None, None, 9), ("stable_offset", "orders", 40, 23, None)]


def test_what_only_begins_like_json_hides_no_log_line(read):
    line = "[2024-05-25 13:14:14,560] INFO [TransactionCoordinator id=1] Completed rollback of ongoing transaction for transactionalId t due to timeout"
    assert [row["says"] for row in read(f'{{\n"a": 1,\n{line}\n}}\n', "broker_log")["log_lines"]] == ["rolled_back"]


PLACED = {"instance": "kafka-1:7071", "partition": "3", "topic": "orders"}
SERIES = {
    "status": "success",
    "data": {
        "resultType": "vector",
        "result": [
            {
                "metric": {"__name__": "kafka_cluster_partition_laststableoffsetlag"} | PLACED,
                "value": [1_700_000_000, "17"],
            }
        ],
    },
}
VECTOR = json.dumps(SERIES)
GRAFANA = '"Time","kafka_cluster_partition_laststableoffsetlag{partition=""3"", topic=""orders""}"\n'
OF_PROMETHEUS = {
    "a vector": VECTOR,
    "a range": VECTOR.replace('"value": [1700000000, "17"]', '"values": [[1699999940, "9"], [1700000000, "17"]]'),
    "on several lines": json.dumps(SERIES, indent=2),
    "other names": VECTOR.replace('laststableoffsetlag"', 'value", "name": "LastStableOffsetLag"'),
    "Grafana": f"{GRAFANA}1700000000000,17\n",
    "Grafana, other times": f"{GRAFANA}2023-11-14 22:13:20,17.0\n",
    "Grafana, a gap": f"{GRAFANA.rstrip()},x\n1700000000000,17,\n",
}


@pytest.mark.parametrize("form", OF_PROMETHEUS)
def test_answers_of_prometheus(read, tmp_path, form):
    names = ("says", "topic", "partition", "number", "logged_ms")
    assert told(read, tmp_path, OF_PROMETHEUS[form], *names) == [(*OF_ORDERS[0], 1_700_000_000_000)]


def test_an_answer_of_prometheus_on_something_else_says_so(read, tmp_path):
    text = VECTOR.replace("laststableoffsetlag", "underreplicated")
    assert told(read, tmp_path, text, "says") == [("silent_metric",)]
