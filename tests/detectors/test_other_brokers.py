"""Brokers of Redpanda, or of a provider: nothing is asked for that only the files of one's own Kafka show."""

import pytest
from judged_captures import documents_of

HEAD = "INFO  2024-05-25 13:14:14,560 [shard 0:main] tx - tx_gateway_frontend.cc:1 - "
FENCED = f"{HEAD}[tx_id=pay-1] producer {{producer_identity: id=7, epoch=3}} is fenced of by {{producer_identity: id=7, epoch=4}}\n"
OF_KAFKA = "[2024-05-25 13:14:14,560] INFO [TransactionCoordinator id=0] Initialized transactionalId pay-1 with producerId 7 and producer epoch 3 on partition __transaction_state-4 (kafka.coordinator.transaction.TransactionCoordinator)\n"

LISTED = (
    "$ kafka-transactions.sh --bootstrap-server {} list\n"
    "TransactionalId\tCoordinator\tProducerId\tTransactionState\t\npay-1\t0\t7\tOngoing\t\n"
)
HOSTS = {
    "event hubs": "orders.servicebus.windows.net:9093",
    "msk": "b-1.pay.abc123.c2.kafka.us-east-1.amazonaws.com:9092,b-2.pay.abc123.c2.kafka.us-east-1.amazonaws.com:9092",
    "own": "ec2-3-70-1-2.eu-central-1.compute.amazonaws.com:9092",
}


@pytest.fixture(scope="module")
def told(spark, tmp_path_factory):
    captures = {
        "redpanda": {"broker.log": FENCED},
        "kafka": {"broker.log": OF_KAFKA},
        **{name: {"paste.txt": LISTED.format(host)} for name, host in HOSTS.items()},
    }
    return documents_of(spark, tmp_path_factory.mktemp("told"), captures)


def asked(document):
    """What the notes ask for that some file would show."""
    return {note["kind"]: note.get("fetch") or "" for note in document["coverage"]["notes"]}


def test_redpanda_is_asked_with_rpk_and_not_for_files_of_kafka(told):
    notes = asked(told["redpanda"])
    assert "rpk cluster txn list" in notes["missing_data_logs"]
    assert not any("kafka-dump-log" in fetch or ".log segments" in fetch for fetch in notes.values())


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
