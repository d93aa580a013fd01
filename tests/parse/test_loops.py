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


LOOPS = {
    "typed": f"$ for p in 6 7\n> do\n>   echo $p\n>   {ASK} --topic orders --partition $p\n> done\n",
    "script": f'for p in 6 7; do\n  # each of them\n  echo "== $p"\n  {ASK} --topic orders \\\n    --partition $p || true\ndone\n',
    "one line": f"for p in 6 7; do echo $p; {ASK} --topic orders --partition $p; done\n",
    "read": f"while read -r p; do\n  printf '\\n'; echo $p\n  {ASK} --topic orders --partition $p\ndone < list\n",
}  # fmt: skip


@pytest.mark.parametrize("loop", LOOPS)
def test_a_loop_over_several_lines(tmp_path, loop):
    facts = read(tmp_path, LOOPS[loop] + "".join(f"{number}\n{TABLE.format(number)}" for number in (6, 7)))
    assert told(facts["answers"], "producer_id topic partition") == [(6, "orders", 6), (7, "orders", 7)]
    assert facts["unparsed_lines"] == []
    [way] = [row["text"] for row in facts["observations"] if row["observed"] == "way"]
    assert "--bootstrap-server b1:9092" in way


def test_a_loop_whose_answers_are_filtered(tmp_path):
    """Its last line tells that rows may be left out."""
    filtered = LOOPS["typed"].replace("> done", "> done | grep -v None")
    for text, asked in ((LOOPS["typed"], 1), (filtered, 0)):
        facts = read(tmp_path, f"{text}6\n{TABLE.format(6)}")
        assert len([row for row in facts["observations"] if row["observed"] == "asked_producers"]) == asked


def test_a_loop_that_was_not_copied_to_its_end(tmp_path):
    """What stands below it is read as without it."""
    text = f"$ for p in 6 7\n> do\n{TABLE.format(6)}$ {ASK} --topic orders --partition 3\n{TABLE.format(3)}"
    assert places(tmp_path, text) == [(6, None, None), (3, "orders", 3)]


OF_TOPICS = "$ for t in orders payments; do echo {}; {} --topic $t --partition 6; done\n"


@pytest.mark.parametrize(("echo", "label"), [("$t", "{}"), ('"== $t-6"', "== {}-6"), ('"topic: $t"', "topic: {}")])
def test_a_loop_over_topics(tmp_path, echo, label):
    text = (
        OF_TOPICS.format(echo, ASK)
        + f"{label.format('orders')}\n{TABLE.format(6)}{label.format('payments')}\n{TABLE.format(7)}"
    )
    assert places(tmp_path, text) == [(6, "orders", 6), (7, "payments", 6)]


@pytest.mark.parametrize("label", ["invoices", "orders-7", "orders payments", ""])
def test_topics_that_the_loop_does_not_name(tmp_path, label):
    assert places(tmp_path, OF_TOPICS.format("$t", ASK) + f"{label}\n{TABLE.format(6)}") == [(6, None, None)]


@pytest.mark.parametrize("topic", ["$t", "${TOPIC}", '"$TOPIC"', "<topic>"])
def test_what_stands_for_a_topic_is_none(tmp_path, topic):
    """It was one: two topics in which a producer has a transaction open were one transaction."""
    assert places(tmp_path, f"$ {ASK} --topic {topic} --partition 3\n{TABLE.format(6)}") == [(6, None, None)]
