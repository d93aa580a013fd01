"""A log with an open transaction beside answers of coordinators: one answer of the leader settles it (RULES F 8 a)."""

import pytest
from judged_captures import documents_of

DUMP = (
    "Dumping orders-0/00000000000000000000.log\n"
    "Log starting offset: 0\n"
    "baseOffset: 0 lastOffset: 0 count: 1 baseSequence: 0 lastSequence: 0 producerId: 7 producerEpoch: 0 "
    "partitionLeaderEpoch: 0 isTransactional: true isControl: false deleteHorizonMs: OptionalLong.empty position: 0 "
    "CreateTime: 1767261600200 size: 78 magic: 2 compresscodec: none crc: 1459479670 isvalid: true\n"
    "| offset: 0 CreateTime: 1767261600200 keySize: 6 valueSize: 11 sequence: 0 headerKeys: []\n"
)
TOOL = "$ kafka-transactions.sh --bootstrap-server b:9092"
LIST = f"{TOOL} list\nTransactionalId\tCoordinator\tProducerId\tTransactionState\npay-1\t2\t{{}}\t{{}}\n"
DESCRIBE = (
    f"{TOOL} describe --transactional-id pay-1\n"
    "CoordinatorId\tTransactionalId\tProducerId\tProducerEpoch\tTransactionState\tTransactionTimeoutMs\t"
    "CurrentTransactionStartTimeMs\tTransactionDurationMs\tTopicPartitions\n2\tpay-1\t7\t{}\t{}\t60000\t{}\t{}\t{}\n"
)
ANSWERS = {
    "complete": LIST.format(7, "CompleteCommit") + DESCRIBE.format(0, "CompleteCommit", "None", "None", ""),
    "gone on": DESCRIBE.format(1, "Empty", "None", "None", ""),
    "runs": LIST.format(7, "Ongoing") + DESCRIBE.format(0, "Ongoing", 1767261600100, 30000, "orders-0"),
    "runs elsewhere": DESCRIBE.format(0, "Ongoing", 1767261600100, 30000, "orders-1"),
    "decided, for hours": DESCRIBE.format(0, "PrepareCommit", 1767261600100, 9000000, "orders-0"),
    "decided by a raised epoch": DESCRIBE.format(1, "PrepareCommit", 1767261600100, 9000000, "orders-0"),
    "overdue": DESCRIBE.format(0, "Ongoing", 1767261600100, 9000000, "orders-0"),
    "overdue, of a later epoch": DESCRIBE.format(1, "Ongoing", 1767261600100, 9000000, "orders-0"),
    "list alone": LIST.format(7, "CompleteAbort"),
    "another id": LIST.format(9, "Empty"),
}
ASK = "kafka-transactions.sh --bootstrap-server $BOOTSTRAP describe-producers --topic orders --partition 0"


@pytest.fixture(scope="module")
def documents(spark, tmp_path_factory):
    captures = {name: {"orders-0.log.txt": DUMP, "answers.txt": text} for name, text in ANSWERS.items()}
    return documents_of(spark, tmp_path_factory.mktemp("alone"), captures)


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("complete", "CompleteCommit (answers.txt:6)"),
        ("gone on", "Empty (answers.txt:3)"),
        ("runs", "Ongoing (answers.txt:6)"),
        ("runs elsewhere", "Ongoing (answers.txt:3)"),
        ("list alone", "CompleteAbort (answers.txt:3)"),
    ],
)
def test_one_answer_of_the_leader_settles_it(documents, name, state):
    (row,) = documents[name]["open_transactions"]
    assert row["verdict"] == "undecided"
    assert f"its coordinator answered that pay-1 is {state}, but nobody asked the leader of orders-0" in row["why"]
    assert row["fetch"].startswith(f"the answer of {ASK}, from offset 0 of producer 7")
    assert "__transaction_state" not in row["fetch"]


@pytest.mark.parametrize(("name", "hangs"), [("complete", True), ("gone on", True), ("runs", False)])
def test_what_is_still_open_hangs_if_its_coordinator_runs_nothing(documents, name, hangs):
    (row,) = documents[name]["open_transactions"]
    assert row["fetch"].endswith("if it still has it open, it hangs") is hangs


def test_a_list_without_the_producer_settles_nothing(documents):
    (row,) = documents["another id"]["open_transactions"]
    assert row["why"].startswith("no record of producer 7 here")


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("decided, for hours", ["TXN006"]),
        ("decided by a raised epoch", ["TXN006"]),
        ("overdue", ["TXN001"]),
        ("overdue, of a later epoch", ["TXN001", "TXN013"]),
    ],
)
def test_what_its_coordinator_runs_or_ends_is_not_of_nobody(documents, name, codes):
    """A decided transaction that is older than any timeout was "save it, then abort" as well."""
    assert sorted({one["code"] for one in documents[name]["findings"]}) == codes
