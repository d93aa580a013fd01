"""The words that stay in text: those that Kafka's tools and brokers print, and that our own readers look for."""

import functools
import re
from types import ModuleType

from analyzer.kafka import admin_tools, metadata_schemas, settings, words as evidence, wrapped_lines
from analyzer.kafka.log_lines import (
    of_clients,
    of_coordinator,
    of_frameworks,
    of_kafka,
    of_metrics,
    of_redpanda,
    of_tools,
)
from analyzer.kafka.log_lines.registry import ALL as LOG_LINES
from analyzer.kafka.pasting import dates
from analyzer.kafka.pasting.value_heads import FIELDS
from analyzer.parse import remarks
from analyzer.parse.answers import java_objects, table_rows
from analyzer.parse.console import forms
from analyzer.parse.contents import consumer_offsets, metadata, transaction_state
from analyzer.parse.lines import batch_lines, record_lines
from analyzer.parse.small_files import (
    admin_tables,
    checkpoints,
    cluster_tools,
    commands,
    entries,
    kcat,
    positions,
    unstick,
)
from analyzer.scan import recognise
from analyzer.scan.text_kinds import TEXT_KINDS

NUMBER = re.compile(r"[+-]?\d{1,20}(?:\.\d{1,9})?")
_OCTET = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
ADDRESS = re.compile(rf"(?<!\d)(?!0\.){_OCTET}([.-]){_OCTET}\1{_OCTET}\1{_OCTET}(?!\d)")
"""An IPv4 address, also as clouds write it into names of hosts (`ip-10-0-3-17`); 0.11.0.3 is a release of Kafka."""
ADDRESS_6 = re.compile(
    r"(?<![\w:])(?:(?:[0-9A-Fa-f]{1,4}:){4,7}[0-9A-Fa-f]{1,4}|(?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4}){0,6})?::"
    r"[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4}){0,6})(?![\w:])"
)
"""An IPv6 address: times have fewer colons, and no two of them together."""
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[._-][A-Za-z0-9]+)*")
_ESCAPE = re.compile(r"\\[a-zA-Z]|\(\?(?:P?<[a-zA-Z_=!]*>?|[:=!]|[a-z]+\))")
"""What of a pattern is no text: escapes, and how groups begin."""
_READERS: tuple[ModuleType, ...] = (
    admin_tools, of_clients, of_coordinator, of_frameworks, of_kafka, of_metrics, of_redpanda, of_tools, settings,
    evidence, wrapped_lines, remarks,
    forms, consumer_offsets, metadata, transaction_state, batch_lines, record_lines, table_rows, checkpoints,
    cluster_tools, commands, dates, entries, java_objects, kcat, positions, admin_tables, unstick, recognise,
)  # fmt: skip
_PRINTED = """
    TRACE DEBUG INFO WARN WARNING ERROR FATAL true false none null None Some Optional OptionalInt OptionalLong empty
    Empty Ongoing PrepareCommit PrepareAbort CompleteCommit CompleteAbort Dead PrepareEpochFence COMMIT ABORT Stable
    PreparingRebalance CompletingRebalance Leader Follower Observer LEADER FOLLOWER OBSERVER
    consumer connect range roundrobin sticky cooperative-sticky eager cooperative stream streams uniform classic share
    PLAINTEXT SSL SASL_PLAINTEXT SASL_SSL CONTROLLER INTERNAL EXTERNAL BROKER REPLICATION
    snappy gzip lz4 zstd uncompressed producer compact delete CreateTime LogAppendTime NoTimestampType
    Topic TopicId PartitionCount ReplicationFactor Configs Partition Leader Replicas Isr Elr LastKnownElr Offline
    TransactionalId Coordinator CoordinatorId ProducerId ProducerEpoch TransactionState TransactionTimeoutMs
    CurrentTransactionStartTimeMs TransactionDurationMs TopicPartitions LatestCoordinatorEpoch LastSequence
    LastTimestamp CurrentTransactionStartOffset CoordinatorEpoch StartOffset Duration Duration(min)
    GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID NEW-OFFSET START-OFFSET
    LEADER PRODUCER-EPOCH LAST-TIMESTAMP LAST-SEQUENCE COORDINATOR-EPOCH TXN-START-OFFSET START-TIMESTAMP TIMEOUT
    TIMEOUT-MS TOPICS ERROR EPOCH CLUSTER BROKERS PORT RACK NAME PARTITIONS REPLICAS START STABLE END cluster info
    cluster-id Cluster ID: print-partitions Enable debug logging for additional detail
    COORDINATOR TRANSACTIONAL-ID PRODUCER-ID STATE ASSIGNMENT-STRATEGY MEMBERS ID OFFSET-LAG LEADER-EPOCH
    kafka-transactions.sh kafka-topics.sh kafka-consumer-groups.sh kafka-dump-log.sh kafka-configs.sh kafka-features.sh
    kafka-metadata-quorum.sh kafka-get-offsets.sh kafka-share-groups.sh kafka-streams-groups.sh rpk kcl bin
    find-hanging describe-producers describe abort list force-terminate unstick-lso txn admin transaction
    bootstrap-server bootstrap-controller broker-id max-transaction-timeout topic partition start-offset
    transactional-id producer-id producer-epoch coordinator-epoch group all-groups all-topics state verbose members
    command-config files print-data-log deep-iteration transaction-log-decoder offsets-decoder
    cluster-metadata-decoder value-decoder-class skip-record-metadata entity-type entity-name entity-default
    Exception in thread main Caused by at more java lang org apache kafka scala RuntimeException IllegalStateException
    message msg log level timestamp time logger thread name client_id topics partitions eos txn_state producer_id
    producer_epoch hi_offset lo_offset ls_offset committed_offset stored_offset next_offset app_offset type
    version data key value payload transactionalId transactionPartitions partitionIds transactionStatus
    transactionTimeoutMs transactionStartTimestampMs transactionLastUpdateTimestampMs previousProducerId
    nextProducerId clientTransactionVersion memberId clientId clientHost groupInstanceId sessionTimeout
    rebalanceTimeout subscription assignment protocol protocolType generation generationId leader leaderEpoch
    currentStateTimestamp commitTimestamp expireTimestamp metadata offset
    CorruptRecordException Record record TransactionLog DumpLogSegments
    PartitionProducerState activeProducers
    JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS
    starting Starting Non-consecutive Non-secutive offsets end bootstrap Log index Index
    collect.sh captured_at file there setting stopped running kafka_version dumps logdir
    broker kafka node replica server oracle capture find hanging max timeout transactions consumer groups offsets
    latest earliest txt log data stderr snapshot txnindex index timeindex checkpoint toml properties
    json jsonl csv md gz zst
    replication recovery point cleaner start epoch quorum-state state
    LastFetchTimestamp LastCaughtUpTimestamp Status quorum status configs
    metadata.version transaction.version group.version kraft.version eligible.leader.replicas.version
    streams.version share.version
    kafka_consumergroup_lag kafka_consumergroup_group_lag kminion_kafka_consumer_group_topic_partition_lag
    consumergroup group_id topic_name partition_id cluster_name
    date UTC GMT CET CEST EET EEST WET WEST BST IST MSK EST EDT CST CDT MST MDT PST PDT JST KST AEST AEDT AM PM
    Universal for in do done echo seq ts err error exception transactional_id transactional.id producerId
"""
"""What Kafka prints and our patterns do not name."""


@functools.cache
def words() -> frozenset[str]:
    """Return every word that stays as it is where no name is expected."""
    found = {*_PRINTED.split(), *FIELDS.split(), *batch_lines.FIELDS}
    patterns = [one for module in _READERS for one in vars(module).values() if isinstance(one, re.Pattern)]
    patterns += [pattern.regex for pattern in LOG_LINES]
    patterns += [pattern for _, pattern in TEXT_KINDS]
    for pattern in patterns:
        text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
        found.update(_WORD.findall(_ESCAPE.sub(" ", text)))
    for control in (False, True):
        for kind in metadata_schemas.record_types(control=control).values():
            found.add(kind.name)
            for shape in kind.versions.values():
                found |= _fields_of(shape)
    return frozenset(found)


def _fields_of(shape: metadata_schemas.Shape) -> set[str]:
    if isinstance(shape, metadata_schemas.Array):
        return _fields_of(shape.of)
    if isinstance(shape, str):
        return set()
    fields = [*shape.fields, *shape.tags.values()]
    return {name for name, _ in fields} | {word for _, of in fields for word in _fields_of(of)}
