"""Lines that Kafka's brokers and its Java client write."""

from analyzer.kafka.log_lines.pattern import (
    EPOCH,
    EVERY,
    FENCED,
    GAP,
    ID,
    IN_ANOTHER_STATE,
    KRAFT,
    NOT_ANSWERED,
    NOT_CONFIRMED,
    PLACE,
    PRODUCER,
    REFUSED,
    STABLE,
    UNKNOWN,
    UNSTABLE,
    WAITS,
    ZOOKEEPER,
    Pattern,
    pattern,
)

FENCING = r"\bkafka\.common\.errors\.(?:ProducerFenced|InvalidProducerEpoch)Exception(?::|\s*$)"
MAPPING = r"\bkafka\.common\.errors\.(?:InvalidPidMapping|UnknownProducerId)Exception(?::|\s*$)"
"""The name of an exception as a log prints it: before its message, or at the end of the line."""
ANSWERED = r"\bUn(?:expected|handled) error in (?:InitProducerId|AddOffsetsToTxn|TxnOffsetCommit|EndTxn)Response[;:]"
GIVEN_UP = "the client got an error that it does not know, and gave up: what is decided, only its coordinator tells"

RETRIED = (
    rf"(?:\[Producer clientId=[^\]]*?transactionalId={ID}\].{{0,80}})?\bGot error produce response with correlation id "
    rf"\d+ on topic-partition {PLACE}, retrying .{{0,80}}Error: "
)
"""What a producer logs before it tries again; the name of the error follows."""

OF_KAFKA: tuple[Pattern, ...] = (
    pattern(
        "initialized", "broker", EVERY,
        rf"Initialized transactionalId {ID} with producerId {PRODUCER} and producer epoch {EPOCH} on partition "
        r"__transaction_state-(?P<number>\d{1,10})",
        "the id had this producer id and epoch from then on, and lies in that state partition",
    ),
    pattern(
        "rolled_back", "broker", EVERY,
        rf"Completed rollback of ongoing transaction for transactionalId {ID} due to timeout",
        "the coordinator ended the id's transaction, which its client had left open beyond its timeout",
    ),
    pattern(
        "count_changed", "broker", EVERY,
        r"\bTransaction topic number of partitions has changed from (?P<offset>\d{1,10}) to (?P<number>\d{1,10})\b",
        "this broker saw the number of state partitions change while it ran",
    ),
    pattern(
        "out_of_order", "broker", EVERY,
        rf"Out of order sequence number for producer(?:Id)? {PRODUCER}"
        rf"(?: at offset (?P<offset>\d{{1,19}}) in partition {PLACE})?: ",
        GAP,
    ),
    pattern(
        "old_epoch", "broker", EVERY,
        rf"Epoch of producer {PRODUCER} (?:at offset (?P<offset>\d{{1,19}}) in {PLACE} )?is {EPOCH}",
        "the leader refused a batch of a lower epoch: the producer was fenced",
    ),
    pattern(
        "end_refused", "broker", EVERY,
        r"Aborting append of (?:COMMIT|ABORT) to transaction log with coordinator and returning .{1,80} error "
        rf"to client for {ID}'s EndTransaction request",
        REFUSED,
    ),
    pattern(
        "state_not_written", "broker", EVERY,
        rf"TransactionalId {ID} append transaction log for TxnTransitMetadata\(producerId={PRODUCER}, .{{1,3000}}"
        r" transition failed due to ",
        NOT_CONFIRMED,
    ),
    pattern(
        "state_not_written", "broker", EVERY,
        rf"Aborting sending of transaction markers and returning .{{1,80}} error to client for {ID}'s EndTransaction "
        r"request of (?:COMMIT|ABORT), since appending ",
        NOT_CONFIRMED,
    ),
    pattern(
        "state_not_written", "broker", EVERY,
        rf"failed to write an epoch fence transition for producer {ID} to the transaction log with error \w",
        NOT_CONFIRMED,
    ),
    pattern(
        "rollback_failed", "broker", EVERY,
        rf"Rollback of ongoing transaction for transactionalId {ID} failed due to error \w",
        "the coordinator could not end the id's transaction then, which is beyond its timeout: it tries again",
    ),
    pattern(
        "loading_failed", "broker", EVERY,
        r"Error loading transactions from transaction log (?P<topic>__transaction_state)-(?P<partition>\d{1,10})",
        "the coordinator stopped reading that state partition there, and does not know what its later records say",
    ),
    pattern(
        "uncleanable", "broker", EVERY,
        rf"Marking its partition \({PLACE}\) as uncleanable",
        "the cleaner leaves this partition alone until the broker starts again: it grows, with or without an open "
        "transaction",
    ),
    pattern(
        "append_failed", "broker", EVERY, rf"Error processing append operation on partition {PLACE}",
        "the leader refused a batch; the next line says why",
    ),
    pattern(
        "invalid_transition", "broker", EVERY,
        rf"(?:TransactionalId |TransactionMetadata\(transactionalId=){ID}"
        r"(?: failed transition to state |, producerId=.*'s transition to )"
        r"|Preparing transaction state transition to \w{1,40} (?:failed since|while it already)",
        "the state of the id in the coordinator's cache does not allow what it was about to write",
    ),
    pattern(
        "marker_refused", "broker", EVERY,
        rf"Sending {ID}'s transaction marker for partition {PLACE} has (?:permanently )?failed with error",
        "the leader of that partition does not take the marker",
    ),
    pattern(
        "marker_without_leader", "broker", EVERY,
        rf"Couldn't find leader endpoint for partitions .* while trying to send transaction markers for {ID}, these ",
        "the marker of a decided transaction has nowhere to go",
    ),
    pattern(
        "no_leader", "broker", ZOOKEEPER,
        rf"(?:Failed to elect leader|failed to change state) for partition {PLACE}"
        r"(?: under strategy Offline| from (?:New|Offline)Partition to OnlinePartition)",
        "the partition had no leader then",
    ),
    pattern(
        "unclean_election", "broker", KRAFT,
        rf"Triggering unclean leader election for offline partition {PLACE}\."
        r"|Setting new leader for topicId \S{1,40}, partition \d{1,10} to \d{1,10} using an unclean election",
        "a replica that was not in sync leads from then on: what it lacked is gone",
    ),
    pattern(
        "leads", "broker", EVERY,
        rf"\[Broker id=(?P<number>\d{{1,10}})\W.{{0,40}}Leader {PLACE} (?:with topic id \S{{1,40}} )?"
        r"starts at leader epoch (?P<offset>\d{1,10}) from offset ",
        "which broker leads that leader epoch: it ranks copies that know the same one",
    ),
    pattern(
        "follows", "broker", KRAFT,
        rf"Follower {PLACE} starts at leader epoch (?P<offset>\d{{1,10}}) from offset .{{1,120}}"
        r"Current leader is (?P<number>\d{1,10})\b",
        "which broker leads that leader epoch: it ranks copies that know the same one",
    ),
    pattern(
        "truncated", "broker", EVERY,
        rf"(?:\[\w+ partition={PLACE}\W.*)?Truncating to offset (?P<offset>\d{{1,19}})",
        "this replica dropped everything from that offset on",
    ),
    pattern(
        "stable_offset", "broker", EVERY,
        r"topic=(?P<topic>[A-Za-z0-9._-]{1,249}), partition=(?P<partition>\d{1,10}), highWatermark="
        r"(?P<number>\d{1,19}), lastStableOffset=(?P<offset>\d{1,19})",
        STABLE,
    ),
    pattern(
        "stable_offset", "client", EVERY,
        rf"Fetch READ_COMMITTED at offset \d{{1,19}} for partition {PLACE} returned fetch data .{{0,300}}?"
        r"highWaterMark=(?P<number>\d{1,19}), lastStableOffset ?= ?(?P<offset>\d{1,19})", STABLE,
    ),
    pattern(
        "cleaned", "broker", EVERY,
        rf"cleaned log {PLACE} \(dirty section = \[(?P<offset>\d{{1,19}}), (?P<number>\d{{1,19}})\]\)",
        "the cleaner came that far: an open transaction stops it at its first offset",
    ),
    pattern(
        "epoch_exhausted", "broker", EVERY,
        rf"(?:(?:Fencing|Aborting) producer {ID} (?=\d{{1,19}} with epoch equal to Short\.MaxValue)"
        rf"|Cannot allocate any more producer epochs for producerId ){PRODUCER}\b"
        r"|Cannot fence producer with epoch equal to Short\.MaxValue",
        "a producer id's epochs are used up (KAFKA-20090)",
    ),
    pattern(
        "unstable_offsets", "client", EVERY,
        rf"partitions still have unstable offsets which are not cleared on the broker side: \[{PLACE}",
        UNSTABLE,
    ),
    pattern(
        "producer_id_set", "client", EVERY,
        rf"\[Producer clientId=[^\]]*?(?:transactionalId={ID})?\] ProducerId set to {PRODUCER} with epoch {EPOCH}",
        "the client had this producer id and epoch from then on",
    ),
    pattern(
        "client_fenced", "client", EVERY,
        rf"\[Producer clientId=[^\]]*?transactionalId={ID}\].*"
        r"(?:ProducerFenced|PRODUCER_FENCED|fenced by another|InvalidProducerEpoch|INVALID_PRODUCER_EPOCH)",
        FENCED,
    ),
    pattern(
        "client_timeout", "client", EVERY,
        r"TimeoutException: Timeout expired after .{1,40} while awaiting EndTxn\b", NOT_ANSWERED,
    ),
    pattern(
        "client_waits", "client", EVERY,
        r"TimeoutException: Timeout expired after .{1,40} while awaiting (?:InitProducerId|AddOffsetsToTxn)\b", WAITS,
    ),
    pattern(
        "client_fenced", "client", EVERY,
        r"\{transactionalId='(?P<transactional_id>[^']{1,300})'.{0,400}" + FENCING, FENCED,
    ),
    pattern(
        "client_fenced", "client", EVERY,
        FENCING, FENCED,
    ),
    pattern(
        "out_of_order", "client", EVERY, r"\bkafka\.common\.errors\.OutOfOrderSequenceException(?::|\s*$)", GAP,
    ),
    pattern(
        "client_refused", "client", EVERY,
        r"\bkafka\.common\.errors\.InvalidTxnStateException(?::|\s*$)", IN_ANOTHER_STATE,
    ),
    pattern("out_of_order", "client", EVERY, rf"{RETRIED}OUT_OF_ORDER_SEQUENCE_NUMBER\b", GAP),
    pattern("client_waits", "client", EVERY, rf"{RETRIED}CONCURRENT_TRANSACTIONS\b", WAITS),
    pattern("client_refused", "client", EVERY, rf"{RETRIED}INVALID_TXN_STATE\b", IN_ANOTHER_STATE),
    pattern("id_unknown", "client", EVERY, rf"{RETRIED}UNKNOWN_PRODUCER_ID\b", UNKNOWN),
    pattern(
        "client_error", "client", EVERY,
        rf"\[Producer clientId=[^\]]*?transactionalId={ID}\].*{ANSWERED}", GIVEN_UP,
    ),
    pattern(
        "client_error", "client", EVERY, ANSWERED, GIVEN_UP,
    ),
    pattern(
        "id_unknown", "client", EVERY,
        rf"\[Producer clientId=[^\]]*?transactionalId={ID}\].*{MAPPING}", UNKNOWN,
    ),
    pattern(
        "id_unknown", "client", EVERY,
        MAPPING, UNKNOWN,
    ),
)  # fmt: skip
