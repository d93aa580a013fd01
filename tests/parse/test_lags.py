"""Groups that lag by tables of their positions: what such a table shows alone, twice, and beside an LSO."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from test_other_tools import read, told

HEADER = "GROUP   TOPIC   PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG\n"
ASKED = "$ kafka-consumer-groups.sh --bootstrap-server b:9092 --describe --group readers\n"
LSO = (
    "$ kafka-get-offsets.sh --bootstrap-server b:9092 --topic orders --time -1\norders:1:60001\n"
    "$ kafka-get-offsets.sh --bootstrap-server b:9092 --topic orders --time -1 --command-config committed.properties\n"
    "orders:1:41877\n"
)
KCL = "$ kcl topic list-offsets orders\nBROKER  TOPIC   PARTITION  START  STABLE  END  ERROR\n1  orders  1  0  {}  {}\n"
LATER = "$ date -u\nSat Nov 28 03:40:12 UTC 2026\n"
LAGGING = ("group_lag", "orders", 1, 41877, 18124)


def table(*rows):
    lines = (f"readers orders {partition} {offset} {end} {end - offset}\n" for partition, offset, end in rows)
    return f"{ASKED}{HEADER}{''.join(lines)}"


ONCE = table((0, 55210, 55210), (1, 41877, 60001))


@pytest.mark.parametrize(
    ("text", "lags"),
    [
        (ONCE, [LAGGING]),
        (table((0, 55210, 55210)), []),
        (ONCE + ONCE, [LAGGING]),
        (ONCE + table((1, 41877, 66512)), [("group_stands", "orders", 1, 41877, 24635)]),
        (table((1, 41877, 66512)) + ONCE, [("group_stands", "orders", 1, 41877, 24635)]),
        (ONCE + table((1, 50000, 66512)), [("group_lag", "orders", 1, 50000, 16512)]),
        (ONCE + LSO, [("group_at_lso", "orders", 1, 41877, 18124)]),
        (LSO + ONCE, [("group_at_lso", "orders", 1, 41877, 18124)]),
        (KCL.format(41877, 60001) + ONCE, [("group_at_lso", "orders", 1, 41877, 18124)]),
        (KCL.format(41877, 41877) + ONCE, [LAGGING]),
        (KCL.format(41877, 60001) + KCL.format(60001, 60001) + ONCE, [LAGGING]),
        (LSO + table((1, 41870, 60001)), [("group_lag", "orders", 1, 41870, 18131)]),
        (f"{ASKED}GROUP TOPIC PARTITION START-OFFSET LAG\nreaders orders 1 41877 18124\n", []),
    ],
)
def test_a_lag_says_as_much_as_its_text_shows(tmp_path, text, lags):
    facts = read(tmp_path, text)
    lines = [line for line in facts["log_lines"] if line["says"].startswith("group")]
    assert told(lines, "says topic partition offset number") == lags
    assert {line["source"] for line in lines} <= {"tool"}


def test_a_lag_has_the_moment_that_its_date_tells(tmp_path):
    [line] = read(tmp_path, f"{LATER}{ONCE}")["log_lines"]
    assert (line["logged_ms"], line["line"]) == (1795837212000, 6)
    assert "readers" in line["text"]


LOGGED = (
    "[2026-11-28 02:10:03,118] INFO [TransactionCoordinator id=2] Completed rollback of ongoing transaction for "
    "transactionalId pay-1 due to timeout (kafka.coordinator.transaction.TransactionCoordinator)\n"
)


def test_what_a_table_tells_is_not_of_the_time_of_the_log_above_it(tmp_path):
    lines = read(tmp_path, LOGGED + LSO + ONCE)["log_lines"]
    assert {line["says"]: line["logged_ms"] for line in lines} == {
        "rolled_back": 1795831803118, "stable_offset": None, "group_at_lso": None
    }  # fmt: skip


def test_the_newest_row_is_quoted_and_a_log_only_grows(tmp_path):
    [line] = read(tmp_path, table((1, 41877, 66512)) + ONCE)["log_lines"]
    assert line["text"].endswith("24635")
    [line] = read(tmp_path, table((1, 50000, 66512)) + ONCE)["log_lines"]
    assert (line["says"], line["offset"], line["number"]) == ("group_lag", 50000, 16512)


def test_of_many_lags_the_most_telling_are_told(tmp_path):
    rows = [(partition, 0, 100 + partition) for partition in range(40)]
    lags = read(tmp_path, table(*rows, (99, 7, 8)) + table((99, 7, 9)))["log_lines"]
    assert told(lags, "says partition")[:2] == [("group_stands", 99), ("group_lag", 39)]
    assert len(lags) == 10


@pytest.mark.parametrize(
    ("text", "offsets"),
    [
        ("{TopicPartition(topic='orders', partition=1): 41877}\n", [("orders", 1, 41877)]),
        ("{TopicPartition(topic='orders', partition=1): OffsetAndMetadata(offset=7, metadata='')}\n", [("orders", 1, 7)]),
        ("[TopicPartition{topic=orders,partition=1,offset=41877,leader_epoch=None,error=None}]\n", [("orders", 1, 41877)]),
        ("[TopicPartition{topic=orders,partition=1,offset=-1001,leader_epoch=None,error=None}]\n", []),
    ],
)  # fmt: skip
def test_an_offset_that_a_client_in_python_prints(tmp_path, text, offsets):
    facts = read(tmp_path, text, "broker_log")
    assert told(facts["log_lines"], "topic partition offset") == offsets
    assert {line["says"] for line in facts["log_lines"]} <= {"offset_printed"}


PRINTED = "[TopicPartition{topic=orders,partition=0,offset=9,leader_epoch=None,error=None}, \
TopicPartition{topic=orders,partition=1,offset=7,leader_epoch=None,error=None}]\n\
{TopicPartition(topic='orders', partition=2): 5, TopicPartition(topic='orders', partition=3): 4}\n"


def test_each_offset_that_a_line_prints_is_told(tmp_path):
    facts = read(tmp_path, PRINTED, kind="broker_log")
    assert told(facts["log_lines"], "line topic partition offset") == [
        (1, "orders", 0, 9), (1, "orders", 1, 7), (2, "orders", 2, 5), (2, "orders", 3, 4),
    ]  # fmt: skip
