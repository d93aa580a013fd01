"""Lines that a broker's transaction coordinator writes."""

import re

from analyzer.kafka.log_lines.pattern import EPOCH, EVERY, ID, NOT_CONFIRMED, PLACE, PRODUCER, REFUSED, Pattern

COORDINATES = "coordinates"
NOT_LOADED = "the coordinator stopped reading that state partition there, and does not know what its later records say"
LEFT = (
    "this broker left the id's decided transaction to its coordinator from then on, another broker, or itself once it "
    "has loaded the id's partition: that one sends the markers"
)
COORDINATOR = re.compile(r"\[TransactionCoordinator id=(\d{1,10})\]")
"""Which broker wrote a line of its transaction coordinator."""

OF_COORDINATOR: tuple[Pattern, ...] = (
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
        "rollback_cancelled", "broker", EVERY,
        rf"Rollback of ongoing transaction for transactionalId {ID} has been cancelled due to error \w",
        "the coordinator did not roll back the id's transaction, which was beyond its timeout: the id was gone or had "
        "a higher epoch, or the transaction was being decided",
    ),
    Pattern(
        "markers_left", "broker", EVERY,
        rf"No longer the coordinator for (?:transactionalId: )?{ID} (?:while trying to append to transaction log, skip"
        r"|with coordinator epoch \d{1,10}; cancel appending) ",
        LEFT,
    ),
    Pattern(
        "markers_left", "broker", EVERY,
        rf"(?:I am (?:no longer the coordinator for|loading the transaction partition that contains)"
        rf"|Transaction coordinator epoch for) {ID}(?:;| which means | has changed from ).{{0,200}}?"
        r"cancel sending transaction markers ",
        LEFT,
    ),
    Pattern(
        "markers_left", "broker", EVERY,
        r"Aborting sending of transaction markers after appended (?:COMMIT|ABORT) to transaction log and returning "
        rf".{{1,80}} error to client for {ID}'s EndTransaction request",
        LEFT,
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
        "invalid_transition", "broker", EVERY,
        rf"(?:TransactionalId |TransactionMetadata\(transactionalId=){ID}"
        r"(?: failed transition to state |, producerId=.*'s transition to )"
        r"|Preparing transaction state transition to \w{1,40} (?:failed since|while it already)",
        "the state of the id in the coordinator's cache does not allow what it was about to write",
    ),
    Pattern(
        "marker_refused", "broker", EVERY,
        rf"Sending {ID}'s transaction marker (?:for|from) partition {PLACE} has (?:permanently )?failed with ",
        "the leader of that partition does not take the marker",
    ),
    Pattern(
        "marker_without_leader", "broker", EVERY,
        rf"Couldn't find leader endpoint for partitions .* while trying to send transaction markers for {ID}, these ",
        "a marker is not written: the partition has no leader, or is gone (4.3 skips both, KAFKA-20734)",
    ),
    Pattern(
        "epoch_exhausted", "broker", EVERY,
        rf"(?:(?:Fencing|Aborting) producer {ID} (?=\d{{1,19}} with epoch equal to Short\.MaxValue)"
        rf"|Cannot allocate any more producer epochs for producerId ){PRODUCER}\b"
        r"|Cannot fence producer with epoch equal to Short\.MaxValue",
        "a producer id's epochs are used up (KAFKA-20090)",
    ),
)  # fmt: skip
