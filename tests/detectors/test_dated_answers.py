"""What `date` prints above a command is the moment of its answer; what waits for a leader is told so (RULES F 1, F 9)."""

import pytest
from judged_captures import documents_of

from analyzer.kafka.pasting.dates import date_of

ASK = "$ kafka-transactions.sh --bootstrap-server b:9092 describe-producers --topic orders --partition 4\n"
TABLE = (
    "ProducerId\tProducerEpoch\tLatestCoordinatorEpoch\tLastSequence\tLastTimestamp\tCurrentTransactionStartOffset\n"
    "88\t3\t9\t120\t1735689600000\t101\n"
)
AT_NINE = "$ date\nThu Jan  2 09:00:00 {} 2025\n"
AT_TEN = "$ date -u +%FT%TZ\n2025-01-02T10:00:00Z\n"
DESCRIBED = (
    "$ kafka-transactions.sh --bootstrap-server b:9092 describe --transactional-id pay-9\n"
    "CoordinatorId\tTransactionalId\tProducerId\tProducerEpoch\tTransactionState\tTransactionTimeoutMs\t"
    "CurrentTransactionStartTimeMs\tTransactionDurationMs\tTopicPartitions\n"
    "1\tpay-9\t88\t3\tPrepareCommit\t60000\t1735689600000\t1000\torders-4,orders-7\n"
)
TOPICS = (
    "$ kafka-topics.sh --bootstrap-server b:9092 --describe --topic orders\n"
    "Topic: orders\tTopicId: OEVznpHbTIGWyfvN3qCJnw\tPartitionCount: 8\tReplicationFactor: 2\tConfigs: \n"
    "\tTopic: orders\tPartition: 4\tLeader: none\tReplicas: 3,4\tIsr: 3\n"
    "\tTopic: orders\tPartition: 7\tLeader: 2\tReplicas: 2,1\tIsr: 2,1\n"
)
CAPTURES = {
    "two moments": AT_NINE.format("UTC") + ASK + TABLE + AT_TEN + ASK + TABLE,
    "no zone": AT_NINE.format("CET") + ASK + TABLE,
    "own moment": AT_NINE.format("CET") + DESCRIBED,
    "one line": ASK.replace("$ ", "$ date; ")
    + AT_NINE.format("+00").partition("\n")[2]
    + TABLE
    + ASK.replace("$ ", "$ date -Is && ")
    + "2025-01-02T13:00:00+03:00\n"
    + TABLE,
    "the next has none": ASK.replace("$ ", "$ date; ") + AT_NINE.format("+00").partition("\n")[2] + TABLE + ASK + TABLE,
    "older than the batch": "Tue Dec 31 09:00:00 UTC 2024\n" + ASK + TABLE,
    "no date": ASK + TABLE + ASK + TABLE,
    "no leader": DESCRIBED + TOPICS,
}


@pytest.fixture(scope="module")
def documents(spark, tmp_path_factory):
    captures = {name: {"paste.txt": text} for name, text in CAPTURES.items()}
    return documents_of(spark, tmp_path_factory.mktemp("dated"), captures)


def test_two_moments_show_that_it_is_older_than_any_timeout(documents):
    (finding,) = documents["two moments"]["findings"]
    assert (finding["name"], finding["confidence"]) == ("hanging_unexplained", "likely")
    assert "it was open from the same offset 1 h before" in finding["explanation"]


@pytest.mark.parametrize("name", ["no zone", "older than the batch", "no date"])
def test_what_no_date_tells_stays_undecided(documents, name):
    (row,) = [one for one in documents[name]["open_transactions"] if one["topic"] == "orders"]
    assert row["verdict"] == "undecided"


@pytest.mark.parametrize(
    ("line", "at"),
    [
        ("Thu Jan  2 09:00:00 UTC 2025", 1_735_808_400_000),
        ("Thu Jan  2 09:00:00 AM UTC 2025", 1_735_808_400_000),
        ("Thu Jan 2 12:00:00 PM UTC 2025", 1_735_819_200_000),
        ("Thu, 02 Jan 2025 10:00:00 +0100", 1_735_808_400_000),
        ("2025-01-02T09:00:00Z", 1_735_808_400_000),
        ("2025-01-02T10:00:00+01:00", 1_735_808_400_000),
        ("2025-01-02 09:00:00 UTC", 1_735_808_400_000),
        ("Thu Jan  2 12:00:00 +03 2025", 1_735_808_400_000),
        ("Thu Jan  2 14:45:00 +0545 2025", 1_735_808_400_000),
        ("Thu Jan  2 06:00:00 -03 2025", 1_735_808_400_000),
        ("2025-01-02 10:00:00 +0100", 1_735_808_400_000),
        ("2025-01-02T12:00:00+03", 1_735_808_400_000),
        ("2025-01-02T10:00:00,123456789+01:00", 1_735_808_400_123),
        ("2025-01-02 09:00:00 GMT", 1_735_808_400_000),
        ("           Universal time: Thu 2025-01-02 09:00:00 UTC", 1_735_808_400_000),
        ("Thu Jan  2 09:00:00 CET 2025", ""),
        ("2025-01-02 09:00:00 IST", ""),
        ("1735808400", None),
        ("2025-01-02T09:00:00", ""),
        ("2025-99-02T09:00:00Z", None),
        ("Thu Jan 99 09:00:00 UTC 2025", None),
        ("taken at 2025-01-02T09:00:00Z", None),
    ],
)
def test_dates(line, at):
    assert date_of(line, "$ date") == at


@pytest.mark.parametrize(("line", "at"), [("1735808400", 1_735_808_400_000), ("1735808400123", 1_735_808_400_123)])
def test_seconds_count_where_they_were_asked_for(line, at):
    assert date_of(line, "$ date +%s%3N") == at


def test_a_zone_that_is_a_name_of_several_is_told(documents):
    (note,) = [one for one in documents["no zone"]["coverage"]["notes"] if one["kind"] == "undated_answer"]
    assert note["note"].startswith("the date of paste.txt:2 (Thu Jan  2 09:00:00 CET 2025) dates no answer")
    assert "date -u" in note["fetch"]
    for name in ("two moments", "no date", "own moment"):
        kinds = {one["kind"] for one in documents[name]["coverage"]["notes"]}
        assert "undated_answer" not in kinds, name


def test_one_line_asks_for_the_date_and_for_the_answer(documents):
    (finding,) = documents["one line"]["findings"]
    assert "it was open from the same offset 1 h before" in finding["explanation"]
    (finding,) = documents["the next has none"]["findings"]
    assert finding["confidence"] == "possible"
    assert "from the same offset" not in finding["explanation"]


@pytest.mark.parametrize("line", ["Thu, 02 Jan 2025 10:00:00 +0100", "2025-01-02T09:00:00Z", "2025-01-02 09:00:00 UTC"])
def test_the_time_of_a_mail_or_a_chat_is_not_that_of_an_answer(line):
    assert date_of(line, "Anna") is None


def test_a_decided_transaction_waits_for_the_leader_that_its_partition_lacks(documents):
    leads = {one["partition"]: one for one in documents["no leader"]["findings"]}
    summary = leads[4]["action"]["summary"]
    assert summary.startswith("BRING BACK A LEADER of orders-4, which has none (paste.txt:6)")
    assert "DO NOT ABORT: COMMIT is decided" in summary
    assert leads[4]["action"]["word"] == "bring back leader"
    assert leads[7]["action"]["summary"].startswith("WAIT")
