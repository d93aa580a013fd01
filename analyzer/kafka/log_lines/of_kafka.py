"""Lines that Kafka's brokers write."""

import re

from analyzer.kafka.log_lines.pattern import (
    EPOCH,
    EVERY,
    GAP,
    ID,
    KRAFT,
    NOT_CONFIRMED,
    PLACE,
    PRODUCER,
    REFUSED,
    STABLE,
    Pattern,
)

COORDINATES = "coordinates"
NO_LEADER = "the partition had no leader then"
NOT_LOADED = "the coordinator stopped reading that state partition there, and does not know what its later records say"
COORDINATOR = re.compile(r"\[TransactionCoordinator id=(\d{1,10})\]")
"""Which broker wrote a line of its transaction coordinator."""

OF_KAFKA: tuple[Pattern, ...] = (
    Pattern(
        "initialized", "broker", EVERY,
        rf"Initialized transactionalId {ID} with producerId {PRODUCER} and producer epoch {EPOCH} on partition "
        r"__transaction_state-(?P<number>\d{1,10})",
        "the id had this producer id and epoch from then on, and lies in that state partition",
    ),
    Pattern(
        COORDINATES, "broker", EVERY,
        r"\bElected as the txn coordinator for partition (?P<number>\d{1,10}) at epoch (?P<offset>\d{1,10})\b",
        "this broker coordinates the ids of that partition of __transaction_state from then on, by that leader epoch",
    ),
    Pattern(
        "coordinates_no_more", "broker", EVERY,
        r"\bResigned as the txn coordinator for partition (?P<number>\d{1,10}) at epoch (?P<offset>\d{1,10})\b",
        "another broker coordinates the ids of that partition of __transaction_state from then on, or none does",
    ),
    Pattern(
        "marker_unreachable", "broker", EVERY,
        r"\[TransactionCoordinator id=\d{1,10}\] Connection to node (?P<number>\d{1,10}) .{0,200}?could not be "
        r"established\.",
        "the coordinator did not reach that broker then: no marker is written to what that broker leads until it does",
    ),
    Pattern(
        "rolled_back", "broker", EVERY,
        rf"Completed rollback of ongoing transaction for transactionalId {ID} due to timeout",
        "the coordinator ended the id's transaction, which its client had left open beyond its timeout",
    ),
    Pattern(
        "count_changed", "broker", EVERY,
        r"\bTransaction topic number of partitions has changed from (?P<offset>\d{1,10}) to (?P<number>\d{1,10})\b",
        "this broker saw the number of state partitions change while it ran",
    ),
    Pattern(
        "out_of_order", "broker", EVERY,
        rf"Out of order sequence number for producer(?:Id)? {PRODUCER}"
        rf"(?: at offset (?P<offset>\d{{1,19}}) in partition {PLACE})?: ",
        GAP,
    ),
    Pattern(
        "old_epoch", "broker", EVERY,
        rf"Epoch of producer {PRODUCER} (?:at offset (?P<offset>\d{{1,19}}) in {PLACE} )?is {EPOCH}",
        "the leader refused a batch of a lower epoch: the producer was fenced",
    ),
    Pattern(
        "end_refused", "broker", EVERY,
        r"Aborting append of (?:COMMIT|ABORT) to transaction log with coordinator and returning .{1,80} error "
        rf"to client for {ID}'s EndTransaction request",
        REFUSED,
    ),
    Pattern(
        "state_not_written", "broker", EVERY,
        rf"TransactionalId {ID} append transaction log for TxnTransitMetadata\(producerId={PRODUCER}, .{{1,3000}}"
        r" transition failed due to ",
        NOT_CONFIRMED,
    ),
    Pattern(
        "state_not_written", "broker", EVERY,
        rf"Aborting sending of transaction markers and returning .{{1,80}} error to client for {ID}'s EndTransaction "
        r"request of (?:COMMIT|ABORT), since appending ",
        NOT_CONFIRMED,
    ),
    Pattern(
        "state_not_written", "broker", EVERY,
        rf"failed to write an epoch fence transition for producer {ID} to the transaction log with error \w",
        NOT_CONFIRMED,
    ),
    Pattern(
        "completion_not_written", "broker", EVERY,
        rf"Not available to append \w{{1,40}}\(transactionalId={ID}, .{{1,3000}}possible causes include ",
        "the markers of a decided transaction are written, and its coordinator could not write that it is complete: it "
        "tries again",
    ),
    Pattern(
        "init_refused", "broker", EVERY,
        rf"Returning [A-Z]\w{{1,60}} error code to client for {ID}'s InitProducerId request",
        "the id's client was given no producer id: with CONCURRENT_TRANSACTIONS, because an earlier transaction of the "
        "id was not ended then",
    ),
    Pattern(
        "rollback_failed", "broker", EVERY,
        rf"Rollback of ongoing transaction for transactionalId {ID} failed due to error \w",
        "the coordinator could not end the id's transaction then, which is beyond its timeout: it tries again",
    ),
    Pattern(
        "loading_failed", "broker", EVERY,
        r"Error loading transactions from transaction log (?P<topic>__transaction_state)-(?P<partition>\d{1,10})",
        NOT_LOADED,
    ),
    Pattern(
        "loading_failed", "broker", EVERY,
        r"Uncaught exception in scheduled task 'load-txns-for-partition-"
        r"(?P<topic>__transaction_state)-(?P<partition>\d{1,10})'",
        NOT_LOADED,
    ),
    Pattern(
        "timeouts_unchecked", "broker", EVERY, r"Uncaught exception in scheduled task 'transaction-abort'",
        "the coordinator did not come to the end of its look for transactions beyond their timeout: what it had not "
        "looked at stays open until the next look that does",
    ),
    Pattern(
        "few_in_sync", "broker", EVERY,
        r"The size of the current ISR .{1,300}? is insufficient to satisfy the min\.isr requirement of "
        rf"(?P<number>\d{{1,10}}) for partition {PLACE}",
        "the partition took nothing then that all of its replicas in sync must have, no state of an id, no marker and "
        "no commit of an offset: too few were in sync",
    ),
    Pattern(
        "broker_fenced", "broker", EVERY,
        r"\bFencing broker (?P<number>\d{1,10}) (?:at epoch -?\d{1,19} )?because its session has timed out",
        "the controller took that broker for gone: what it led has another leader from then on, or none",
    ),
    Pattern(
        "uncleanable", "broker", EVERY,
        rf"Marking its partition \({PLACE}\) as uncleanable",
        "the cleaner leaves this partition alone until the broker starts again: it grows, with or without an open "
        "transaction",
    ),
    Pattern(
        "append_failed", "broker", EVERY, rf"Error processing append operation on partition {PLACE}",
        "the leader refused a batch; the next line says why",
    ),
    Pattern(
        "invalid_transition", "broker", EVERY,
        rf"(?:TransactionalId |TransactionMetadata\(transactionalId=){ID}"
        r"(?: failed transition to state |, producerId=.*'s transition to )"
        r"|Preparing transaction state transition to \w{1,40} (?:failed since|while it already)",
        "the state of the id in the coordinator's cache does not allow what it was about to write",
    ),
    Pattern(
        "marker_refused", "broker", EVERY,
        rf"Sending {ID}'s transaction marker for partition {PLACE} has (?:permanently )?failed with error",
        "the leader of that partition does not take the marker",
    ),
    Pattern(
        "marker_without_leader", "broker", EVERY,
        rf"Couldn't find leader endpoint for partitions .* while trying to send transaction markers for {ID}, these ",
        "a marker is not written: the partition has no leader, or is gone (4.3 skips both, KAFKA-20734)",
    ),
    Pattern(
        "no_leader", "broker", EVERY,
        rf"(?:Failed to elect leader|failed to change state) for partition {PLACE}"
        r"(?: under strategy Offline| from (?:New|Offline)Partition to OnlinePartition)",
        NO_LEADER,
    ),
    Pattern(
        "no_leader", "broker", EVERY,
        rf"Follower {PLACE} starts at leader epoch \d{{1,10}} from offset .{{1,120}}Current leader is -1\b",
        NO_LEADER,
    ),
    Pattern(
        "no_leader", "broker", EVERY,
        rf"\bpartition change for {PLACE} with topic ID .{{1,300}}\bleader: \d{{1,10}} -> -1\b",
        NO_LEADER,
    ),
    Pattern(
        "unclean_election", "broker", KRAFT,
        rf"(?:Triggering unclean leader election for offline partition |UNCLEAN partition change for ){PLACE}"
        r"(?:\.| with |:)"
        r"|Setting new leader for topicId \S{1,40}, partition \d{1,10} to \d{1,10} using an unclean election",
        "a replica that was not in sync leads from then on: what it lacked is gone",
    ),
    Pattern(
        "leads", "broker", EVERY,
        rf"\[Broker id=(?P<number>\d{{1,10}})\W.{{0,40}}Leader {PLACE} (?:with topic id \S{{1,40}} )?"
        r"starts at leader epoch (?P<offset>\d{1,10}) from offset ",
        "which broker leads that leader epoch: it ranks copies that know the same one",
    ),
    Pattern(
        "follows", "broker", KRAFT,
        rf"Follower {PLACE} starts at leader epoch (?P<offset>\d{{1,10}}) from offset .{{1,120}}"
        r"Current leader is (?P<number>\d{1,10})\b",
        "which broker leads that leader epoch: it ranks copies that know the same one",
    ),
    Pattern(
        "truncated", "broker", EVERY,
        rf"(?:\[\w+ partition={PLACE}\W.*)?Truncating to offset (?P<offset>\d{{1,19}})",
        "this replica dropped everything from that offset on",
    ),
    Pattern(
        "stable_offset", "broker", EVERY,
        r"topic=(?P<topic>[A-Za-z0-9._-]{1,249}), partition=(?P<partition>\d{1,10}), highWatermark="
        r"(?P<number>\d{1,19}), lastStableOffset=(?P<offset>\d{1,19})",
        STABLE,
    ),
    Pattern(
        "stable_offset", "client", EVERY,
        rf"Fetch READ_COMMITTED at offset \d{{1,19}} for partition {PLACE} returned fetch data .{{0,300}}?"
        r"high[Ww]ater[Mm]ark=(?P<number>\d{1,19}), lastStableOffset ?= ?(?P<offset>\d{1,19})", STABLE,
    ),
    Pattern(
        "cleaned", "broker", EVERY,
        rf"cleaned log {PLACE} \(dirty section = \[(?P<offset>\d{{1,19}}), (?P<number>\d{{1,19}})\]\)",
        "the cleaner came that far: an open transaction stops it at its first offset",
    ),
    Pattern(
        "epoch_exhausted", "broker", EVERY,
        rf"(?:(?:Fencing|Aborting) producer {ID} (?=\d{{1,19}} with epoch equal to Short\.MaxValue)"
        rf"|Cannot allocate any more producer epochs for producerId ){PRODUCER}\b"
        r"|Cannot fence producer with epoch equal to Short\.MaxValue",
        "a producer id's epochs are used up (KAFKA-20090)",
    ),
)  # fmt: skip
