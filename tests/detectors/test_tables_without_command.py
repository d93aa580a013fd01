"""A describe-producers table pasted without its command is of the only partition that it can be of (RULES F 1 c)."""

import pytest
from judged_captures import documents_of

PRODUCERS = (
    "ProducerId\tProducerEpoch\tLatestCoordinatorEpoch\tLastSequence\tLastTimestamp\tCurrentTransactionStartOffset\n"
    "7\t0\t3\t41\t{}\t{}\n8\t0\t3\t41\t1767261600100\tNone\n"
)
HANGING = (
    "Topic\tPartition\tProducerId\tProducerEpoch\tCoordinatorEpoch\tStartOffset\tLastTimestamp\tDuration(min)\n"
    "orders\t{}\t7\t0\t3\t18\t1767261600000\t200\n"
)
DESCRIBE = (
    "CoordinatorId\tTransactionalId\tProducerId\tProducerEpoch\tTransactionState\tTransactionTimeoutMs\t"
    "CurrentTransactionStartTimeMs\tTransactionDurationMs\tTopicPartitions\n"
    "2\tpay-1\t7\t{}\tOngoing\t60000\t1767261599000\t{}\t{}\n"
)
TABLE = PRODUCERS.format(1767261600000, 18)
RUNS = DESCRIBE.format(0, 30000, "orders-3")
CAPTURES = {
    "named": TABLE + HANGING.format(3),
    "named twice": TABLE + HANGING.format(3) + HANGING.format(4),
    "named from another offset": PRODUCERS.format(1767261600000, 19) + HANGING.format(3),
    "listed": RUNS + TABLE,
    "two listed": DESCRIBE.format(0, 30000, "orders-3,orders-4") + TABLE,
    "two tables": RUNS + TABLE + PRODUCERS.format(1767261600000, 44),
    "another epoch": DESCRIBE.format(1, 30000, "orders-3") + TABLE,
    "begun after it": RUNS + PRODUCERS.format(1767261500000, 18),
    "another partition is told of": RUNS + TABLE + HANGING.format(4).replace("18\t1767261600000", "77\t1767261600000"),
}


@pytest.fixture(scope="module")
def documents(spark, tmp_path_factory):
    captures = {name: {"paste.txt": text} for name, text in CAPTURES.items()}
    return documents_of(spark, tmp_path_factory.mktemp("bare"), captures)


def rows_of(document, offset):
    return [one for one in document["open_transactions"] if one["first_offset"] == offset]


def test_find_hanging_names_its_partition(documents):
    (row,) = rows_of(documents["named"], 18)
    assert (row["partition"], row["verdict"]) == (3, "hanging_unexplained")
    assert "unseen_claim" not in {one["kind"] for one in documents["named"]["coverage"]["notes"]}


def test_describe_names_its_partition(documents):
    (row,) = rows_of(documents["listed"], 18)
    assert (row["topic"], row["partition"], row["verdict"]) == ("orders", 3, "in_flight")
    assert "The table itself names no partition: paste.txt:2 names the same transaction in orders-3 alone" in row["why"]


@pytest.mark.parametrize(
    "name",
    ["named twice", "named from another offset", "two listed", "two tables", "another epoch", "begun after it",
     "another partition is told of"],
)  # fmt: skip
def test_where_several_are_possible_it_stays_without(documents, name):
    document = documents[name]
    notes = [one["note"] for one in document["coverage"]["notes"] if one["kind"] == "unseen_claim"]
    assert any("in a partition that it does not name" in note or "lines of admin tools" in note for note in notes)
    assert all("The table itself" not in (one["why"] or "") for one in document["open_transactions"])
