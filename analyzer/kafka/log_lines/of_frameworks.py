"""Lines that programs write which are built on a client of Kafka's: Flink, Spring, Kafka Streams.

Source: `KafkaCommitter` and `TransactionAbortStrategyImpl` of flink-connector-kafka 1.14 to 4.1, `CloseSafeProducer`
and `KafkaMessageListenerContainer` of spring-kafka 2.2 to 4.0, `StreamsProducer` and `RecordCollectorImpl` of Kafka
Streams.
"""

from analyzer.kafka.log_lines.pattern import (
    EPOCH,
    FENCED,
    ID,
    IN_ANOTHER_STATE,
    OTHER,
    PRODUCER,
    UNKNOWN,
    WAITS,
    Pattern,
)

COMMITTABLE = (
    rf"\((?:.{{0,600}}?\bKafkaCommittable\{{producerId={PRODUCER}, epoch={EPOCH}, transactionalId={ID}[,}}])?"
    r".{0,1000}?\)"
)
"""What Flink is about to commit, with the ids that its checkpoint holds."""
UNCLEAR = (
    "the client asked for the end of its transaction, and got an error: what is decided, only its coordinator tells; "
    "where that is COMMIT, an abort tears it"
)

OF_FRAMEWORKS: tuple[Pattern, ...] = (
    Pattern(
        "client_fenced", "client", OTHER,
        rf"\bUnable to commit (?:recovered )?transaction {COMMITTABLE} because its producer is already fenced\b"
        r"|\b[Pp]roducer got fenced trying to (?:commit|send|begin|initialize)\b"
        r"|\bsince the producer is fenced, indicating the task may be migrated out\b"
        r"|\bProducer or 'group\.instance\.id' fenced during transaction\b", FENCED,
    ),
    Pattern(
        "client_refused", "client", OTHER,
        rf"\bUnable to commit (?:recovered )?transaction {COMMITTABLE} because it's in an invalid state\b",
        IN_ANOTHER_STATE,
    ),
    Pattern(
        "id_unknown", "client", OTHER,
        rf"\bUnable to commit transaction {COMMITTABLE} because of a bug in the Kafka broker \(KAFKA-9310\)", UNKNOWN,
    ),
    Pattern(
        "end_unclear", "client", OTHER,
        rf"\bTransaction {COMMITTABLE} encountered error and data has been potentially lost\b", UNCLEAR,
    ),
    Pattern(
        "end_unclear", "client", OTHER, rf"\bCommitting transaction {COMMITTABLE} was interrupted\b", UNCLEAR,
    ),
    Pattern(
        "end_unclear", "client", OTHER,
        rf"\bEncountered retriable exception while committing {ID}\.(?=\s|$)"
        r"|\b(?:commitTransaction|Abort) failed: CloseSafeProducer\b"
        r"|\b(?:Error encounter(?:ed)?|Timed out) trying to (?:commit|abort) a transaction\b", UNCLEAR,
    ),
    Pattern(
        "open_at_start", "client", OTHER,
        r"\bFound (?P<number>\d{1,9}) open transactions for subtask \d{1,9}: \[",
        "a job of Flink found so many transactions of its own open as it started: it aborts those that its checkpoint "
        "does not hold",
    ),
    Pattern(
        "client_waits", "client", OTHER,
        r"\bTimeout exception caught trying to initialize transactions\b", WAITS,
    ),
)  # fmt: skip
