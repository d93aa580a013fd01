"""Lines of logs, statistics and metrics: what each says, behind any prefix, and that nothing long takes long."""

import io
import json
import re
import time
from pathlib import Path

import pytest

from analyzer.kafka.log_lines.registry import ALL, PROVES
from analyzer.parse.logs.layouts import logged_ms
from analyzer.parse.logs.reader import said
from analyzer.parse.reading import read_facts, read_stream
from analyzer.scan.capture import scan_capture
from analyzer.scan.recognise import recognise
from analyzer.scan.request import CaptureRequest

AT = 1_716_642_854_560
"""2024-05-25T13:14:14.560Z."""
LINES = {
    "initialized": (
        "INFO [TransactionCoordinator id=1] Initialized transactionalId a b-1 with producerId 1730 and producer epoch 2 on partition __transaction_state-31 (kafka.coordinator.transaction.TransactionCoordinator)",
        {"transactional_id": "a b-1", "producer_id": 1730, "producer_epoch": 2, "number": 31},
    ),
    "coordinates": (
        "INFO [TransactionCoordinator id=2] Elected as the txn coordinator for partition 31 at epoch 5 (kafka.coordinator.transaction.TransactionCoordinator)",
        {"number": 31, "offset": 5},
    ),
    "coordinates_no_more": (
        "INFO [TransactionCoordinator id=2] Resigned as the txn coordinator for partition 31 at epoch 6 (kafka.coordinator.transaction.TransactionCoordinator)",
        {"number": 31, "offset": 6},
    ),
    "marker_unreachable": (
        "WARN [TransactionCoordinator id=1] Connection to node 3 (kafka-3/10.0.0.3:9092) could not be established. Node may not be available. (org.apache.kafka.clients.NetworkClient)",
        {"number": 3},
    ),
    "coordinator_found": (
        "INFO [Producer clientId=producer-pay-1, transactionalId=pay-1] Discovered transaction coordinator localhost:9092 (id: 0 rack: null) (org.apache.kafka.clients.producer.internals.TransactionManager)",
        {"transactional_id": "pay-1", "number": 0},
    ),
    "not_connected": (
        "WARN [AdminClient clientId=adminclient-1] Connection to node -2 (/127.0.0.1:44315) could not be established. Node may not be available. (org.apache.kafka.clients.NetworkClient)",
        {"number": -2},
    ),
    "rolled_back": (
        "INFO [TransactionCoordinator id=0] Completed rollback of ongoing transaction for transactionalId tx-2 due to timeout (kafka.coordinator.transaction.TransactionCoordinator)",
        {"transactional_id": "tx-2"},
    ),
    "count_changed": (
        "ERROR Transaction topic number of partitions has changed from 50 to 150",
        {"topic": "__transaction_state", "offset": 50, "number": 150},
    ),
    "out_of_order": (
        "ERROR org.apache.kafka.common.errors.OutOfOrderSequenceException: Out of order sequence number for producer 1674 at offset 548171 in partition warnings-topic-0: 51 (incoming seq. number), 49 (current end sequence number)",
        {"producer_id": 1674, "offset": 548171, "topic": "warnings-topic", "partition": 0},
    ),
    "append_failed": (
        "ERROR [ReplicaManager broker=1] Error processing append operation on partition warnings-topic-0 (kafka.server.ReplicaManager)",
        {"topic": "warnings-topic", "partition": 0},
    ),
    "marker_refused": (
        "INFO [Transaction Marker Request Completion Handler 1]: Sending pay-1's transaction marker for partition a.b-3 has failed with error org.apache.kafka.common.errors.NotLeaderOrFollowerException, retrying with current coordinator epoch 4",
        {"transactional_id": "pay-1", "topic": "a.b", "partition": 3},
    ),
    "no_leader": (
        "ERROR [Controller id=1 epoch=47] Controller 1 epoch 47 failed to change state for partition __consumer_offsets-22 from OfflinePartition to OnlinePartition (state.change.logger)",
        {"topic": "__consumer_offsets", "partition": 22},
    ),
    "stable_offset": (
        "INFO Cleaner 0: Swapping in cleaned segment in log Log(dir=/d/e-0, topicId=A, topic=events-commit-log, partition=0, highWatermark=24259, lastStableOffset=24250, logStartOffset=0) (kafka.log.LogCleaner)",
        {"topic": "events-commit-log", "partition": 0, "number": 24259, "offset": 24250},
    ),
    "cleaned": (
        "INFO Log cleaner thread 0 cleaned log events-commit-log-0 (dirty section = [23772, 24043])",
        {"topic": "events-commit-log", "partition": 0, "offset": 23772, "number": 24043},
    ),
    "unstable_offsets": (
        "WARN [Consumer clientId=c, groupId=g] The following partitions still have unstable offsets which are not cleared on the broker side: [__consumer_offsets-27], this could be either transactional offsets waiting for completion, or normal offsets waiting for replication after appending to local log",
        {"topic": "__consumer_offsets", "partition": 27},
    ),
    "open_for": (
        "WARN  org.apache.flink.streaming.api.functions.sink.TwoPhaseCommitSinkFunction [] - Transaction KafkaTransactionState [transactionalId=Source: Custom Source -> Sink: Unnamed-1, producerId=25004, epoch=586] has been open for 42551680 ms.",
        {"transactional_id": "Source: Custom Source -> Sink: Unnamed-1", "producer_id": 25004, "producer_epoch": 586, "number": 42551680},
    ),
    "producer_id_asked": (
        "INFO [Producer clientId=producer-pay-1, transactionalId=pay-1] Invoking InitProducerId for the first time in order to acquire a producer ID",
        {"transactional_id": "pay-1"},
    ),
    "producer_id_set": (
        "INFO [Producer clientId=producer-pay-1, transactionalId=pay-1] ProducerId set to 7 with epoch 3",
        {"transactional_id": "pay-1", "producer_id": 7, "producer_epoch": 3},
    ),
    "client_fenced": (
        "INFO [Producer clientId=producer-pay-1, transactionalId=pay-1] Transiting to fatal error state due to org.apache.kafka.common.errors.ProducerFencedException: There is a newer producer with the same transactionalId which fences the current one.",
        {"transactional_id": "pay-1"},
    ),
}  # fmt: skip
STATE = "TransactionMetadata(transactionalId=pay-1, producerId=7, producerEpoch=3, state=Ongoing)"
MOVED = "TxnTransitMetadata(producerId=7, producerEpoch=3, txnState=PrepareAbort)"
PREPARING = "java.lang.IllegalStateException: Preparing transaction state transition to PrepareAbort "
FATAL = "INFO [Producer clientId=producer-pay-1, transactionalId=pay-1] Transiting to fatal error state due to org.apache.kafka.common.errors."
OWNED = "Producer with transactionalId 'pay-1' and ProducerIdAndEpoch(producerId=7, epoch=3)"
OLD_EPOCH = {"producer_id": 7, "producer_epoch": 3}
RETRIED = "WARN [Producer clientId=p, transactionalId=pay-1] Got error produce response with correlation id 21 on topic-partition t.u-1, retrying (2147483646 attempts left). Error: "
AT_PLACE = {"transactional_id": "pay-1", "topic": "t.u", "partition": 1}
FLINK = "ERROR org.apache.flink.connector.kafka.sink.KafkaCommitter [] - Unable to commit transaction (CommitRequestImpl@1) because "
DESCRIBED = "Failed to describe transaction state of transactional-id `pay-1`: "
DETAIL = ". Enable debug logging for additional detail."
MORE_LINES = [
    ("client_timeout", 'cimpl.KafkaException: KafkaError{code=_TIMED_OUT,val=-185,str="Transactional operation timed out"}', {}),
    ("not_connected", "WARN [Producer clientId=p, transactionalId=pay-1] Connection to node 3 (b/10.0.0.3:9092) could not be established. Broker may not be available.", {"number": 3}),
    ("not_connected", "Connection to node -1 could not be established. Broker may not be available.", {"number": -1}),
    ("marker_unreachable", "WARN [TransactionCoordinator id=1] Connection to node 3 (kafka-3/10.0.0.3:9092) could not be established. Broker may not be available.", {"number": 3}),
    ("coordinator_found", "INFO [Producer clientId=p, transactionalId=a b] Discovered transaction coordinator b-1.x:9092 (id: 12 rack: a isFenced: false)", {"transactional_id": "a b", "number": 12}),
    ("client_denied", "org.apache.kafka.common.errors.TransactionalIdAuthorizationException: Transactional Id authorization failed.", {}),
    ("no_such_id", f"{DESCRIBED}The transactionalId could not be found{DETAIL}", {"transactional_id": "pay-1"}),
    (
        "no_such_id",
        f"{DESCRIBED}DescribeTransactions request for transactionalId `pay-1` failed because the ID could not be found{DETAIL}",
        {"transactional_id": "pay-1"},
    ),
    ("not_answered", f"{DESCRIBED}Timed out waiting for a node assignment. Call: describeTransactions{DETAIL}", {"transactional_id": "pay-1"}),
    ("not_answered", f"Failed to describe producers for partition t.u-1 on leader: Topic authorization failed{DETAIL}", {"topic": "t.u", "partition": 1}),
    ("not_answered", f"Failed to describe producers for partition t.u-1 on broker 2: Timed out{DETAIL}", {"topic": "t.u", "partition": 1}),
    ("not_answered", f"Failed to list transactions: Cluster authorization failed.{DETAIL}", {}),
    ("not_answered", f"Failed to list transactions for 3 producers: Timed out{DETAIL}", {}),
    ("not_answered", f"Failed to list topics: Timed out{DETAIL}", {}),
    ("not_answered", f"Failed to describe 2 topics: Topic authorization failed{DETAIL}", {}),
    ("not_answered", f"Failed to describe 3 transactions: Timed out{DETAIL}", {}),
    ("not_answered", f"Failed to describe producers for 12 partitions on broker 2: Timed out{DETAIL}", {}),
    ("not_answered", "Skip getting offsets for topic-partition t.u-1 due to error: Timed out", {"topic": "t.u", "partition": 1}),
    ("not_answered", "Error while executing topic command : Timed out waiting for a node assignment. Call: describeTopics", {}),
    ("not_answered", "Error while executing config command with args '--bootstrap-server b:9092 --describe'", {}),
    ("no_such_group", "Error: Consumer group 'g' does not exist.", {}),
    (
        "no_such_group",
        "Error: Executing consumer group command failed due to org.apache.kafka.common.errors.GroupIdNotFoundException: Group g not found.",
        {},
    ),
    (
        "no_authorizer",
        "Error while executing ACL command: org.apache.kafka.common.errors.SecurityDisabledException: No Authorizer is configured.",
        {},
    ),
    ("not_answered", "Error: Executing consumer group command failed due to org.apache.kafka.common.errors.TimeoutException", {}),
    (
        "abort_failed",
        f"Failed to abort transaction AbortTransactionSpec(topicPartition=t.u-1, producerId=7, producerEpoch=3, coordinatorEpoch=5): Cluster authorization failed{DETAIL}",
        {"topic": "t.u", "partition": 1},
    ),
    ("abort_failed", f"Failed to force terminate transactionalId `pay-1`: Timed out{DETAIL}", {"transactional_id": "pay-1"}),
    ("abort_failed", f"Failed to validate producer state for partition t.u-1: Timed out{DETAIL}", {"topic": "t.u", "partition": 1}),
    ("cluster_named", "INFO [Producer clientId=p, transactionalId=pay-1] Cluster ID: fnk10_WA6jeiHPg9EMdjeA (org.apache.kafka.clients.Metadata)", {}),
    ("out_of_order", f"{RETRIED}OUT_OF_ORDER_SEQUENCE_NUMBER (org.apache.kafka.clients.producer.internals.Sender)", AT_PLACE),
    ("client_waits", f"{RETRIED}CONCURRENT_TRANSACTIONS. Error Message: busy", AT_PLACE),
    ("client_refused", f"{RETRIED}INVALID_TXN_STATE", AT_PLACE),
    ("id_unknown", f"{RETRIED}UNKNOWN_PRODUCER_ID", AT_PLACE),
    ("id_unknown", RETRIED.replace(", transactionalId=pay-1", "") + "UNKNOWN_PRODUCER_ID", {"topic": "t.u", "partition": 1}),
    ("client_fenced", f"{FLINK}its producer is already fenced. This means that you either have a different producer", {}),
    ("client_refused", f"{FLINK}it's in an invalid state. Most likely the transaction has been aborted for some reason.", {}),
    ("client_fenced", "org.apache.kafka.streams.errors.TaskMigratedException: Producer got fenced trying to commit a transaction", {}),
    (
        "out_of_order",
        "Out of order sequence number for producer 7 at offset 12 in partition t.u-0: 5 (incoming seq. number), 3 (earliest seen sequence)",
        {"producer_id": 7, "offset": 12, "topic": "t.u", "partition": 0},
    ),
    ("out_of_order", "Out of order sequence number for producerId 7: 5 (incoming seq. number), 3 (current end sequence number)", {"producer_id": 7}),
    (
        "old_epoch",
        "Epoch of producer 7 at offset 12 in t.u-0 is 3, which is smaller than the last seen epoch 4",
        OLD_EPOCH | {"offset": 12, "topic": "t.u", "partition": 0},
    ),
    (
        "old_epoch",
        "Epoch of producer 7 at offset 12 in t.u-0 is 3, which is smaller than or equal to the last seen epoch 3 (TV2)",
        OLD_EPOCH | {"offset": 12, "topic": "t.u", "partition": 0},
    ),
    ("old_epoch", "Epoch of producer 7 is 3, which is smaller than the last seen epoch 4", OLD_EPOCH),
    (
        "invalid_transition",
        f"java.lang.IllegalStateException: TransactionalId pay-1 failed transition to state {MOVED} due to unexpected metadata",
        {"transactional_id": "pay-1"},
    ),
    ("invalid_transition", f"ERROR {STATE}'s transition to {MOVED} failed: this should not happen", {"transactional_id": "pay-1"}),
    (
        "invalid_transition",
        f"ERROR {STATE}'s transition to {MOVED} failed since pendingState is not defined: this should not happen",
        {"transactional_id": "pay-1"},
    ),
    (
        "invalid_transition",
        f"{PREPARING}failed since the target state PrepareAbort is not a valid previous state of the current state Empty",
        {},
    ),
    ("invalid_transition", f"{PREPARING}while it already a pending state Ongoing", {}),
    (
        "marker_refused",
        "INFO [Transaction Marker Request Completion Handler 1]: Sending pay-1's transaction marker for partition a.b-3 has permanently failed with error org.apache.kafka.common.errors.UnsupportedForMessageFormatException with the current coordinator epoch 4; cancel sending any more transaction markers TxnMarkerEntry{} to the brokers",
        {"transactional_id": "pay-1", "topic": "a.b", "partition": 3},
    ),
    (
        "marker_without_leader",
        "INFO [Transaction Marker Channel Manager 1]: Couldn't find leader endpoint for partitions Set(a.b-3) while trying to send transaction markers for pay-eu.1, these partitions are likely deleted already and hence can be skipped",
        {"transactional_id": "pay-eu.1"},
    ),
    (
        "no_leader",
        "kafka.common.StateChangeFailedException: Failed to elect leader for partition t-3 under strategy OfflinePartitionLeaderElectionStrategy(false)",
        {"topic": "t", "partition": 3},
    ),
    (
        "unclean_election",
        "ERROR [QuorumController id=3000] Triggering unclean leader election for offline partition t.u-3.",
        {"topic": "t.u", "partition": 3},
    ),
    (
        "unclean_election",
        "INFO [QuorumController id=1] UNCLEAN partition change for t.u-3 with topic ID 5t7SNCbnRMCYWgMJTA3FWA: isr: [2] -> [3], leader: 2 -> 3, leaderRecoveryState: RECOVERED -> RECOVERING, leaderEpoch: 2 -> 3, partitionEpoch: 6 -> 7",
        {"topic": "t.u", "partition": 3},
    ),
    (
        "unclean_election",
        "INFO Setting new leader for topicId YwlZWqPRQ4G5PyNCdXjQGg, partition 3 to 1 using an unclean election",
        {},
    ),
    (
        "leads",
        "INFO [Broker id=2] Leader t.u-3 starts at leader epoch 5 from offset 120 with high watermark 118 ISR [2,1] addingReplicas [] removingReplicas []. Previous leader epoch was 4. (state.change.logger)",
        {"topic": "t.u", "partition": 3, "number": 2, "offset": 5},
    ),
    (
        "leads",
        "INFO [Broker id=2] Leader t.u-3 with topic id Some(YwlZWqPRQ4G5PyNCdXjQGg) starts at leader epoch 5 from offset 120 with partition epoch 8, high watermark 118, ISR [2,1], adding replicas [] and removing replicas [] . Previous leader Some(1) and previous leader epoch was 4. (state.change.logger)",
        {"topic": "t.u", "partition": 3, "number": 2, "offset": 5},
    ),
    (
        "follows",
        "INFO [Broker id=1] Follower t.u-3 starts at leader epoch 5 from offset 120 with partition epoch 8 and high watermark 118. Current leader is 2. Previous leader Some(1) and previous leader epoch was 4. (state.change.logger)",
        {"topic": "t.u", "partition": 3, "number": 2, "offset": 5},
    ),
    (
        "truncated",
        "INFO [UnifiedLog partition=t.u-3, dir=/d] Truncating to offset 120 (kafka.log.UnifiedLog)",
        {"topic": "t.u", "partition": 3, "offset": 120},
    ),
    ("truncated", "INFO [Log partition=t.u-3, dir=/d] Truncating to offset 120", {"topic": "t.u", "partition": 3, "offset": 120}),
    (
        "epoch_exhausted",
        "ERROR Fencing producer pay-1 7 with epoch equal to Short.MaxValue, this must not happen unless there is a bug",
        {"transactional_id": "pay-1", "producer_id": 7},
    ),
    (
        "epoch_exhausted",
        "ERROR Aborting producer pay-1 7 with epoch equal to Short.MaxValue, this must not happen unless there is a bug",
        {"transactional_id": "pay-1", "producer_id": 7},
    ),
    (
        "epoch_exhausted",
        "java.lang.IllegalStateException: Cannot allocate any more producer epochs for producerId 7",
        {"producer_id": 7},
    ),
    (
        "epoch_exhausted",
        "java.lang.IllegalStateException: Cannot fence producer with epoch equal to Short.MaxValue since this would overflow",
        {},
    ),
    ("producer_id_set", "INFO [Producer clientId=p] ProducerId set to 7 with epoch 3", OLD_EPOCH),
    (
        "client_fenced",
        f"{FATAL}ProducerFencedException: {OWNED} has been fenced by another producer with the same transactionalId",
        {"transactional_id": "pay-1"} | OLD_EPOCH,
    ),
    (
        "client_fenced",
        f"{FATAL}ProducerFencedException: The producer has been rejected from the broker because it tried to use an old epoch with the transactionalId",
        {"transactional_id": "pay-1"},
    ),
    ("client_fenced", f"{FATAL}InvalidProducerEpochException: {OWNED} attempted to produce with an old epoch", {"transactional_id": "pay-1"} | OLD_EPOCH),
    (
        "client_fenced",
        f"{FATAL}InvalidProducerEpochException: Producer attempted to produce with an old epoch.",
        {"transactional_id": "pay-1"},
    ),
    ("client_timeout", "org.apache.kafka.common.errors.TimeoutException: Timeout expired after 60000ms while awaiting EndTxn(true)", {}),
    ("client_waits", "o.a.k.c.errors.TimeoutException: Timeout expired after 60000 milliseconds while awaiting InitProducerId", {}),
    ("client_waits", "org.apache.kafka.common.errors.TimeoutException: Timeout expired after 60000ms while awaiting AddOffsetsToTxn", {}),
    (
        "client_fenced",
        "Caused by: org.apache.kafka.common.errors.ProducerFencedException: There is a newer producer with the same transactionalId which fences the current one.",
        {},
    ),
    (
        "client_fenced",
        "FlinkKafkaInternalProducer{transactionalId='sink-1-0-1', inTransaction=true, closed=false} org.apache.kafka.common.errors.InvalidProducerEpochException: Producer attempted to produce with an old epoch.",
        {"transactional_id": "sink-1-0-1"},
    ),
    (
        "client_fenced",
        "ERROR app - transactionalId=pay-1 error=org.apache.kafka.common.errors.ProducerFencedException: fenced",
        {},
    ),
    (
        "id_unknown",
        "ERROR [Producer clientId=p, transactionalId=pay-1] Transiting to abortable error state due to org.apache.kafka.common.errors.InvalidPidMappingException: The producer attempted to use a producer id which is not currently assigned to its transactional id.",
        {"transactional_id": "pay-1"},
    ),
    ("id_unknown", "Caused by: org.apache.kafka.common.errors.InvalidPidMappingException: The producer attempted to use a producer id which is not currently assigned to its transactional id.", {}),
    (
        "end_refused",
        "INFO [TransactionCoordinator id=1] Aborting append of COMMIT to transaction log with coordinator and returning NOT_COORDINATOR error to client for a -> b-1's EndTransaction request",
        {"transactional_id": "a -> b-1"},
    ),
    (
        "state_not_written",
        "INFO [Transaction State Manager 1]: TransactionalId pay-1 append transaction log for TxnTransitMetadata(producerId=116031, prevProducerId=116031, nextProducerId=-1, producerEpoch=67, lastProducerEpoch=-1, txnTimeoutMs=60000, txnState=PrepareCommit, topicPartitions=Set(a-0, b-1), txnStartTimestamp=1, txnLastUpdateTimestamp=2) transition failed due to COORDINATOR_NOT_AVAILABLE, resetting pending state from Some(PrepareCommit)",
        {"transactional_id": "pay-1", "producer_id": 116031},
    ),
    (
        "state_not_written",
        "INFO [TransactionCoordinator id=1] Aborting sending of transaction markers and returning COORDINATOR_NOT_AVAILABLE error to client for pay-1's EndTransaction request of COMMIT, since appending TxnTransitMetadata(producerId=7) to transaction log with coordinator epoch 3 failed",
        {"transactional_id": "pay-1"},
    ),
    (
        "state_not_written",
        "WARN [TransactionCoordinator id=1] The coordinator failed to write an epoch fence transition for producer pay-1 to the transaction log with error COORDINATOR_NOT_AVAILABLE. The epoch was increased to 2 but not returned to the client",
        {"transactional_id": "pay-1"},
    ),
    (
        "client_fenced",
        "Caused by: org.apache.kafka.common.errors.InvalidProducerEpochException: Producer with transactionalId 'connect-cluster-pg-0' and ProducerIdAndEpoch(producerId=7, epoch=3) attempted to produce with an old epoch",
        {"transactional_id": "connect-cluster-pg-0"} | OLD_EPOCH,
    ),
    ("client_fenced", "KafkaJSProtocolError: Producer attempted an operation with an old epoch. Either there is a newer producer with the same transactionalId, or the producer's transaction has been expired by the broker", {}),
    ("client_fenced", "[2024-05-25 13:14:14,560] [23] [WARNING] ProducerFenced: There is a newer producer using the same transactional_id ortransaction timeout occurred (check that processing time is below transaction_timeout_ms)", {}),
    ("client_fenced", "aiokafka.errors.InvalidProducerEpoch: [Error 47] InvalidProducerEpoch", {}),
    ("client_waits", "aiokafka.errors.ConcurrentTransactions: [Error 51] ConcurrentTransactions", {}),
    ("client_refused", "kafka.errors.InvalidTxnStateError: [Error 48] InvalidTxnStateError", {}),
    ("out_of_order", "[Error 45] OutOfOrderSequenceNumber", {}),
    ("id_unknown", "[Error 49] InvalidProducerIdMapping", {}),
    ("id_unknown", "[Error 59] UnknownProducerId", {}),
    ("client_fatal", "[sarama] 2024/05/25 13:14:14 txnmgr/transition [a b-1] transition from ProducerTxnStateEndTransaction to ProducerTxnStateInError|ProducerTxnStateFatalError", {"transactional_id": "a b-1"}),
    ("client_abortable", "[sarama] 2024/05/25 13:14:14 txnmgr/transition [pay-1] transition from ProducerTxnStateInTransaction to ProducerTxnStateInError|ProducerTxnStateAbortableError", {"transactional_id": "pay-1"}),
    (
        "client_waits",
        "[sarama] 2024/05/25 13:14:14 txnmgr/endtxn [pay-1] unable to end transaction kafka server: The producer attempted to update a transaction while another concurrent operation on the same transaction was ongoing",
        {"transactional_id": "pay-1"},
    ),
    ("client_refused", "txnmgr/add-partition-to-txn [pay-1] failed: kafka server: The producer attempted a transactional operation in an invalid state", {"transactional_id": "pay-1"}),
    ("client_state", "[sarama] 2024/05/25 13:14:14 txnmgr/transition [pay-1] transition from ProducerTxnStateReady to ProducerTxnStateInTransaction", {"transactional_id": "pay-1"}),
    (
        "no_leader",
        "INFO [Broker id=1] Follower t.u-3 starts at leader epoch 5 from offset 120 with partition epoch 8 and high watermark 118. Current leader is -1. Previous leader Some(2) and previous leader epoch was 4. (state.change.logger)",
        {"topic": "t.u", "partition": 3},
    ),
    (
        "no_leader",
        "DEBUG [QuorumController id=3000] partition change for t.u-3 with topic ID 5t7SNCbnRMCYWgMJTA3FWA: leader: 2 -> -1, leaderEpoch: 11 -> 12, partitionEpoch: 30 -> 31",
        {"topic": "t.u", "partition": 3},
    ),
    (
        "client_abortable",
        "org.apache.kafka.common.KafkaException: The client hasn't received acknowledgment for some previously sent messages and can no longer retry them. It is safe to abort the transaction and continue.",
        {},
    ),
    ("broker_fenced", "[QuorumController id=3000] Fencing broker 2 because its session has timed out.", {"number": 2}),
    ("broker_fenced", "[QuorumController id=3000] Fencing broker 2 at epoch 9012 because its session has timed out.", {"number": 2}),
    ("timeouts_unchecked", "ERROR [TransactionCoordinator id=1] Uncaught exception in scheduled task 'transaction-abort' (kafka.utils.KafkaScheduler)", {}),
    (
        "loading_failed",
        "ERROR Uncaught exception in scheduled task 'load-txns-for-partition-__transaction_state-3' (org.apache.kafka.server.util.KafkaScheduler)",
        {"topic": "__transaction_state", "partition": 3},
    ),
    (
        "few_in_sync",
        "org.apache.kafka.common.errors.NotEnoughReplicasException: The size of the current ISR Set(2) is insufficient to satisfy the min.isr requirement of 2 for partition __transaction_state-18",
        {"topic": "__transaction_state", "partition": 18, "number": 2},
    ),
    (
        "few_in_sync",
        "org.apache.kafka.common.errors.NotEnoughReplicasException: The size of the current ISR : 1 is insufficient to satisfy the min.isr requirement of 2 for partition t.u-1, live replica(s) broker.id are : Set(1)",
        {"topic": "t.u", "partition": 1, "number": 2},
    ),
    (
        "stable_offset",
        "DEBUG [Consumer clientId=c, groupId=g] Fetch READ_COMMITTED at offset 30 for partition t.u-3 returned fetch data PartitionData(partitionIndex=3, errorCode=0, highWatermark=36, lastStableOffset=30, logStartOffset=0, divergingEpoch=EpochEndOffset(epoch=-1, endOffset=-1), abortedTransactions=[])",
        {"topic": "t.u", "partition": 3, "number": 36, "offset": 30},
    ),
    (
        "client_fatal",
        f"{FATAL}FencedInstanceIdException: The broker rejected this static consumer since another consumer with the same group.instance.id has registered with a different member.id.",
        {"transactional_id": "pay-1"},
    ),
    (
        "client_fatal",
        "INFO [Producer clientId=p, transactionalId=pay-1] Transiting to fatal error state due to org.apache.kafka.common.errors.TransactionalIdAuthorizationException: Transactional Id authorization failed.",
        {"transactional_id": "pay-1"},
    ),
    (
        "client_fatal",
        "%1|1716642854.560|TXNERR|a#producer-1| [thrd:main]: Fatal transaction error: Failed to add offsets to transaction: Broker: Transactional Id authorization failed (TRANSACTIONAL_ID_AUTHORIZATION_FAILED)",
        {},
    ),
    ("client_fatal", "%7|1716642854.560|TXNSTATE|a#producer-1| [thrd:main]: Transaction state change InTransaction -> FatalError", {}),
    (
        "client_abortable",
        "INFO [Producer clientId=p, transactionalId=pay-1] Transiting to abortable error state due to org.apache.kafka.common.errors.TimeoutException: Expiring 3 record(s) for orders-0:120004 ms has passed since batch creation",
        {"transactional_id": "pay-1"},
    ),
    (
        "client_abortable",
        "Caused by: org.apache.kafka.common.errors.TransactionAbortableException: The server encountered an error with the transaction. The client can abort the transaction to continue using this transactional ID.",
        {},
    ),
    (
        "client_abortable",
        "WARN [Producer clientId=p, transactionalId=pay-1] Got error produce response with correlation id 17 on topic-partition orders-3, retrying (2147483646 attempts left). Error: TRANSACTION_ABORTABLE",
        {"transactional_id": "pay-1", "topic": "orders", "partition": 3},
    ),
    (
        "client_abortable",
        "%3|1716642854.560|TXNERR|a#producer-1| [thrd:main]: Current transaction failed in state InTransaction: 3 message(s) failed delivery (see individual delivery reports) (_INCONSISTENT)",
        {},
    ),
    (
        "client_abortable",
        '%3|1716642854.560|ADDPARTS|a#producer-1| [thrd:b:9092/1]: b:9092/1: Failed to add partition "orders" [3] to transaction: Broker: Topic authorization failed',
        {"topic": "orders", "partition": 3},
    ),
    ("client_abortable", 'cimpl.KafkaException: KafkaError{code=TRANSACTION_ABORTABLE,val=120,str="Broker: Transaction is abortable"}', {}),
    ("client_abortable", "ERROR commit of pay-1 failed: code=_TIMED_OUT fatal=False retriable=False txn_requires_abort=True", {}),
    ("client_abortable", "cimpl.KafkaException: KafkaError(str='1 message(s) lost', fatal=False, txn_requires_abort=True)", {}),
    ("client_abortable", "ERROR txn_requires_abort() is True", {}),
    ("client_abortable", "  isTxnRequiresAbort: true,", {}),
    ("client_abortable", "{code:-192 str:Local: Message timed out fatal:false retriable:false txnRequiresAbort:true}", {}),
    ("client_abortable", "ERROR [pay-1] commit_transaction: TXN_REQUIRES_ABORT", {}),
    ("client_abortable", "Confluent.Kafka.KafkaTxnRequiresAbortException: 2 message(s) failed delivery", {}),
    (
        "client_timeout",
        "java.lang.IllegalStateException: Cannot attempt operation `commitTransaction` because the previous call to `commitTransaction` timed out and must be retried",
        {},
    ),
    ("client_waits", "org.apache.kafka.common.errors.TimeoutException: Timeout expired while initializing transactional state in 60000ms.", {}),
    (
        "init_refused",
        "INFO [TransactionCoordinator id=2] Returning CONCURRENT_TRANSACTIONS error code to client for pay-1's InitProducerId request (kafka.coordinator.transaction.TransactionCoordinator)",
        {"transactional_id": "pay-1"},
    ),
    (
        "completion_not_written",
        "INFO [Transaction Marker Channel Manager 2]: Not available to append PendingCompleteTxn(transactionalId=pay-1, coordinatorEpoch=5, txnMetadata=TransactionMetadata(transactionalId=pay-1, producerId=7), newMetadata=TxnTransitMetadata(producerId=7)): possible causes include UNKNOWN_TOPIC_OR_PARTITION, NOT_ENOUGH_REPLICAS, NOT_ENOUGH_REPLICAS_AFTER_APPEND, REQUEST_TIMED_OUT; retry appending",
        {"transactional_id": "pay-1"},
    ),
    (
        "rollback_failed",
        "WARN [TransactionCoordinator id=1] Rollback of ongoing transaction for transactionalId pay-1 failed due to error NOT_ENOUGH_REPLICAS",
        {"transactional_id": "pay-1"},
    ),
    (
        "loading_failed",
        "ERROR [Transaction State Manager 1]: Error loading transactions from transaction log __transaction_state-18 (kafka.coordinator.transaction.TransactionStateManager)",
        {"topic": "__transaction_state", "partition": 18},
    ),
    (
        "uncleanable",
        "WARN [kafka-log-cleaner-thread-0]: Unexpected exception thrown when cleaning log Log(dir=/d/__consumer_offsets-36, topic=__consumer_offsets, partition=36). Marking its partition (__consumer_offsets-36) as uncleanable (kafka.log.LogCleaner)",
        {"topic": "__consumer_offsets", "partition": 36},
    ),
    ("rollback_cancelled", "INFO [TransactionCoordinator id=1] Rollback of ongoing transaction for transactionalId pay-1 has been cancelled due to error PRODUCER_FENCED (kafka.coordinator.transaction.TransactionCoordinator)", {"transactional_id": "pay-1"}),
    ("markers_left", "INFO [TransactionCoordinator id=1] Aborting sending of transaction markers after appended COMMIT to transaction log and returning NOT_COORDINATOR error to client for pay-1's EndTransaction request", {"transactional_id": "pay-1"}),
    ("markers_left", "INFO [Transaction Marker Channel Manager 1]: No longer the coordinator for transactionalId: pay-1 while trying to append to transaction log, skip writing to transaction log", {"transactional_id": "pay-1"}),
    ("markers_left", "INFO [Transaction Marker Channel Manager 1]: No longer the coordinator for pay-1 with coordinator epoch 5; cancel appending TxnTransitMetadata(producerId=7) to transaction log", {"transactional_id": "pay-1"}),
    ("markers_left", "INFO [Transaction Marker Request Completion Handler 2]: I am no longer the coordinator for pay-1; cancel sending transaction markers TxnMarkerEntry{producerId=7} to the brokers", {"transactional_id": "pay-1"}),
    ("markers_left", "INFO [Transaction Marker Request Completion Handler 2]: I am loading the transaction partition that contains pay-1 which means the current markers have to be obsoleted; cancel sending transaction markers TxnMarkerEntry{producerId=7} to the brokers", {"transactional_id": "pay-1"}),
    ("markers_left", "INFO [Transaction Marker Request Completion Handler 2]: Transaction coordinator epoch for pay-1 has changed from 3 to 4; cancel sending transaction markers TxnMarkerEntry{producerId=7} to the brokers", {"transactional_id": "pay-1"}),
    ("coordinator_fenced", "org.apache.kafka.common.errors.TransactionCoordinatorFencedException: Invalid coordinator epoch for producerId 7 at offset 12 in partition t.u-3: 4 (zombie), 5 (current)", {"producer_id": 7, "offset": 12, "topic": "t.u", "partition": 3}),
    ("coordinator_fenced", "INFO Detected invalid coordinator epoch for producerId 7 at offset 12 in partition t.u-3: 4 is older than previously known coordinator epoch 5 (org.apache.kafka.storage.internals.log.ProducerAppendInfo)", {"producer_id": 7, "offset": 12, "topic": "t.u", "partition": 3}),
    ("marker_refused", "INFO [Transaction Marker Request Completion Handler 2]: Sending pay-1's transaction marker from partition t.u-3 has failed with  UNSUPPORTED_FOR_MESSAGE_FORMAT. This partition will be removed from the set of partitions waiting for completion", {"transactional_id": "pay-1", "topic": "t.u", "partition": 3}),
    ("out_of_order", "org.apache.kafka.common.errors.OutOfOrderSequenceException: Invalid sequence number for new epoch of producer at offset 12 in partition t.u-3: 3 (request epoch), 9 (seq. number), 2 (current producer epoch)", {"offset": 12, "topic": "t.u", "partition": 3}),
    ("out_of_order", "org.apache.kafka.common.errors.OutOfOrderSequenceException: Invalid sequence number for producer 7 at offset 12 in partition t.u-3: 3 (incoming seq. number). Expected sequence 0 for transactions v2 idempotent producer with no existing state.", {"producer_id": 7, "offset": 12, "topic": "t.u", "partition": 3}),
    ("client_abortable", "INFO [Producer clientId=p, transactionalId=pay-1] Aborting incomplete transaction due to shutdown (org.apache.kafka.clients.producer.internals.Sender)", {"transactional_id": "pay-1"}),
    ("client_stopped", "org.apache.kafka.common.KafkaException: Cannot execute transactional method because we are in an error state", {}),
    ("client_stopped", "org.apache.kafka.common.KafkaException: TransactionalId pay-1: Invalid transition attempted from state COMMITTING_TRANSACTION to state ABORTING_TRANSACTION", {"transactional_id": "pay-1"}),
    ("client_fatal", "Caused by: org.apache.kafka.common.KafkaException: The client hasn't received acknowledgment for some previously sent messages and can no longer retry them. It isn't safe to continue.", {}),
    ("unstable_offsets", "org.apache.kafka.common.errors.UnstableOffsetCommitException: There are unstable offsets that need to be cleared.", {}),
    ("out_of_order", "org.apache.kafka.common.errors.OutOfOrderSequenceException: The broker received an out of order sequence number.", {}),
    ("client_refused", "1.[org.apache.kafka.common.errors.InvalidTxnStateException: The producer attempted a transactional operation in an invalid state.]", {}),
    ("client_error", "org.apache.kafka.common.KafkaException: Unhandled error in EndTxnResponse: The server experienced an unexpected error when processing the request.", {}),
    (
        "client_error",
        "INFO [Producer clientId=p, transactionalId=pay-1] Transiting to fatal error state due to org.apache.kafka.common.KafkaException: Unexpected error in InitProducerIdResponse; The server experienced an unexpected error when processing the request.",
        {"transactional_id": "pay-1"},
    ),
    ("client_fenced", "Streamiz.Kafka.Net.Errors.StreamsException: Error encountered trying to send record to topic t : Local: This instance has been fenced by a newer instance", {}),
    ("client_fenced", 'cimpl.KafkaException: KafkaError{code=_FENCED,val=-144,str="Failed to begin transaction"}', {}),
    ("client_fenced", "kafka server: There is a newer producer with the same transactionalId which fences the current one", {}),
    ("client_fenced", "unable to end: INVALID_PRODUCER_EPOCH: Producer attempted an operation with an old epoch.", {}),
    ("client_waits", "kafka server: The producer attempted to update a transaction while another concurrent operation on the same transaction was ongoing", {}),
    ("client_waits", 'cimpl.KafkaException: KafkaError{code=_TIMED_OUT,val=-185,str="Failed to initialize Producer ID: Local: Timed out"}', {}),
    ("client_waits", '19:04:48 [7] [ADDPARTS] [thrd:main]: TxnCoordinator/1: AddPartitionsToTxn response: partition "t": [0]: Broker: Coordinator not available', {}),
    ("client_waits", "%7|1716642854.560|PIDBROKER|rdkafka#producer-1| [thrd:main]: No brokers available for Transactions (2 broker(s) known)", {}),
    ("client_waits", "%7|1716642854.560|TXNCOORD|rdkafka#producer-1| [thrd:main]: Unable to query for transaction coordinator: Local: No broker available", {}),
    ("client_refused", "Broker: Producer attempted a transactional operation in an invalid state", {}),
    ("client_refused", "INVALID_TXN_STATE: The producer attempted a transactional operation in an invalid state.", {}),
    ("out_of_order", "kafka server: The broker received an out of order sequence number", {}),
    ("id_unknown", "INVALID_PRODUCER_ID_MAPPING: The producer attempted to use a producer id which is not currently assigned to its transactional id.", {}),
    ("producer_id_set", "[INFO] producer id initialization success; id: 7, epoch: 3", OLD_EPOCH),
    (
        "stable_offset",
        "DEBUG [Consumer clientId=c, groupId=g] Fetch READ_COMMITTED at offset 0 for partition t.u-3 returned fetch data (error=NONE, highWaterMark=36, lastStableOffset = 30, logStartOffset = 0, preferredReadReplica = absent)",
        {"topic": "t.u", "partition": 3, "number": 36, "offset": 30},
    ),
    (
        "stable_offset",
        '%7|1716642854.560|CONSUME|rdkafka#consumer-1| [thrd:b:9092/1]: b:9092/1: Topic t.u [3] MessageSet size 205, error "Success", MaxOffset 36, LSO 30, Ver 2/2',
        {"topic": "t.u", "partition": 3, "number": 36, "offset": 30},
    ),
    (
        "client_fenced",
        "%1|1716642854.560|TXNERR|rdkafka#producer-3| [thrd:main]: Fatal transaction error: Failed to add offsets to transaction: Local: This instance has been fenced by a newer instance (_FENCED)",
        {},
    ),
    (
        "client_waits",
        "%4|1716642854.560|GETPID|rdkafka#producer-3| [thrd:main]: Failed to acquire transactional PID from broker TxnCoordinator/3: Broker: Producer attempted to update a transaction while another concurrent operation on the same transaction was ongoing: retrying",
        {},
    ),
    (
        "client_timeout",
        "%3|1716642854.560|TXNERR|rdkafka#producer-3| [thrd:main]: Current transaction failed in state CommittingTransaction: Transactional API operation (commit_transaction) timed out (_TIMED_OUT)",
        {},
    ),
    ("end_refused", "%7|1716642854.560|ENDTXN|rdkafka#producer-3| [thrd:main]: EndTxn returned INVALID_TXN_STATE in state CommittingTransaction (may_retry=true)", {}),
    ("client_state", "%7|1716642854.560|TXNSTATE|rdkafka#producer-1| [thrd:main]: Transaction state change InTransaction -> BeginCommit", {}),
    (
        "unstable_offsets",
        "%7|1716642854.560|OFFSETFETCH|rdkafka#consumer-1| [thrd:main]: GroupCoordinator/1: OffsetFetchResponse: clicks [0] offset -1, metadata 0 byte(s): UNSTABLE_OFFSET_COMMIT",
        {"topic": "clicks", "partition": 0},
    ),
    (
        "id_fenced",
        "INFO  2024-05-25 13:14:14,560 [shard 1:main] tx - tx_gateway_frontend.cc:2497 - [tx_id=a@b+c] producer {producer_identity: id=7, epoch=3} is fenced of by {producer_identity: id=7, epoch=4}",
        {"transactional_id": "a@b+c"} | OLD_EPOCH,
    ),
    (
        "abort_tried",
        "INFO  2024-05-25 13:14:14,560 [shard 0:main] tx - tx_gateway_frontend.cc:513 - [tx_id=a@b+c] trying to abort transaction. pid: {producer_identity: id=7, epoch=3} sequence: 0",
        {"transactional_id": "a@b+c"} | OLD_EPOCH,
    ),
    (
        "abort_tried",
        "INFO  2024-05-25 13:14:14,560 [shard 0:main] tx - [N:g S:Stable G:27] group.cc:3181 - attempting expiration of producer: {producer_identity: id=7, epoch=3} transaction",
        OLD_EPOCH,
    ),
    (
        "id_state",
        "INFO  2024-05-25 13:14:14,560 [shard 0:main] tx - tx_gateway_frontend.cc:578 - [tx_id=a] found transaction {id: a, status: ongoing, pid: {producer_identity: id=7, epoch=3}",
        {"transactional_id": "a"} | OLD_EPOCH,
    ),
    ("commit_again", "TRACE 2024-05-25 13:14:14,560 [shard 0] tx - tx_gateway_frontend.cc:2658 - retrying re-commit pid:{producer_identity: id=7, epoch=3}", OLD_EPOCH),
    ("commit_again", "TRACE 2024-05-25 13:14:14,560 [shard 1] cluster - rm_stm.cc:573 - Can't find prepare for pid:{producer_identity: id=7, epoch=3} => replaying already comitted commit", OLD_EPOCH),
    (
        "earlier_open",
        "WARN  2024-05-25 13:14:14,560 [shard 1] tx - rm_stm.cc:1 - can't begin a tx {producer_identity: id=7, epoch=3} with tx_seq 21969: a producer id is already involved in a tx with tx_seq 21222",
        OLD_EPOCH,
    ),
    (
        "previous_not_ended",
        "WARN  2024-05-25 13:14:14,560 [shard 5] tx - tx_gateway_frontend.cc:883 - got error tx_errc::unknown_server_error on rolling previous tx.id={id_first_4382} with status=4",
        {"transactional_id": "id_first_4382"},
    ),
    (
        "no_coordinator",
        "TRACE 2024-05-25 13:14:14,560 [shard 1] tx - tx_gateway_frontend.cc:3179 - this node isn't a leader for tx.id={a+b} coordinator",
        {"transactional_id": "a+b"},
    ),
    (
        "no_coordinator",
        "WARN  2024-05-25 13:14:14,560 [shard 1] tx - tx_gateway_frontend.cc:3185 - got error 4 on syncing state machine (loading tx.id={a+b})",
        {"transactional_id": "a+b"},
    ),
    (
        "no_coordinator",
        "WARN  2024-05-25 13:14:14,560 [shard 3:main] tx - [N:g S:Empty G:173] group.cc:3190 - producer {producer_identity: id=7, epoch=3} transaction expiration result: tx::errc::not_coordinator",
        OLD_EPOCH,
    ),
    ("no_coordinator", "WARN  2024-05-25 13:14:14,560 [shard 0] kafka - server.cc:1132 - failed to allocate pid, ec: tx_errc::coordinator_not_available", {}),
    (
        "unstable_offsets",
        "TRACE 2024-05-25 13:14:14,560 [shard 1] kafka - request_context.h:160 - sending 9:offset_fetch response {throttle_time_ms=0 topics={{name={clicks} partitions={{partition_index=0 committed_offset=-1 committed_leader_epoch=-1 metadata={} error_code={ error_code: unstable_offset_commit [88] }}}}}",
        {"topic": "clicks", "partition": 0},
    ),
]  # fmt: skip
"""The other wordings: of other releases, and of other places in the code."""
LAYOUTS = {
    "apache": "[2024-05-25 13:14:14,560] {}",
    "strimzi": "2024-05-25 13:14:14,560 {}",
    "docker compose": "kafka-broker      | [2024-05-25 13:14:14,560] {}",
    "kubectl": "[pod/kafka-0/kafka] [2024-05-25 13:14:14,560] {}",
    "kubectl --timestamps": "2024-05-25T13:14:15.999999999Z [2024-05-25 13:14:14,560] {}",
    "kubectl --timestamps, local time": "2024-05-25T13:14:15.999999999Z [2024-05-25 15:14:14,560] {}",
    "docker, half an hour": "2024-05-25T15:14:14.561+02:00 [2024-05-25 18:44:14,560] {}",
    "journald": "May 25 15:14:14 host-1 kafka[812]: [2024-05-25 13:14:14,560] {}",
    "syslog": "<14>1 2024-05-25T15:14:15.123+02:00 host-1 kafka 812 - - [2024-05-25 13:14:14,560] {}",
    "stern": "kafka-0 kafka [2024-05-25 13:14:14,560] {}",
    "quoted": "> [2024-05-25 13:14:14,560] {}",
    "offset": "[2024-05-25T15:14:14.560+02:00] {}",
    "redpanda": "INFO  2024-05-25 13:14:14,560 [shard 0:main] tx - x.cc:1 - {}",
    "librdkafka": "%4|1716642854.560|LOG|rdkafka#producer-1| [thrd:main]: {}",
}


def observed(text):
    return [{name: value for name, value in line.items() if name not in ("text", "source")} for line in said(text)]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("says", LINES)
def test_a_line_says_the_same_in_every_layout(says, layout):
    message, told = LINES[says]
    line = LAYOUTS[layout].format(message)
    [found] = observed(line)
    assert {name: value for name, value in found.items() if value is not None} == {"says": says, **told} | (
        {"text": None} if "text" in told else {}
    )
    assert logged_ms(line) == AT
    assert says in PROVES


@pytest.mark.parametrize(("says", "line", "told"), MORE_LINES)
def test_every_wording_says_what_the_first_says(says, line, told):
    [found] = observed(f"[2024-05-25 13:14:14,560] {line}")
    assert {name: value for name, value in found.items() if value is not None} == {"says": says, **told}


@pytest.mark.parametrize(
    "line",
    [
        "import org.apache.kafka.common.errors.ProducerFencedException;",
        "} catch (ProducerFencedException | org.apache.kafka.common.errors.InvalidProducerEpochException e) {",
        "    if e.args[0].txn_requires_abort():",
        "    if error.txn_requires_abort() == True:  # TXN_REQUIRES_ABORT",
        "ERROR fatal=True retriable=False txn_requires_abort=False",
        "  isTxnRequiresAbort: false,",
        "DEBUG TransactionalId pay-1 prepare transition from Ongoing to TxnTransitMetadata(producerId=7)",
        "INFO [UnifiedLog partition=t-3, dir=/d] Truncating to 120 has no effect as the largest offset in the log is 119",
        "INFO [QuorumController id=1] Cannot trigger unclean leader election for offline partition t-3: NONE",
        "INFO Rejecting AlterPartition request from node 1 for t-3 because the ISR [1, 2] had more than one replica while the leader was still recovering from an unclean leader election RECOVERING.",
        "ERROR Controller 1 epoch 4 failed to change state for partition t-3 from OnlinePartition to OnlinePartition",
        "Failed to elect leader for partition t-3 under strategy PreferredReplicaPartitionLeaderElectionStrategy",
        "DEBUG [Consumer clientId=c, groupId=g] Fetch READ_UNCOMMITTED at offset 0 for partition t-3 returned fetch data (error=NONE, highWaterMark=36, lastStableOffset = -1, logStartOffset = 0)",
        "DEBUG [Consumer clientId=c, groupId=g] Fetch READ_COMMITTED at offset 0 for partition t-3 returned fetch data (error=NONE, highWaterMark=-1, lastStableOffset = -1, logStartOffset = -1)",
    ],
)  # fmt: skip
def test_lines_that_only_look_alike_say_nothing(line):
    assert observed(line) == []


def test_json_lines_and_statistics():
    message = LINES["rolled_back"][0]
    assert observed(f'{{"@timestamp":"2024-05-25T13:14:14.560Z","message":"{message}"}}')[0]["says"] == "rolled_back"
    stats = (
        '{"name":"rdkafka#consumer-1","client_id":"rdkafka","eos":{"txn_state":"InTransaction","producer_id":4,"producer_epoch":1},'
        '"topics":{"readings":{"topic":"readings","partitions":{"2":{"partition":2,"committed_offset":5,"hi_offset":9,"ls_offset":7},'
        '"-1":{"partition":-1,"hi_offset":-1001,"ls_offset":-1001}}}}}'
    )
    assert [(one["says"], one.get("offset"), one.get("number")) for one in observed(stats)] == [
        ("client_state", None, None), ("stable_offset", 7, 9),
    ]  # fmt: skip


def test_metrics():
    assert observed("kafka_server_replicamanager_partitionswithlatetransactionscount 2.0")[0]["number"] == 2
    [lag] = observed('kafka_cluster_partition_laststableoffsetlag{topic="orders.eu",partition="3",} 17.0')
    assert (lag["topic"], lag["partition"], lag["number"]) == ("orders.eu", 3, 17)


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ('kafka_controller_controllerstats_uncleanleaderelectionspersec_total{instance="k1:5556"} 3.0', 3),
        ("kafka_controller_controllerstats_uncleanleaderelections_total 2.0", 2),
        ('kafka_controller_ControllerStats_Count{name="UncleanLeaderElectionsPerSec",} 1.0', 1),
        ("kafka_controller_controllerstats_uncleanleaderelectionspersec_total 0.0", None),
        ("kafka_controller_controllerstats_uncleanleaderelectionspersec_oneminuterate 3.0E-4", None),
        ('kafka_controller_ControllerStats_OneMinuteRate{name="UncleanLeaderElectionsPerSec",} 1.0', None),
    ],
)
def test_unclean_elections_are_counted_and_their_rates_are_not(line, count):
    assert [one["number"] for one in observed(line)] == ([] if count is None else [count])


@pytest.mark.parametrize(
    "text",
    [
        "", "{", '{"topics":[1],"client_id":"x"}', '{"message":{"a":1}}', "{" * 5000, "a" * 100_000,
        "Initialized transactionalId " + "x" * 100_000, "[" * 3000 + " ProducerId set to 1 with epoch 1",
        "laststableoffsetlag{" + 'topic="' * 10_000, "epoch " * 20_000 + "exhausted", '{"message":' * 2000,
        "Out of order sequence number for producer 99999999999999999999 at offset 1 in partition t-0",
    ],
)  # fmt: skip
def test_hostile_lines_say_nothing(text):
    assert list(said(text[:4_000])) == []


def facts(text, kind="broker_log"):
    rows = []
    for batch in read_stream(io.BytesIO(text.encode()), kind, "log.txt", "f"):
        rows += batch.to_pylist()
    return rows


def test_lines_have_their_place_and_the_time_of_the_last_that_has_one():
    refused = LINES["out_of_order"][0].removeprefix("ERROR ")
    text = f"{LAYOUTS['apache'].format(LINES['append_failed'][0])}\n{refused}\n"
    rows = [row for row in facts(text) if row["table"] == "log_lines"]
    assert [(row["line"], row["says"], row["logged_ms"]) for row in rows] == [
        (1, "append_failed", AT), (2, "out_of_order", AT),
    ]  # fmt: skip


ROLLED_BACK = LINES["rolled_back"][0].removeprefix("INFO ")
AS_LOGGED = f"[2024-05-25 13:14:14,560] INFO {ROLLED_BACK}"
JSON_LINES = {
    "log4j, instant": {"instant": {"epochSecond": AT // 1000, "nanoOfSecond": 560_000_000}, "message": ROLLED_BACK},
    "log4j, milliseconds": {"timeMillis": AT, "level": "INFO", "message": ROLLED_BACK},
    "seconds": {"level": "info", "ts": AT / 1000, "msg": ROLLED_BACK},
    "nanoseconds": {"timestamp": f"{AT}000000", "line": ROLLED_BACK},
    "Google, text": {"textPayload": AS_LOGGED, "timestamp": "2024-05-25T13:14:15Z"},
    "Google, JSON": {"jsonPayload": {"message": ROLLED_BACK}, "timestamp": "2024-05-25T13:14:14.560Z"},
    "Elastic": {"_index": "k", "_source": {"@timestamp": "2024-05-25T13:14:14.560Z", "message": ROLLED_BACK}},
    "CloudWatch": {"timestamp": AT + 9_000, "message": AS_LOGGED, "ingestionTime": AT + 10_000},
}


FRANZ = {"level": "info", "ts": AT / 1000, "logger": "kgo"}
REFUSED = "INVALID_TXN_STATE: The producer attempted a transactional operation in an invalid state."
IN_JSON = [
    (FRANZ | {"msg": "producer id initialization success", "id": 7, "epoch": 3}, "producer_id_set", None, 7, 3),
    (FRANZ | {"msg": "unable to end", "err": REFUSED, "transactional_id": "pay-1", "producer_id": 7, "producer_epoch": 3},
     "client_refused", "pay-1", 7, 3),
    (FRANZ | {"msg": "unable to end", "err": REFUSED, "transactional_id": 7, "producer_id": True, "producer_epoch": 1 << 70},
     "client_refused", None, None, None),
    ({"level": "ERROR", "timestamp": "2024-05-25T13:14:14.560Z", "message": "[Connection] Response EndTxn(key: 26, version: 1)",
      "error": "Producer attempted an operation with an old epoch. Either there is a newer producer with the same id"},
     "client_fenced", None, None, None),
]  # fmt: skip
"""What franz-go and KafkaJS have beside the message."""


@pytest.mark.parametrize(("line", "says", "transactional_id", "producer_id", "producer_epoch"), IN_JSON)
def test_ids_and_errors_beside_the_message(line, says, transactional_id, producer_id, producer_epoch):
    [row] = [row for row in facts(json.dumps(line) + "\n") if row["table"] == "log_lines"]
    names = ("says", "logged_ms", "transactional_id", "producer_id", "producer_epoch")
    assert tuple(row[name] for name in names) == (says, AT, transactional_id, producer_id, producer_epoch)


def test_the_time_of_a_log_of_go():
    assert logged_ms("[sarama] 2024/05/25 13:14:14 txnmgr/transition [pay-1]") == AT - 560


@pytest.mark.parametrize("form", JSON_LINES)
def test_json_of_viewers_of_logs(form):
    text = json.dumps(JSON_LINES[form])
    later = json.dumps(JSON_LINES[form]).replace("560", "561").replace("pay-1", "pay-2")
    assert [row["logged_ms"] for row in facts(text + "\n") if row["table"] == "log_lines"] == [AT]
    both = [
        (row["says"], row["logged_ms"] // 10) for row in facts(f"[{text}, {later}]\n") if row["table"] == "log_lines"
    ]
    assert both == [("rolled_back", AT // 10)] * 2
    printed = json.dumps([JSON_LINES[form]], indent=2)
    assert [row["says"] for row in facts(printed + "\n") if row["table"] == "log_lines"] == ["rolled_back"]


SEARCHES = {
    "Loki": {
        "status": "success",
        "data": {
            "resultType": "streams",
            "result": [{"stream": {"app": "k"}, "values": [[f"{AT}000000", ROLLED_BACK]]}],
        },
    },
    "Elastic": {"hits": {"hits": [{"_source": {"@timestamp": "2024-05-25T13:14:14.560Z", "message": ROLLED_BACK}}]}},
    "Datadog": {"data": [{"attributes": {"timestamp": "2024-05-25T13:14:14.560Z", "message": ROLLED_BACK}}]},
    "CloudWatch": {"events": [{"timestamp": AT, "message": ROLLED_BACK, "eventId": "3"}], "searchedLogStreams": []},
    "Splunk": {"preview": False, "result": {"_time": "2024-05-25T13:14:14.560+00:00", "_raw": AS_LOGGED}},
    "ECS": {"@timestamp": "2024-05-25T13:14:14.560Z", "log": {"original": ROLLED_BACK, "level": "INFO"}},
    "journald": {"MESSAGE": AS_LOGGED, "_SYSTEMD_UNIT": "kafka.service"},
    "Insights": {"results": [[{"field": "@timestamp", "value": "2024-05-25 13:14:14.560"}, {"field": "@message", "value": ROLLED_BACK}]]},
    "Azure": {"tables": [{"columns": [{"name": "TimeGenerated"}, {"name": "LogEntry"}], "rows": [["2024-05-25T13:14:14.56Z", ROLLED_BACK]]}]},
}  # fmt: skip


@pytest.mark.parametrize("form", SEARCHES)
def test_answers_of_searches_in_logs(form):
    lines = [row for row in facts(json.dumps(SEARCHES[form]) + "\n") if row["table"] == "log_lines"]
    assert [(row["says"], row["transactional_id"], row["logged_ms"]) for row in lines] == [("rolled_back", "tx-2", AT)]


def read_file(path: Path) -> list[dict]:
    [source] = scan_capture(CaptureRequest((str(path),))).sources()
    return [row for batch in read_facts(source) for row in batch.to_pylist() if row["table"] == "log_lines"]


@pytest.mark.parametrize("form", SEARCHES)
def test_an_answer_of_a_search_on_several_lines(tmp_path, form):
    """Each message has the time beside it, not that of the message above."""
    path = tmp_path / "answer.json"
    path.write_text(json.dumps([{"@timestamp": "2024-05-25T11:11:11.111Z", "message": "x"}, SEARCHES[form]], indent=2))
    assert [(row["says"], row["logged_ms"]) for row in read_file(path)] == [("rolled_back", AT)]


def test_a_long_answer_of_a_search(tmp_path):
    """More than is looked at of a line."""
    path = tmp_path / "answer.json"
    hits = [{"_source": {"at": f"2024-05-25T13:14:14.{n}Z", "message": ROLLED_BACK}} for n in range(100, 900)] * 4
    path.write_text(json.dumps({"hits": {"hits": hits}}))
    assert path.stat().st_size > 1 << 18
    assert [row["logged_ms"] % 1000 for row in read_file(path)] == list(range(100, 900)) * 4


@pytest.mark.parametrize(
    ("line", "counted"),
    [
        ("x" * 5_000 + ROLLED_BACK, 1),
        ("x" * 5_000, 0),
        (ROLLED_BACK + "x" * 5_000 + ROLLED_BACK, 0),
        (json.dumps({"message": "x" * 300_000 + ROLLED_BACK}), 1),
        ("x" * 2_000_000, 1),
    ],
)
def test_what_a_long_line_may_say_where_nobody_looks_is_counted(line, counted):
    rows = facts(f"{AS_LOGGED}\n{line}\n")
    assert len([row for row in rows if row["table"] == "unparsed_lines"]) == counted


def test_messages_of_json_between_other_lines():
    """The time of one may stand below it, and is no other's."""
    event = json.dumps({"message": ROLLED_BACK, "timestamp": "2024-05-25T13:14:14.560Z"}, indent=2)
    lines = facts(f"{AS_LOGGED}\n{event}\n{event}\n")
    assert [row["logged_ms"] for row in lines if row["table"] == "log_lines"] == [AT, None, None]


def test_the_time_of_a_row_of_cloudwatch():
    assert logged_ms(f'{AT},"{ROLLED_BACK}"') == logged_ms(f'"{AT}","{ROLLED_BACK}"') == AT
    assert logged_ms(f"{AT}7 rows") is None


FENCED = "org.apache.kafka.common.errors.ProducerFencedException"
NEWER = "There is a newer producer with the same transactionalId which fences the current one."


@pytest.mark.parametrize(
    ("error", "says"),
    [
        ({"stack_trace": f"o.s.kafka.KafkaException: failed\n\tat a.b.C.d(C.java:7)\nCaused by: {FENCED}: {NEWER}\n"}, "client_fenced"),
        ({"error": {"type": FENCED, "message": NEWER}}, "client_fenced"),
        ({"error.stack_trace": f"{FENCED}: {NEWER}"}, "client_fenced"),
        ({"thrown": {"name": FENCED, "message": NEWER, "extendedStackTrace": []}}, "client_fenced"),
        ({"exc_info": 'cimpl.KafkaException: KafkaError{code=_FENCED,val=-144,str="x"}'}, "client_fenced"),
        ({"err": "INVALID_TXN_STATE: The producer attempted a transactional operation in an invalid state."}, "client_refused"),
        ({"error": "connection refused", "user": f"{FENCED}: {NEWER}"}, None),
    ],
)  # fmt: skip
def test_errors_beside_the_message_of_a_json_line(error, says):
    text = json.dumps({"level": "error", "ts": AT / 1000, "msg": "cannot commit", **error})
    lines = [row for row in facts(text + "\n") if row["table"] == "log_lines"]
    assert [(row["says"], row["logged_ms"]) for row in lines] == ([(says, AT)] if says else [])


def test_a_changed_count_is_an_observation_too():
    rows = facts(
        "kafka-1 | o.a.k.c.KafkaException: Transaction topic number of partitions has changed from 50 to 150\n"
    )
    [seen] = [row for row in rows if row["table"] == "observations"]
    told = [seen[name] for name in ("observed", "topic", "number", "other_number")]
    assert told == ["count_changed", "__transaction_state", 50, 150]


def test_who_leads_is_an_observation_and_no_quoted_line():
    lines = [line for says, line, _ in MORE_LINES if says in ("leads", "follows")]
    rows = facts("".join(f"[2024-05-25 13:14:14,560] {line}\n" for line in [LINES["rolled_back"][0], *lines]))
    seen = [row for row in rows if row["table"] == "observations"]
    names = ("observed", "topic", "partition", "number", "other_number")
    assert [tuple(row[name] for name in names) for row in seen] == [("leader_logged", "t.u", 3, 2, 5)] * len(lines)
    assert [row["says"] for row in rows if row["table"] == "log_lines"] == ["rolled_back"]


@pytest.mark.parametrize("topic", ["Share", "Group metadata topic: Offsets"])
def test_a_count_of_another_topic_is_no_changed_count(topic):
    rows = facts(
        f"[2024-05-25 13:14:14,560] ERROR {topic} topic number of partitions has changed from 50 to 150 (kafka.X)\n"
    )
    assert [row["table"] for row in rows if row["table"] in ("log_lines", "observations")] == []


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_log_is_recognised_in_every_layout(layout, tmp_path):
    path = tmp_path / "paste.txt"
    path.write_text(LAYOUTS[layout].format(LINES["initialized"][0]) + "\n\tat kafka.x.y(Z.scala:1)\n")
    assert recognise(path, path.stat().st_size).kind == "broker_log"


@pytest.mark.parametrize("text", [" " * 70_000, (" " * 2_000 + "\n") * 40, "[ \n" * 20_000, '{"_' * 20_000])
def test_what_a_text_is_takes_no_longer_than_its_size(text, tmp_path):
    path = tmp_path / "paste.txt"
    path.write_text(text)
    began = time.process_time()
    recognise(path, path.stat().st_size)
    assert time.process_time() - began < 5


def test_the_page_has_every_line_and_what_it_proves():
    page = (Path(__file__).parent.parent.parent / "docs" / "log-lines.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \|[^|]*\| ([^|]+) \| ([^|]+) \|$", page, re.MULTILINE)
    assert {says: proves for says, _, proves in rows} == PROVES
    assert all(set(kafka.split(", ")) == {one.kafka for one in ALL if one.says == says} for says, kafka, _ in rows)


def test_a_coordinator_leads_its_partition_of_the_state_topic():
    rows = facts(f"[2024-05-25 13:14:14,560] {LINES['coordinates'][0]}\n")
    seen = [row for row in rows if row["table"] == "observations"]
    names = ("observed", "topic", "partition", "number", "other_number")
    assert [tuple(row[name] for name in names) for row in seen] == [("leader_logged", "__transaction_state", 31, 2, 5)]
    assert [row["says"] for row in rows if row["table"] == "log_lines"] == ["coordinates"]
