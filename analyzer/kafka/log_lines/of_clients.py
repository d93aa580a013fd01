"""Lines that clients of other languages write: librdkafka, which most of them use, and those without it."""

from analyzer.kafka.log_lines.pattern import (
    ABORTABLE,
    DENIED,
    EPOCH,
    FATAL,
    FENCED,
    GAP,
    ID,
    IN_ANOTHER_STATE,
    NOT_ANSWERED,
    OFFSET_PRINTED,
    OTHER,
    PRODUCER,
    REFUSED,
    STABLE,
    UNKNOWN,
    UNSTABLE,
    WAITS,
    Pattern,
)

THREAD = r"\[thrd:[^\]]{1,120}\]: .{0,400}?"
"""What begins a line of librdkafka; the program that prints it may leave it out."""
SAID = r"(?:^|\b(?:kafka server|Broker|[A-Z]+(?:_[A-Z]+)+|KafkaJS\w{1,40}): )"
"""What clients put before Kafka's own words of an error: sarama, librdkafka; franz-go its name, KafkaJS its class.

Nothing where a line of JSON has them as its error.
"""
OF_SARAMA = rf"(?:\btxnmgr/[\w-]{{1,40}} \[{ID}\] .{{0,200}}?)?"
MOVED = rf"\btxnmgr/transition \[{ID}\] transition from \S{{1,200}} to "
"""How sarama tells the states of its transaction manager, perhaps several at once."""
ERROR = r"\[Error {}"
"""How clients in Python alone begin an error: its number in the protocol, then its name."""
CODE = r"\bKafkaError\{{code=(?:{})\b"
"""How confluent-kafka-python prints an error."""

INITIALIZED = "producer id initialization success"
"""What franz-go writes before the id and the epoch: on the same line, or beside it in JSON."""
BELIEVED = "what the client believes of its own transaction"

_AT = r"(?P<topic>[A-Za-z0-9._-]{{1,249}}){}partition=(?P<partition>\d{{1,10}}){}(?P<offset>\d{{1,19}})\b"
_PRINTED = (
    "a program printed this offset of the partition: whether it is a group's position, the LSO or the log's end, the "
    "line does not tell"
)

OF_CLIENTS: tuple[Pattern, ...] = (
    Pattern(
        OFFSET_PRINTED, "client", OTHER,
        r"\bTopicPartition\(topic='" + _AT.format("', ", r"\): (?:OffsetAndMetadata\(offset=)?"), _PRINTED,
    ),
    Pattern(OFFSET_PRINTED, "client", OTHER, r"\bTopicPartition\{topic=" + _AT.format(",", ",offset="), _PRINTED),
    Pattern(
        "open_for", "client", OTHER,
        rf"\[transactionalId={ID}, producerId={PRODUCER}, epoch={EPOCH}\] has been open for (?P<number>\d{{1,19}}) ms",
        "the client believes its transaction open for so long; beyond its timeout the coordinator has ended it",
    ),
    Pattern(
        "client_timeout", "client", OTHER,
        r"\((?:commit|abort)_transaction\) timed out|\bKafkaRetriableException: .{0,80}\bTimed out\b"
        r"|in state (?:Committing|Aborting)Transaction: .{0,200}\b_TIMED_OUT\b"
        r"|\b_TIMED_OUT\b.{0,60}\bTransactional operation timed out\b",
        NOT_ANSWERED,
    ),
    Pattern(
        "client_fenced", "client", OTHER,
        rf"{THREAD}(?:\b_FENCED\b|\bINVALID_PRODUCER_EPOCH\b|fenced by a newer instance|operation with an old epoch"
        r"|newer producer with the same transactionalId)", FENCED,
    ),
    Pattern(
        "client_fenced", "client", OTHER,
        rf"{OF_SARAMA}{SAID}(?:Producer attempted an operation with an old epoch"
        r"|There is a newer producer with the same transact)"
        r"|\bLocal: This instance has been fenced by a newer instance"
        rf"|\bThere is a newer producer using the same transactional_id\b|{ERROR.format('47] InvalidProducerEpoch')}"
        rf"|{CODE.format('_FENCED|PRODUCER_FENCED|INVALID_PRODUCER_EPOCH')}", FENCED,
    ),
    Pattern(
        "end_refused", "client", OTHER,
        rf"{THREAD}(?:EndTxn returned|Failed to end transaction: ).{{0,200}}\bINVALID_TXN_STATE\b", REFUSED,
    ),
    Pattern(
        "client_waits", "client", OTHER,
        rf"{THREAD}(?:Failed to acquire (?:transactional )?P(?:ID|roducerId)\b"
        r"|concurrent operation on the same transaction|No brokers available for Transactions\b"
        r"|Unable to query for transaction coordinator: "
        r"|TxnCoordinator/.{0,200}Broker: (?:Coordinator (?:load in progress|not available)|Not coordinator))", WAITS,
    ),
    Pattern(
        "client_waits", "client", OTHER,
        rf"{OF_SARAMA}\banother concurrent operation on the same transaction was ongoing"
        r"|\bFailed to initialize Producer ID: (?:Local: Timed out|Broker: (?:Coordinator |Not coordinator))"
        rf"|{ERROR.format('51] ConcurrentTransactions')}", WAITS,
    ),
    Pattern(
        "client_refused", "client", OTHER,
        rf"{OF_SARAMA}{SAID}(?:The p|P)roducer attempted a transactional operation in an invalid state"
        rf"|{CODE.format('INVALID_TXN_STATE')}|{ERROR.format('48] InvalidTxnState')}", IN_ANOTHER_STATE,
    ),
    Pattern(
        "out_of_order", "client", OTHER,
        rf"{OF_SARAMA}{SAID}(?:The b|B)roker received an out of order sequence number"
        rf"|{ERROR.format('45] OutOfOrderSequenceNumber')}", GAP,
    ),
    Pattern(
        "id_unknown", "client", OTHER,
        rf"{OF_SARAMA}{SAID}(?:The p|P)roducer attempted to use a producer id which is not currently assigned"
        rf"|{ERROR.format('49] InvalidProducerIdMapping')}|{ERROR.format('59] UnknownProducerId')}", UNKNOWN,
    ),
    Pattern(
        "producer_id_set", "client", OTHER,
        rf"{INITIALIZED}; id: {PRODUCER}, epoch: {EPOCH}",
        "the client had this producer id and epoch from then on",
    ),
    Pattern(
        "unstable_offsets", "client", OTHER,
        r"OffsetFetchResponse: (?P<topic>[A-Za-z0-9._-]{1,249}) \[(?P<partition>\d{1,10})\] "
        r".{0,200}\bUNSTABLE_OFFSET_COMMIT\b",
        UNSTABLE,
    ),
    Pattern(
        "stable_offset", "client", OTHER,
        r"Topic (?P<topic>[A-Za-z0-9._-]{1,249}) \[(?P<partition>\d{1,10})\] MessageSet size .{0,200}"
        r"\bMaxOffset (?P<number>\d{1,19}), LSO (?P<offset>\d{1,19})\b", STABLE,
    ),
    Pattern(
        "client_fatal", "client", OTHER,
        rf"\bFatal transaction error: |{THREAD}Fatal error: (?!Broker: Static consumer)|\bKafkaError\{{FATAL,"
        r"|\bTransaction state change \w{1,40} -> FatalError\b", FATAL,
    ),
    Pattern(
        "client_abortable", "client", OTHER,
        rf"{THREAD}Failed to add partition \"(?P<topic>[A-Za-z0-9._-]{{1,249}})\" \[(?P<partition>\d{{1,10}})\] to "
        "transaction: ", ABORTABLE,
    ),
    Pattern(
        "client_abortable", "client", OTHER,
        r"\bCurrent transaction failed in state \w{1,40}: |\bKafkaTxnRequiresAbortException\b"
        r"|\bmessage\(s\) failed delivery \(see individual delivery reports\)"
        r"|\bTransaction state change \w{1,40} -> AbortableError\b", ABORTABLE,
    ),
    Pattern(
        "client_abortable", "client", OTHER,
        rf"{CODE.format('TRANSACTION_ABORTABLE')}|{OF_SARAMA}{SAID}The server encountered an error with the transaction"
        r"\. The client can abort the transaction to continue", ABORTABLE,
    ),
    Pattern(
        "client_abortable", "client", OTHER,
        r"[Tt]xn_?[Rr]equires_?[Aa]bort(?:\(\))?[\"']?(?:\s?[:=]\s?| is )[\"']?(?i:true|yes|1)\b", ABORTABLE,
    ),
    Pattern(
        "client_abortable", "client", OTHER,
        r"TXN_REQUIRES_ABORT(?<!# TXN_REQUIRES_ABORT)(?!\w|\(|[\"']?\s?[:=])", ABORTABLE,
    ),
    Pattern(
        "client_denied", "client", OTHER,
        rf"{OF_SARAMA}{SAID}(?:The t|T)ransactional [Ii][Dd] authorization failed", DENIED,
    ),
    Pattern("client_fatal", "client", OTHER, rf"{MOVED}\S{{0,200}}ProducerTxnStateFatalError\b", FATAL),
    Pattern("client_abortable", "client", OTHER, rf"{MOVED}\S{{0,200}}ProducerTxnStateAbortableError\b", ABORTABLE),
    Pattern("client_state", "client", OTHER, MOVED + "ProducerTxnState", BELIEVED),
    Pattern(
        "client_state", "client", OTHER, rf"{THREAD}Transaction state change \w{{1,40}} -> \w{{1,40}}", BELIEVED,
    ),
)  # fmt: skip
