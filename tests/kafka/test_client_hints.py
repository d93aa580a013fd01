"""Which client several ids hint at: by structure and by what else has the name, never by one id alone."""

import pytest

from analyzer.kafka.clients.hints import hints

UUID = "3f2b8c1e-0d5a-4e62-9b71-5c0a7d1e9f44"
STREAMS = f"orders-agg-{UUID}-2"


def kinds(ids, groups=(), topics=()):
    return {name: hint.client.kind for name, hint in hints(ids, groups, topics).items()}


@pytest.mark.parametrize("one", [STREAMS, "orders-agg-0_3", "a-1-2", "mirror-orders-0", "tx-1", "txn-billing.orders.3"])
def test_one_id_alone_hints_at_nobody(one):
    assert kinds([one]) == {}


def test_a_streams_application_is_known_by_its_group_or_its_stores():
    assert kinds([STREAMS], ["orders-agg"]) == {STREAMS: "streams"}
    assert kinds([STREAMS], topics=["orders-agg-store-changelog"]) == {STREAMS: "streams"}
    assert kinds([STREAMS], ["orders"], ["orders-agg-input"]) == {}
    assert kinds([STREAMS, f"orders-agg-{UUID}-1"]).keys() == {STREAMS, f"orders-agg-{UUID}-1"}
    assert kinds(["agg-0_0", "agg-0_1"]) == {"agg-0_0": "streams", "agg-0_1": "streams"}
    (hint,) = hints([STREAMS], ["orders-agg"], []).values()
    assert hint.words == "Kafka Streams application orders-agg, thread 2"


def test_a_connect_cluster_is_known_by_its_leader():
    ids = ["connect-cluster-mirror", "mirror-orders-0", "mirror-orders-eu-1", "other-orders-0", "mirror-x"]
    assert kinds(ids) == dict.fromkeys(ids[:3], "connect")
    assert hints(ids, [], [])["mirror-orders-eu-1"].words == "Kafka Connect, task 1 of connector orders-eu"


def test_checkpoints_need_three_numbers_of_one_prefix():
    assert kinds(["sink-0-41", "sink-0-42"]) == {}
    assert set(kinds(["sink-0-41", "sink-0-42", "sink-0-43", "other-0-1"])) == {"sink-0-41", "sink-0-42", "sink-0-43"}
    assert kinds(["sink-0-1", "sink-1-1", "sink-2-1"]) == {}, "an index of instances, not a checkpoint"


def test_tasks_of_connect_are_not_taken_for_checkpoints():
    tasks = ["connect-cluster-c", "c-1-0", "c-1-1", "c-1-2"]
    assert set(kinds(tasks).values()) == {"connect"}


def test_a_spring_listener_ends_in_its_group_topic_and_partition():
    assert kinds(["txn-billing.orders.3"], ["billing"], ["orders"]) == {"txn-billing.orders.3": "spring"}
    assert kinds(["txn-billing.orders.3"], ["billing"], ["payments"]) == {}
