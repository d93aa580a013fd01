"""What Flink, Spring, Kafka Streams and clients of several languages write of a transaction that they cannot end."""

import pytest

FLINK = "org.apache.flink.connector.kafka.sink.internal.KafkaCommitter [] - "
REQUEST = (
    "(CommitRequestImpl{state=RECEIVED, numRetries=0, committable=KafkaCommittable{producerId=2000, epoch=5, "
    "transactionalId=pay-0-7}})"
)


ABORTABLE = (
    "The server encountered an error with the transaction. The client can abort the transaction to continue using this "
    "transactional ID."
)


@pytest.mark.parametrize(
    ("message", "says"),
    [
        (f"Transaction {REQUEST} encountered error and data has been potentially lost.", "end_unclear"),
        (f"Committing transaction {REQUEST} was interrupted. This most likely happens because the task is being cancelled.",
         "end_unclear"),
        (f"Unable to commit transaction {REQUEST} because its producer is already fenced. This means that", "client_fenced"),
        (f"Unable to commit transaction {REQUEST} because it's in an invalid state. Most likely the", "client_refused"),
        (f"Unable to commit transaction {REQUEST} because of a bug in the Kafka broker (KAFKA-9310). Please", "id_unknown"),
    ],
)  # fmt: skip
def test_what_flink_could_not_commit(read, message, says):
    facts = read(f"2026-11-21 09:13:21,091 ERROR {FLINK}{message}\n", kind="broker_log")
    names = ("says", "transactional_id", "producer_id", "producer_epoch")
    assert [tuple(row[name] for name in names) for row in facts["log_lines"]] == [(says, "pay-0-7", 2000, 5)]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("Encountered retriable exception while committing pay-0-7.", ["end_unclear"]),
        ("Found 2 open transactions for subtask 0: [pay-0-7, pay-0-8]", ["open_at_start"]),
        ("DefaultKafkaProducerFactory   : commitTransaction failed: CloseSafeProducer [delegate=x@1]", ["end_unclear"]),
        ("DefaultKafkaProducerFactory   : Abort failed: CloseSafeProducer [delegate=x@1]", ["end_unclear"]),
        ("KafkaMessageListenerContainer : Producer or 'group.instance.id' fenced during transaction", ["client_fenced"]),
        ("UnexpectedRollbackException: Transaction rolled back because it has been marked as rollback-only", []),
        ("StreamsException: Error encountered trying to commit a transaction [stream-thread [a]]", ["end_unclear"]),
        ("no more records would be sent since the producer is fenced, indicating the task may be migrated out",
         ["client_fenced"]),
        ("Timeout exception caught trying to initialize transactions. The broker is either slow", ["client_waits"]),
        (f'level=error error="TRANSACTION_ABORTABLE: {ABORTABLE}"', ["client_abortable"]),
        ("Confluent.Kafka.KafkaRetriableException: Local: Timed out", ["client_timeout"]),
        ("org.apache.kafka.common.errors.TransactionalIdAuthorizationException: Transactional Id authorization failed.",
         ["client_denied"]),
        ("TRANSACTIONAL_ID_AUTHORIZATION_FAILED: The transactional ID authorization failed.", ["client_denied"]),
        ("%3|1716642854.560|TXNERR|p| [thrd:main]: x: Broker: Transactional Id authorization failed", ["client_denied"]),
        ("org.apache.kafka.common.errors.TransactionalIdNotFoundException: The transactionalId could not be found",
         ["no_such_id"]),
    ],
)  # fmt: skip
def test_what_others_say(read, line, says):
    facts = read(f"2026-11-21 09:13:21,091 ERROR {line}\n", kind="broker_log")
    assert [row["says"] for row in facts["log_lines"]] == says
