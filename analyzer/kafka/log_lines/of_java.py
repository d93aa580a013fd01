"""Lines that Kafka's Java client writes."""

import re

from analyzer.kafka.log_lines.pattern import (
    ABORTABLE,
    BLOCKED,
    CLUSTER,
    DENIED,
    EPOCH,
    EVERY,
    FATAL,
    FENCED,
    GAP,
    ID,
    IN_ANOTHER_STATE,
    NOT_ANSWERED,
    OTHER,
    PLACE,
    PRODUCER,
    UNKNOWN,
    UNSTABLE,
    WAITS,
    Pattern,
)

FENCING = r"\bkafka\.common\.errors\.(?:ProducerFenced|InvalidProducerEpoch)Exception(?::|\s*$)"
MAPPING = r"\bkafka\.common\.errors\.(?:InvalidPidMapping|UnknownProducerId)Exception(?::|\s*$)"
"""The name of an exception as a log prints it: before its message, or at the end of the line."""
ANSWERED = r"\bUn(?:expected|handled) error in (?:InitProducerId|AddOffsetsToTxn|TxnOffsetCommit|EndTxn)Response[;:]"
GIVEN_UP = "the client got an error that it does not know, and gave up: what is decided, only its coordinator tells"

OF_PRODUCER = rf"(?:\[Producer clientId=[^\]]*?transactionalId={ID}\].{{0,80}})?\b"
RETRIED = (
    rf"{OF_PRODUCER}Got error produce response with correlation id "
    rf"\d+ on topic-partition {PLACE}, retrying .{{0,80}}Error: "
)
"""What a producer logs before it tries again; the name of the error follows."""

CLUSTER_ID = re.compile(r"Cluster ID: ([\w.-]{1,249})(?=\s*$| \(org\.apache\.)")

OF_JAVA: tuple[Pattern, ...] = (
    Pattern(
        CLUSTER, "client", EVERY, CLUSTER_ID.pattern, "the id of its cluster: what names two is of two clusters",
    ),
    Pattern(
        "unstable_offsets", "client", EVERY,
        rf"partitions still have unstable offsets which are not cleared on the broker side: \[{PLACE}",
        UNSTABLE,
    ),
    Pattern(
        "unstable_offsets", "client", EVERY,
        r"\bkafka\.common\.errors\.UnstableOffsetCommitException(?::|\s*$)", UNSTABLE,
    ),
    Pattern(
        "producer_id_set", "client", EVERY,
        rf"\[Producer clientId=[^\]]*?(?:transactionalId={ID})?\] ProducerId set to {PRODUCER} with epoch {EPOCH}",
        "the client had this producer id and epoch from then on",
    ),
    Pattern(
        "coordinator_found", "client", EVERY,
        rf"\[Producer clientId=[^\]]*?(?:transactionalId={ID})?\] Discovered transaction coordinator \S{{1,300}} "
        r"\(id: (?P<number>\d{1,10})\b",
        "which broker coordinated the id then, by what a broker answered its client",
    ),
    Pattern(
        "producer_id_asked", "client", EVERY,
        rf"\[Producer clientId=[^\]]*?transactionalId={ID}\] Invoking InitProducerId for the first time\b",
        "the client asked its coordinator for a producer id then, which ends what an earlier client of the id left "
        "open; it got one only if a later line says so",
    ),
    Pattern(
        BLOCKED, "client", OTHER,
        r"\s+at (?:app//)?(?:[\w.]+\.)?org\.apache\.kafka\.clients\.producer\.KafkaProducer\."
        r"(?:initTransactions|(?:commit|abort)Transaction|sendOffsetsToTransaction)\(",
        "a thread of the client waited in this call when its threads were printed: its coordinator had not answered "
        "it, and what is decided, only that one tells",
    ),
    Pattern(
        "not_connected", "client", EVERY,
        r"\bConnection to node (?P<number>-?\d{1,10}) (?:\(.{1,300}?\) )?could not be established\. "
        r"(?:Broker|Node) may ",
        "who wrote this did not reach that broker then; one below 0 is an address of bootstrap.servers, -1 the first",
    ),
    Pattern(
        "client_fenced", "client", EVERY,
        rf"Producer with transactionalId '(?P<transactional_id>[^']{{1,300}})' and ProducerIdAndEpoch\(producerId="
        rf"{PRODUCER}, epoch={EPOCH}\) (?:has been fenced by another|attempted to produce with an old epoch)",
        FENCED,
    ),
    Pattern(
        "client_fenced", "client", EVERY,
        rf"\[Producer clientId=[^\]]*?transactionalId={ID}\].*"
        r"(?:ProducerFenced|PRODUCER_FENCED|fenced by another|InvalidProducerEpoch|INVALID_PRODUCER_EPOCH)",
        FENCED,
    ),
    Pattern(
        "client_timeout", "client", EVERY,
        r"TimeoutException: Timeout expired after .{1,40} while awaiting EndTxn\b"
        r"|\bthe previous call to `(?:commit|abort)Transaction` timed out and must be retried", NOT_ANSWERED,
    ),
    Pattern(
        "client_waits", "client", EVERY,
        r"TimeoutException: Timeout expired (?:after .{1,40} while awaiting (?:InitProducerId|AddOffsetsToTxn)\b"
        r"|while initializing transactional state\b)", WAITS,
    ),
    Pattern(
        "client_fenced", "client", EVERY,
        r"\{transactionalId='(?P<transactional_id>[^']{1,300})'.{0,400}" + FENCING, FENCED,
    ),
    Pattern(
        "client_fenced", "client", EVERY,
        FENCING, FENCED,
    ),
    Pattern(
        "out_of_order", "client", EVERY, r"\bkafka\.common\.errors\.OutOfOrderSequenceException(?::|\s*$)", GAP,
    ),
    Pattern(
        "client_refused", "client", EVERY,
        r"\bkafka\.common\.errors\.InvalidTxnStateException(?::|\s*$)", IN_ANOTHER_STATE,
    ),
    Pattern("out_of_order", "client", EVERY, rf"{RETRIED}OUT_OF_ORDER_SEQUENCE_NUMBER\b", GAP),
    Pattern("client_waits", "client", EVERY, rf"{RETRIED}CONCURRENT_TRANSACTIONS\b", WAITS),
    Pattern("client_refused", "client", EVERY, rf"{RETRIED}INVALID_TXN_STATE\b", IN_ANOTHER_STATE),
    Pattern("id_unknown", "client", EVERY, rf"{RETRIED}UNKNOWN_PRODUCER_ID\b", UNKNOWN),
    Pattern(
        "client_error", "client", EVERY,
        rf"\[Producer clientId=[^\]]*?transactionalId={ID}\].*{ANSWERED}", GIVEN_UP,
    ),
    Pattern(
        "client_error", "client", EVERY, ANSWERED, GIVEN_UP,
    ),
    Pattern(
        "id_unknown", "client", EVERY,
        rf"\[Producer clientId=[^\]]*?transactionalId={ID}\].*{MAPPING}", UNKNOWN,
    ),
    Pattern(
        "id_unknown", "client", EVERY,
        MAPPING, UNKNOWN,
    ),
    Pattern(
        "client_abortable", "client", EVERY,
        rf"{OF_PRODUCER}(?:Transiting to abortable error state|Aborting incomplete transaction) due to ", ABORTABLE,
    ),
    Pattern(
        "client_abortable", "client", EVERY,
        r"hasn't received acknowledgment for some previously sent messages and can no longer retry them\. "
        "It is safe to abort", ABORTABLE,
    ),
    Pattern("client_abortable", "client", EVERY, rf"{RETRIED}TRANSACTION_ABORTABLE\b", ABORTABLE),
    Pattern(
        "client_abortable", "client", EVERY,
        r"\bkafka\.common\.errors\.TransactionAbortableException(?::|\s*$)", ABORTABLE,
    ),
    Pattern(
        "client_fatal", "client", EVERY,
        rf"{OF_PRODUCER}Transiting to fatal error state due to ", FATAL,
    ),
    Pattern(
        "client_fatal", "client", EVERY,
        r"hasn't received acknowledgment for some previously sent messages and can no longer retry them\. "
        "It isn't safe", FATAL,
    ),
    Pattern(
        "client_stopped", "client", EVERY,
        rf"\bCannot execute transactional method because we are in an error state"
        rf"|(?:\bTransactionalId {ID}: )?Invalid transition attempted from state [A-Z_]{{1,40}} to state [A-Z]",
        "the client had an error before, or was called in the wrong order, and does nothing more in its transaction: "
        "nothing is decided by this",
    ),
    Pattern(
        "client_denied", "client", EVERY,
        r"\bkafka\.common\.errors\.TransactionalIdAuthorizationException(?::|\s*$)", DENIED,
    ),
)  # fmt: skip
