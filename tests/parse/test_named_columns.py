"""Tables whose columns have names of several words: Confluent's CLI, and pages of Kafdrop as text."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from test_other_tools import read, told

LAG = """\
$ confluent kafka consumer group lag list readers --cluster lkc-7k2pq
  Cluster   | Consumer Group |  Lag  | Log End Offset | Current Offset | Consumer | Instance | Client | Topic  | Partition
------------+----------------+-------+----------------+----------------+----------+----------+--------+--------+------------
  lkc-7k2pq | readers        | 18124 |          60001 |          41877 | c-1      |          | c-1    | orders |         1
  lkc-7k2pq | readers        |     0 |          55210 |          55210 | c-1      |          | c-1    | orders |         0
"""
UPRIGHT = """\
+----------------+-----------+
| Cluster        | lkc-7k2pq |
| Consumer Group | readers   |
| Lag            | 18124     |
| Log End Offset | 60001     |
| Current Offset | 41877     |
| Consumer       | c-1       |
| Instance       |           |
| Topic          | orders    |
| Partition      | 1         |
+----------------+-----------+
"""
SUMMARY = """\
| Cluster           | lkc-7k2pq |
| Consumer Group    | readers   |
| Total Lag         | 18130     |
| Max Lag           | 18124     |
| Max Lag Topic     | orders    |
| Max Lag Partition | 1         |
"""
LEADERS = """\
  Cluster   | Topic  | Partition | Leader
------------+--------+-----------+---------
  lkc-7k2pq | orders |         1 |      7
"""
GROUP_PAGE = """\
Kafka Consumer: readers
Overview
Topics\t1
 Topic: orders
Partition\tFirst Offset\tLast Offset\tConsumer Offset\tLag
0\t0\t55210\t55210\t0
1\t4\t60001\t41877\t18124
Combined lag\t18124
"""
TOPIC_PAGE = """\
Topic: orders
View Messages
Overview
# of partitions\t2
Preferred replicas\t100%
Partition Detail
Partition\tFirst
Offset\tLast
Offset\tSize\tLeader
Node\tReplica
Nodes\tIn-sync
Replica
Nodes\tOffline
Replica
Nodes\tPreferred
Leader\tUnder-replicated
0\t0\t55210\t55210\t1\t1,2,3\t1,2,3\t\tYes\tNo
1\t4\t60001\t59997\tnone\t2,3,1\t2\t3,1\tNo\tYes
Consumers
Group ID\tCombined Lag
"""
POSITION = ("group_position", "orders", 1, "readers", 41877, 60001)


@pytest.mark.parametrize("text", [LAG, UPRIGHT, GROUP_PAGE])
def test_positions_of_a_group(tmp_path, text):
    facts = read(tmp_path, text)
    positions = told(facts["observations"], "observed topic partition name number other_number")
    assert [one for one in positions if one[2] == 1] == [POSITION]
    assert told(facts["log_lines"], "says topic partition offset number") == [("group_lag", "orders", 1, 41877, 18124)]
    assert not facts["unparsed_lines"]


def test_a_summary_names_the_partition_that_lags_most(tmp_path):
    facts = read(tmp_path, SUMMARY)
    assert told(facts["log_lines"], "says topic partition offset number") == [("group_lag", "orders", 1, None, 18124)]
    assert not facts["unparsed_lines"]


@pytest.mark.parametrize(
    ("text", "leaders"),
    [
        (LEADERS, [(1, 7, "")]),
        (TOPIC_PAGE, [(0, 1, "Replicas: 1,2,3 Isr: 1,2,3"), (1, None, "Replicas: 2,3,1 Isr: 2")]),
    ],
)
def test_who_leads(tmp_path, text, leaders):
    facts = read(tmp_path, text)
    assert told(facts["observations"], "partition number text") == leaders
    assert {row["observed"] for row in facts["observations"]} == {"partition_leader"}
    assert not facts["unparsed_lines"]


def test_a_row_whose_lag_does_not_fit_tells_no_end(tmp_path):
    facts = read(tmp_path, GROUP_PAGE.replace("18124", "1"))
    assert told(facts["observations"], "partition number other_number") == [(0, 55210, 55210), (1, 41877, None)]


CHART = '"Time","{{group=""readers"", partition=""1"", topic=""orders""}}","{}"\n2026-11-30 02:10:00,120,7\n'


@pytest.mark.parametrize(
    ("other", "lines"),
    [
        ("x", []),
        (
            'kafka_consumergroup_lag{consumergroup=""readers"", partition=""0"", topic=""orders""}',
            [("group_lag", 0, 7)],
        ),
    ],
)
def test_a_series_without_the_name_of_its_metric_tells_its_partition_alone(tmp_path, other, lines):
    facts = read(tmp_path, CHART.format(other), kind="broker_log")
    assert told(facts["log_lines"], "says partition number") == [("series_unnamed", 1, None), *lines]
    assert not facts["unparsed_lines"]
