"""A coordinator that answers nobody: find-hanging of a real 3.9.1 cluster named what that one still ran.

Broker 2 was killed 2 s after trade-tx-1 had written to quotes-0, whose leader is broker 3; its client did not learn
what became of its commit. Broker 2 alone had the id's partition of __transaction_state; once it was back, it ended the
transaction.
"""

import pytest
from judged_captures import documents_of

BOOTSTRAP = "--bootstrap-server localhost:9092"
HANGING = (
    f"$ bin/kafka-transactions.sh {BOOTSTRAP} find-hanging --topic quotes{{}}\n"
    "[2026-11-30 02:10:56,610] WARN [AdminClient clientId=adminclient-10] Connection to node -2 (/127.0.0.1:44315) "
    "could not be established. Node may not be available. (org.apache.kafka.clients.NetworkClient)\n"
    "Topic \tPartition\tProducerId\tProducerEpoch\tCoordinatorEpoch\tStartOffset\tLastTimestamp\tDuration(min)\t\n"
    "quotes\t0        \t1         \t0            \t-1              \t0          \t1796004536792\t2            \t\n"
).format(" --max-transaction-timeout 0")
PRODUCERS = (
    f"$ bin/kafka-transactions.sh {BOOTSTRAP} describe-producers --topic quotes --partition 0\n"
    "ProducerId\tProducerEpoch\tLatestCoordinatorEpoch\tLastSequence\tLastTimestamp\tCurrentTransactionStartOffset\t\n"
    "1         \t0            \t-1                    \t2           \t1796004536792\t0                            \t\n"
)
TOPICS = (
    f"$ bin/kafka-topics.sh {BOOTSTRAP} --describe\n"
    "Topic: __transaction_state\tTopicId: j_v6dRRzQoeBbSZw3T2xfQ\tPartitionCount: 3\tReplicationFactor: 1\tConfigs: "
    "compression.type=uncompressed,min.insync.replicas=1,cleanup.policy=compact,segment.bytes=104857600,"
    "unclean.leader.election.enable=false\n"
    "\tTopic: __transaction_state\tPartition: 0\tLeader: 3\tReplicas: 3\tIsr: 3\tElr: \tLastKnownElr: \n"
    "\tTopic: __transaction_state\tPartition: 1\tLeader: 1\tReplicas: 1\tIsr: 1\tElr: \tLastKnownElr: \n"
    "\tTopic: __transaction_state\tPartition: 2\tLeader: none\tReplicas: 2\tIsr: 2\tElr: \tLastKnownElr: \n"
    "Topic: quotes\tTopicId: RCDHQ1aqQhmcFJfg_6X68Q\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: \n"
    "\tTopic: quotes\tPartition: 0\tLeader: 3\tReplicas: 3\tIsr: 3\tElr: \tLastKnownElr: \n"
)
LED = TOPICS.replace("Leader: none", "Leader: 2")
DESCRIBE = f"$ bin/kafka-transactions.sh {BOOTSTRAP} describe --transactional-id trade-tx-1\n"
FAILED = (
    f"{DESCRIBE}Failed to describe transaction state of transactional-id `trade-tx-1`: Timed out waiting for a node "
    "assignment. Call: describeTransactions(api=FIND_COORDINATOR). Enable debug logging for additional detail.\n"
)
DESCRIBED = (
    f"{DESCRIBE}CoordinatorId\tTransactionalId\tProducerId\tProducerEpoch\tTransactionState\tTransactionTimeoutMs\t"
    "CurrentTransactionStartTimeMs\tTransactionDurationMs\tTopicPartitions\n"
    "2\ttrade-tx-1\t1\t0\t{}\t20000\t1796004536700\t{}\t{}\n"
)
LATER = HANGING.replace("\t2            \t\n", "\t200          \t\n")
CAPTURES = {
    "no leader": {"hanging.txt": HANGING, "topics.txt": TOPICS},
    "no leader, for hours": {"hanging.txt": LATER, "topics.txt": TOPICS},
    "not described": {"hanging.txt": HANGING, "describe.txt": FAILED},
    "one paste": {"paste.txt": FAILED + PRODUCERS + HANGING + TOPICS},
    "it ran before": {"paste.txt": DESCRIBED.format("Ongoing", 1000, "quotes-0") + HANGING + TOPICS},
    "describe alone": {"describe.txt": DESCRIBED.format("Ongoing", 7_114, "quotes-0")},
    "led": {"hanging.txt": HANGING, "topics.txt": LED},
    "described as over": {"paste.txt": HANGING + TOPICS + DESCRIBED.format("CompleteAbort", 130_000, "")},
}


@pytest.fixture(scope="module")
def documents(spark, tmp_path_factory):
    return documents_of(spark, tmp_path_factory.mktemp("silent"), CAPTURES)


@pytest.mark.parametrize(
    ("name", "by"),
    [
        ("no leader", "topics.txt:5"),
        ("no leader, for hours", "topics.txt:5"),
        ("not described", "describe.txt:2"),
        ("one paste", "paste.txt:14"),
    ],
)
def test_what_a_silent_coordinator_may_run_is_not_to_be_aborted(documents, name, by):
    document = documents[name]
    (row,) = document["open_transactions"]
    assert (row["verdict"], document["findings"]) == ("undecided", [])
    assert f"not every coordinator answered ({by})" in row["why"]
    assert "Do not abort it" in row["why"]
    assert row["fetch"].startswith("a leader for each partition of __transaction_state first")


def test_what_it_told_before_that_it_runs_counts(documents):
    (row,) = documents["it ran before"]["open_transactions"]
    assert row["verdict"] in {"in_flight", "hanging_undecided"}
    assert "TXN013" not in [one["code"] for one in documents["it ran before"]["findings"]]


def test_what_a_coordinator_alone_tells_has_its_timeout(documents):
    (note,) = [one for one in documents["describe alone"]["coverage"]["notes"] if one["kind"] == "unseen_claim"]
    assert "is Ongoing, 7 s after it began; its timeout is 20 s: then its coordinator ends it" in note["note"]


@pytest.mark.parametrize("name", ["led", "described as over"])
def test_where_coordinators_answer_find_hanging_counts(documents, name):
    (row,) = documents[name]["open_transactions"]
    assert row["verdict"] == "hanging_unexplained"
