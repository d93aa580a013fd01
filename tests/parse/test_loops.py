"""Answers that a loop asked for: each is of the partition that the loop printed above it, and of none in doubt."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from test_other_tools import read, told

ASK = "kafka-transactions.sh --bootstrap-server b1:9092 describe-producers"
TABLE = (
    "ProducerId\tProducerEpoch\tLatestCoordinatorEpoch\tLastSequence\tLastTimestamp\tCurrentTransactionStartOffset\n"
    "{}\t0\t-1\t17\t1714548000123\t12\n"
)
OF_TOPIC = f'$ for p in 6 7; do echo "== orders-$p"; {ASK} --topic orders --partition $p; done\n'
OF_EACH = f"$ for tp in orders-6 orders-7; do echo $tp; {ASK} --topic ${{tp%-*}} --partition ${{tp##*-}}; done\n"
LABELS = ["== orders-{}", "--- orders-{} ---", "orders-{}", "### orders {}", "partition {}", "Partition: {}", "{}"]


def places(tmp_path, text):
    return told(read(tmp_path, text)["answers"], "producer_id topic partition")


@pytest.mark.parametrize("label", LABELS)
def test_each_table_is_of_the_partition_above_it(tmp_path, label):
    text = OF_TOPIC + "".join(f"{label.format(number)}\n{TABLE.format(number)}" for number in (6, 7))
    facts = read(tmp_path, text)
    assert told(facts["answers"], "producer_id topic partition") == [(6, "orders", 6), (7, "orders", 7)]
    assert facts["unparsed_lines"] == []


def test_partitions_that_the_loop_itself_names(tmp_path):
    text = OF_EACH + "".join(f"orders-{number}\n{TABLE.format(number)}" for number in (6, 7))
    assert places(tmp_path, text) == [(6, "orders", 6), (7, "orders", 7)]


@pytest.mark.parametrize(
    "text",
    [
        OF_TOPIC + TABLE.format(6) + "== orders-6\n",
        OF_TOPIC + "== kafka-0\n" + TABLE.format(6),
        OF_TOPIC + "orders-6 looks fine to me\n" + TABLE.format(6),
        OF_EACH + "orders-8\n" + TABLE.format(6),
        OF_EACH + "6\n" + TABLE.format(6),
        f"$ for p in 6 7; do {ASK} --topic orders --partition $p; echo orders-$p; done\norders-5\n" + TABLE.format(6),
    ],
)
def test_what_is_in_doubt_is_of_no_partition(tmp_path, text):
    assert [(number, partition) for number, _, partition in places(tmp_path, text)] == [(6, None)]


def test_a_command_that_names_its_partition_counts_before_a_label(tmp_path):
    assert places(tmp_path, f"$ {ASK} --topic orders --partition 3\norders-6\n{TABLE.format(1)}") == [(1, "orders", 3)]
