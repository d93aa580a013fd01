"""Logs that only Redpanda writes: nothing is asked for that only Kafka's brokers have."""

import pytest
from judged_captures import documents_of

HEAD = "INFO  2024-05-25 13:14:14,560 [shard 0:main] tx - tx_gateway_frontend.cc:1 - "
FENCED = f"{HEAD}[tx_id=pay-1] producer {{producer_identity: id=7, epoch=3}} is fenced of by {{producer_identity: id=7, epoch=4}}\n"
OF_KAFKA = "[2024-05-25 13:14:14,560] INFO [TransactionCoordinator id=0] Initialized transactionalId pay-1 with producerId 7 and producer epoch 3 on partition __transaction_state-4 (kafka.coordinator.transaction.TransactionCoordinator)\n"


@pytest.fixture(scope="module")
def told(spark, tmp_path_factory):
    captures = {"redpanda": {"broker.log": FENCED}, "kafka": {"broker.log": OF_KAFKA}}
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
