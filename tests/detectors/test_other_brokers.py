"""Brokers of Redpanda, or of a provider: nothing is asked for that only the files of one's own Kafka show."""

import pytest
from judged_together import judged_together

HEAD = "INFO  2024-05-25 13:14:14,560 [shard 0:main] tx - tx_gateway_frontend.cc:1 - "
FENCED = f"{HEAD}[tx_id=pay-1] producer {{producer_identity: id=7, epoch=3}} is fenced of by {{producer_identity: id=7, epoch=4}}\n"
OF_KAFKA = "[2024-05-25 13:14:14,560] INFO [TransactionCoordinator id=0] Initialized transactionalId pay-1 with producerId 7 and producer epoch 3 on partition __transaction_state-4 (kafka.coordinator.transaction.TransactionCoordinator)\n"

LISTED = (
    "$ kafka-transactions.sh --bootstrap-server {} list\n"
    "TransactionalId\tCoordinator\tProducerId\tTransactionState\t\npay-1\t0\t7\tOngoing\t\n"
)
OF_KOP = (
    "2023-03-14T10:22:31,441+0000 [kop-transaction-coordinator] INFO  io.streamnative.pulsar.handlers.kop.coordinator."
    "transaction.TransactionCoordinator - Completed rollback of ongoing transaction for transactionalId pay-1 due to "
    "timeout\n"
)
OF_A_CLIENT = (
    "2023-03-14T10:22:31,441+0000 [main] INFO  org.apache.pulsar.client.impl.ConsumerImpl - "
    "[persistent://public/default/orders-partition-0] Subscribed\n"
)
CLUSTER = "redpanda.4b5c3e1c-0b7c-4f53-9c0a-6d1b4c7a9f11"
OPEN = (
    "$ rpk cluster txn describe-producers --topics orders --partitions 0\n"
    "LEADER  TOPIC   PARTITION  PRODUCER-ID  PRODUCER-EPOCH  LAST-TIMESTAMP                 LAST-SEQUENCE  COORDINATOR-EPOCH  TXN-START-OFFSET  ERROR\n"
    "0       orders  0          7            3               2024-05-25T13:14:14.560Z       5              0                  18\n"
    "$ rpk cluster txn describe pay-1\n"
    "COORDINATOR  TRANSACTIONAL-ID  PRODUCER-ID  PRODUCER-EPOCH  STATE  START-TIMESTAMP  TIMEOUT  TOPICS\n"
    "0            pay-1             7            4               Empty                   60s      []\n"
)
POSITIONS = OPEN.replace("orders", "__consumer_offsets")
NAMED = {
    "rpk, positions": f"CLUSTER\n=======\n{CLUSTER}\n\n{POSITIONS}",
    "rpk": f"$ rpk cluster info\nCLUSTER\n=======\n{CLUSTER}\n\nBROKERS\n=======\nID    HOST  PORT\n0*    rp-0  9093\n\n{OPEN}",
    "client": f"[2024-05-25 13:14:14,560] INFO [Producer clientId=p, transactionalId=pay-1] Cluster ID: {CLUSTER} (org.apache.kafka.clients.Metadata)\n{OPEN}",
    "tool": f"$ kafka-cluster.sh cluster-id --bootstrap-server rp:9092\nCluster ID: {CLUSTER}\n{OPEN}",
    "metrics": 'redpanda_kafka_max_offset{redpanda_namespace="kafka",redpanda_partition="0",redpanda_topic="orders"} 93.000000\n'
    + OPEN,
    "log": f"INFO  2024-05-25 13:14:14,560 [shard 0:main] main - application.cc:1 - Started Kafka API server\n{OPEN}",
    "another program of its house": "redpanda_console_kafka_requests_sent_total 3\n" + OPEN,
    "not named": f"[2024-05-25 13:14:14,560] INFO [Producer clientId=p] Cluster ID: fnk10_WA6jeiHPg9EMdjeA (org.apache.kafka.clients.Metadata)\n{OPEN}",
}
HOSTS = {
    "event hubs": "orders.servicebus.windows.net:9093",
    "msk": "b-1.pay.abc123.c2.kafka.us-east-1.amazonaws.com:9092,b-2.pay.abc123.c2.kafka.us-east-1.amazonaws.com:9092",
    "own": "ec2-3-70-1-2.eu-central-1.compute.amazonaws.com:9092",
}


@judged_together
def told():
    return {
        "redpanda": {"broker.log": FENCED},
        "kafka": {"broker.log": OF_KAFKA},
        "pulsar": {"broker.log": OF_KOP},
        "a client of pulsar": {"broker.log": OF_KAFKA + OF_A_CLIENT},
        **{name: {"paste.txt": LISTED.format(host)} for name, host in HOSTS.items()},
        **{f"named by {name}": {"paste.txt": text} for name, text in NAMED.items()},
    }


def asked(document):
    """What the notes ask for that some file would show."""
    return {note["kind"]: note.get("fetch") or "" for note in document["coverage"]["notes"]}


def test_redpanda_is_asked_with_rpk_and_not_for_files_of_kafka(told):
    notes = asked(told["redpanda"])
    assert "rpk cluster txn list" in notes["missing_data_logs"]
    assert not any("kafka-dump-log" in fetch or ".log segments" in fetch for fetch in notes.values())


def test_pulsar_is_named_and_not_asked_for_files_of_kafka(told):
    """Its log has the words of Kafka's coordinator, and no file of Kafka's is on its brokers."""
    document = told["pulsar"]
    [note] = [one["note"] for one in document["coverage"]["notes"] if one["kind"] == "other_brokers"]
    assert note.startswith("the brokers are Pulsar's (KoP), by broker.log:1:")
    assert not any("kafka-dump-log" in fetch or ".log segments" in fetch for fetch in asked(document).values())
    assert [one["says"] for one in document["log_lines"]["lines"]] == ["rolled_back"]
    assert "other_brokers" not in asked(told["a client of pulsar"])


def test_kafka_is_asked_for_its_files(told):
    notes = asked(told["kafka"])
    assert ".log segments" in notes["missing_data_logs"]
    assert not any("rpk" in fetch for fetch in notes.values())


@pytest.mark.parametrize("name", ["event hubs", "msk"])
def test_a_provider_is_asked_with_tools_and_not_for_files(told, name):
    notes = asked(told[name])
    assert "provider's support" in notes["missing_data_logs"]
    assert not any("kafka-dump-log" in fetch or ".log segments" in fetch for fetch in notes.values())


def test_a_broker_on_a_rented_machine_is_ones_own(told):
    assert ".log segments" in asked(told["own"])["missing_data_logs"]


def commands(document):
    return [
        one["command"]
        for found in document["findings"]
        for step in found["action"]["steps"]
        for one in step["commands"]
    ]


def test_positions_of_a_group_are_not_ended_by_a_request_for_data(told):
    """A group's own request asks no coordinator whether the transaction was committed."""
    document = told["named by rpk, positions"]
    assert not any(" abort " in one or "mark_transaction" in one for one in commands(document))
    steps = [step for found in document["findings"] for step in found["action"]["steps"] if step["stage"] == "act"]
    assert any("unsafe_abort_group_transaction" in answer for step in steps for answer in step["answers"])


@pytest.mark.parametrize(
    "name", [name for name in NAMED if name not in ("not named", "rpk, positions", "another program of its house")]
)
def test_a_cluster_of_redpanda_is_ended_by_its_admin_api(told, name):
    """Redpanda has no WriteTxnMarkers, which kafka-transactions.sh abort sends; its Admin API asks the coordinator first."""
    document = told[f"named by {name}"]
    assert document["capture"]["redpanda"] is True
    assert "rpk cluster txn list" in asked(document)["missing_data_logs"]
    given = commands(document)
    assert not any(" abort " in one for one in given)
    [ends] = {one for one in given if "mark_transaction_expired" in one}
    assert ends.endswith('"http://$ADMIN/v1/partitions/kafka/orders/0/mark_transaction_expired?id=7&epoch=3"')
    assert any("describe-producers" in one for one in given)
    assert any("--offset 18" in one for one in given)
    assert not any("rescue" in one for one in given), "no file of its brokers is read"


def test_another_cluster_asked_by_rpk_is_kafkas(told):
    document = told["named by not named"]
    assert document["capture"]["cluster_ids"] == ["fnk10_WA6jeiHPg9EMdjeA"]
    assert "redpanda" not in document["capture"]
    assert any(" abort " in one for one in commands(document))


def test_its_console_shows_clusters_of_kafka_too(told):
    document = told["named by another program of its house"]
    assert "redpanda" not in document["capture"]
    assert any(" abort " in one for one in commands(document))


def test_what_rpk_tells_of_its_cluster_is_understood(told):
    document = told["named by rpk"]
    assert document["capture"]["cluster_ids"] == [CLUSTER]
    assert "unread_lines" not in asked(document)
