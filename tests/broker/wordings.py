"""The words of every line that `analyzer.kafka.log_lines` knows, as the classes of Kafka's jars have them."""

import dataclasses

RELEASES = {"2.8": "2.8.2", "3.5": "3.5.2", "3.9": "3.9.1", "4.1": "4.1.1", "4.3": "4.3.0"}
"""The releases that are looked at, the oldest first, and the version whose jars stand for each."""


@dataclasses.dataclass(frozen=True)
class Wording:
    """A line in one of its wordings, which every release from `first` to `last` has and no other.

    Each of `messages` is in one class, as the words between its values. Where two wordings differ only in where their
    values stand, the value is written, as recipes of string concatenation do.
    """

    says: str
    messages: tuple[tuple[str, ...], ...]
    first: str = "2.8"
    last: str = "4.3"


def _one(says: str, *words: str, first: str = "2.8", last: str = "4.3") -> Wording:
    return Wording(says, (words,), first, last)


FATAL = ("Transiting to fatal error state due to ",)
PREPARING = "Preparing transaction state transition to "
AWAITING = ("Timeout expired after ", " while awaiting ")
RETRYING = ("Got error produce response with correlation id ", " on topic-partition ", ", retrying (", ". Error: ")
DESCRIBED = ("Failed to describe transaction state of transactional-id `",)
COMMAND_FAILED = ("Executing consumer group command failed due to ",)
OWNED = "Producer with transactionalId '"
ALL = (
    _one(
        "initialized",
        "Initialized transactionalId ", " with producerId ", " and producer ", "epoch ", " on partition ",
    ),
    _one("coordinates", "Elected as the txn coordinator for partition ", " at epoch "),
    _one("coordinates_no_more", "Resigned as the txn coordinator for partition ", " at epoch "),
    Wording(
        "marker_unreachable",
        (("[TransactionCoordinator id=", "] "), ("Connection to node ", " (", ") could not be established. Broker may not be available.")),
        last="3.5",
    ),
    Wording(
        "marker_unreachable",
        (("[TransactionCoordinator id=", "] "), ("Connection to node ", " (", ") could not be established. Node may not be available.")),
        first="3.9",
    ),
    _one("rolled_back", "Completed rollback of ongoing transaction for transactionalId ", " due to timeout"),
    _one("count_changed", "Transaction topic number of partitions has changed from ", " to "),
    _one(
        "out_of_order",
        "Out of order sequence number for producer ", " at ", "offset ", " in partition ", ": ",
        " (incoming seq. number), ", " (current end sequence number)",
    ),
    _one(
        "out_of_order",
        "Out of order sequence number for producer ", " at ", "offset ", " in partition ", ": ",
        " (incoming seq. number), ", " (earliest seen sequence)", first="3.9",
    ),
    _one(
        "old_epoch", "Epoch of producer ", " at offset ", " in ", " is ", ", ",
        "which is smaller than the last seen epoch ", last="4.1",
    ),
    _one(
        "old_epoch", "Epoch of producer ", " at offset ", " in ", " is ", ", which is ", " the last seen epoch ", " (TV", ")",
        first="4.3",
    ),
    _one("old_epoch", "Epoch of producer \x01 is \x01, which is smaller than the last seen epoch ", first="4.1"),
    _one("out_of_order", "Invalid sequence number for new epoch of producer ", "at offset ", " in partition ", ": "),
    _one("out_of_order", "Invalid sequence number for producer \x01 at offset \x01 in partition \x01: ", first="4.1"),
    _one("rollback_cancelled", "Rollback of ongoing transaction for transactionalId ", "has been cancelled due to error "),
    _one(
        "markers_left", "No longer the coordinator for transactionalId: ",
        " while trying to append to transaction log, skip writing to transaction log",
    ),
    _one("markers_left", "No longer the coordinator for ", " with coordinator epoch ", "cancel appending "),
    _one("markers_left", "I am no longer the coordinator for ", "cancel sending transaction markers "),
    _one(
        "markers_left", "I am loading the transaction partition that contains ", "current markers have to be obsoleted",
        "cancel sending transaction markers ",
    ),
    _one("markers_left", "Transaction coordinator epoch for ", " has changed from ", "cancel sending transaction markers "),
    _one(
        "markers_left", "Aborting sending of transaction markers after appended ", "to transaction log and returning ",
        "'s EndTransaction request",
    ),
    _one("coordinator_fenced", "Invalid coordinator epoch for producerId ", "in partition ", " (zombie), ", first="3.5"),
    _one("coordinator_fenced", "Detected invalid coordinator epoch for producerId ", " at offset ", " in partition "),
    _one(
        "marker_refused", "Sending ", "'s transaction marker from partition ", " has failed with ",
        "This partition will be removed from the set of partitions",
    ),
    _one("client_abortable", "Aborting incomplete transaction due to shutdown"),
    _one("client_stopped", "Cannot execute transactional method because we are in an error state"),
    _one("client_stopped", "Invalid transition attempted from state ", " to state "),
    Wording(
        "client_fatal",
        (("hasn't received acknowledgment for some previously sent messages and can no longer retry them. ",), ("It isn't safe to continue.",)),
    ),
    _one("unstable_offsets", "There are unstable offsets that need to be cleared."),
    _one("append_failed", "Error processing append operation on partition "),
    _one("invalid_transition", "TransactionalId ", " failed transition to state ", "due to unexpected metadata"),
    _one("invalid_transition", "'s transition to ", " failed: this should not happen"),
    _one("invalid_transition", "'s transition to ", " failed since pendingState is not defined: this should not happen"),
    _one(
        "invalid_transition",
        PREPARING, " failed since the target state", " is not a valid previous state of the current state ",
    ),
    _one("invalid_transition", PREPARING, "while it already a pending state "),
    _one("marker_refused", "Sending ", "'s transaction marker for partition ", " has failed with error "),
    _one("marker_refused", "Sending ", "'s transaction marker for partition ", " has permanently failed with error "),
    _one(
        "marker_without_leader",
        "Couldn't find leader endpoint for partitions ", " while trying to send transaction markers for ", ", these ",
    ),
    _one("no_leader", "Failed to elect leader for partition ", " under strategy ", last="3.9"),
    _one("no_leader", "Controller ", " epoch ", " failed to change state for partition ", "from ", " to ", last="3.9"),
    _one("no_leader", "Follower ", " starts at leader epoch ", ". Current leader is ", first="3.5"),
    _one("no_leader", "partition change for ", ": ", first="3.5"),
    _one("unclean_election", "Triggering unclean leader election for offline partition ", "-", ".", first="3.9"),
    _one("unclean_election", "UNCLEAN partition change for ", ": ", first="3.5"),
    Wording(
        "unclean_election",
        (("Setting new leader for topicId ", ", partition ", " to ", " using ", " election"), ("an unclean",)), "3.5",
    ),
    _one("leads", "Leader ", " starts at leader epoch ", " from ", "offset ", " with high watermark ", last="2.8"),
    _one("leads", "Leader ", " starts at ", "leader epoch ", " from offset ", "with partition epoch ", first="3.5"),
    _one(
        "follows", "Follower ", " starts at leader epoch ", "offset ", "with partition epoch ", "high watermark ",
        ". Current leader is ", first="3.5",
    ),
    _one("truncated", "[Log partition=", ", dir=", "Truncating to offset ", last="2.8"),
    Wording("truncated", (("[UnifiedLog partition=", ", dir="), ("Truncating to offset ",)), "3.5"),
    _one("stable_offset", ", topic=", ", partition=", ", highWatermark=", ", lastStableOffset=", ", logStartOffset="),
    _one("cleaned", "Log cleaner thread ", " cleaned log ", " (dirty section = [", ", ", "])"),
    _one("epoch_exhausted", "Cannot allocate any more producer epochs for producerId "),
    _one("epoch_exhausted", "Cannot fence producer with epoch equal to Short.MaxValue", last="4.1"),
    _one("epoch_exhausted", "Fencing producer ", " ", " with epoch equal to Short.MaxValue", first="4.3"),
    _one("epoch_exhausted", "Aborting producer ", " ", " with epoch equal to Short.MaxValue", first="4.3"),
    _one(
        "unstable_offsets",
        "The following partitions still have unstable offsets which are not cleared on the broker side: ",
        ", this could be either transactional offsets waiting for completion",
    ),
    Wording(
        "producer_id_set",
        (("[Producer clientId=", ", transactionalId=", "] "), ("ProducerId set to ", " with epoch ")),
    ),
    Wording("producer_id_set", (("[Producer clientId=", "] "), ("ProducerId set to ", " with epoch "))),
    Wording(
        "producer_id_asked",
        (("[Producer clientId=", ", transactionalId=", "] "), ("Invoking InitProducerId for the first time in order to acquire a producer ID",)),
    ),
    Wording(
        "coordinator_found",
        (("[Producer clientId=", ", transactionalId=", "] "), ("Discovered ", " coordinator ")),
    ),
    _one(
        "not_connected", "Connection to node ", " (", ") could not be established. Broker may not be available.", last="3.5"
    ),
    _one(
        "not_connected", "Connection to node ", " (", ") could not be established. Node may not be available.", first="3.9"
    ),
    Wording(
        "client_fenced",
        (FATAL, ("There is a newer producer with the same transactionalId which fences the current one.",)),
    ),
    Wording(
        "client_fenced",
        (FATAL, (OWNED, "' and ", " has been fenced by another producer with the same transactionalId")), "3.5",
    ),
    Wording(
        "client_fenced",
        (
            FATAL,
            ("The producer has been rejected from the broker because it tried to use an old epoch with the transactionalId",),
        ),
        last="2.8",
    ),
    Wording("client_fenced", (FATAL, (OWNED, "' and ", " attempted to produce with an old epoch")), "3.5"),
    Wording("client_fenced", (FATAL, ("Producer attempted to produce with an old epoch.",))),
    Wording("client_timeout", (AWAITING, ("EndTxn(",))),
    _one(
        "client_timeout", "Cannot attempt operation `", "` because the previous call to `", "` timed out and must be retried",
        first="3.5",
    ),
    Wording("client_waits", (AWAITING, ("AddOffsetsToTxn",))),
    Wording("client_waits", (AWAITING, ("InitProducerId",))),
    _one("client_fenced", "There is a newer producer with the same transactionalId which fences the current one."),
    _one("client_fenced", "Producer attempted to produce with an old epoch."),
    _one("client_fenced", "ProducerFencedException"),
    _one("client_denied", "TransactionalIdAuthorizationException"),
    _one("client_fenced", OWNED, "' and ", " attempted to produce with an old epoch", first="3.5"),
    Wording("out_of_order", (RETRYING, ("OUT_OF_ORDER_SEQUENCE_NUMBER",))),
    Wording("client_waits", (RETRYING, ("CONCURRENT_TRANSACTIONS",))),
    Wording("client_refused", (RETRYING, ("INVALID_TXN_STATE",))),
    Wording("id_unknown", (RETRYING, ("UNKNOWN_PRODUCER_ID",))),
    Wording("client_abortable", (RETRYING, ("TRANSACTION_ABORTABLE",)), "3.9"),
    _one("client_abortable", "The server encountered an error with the transaction. The client can abort ", first="3.9"),
    _one(
        "end_refused", "Aborting append of ", " to transaction log with coordinator and returning ", " error to client for ",
        "'s EndTransaction request",
    ),
    _one("state_not_written", "TransactionalId ", " append transaction log for ", " transition failed due to "),
    _one(
        "state_not_written",
        "Aborting sending of transaction markers and returning ", " error to client for ", "'s EndTransaction request of ",
        "since appending ",
    ),
    _one(
        "state_not_written",
        "failed to write an epoch fence transition for producer ", " to the transaction log", "with error ",
    ),
    _one("completion_not_written", "Not available to append ", ": possible causes include ", "retry appending"),
    _one("init_refused", "Returning ", " error code to client for ", "'s InitProducerId request"),
    _one("cluster_named", "Cluster ID: "),
    _one("client_abortable", "Transiting to abortable error state due to "),
    _one("client_fatal", *FATAL),
    _one("client_abortable", "The client hasn't received acknowledgment for some previously sent messages and can no longer "),
    _one("rollback_failed", "Rollback of ongoing transaction for transactionalId ", "failed due to error "),
    _one("loading_failed", "Error loading transactions from transaction log "),
    _one("loading_failed", "load-txns-for-partition-"),
    Wording("timeouts_unchecked", (("Uncaught exception in scheduled task '",),)),
    _one(
        "few_in_sync",
        "The size of the current ISR ", "is insufficient to satisfy the min.isr requirement of ", "for partition ",
    ),
    _one("broker_fenced", "Fencing broker ", " because its session has timed out."),
    _one("broker_fenced", "Fencing broker ", " at epoch ", " because its session has timed out.", first="4.1"),
    _one("uncleanable", "Unexpected exception thrown when cleaning log ", ". Marking its partition (", ") as uncleanable"),
    _one("out_of_order", "The broker received an out of order sequence number."),
    _one("client_refused", "The producer attempted a transactional operation in an invalid state."),
    _one("client_error", "Unexpected error in InitProducerIdResponse; "),
    _one("client_error", "Unhandled error in EndTxnResponse: "),
    _one("id_unknown", "The producer attempted to use a producer id which is not currently assigned to its transactional id."),
    Wording("no_such_id", (DESCRIBED, ("The transactionalId could not be found",)), "3.5"),
    Wording(
        "no_such_id",
        (DESCRIBED, ("DescribeTransactions request for transactionalId `", "` failed because the ID could not be found")),
        "3.5",
    ),
    _one("no_such_group", "Consumer group '", "' does not exist"),
    Wording("no_such_group", (COMMAND_FAILED, ("GroupIdNotFoundException",))),
    Wording("not_answered", (DESCRIBED,), "3.5"),
    _one("not_answered", "Failed to describe producers for partition ", " on ", first="3.5"),
    _one("not_answered", "Failed to describe producers for ", " partitions on broker ", first="3.5"),
    _one("not_answered", "Failed to list transactions", first="3.5"),
    _one("not_answered", "Failed to list transactions for ", " producers", first="3.5"),
    _one("not_answered", "Failed to describe ", " transactions", first="3.5"),
    _one("not_answered", "Failed to describe ", " topics", first="3.5"),
    _one("not_answered", "Failed to list topics", first="3.5"),
    _one("not_answered", "Skip getting offsets for topic-partition ", " due to error: ", first="3.5"),
    _one("not_answered", *COMMAND_FAILED),
    _one("not_answered", "Error while executing topic command : "),
    _one("not_answered", "Error while executing config command with args '"),
    Wording(
        "no_authorizer",
        (("Error while executing ACL command: ",), ("SecurityDisabledException",), ("No Authorizer is configured",)),
    ),
    _one("abort_failed", "Failed to abort transaction ", first="3.5"),
    _one("abort_failed", "Failed to validate producer state for partition ", first="3.5"),
    _one("abort_failed", "Failed to force terminate transactionalId `", first="4.1"),
    Wording("stable_offset", (("Fetch ", " at offset ", " for partition ", " returned fetch data "),)),
    Wording(
        "stable_offset",
        (
            ("Fetch ", " at offset ", " for partition ", " returned fetch data "),
            ("PartitionData(partitionIndex=", ", highWatermark=", ", lastStableOffset="),
        ),
        first="3.5",
    ),
)  # fmt: skip

OLDER = (
    "Connection to node -1 could not be established.",
    "Out of order sequence number for producerId ",
    "Timeout expired while initializing transactional state in ",
)
"""Words of releases before 2.8, which people still paste."""
