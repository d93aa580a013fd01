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
LED_BY_ALL = TOPICS.replace("Leader: none", "Leader: 2")
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
NO_AUTHORIZER = (
    f"$ bin/kafka-acls.sh {BOOTSTRAP} --list\n"
    "Error while executing ACL command: org.apache.kafka.common.errors.SecurityDisabledException: "
    "No Authorizer is configured.\n"
)
SETTING = (
    f"$ bin/kafka-configs.sh {BOOTSTRAP} --describe --entity-type brokers --entity-name 1 --all\n"
    "All configs for broker 1 are:\n"
    "  authorizer.class.name={} sensitive=false synonyms={{DEFAULT_CONFIG:authorizer.class.name=}}\n"
)
OPEN = SETTING.format("")
GUARDED = SETTING.format("org.apache.kafka.metadata.authorizer.StandardAuthorizer")
OLD = HANGING.replace(" --max-transaction-timeout 0", "").replace("\t2            \t\n", "\t200          \t\n")
CAPTURES = {
    "every coordinator": {"paste.txt": LED_BY_ALL + OLD + NO_AUTHORIZER},
    "every coordinator by settings": {"paste.txt": OLD + LED_BY_ALL + OPEN},
    "a low limit": {"paste.txt": LED_BY_ALL + HANGING + NO_AUTHORIZER},
    "maybe hidden": {"paste.txt": LED_BY_ALL + OLD},
    "guarded": {"paste.txt": LED_BY_ALL + OLD + GUARDED},
    "one broker is guarded": {"paste.txt": LED_BY_ALL + OLD + OPEN + GUARDED.replace("broker 1", "broker 2")},
    "another text": {"hanging.txt": OLD, "topics.txt": LED_BY_ALL, "acls.txt": NO_AUTHORIZER},
    "one partition short": {"paste.txt": LED_BY_ALL.replace("Count: 3", "Count: 4") + OLD + NO_AUTHORIZER},
    "decided before": {
        "paste.txt": "$ bin/kafka-transactions.sh list\nTransactionalId\tCoordinator\tProducerId\tTransactionState\n"
        "trade-tx-1\t2\t1\tPrepareCommit\n" + OLD
    },
    "ran before, here": {"paste.txt": DESCRIBED.format("Ongoing", 1000, "quotes-0") + OLD},
    "no coordinator asked": {"paste.txt": OLD + NO_AUTHORIZER},
    "no leader": {"hanging.txt": HANGING, "topics.txt": TOPICS},
    "no leader, for hours": {"hanging.txt": LATER, "topics.txt": TOPICS},
    "not described": {"hanging.txt": HANGING, "describe.txt": FAILED},
    "one paste": {"paste.txt": FAILED + PRODUCERS + HANGING + TOPICS},
    "it ran before": {"paste.txt": DESCRIBED.format("Ongoing", 1000, "quotes-0") + HANGING + TOPICS},
    "describe alone": {"describe.txt": DESCRIBED.format("Ongoing", 7_114, "quotes-0")},
    "led": {"hanging.txt": HANGING, "topics.txt": LED_BY_ALL},
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


@pytest.mark.parametrize("name", ["every coordinator", "every coordinator by settings"])
def test_find_hanging_is_certain_where_no_coordinator_was_left_out(documents, name):
    (finding,) = documents[name]["findings"]
    assert finding["confidence"] == "certain"
    assert any("every partition of __transaction_state had a leader to ask (paste.txt:" in step["text"]
               for step in finding["steps"])  # fmt: skip
    assert "see that every partition" not in finding["action"]["summary"]


@pytest.mark.parametrize(
    "name",
    ["a low limit", "maybe hidden", "guarded", "one broker is guarded", "another text", "one partition short",
     "no coordinator asked", "led"],
)  # fmt: skip
def test_find_hanging_is_likely_where_one_may_be_left_out(documents, name):
    (finding,) = documents[name]["findings"]
    assert finding["confidence"] == "likely"


def test_what_who_asked_may_not_see_is_named(documents):
    (finding,) = documents["maybe hidden"]["findings"]
    assert "of an id that who asked may not describe" in finding["else"]
    assert "Ask as a super user" in finding["else"]


@pytest.mark.parametrize("name", ["decided before", "ran before, here"])
def test_what_its_coordinator_ran_before_speaks_not_for_it(documents, name):
    """Its coordinator may have gone down since: it ends the transaction once it is back."""
    (finding,) = [one for one in documents[name]["findings"] if one["code"] == "TXN013"]
    assert finding["confidence"] == "likely"
    assert "first see that every partition of __transaction_state has a leader" in finding["action"]["summary"]
