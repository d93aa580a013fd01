"""What kafka-log-dirs.sh proves: who holds a copy, which partitions hold anything, and log dirs that a broker lost."""

import json

import pytest
from judged_captures import documents_of
from test_coordinator_alone import DUMP


def replica(place, size, lag=0, future=False):
    return {"partition": place, "size": size, "offsetLag": lag, "isFuture": future}


def printed(*dirs, indent=None):
    """The output of the tool for these log dirs: broker, error, replicas."""
    brokers = [
        {"broker": broker, "logDirs": [{"partitions": list(held), "error": error, "logDir": f"/data-{broker}"}]}
        for broker, error, held in dirs
    ]
    head = "Querying brokers for log directories information\nReceived log directory information from brokers 1,2\n"
    told = {"version": 1, "brokers": brokers} if indent else {"brokers": brokers, "version": 1}
    return head + json.dumps(told, separators=(",", ":"), indent=indent) + "\n"


HERE = replica("orders-0", 78)
FAILED = "org.apache.kafka.common.errors.KafkaStorageException: Disk error"
LOG = {"broker-1/orders-0/00000000000000000000.log.txt": DUMP}
CAPTURES = {
    "alone": LOG | {"dirs.txt": printed((1, None, [HERE]))},
    "held elsewhere": LOG | {"dirs.txt": printed((1, None, [HERE]), (2, None, [replica("orders-0", 900)]))},
    "moved": LOG | {"dirs.txt": printed((1, None, [HERE]), (2, None, [replica("orders-0", 900, 0, future=True)]))},
    "absurd": LOG | {"dirs.txt": printed((1, None, [HERE, replica("__transaction_state-999999999", 5)]))},
    "hundred": LOG | {"dirs.txt": printed((1, None, [HERE, replica("__transaction_state-99", 5)]))},
    "lost": LOG | {"dirs.txt": printed((1, None, [HERE]), (2, FAILED, []))},
    "others": LOG
    | {
        "dirs.txt": printed(
            (1, None, [HERE, replica("orders-1", 40, 7), replica("orders-2", 0), replica("__transaction_state-3", 0)]),
            (2, None, [replica("orders-1", 30), replica("__transaction_state-4", 500)]),
            indent=2,
        )
    },
}


@pytest.fixture(scope="module")
def documents(spark, tmp_path_factory):
    return documents_of(spark, tmp_path_factory.mktemp("dirs"), CAPTURES)


def notes(document, kind):
    return [one for one in document["coverage"]["notes"] if one["kind"] == kind]


def test_a_copy_that_another_broker_holds_may_be_the_leaders(documents):
    (note,) = notes(documents["held elsewhere"], "leader_not_here")
    assert "2" in note["note"]


@pytest.mark.parametrize("name", ["alone", "moved", "lost"])
def test_a_copy_that_is_moved_is_none_that_counts(documents, name):
    assert notes(documents[name], "leader_not_here") == []


def test_a_log_dir_that_its_broker_lost_is_told(documents):
    (note,) = notes(documents["lost"], "log_dir_failed")
    assert note["note"].startswith(
        f"broker 2 cannot use a log dir, by dirs.txt:3 (/data-2: {FAILED}): it neither leads nor follows"
    )


def test_what_is_asked_for_is_where_it_is_whole(documents):
    """Broker 1's copy of orders-1 is larger but lacks records; orders-2 holds nothing."""
    (note,) = notes(documents["others"], "missing_partition")
    assert note["note"].startswith("no log of orders-1 is here, but dirs.txt:")
    assert note["fetch"] == "the .log segments of orders-1 from broker 2"
    (state,) = notes(documents["others"], "missing_state")
    assert "1 of those that are not read holds records, as dirs.txt:" in state["note"]


@pytest.mark.parametrize(("name", "count"), [("absurd", 50), ("hundred", 100)])
def test_a_state_partition_that_is_named_tells_the_least_count(documents, name, count):
    told = {one["number"] for kind in ("missing_state", "missing_coordinator") for one in notes(documents[name], kind)}
    assert told == {count}
