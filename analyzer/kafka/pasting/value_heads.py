"""How answers look that are values: JSON of tools and of pages' APIs, YAML of rpk and kafkactl, Python's own form."""

YAML_BEGINS = (
    r"(?:- (?:broker|leader|coordinator|topic|transaction(?:al)?_id|summary):(?: [^\n]{0,300})?"
    r"|name: [\w.-]{1,249}|group:)"
)
"""How answers of rpk begin, and those of kafkactl on a topic and a group."""
YAML_SAYS = r"^ +(?:- )?(?:transaction(?:al)?_id|producer_id|last_stable_offset|high_watermark|newestOffset): \S"
"""What they say further below: other programs write YAML that begins so, too."""
PYTHON_BEGINS = r"(?:\[?\{'|\{TopicPartition\(topic='|\{\d{1,9}: \[)"
PYTHON_SAYS = (
    rf"^{PYTHON_BEGINS}[^\n]{{0,400}}\b(?:active_producers|coordinator_id|coordinator_epoch|age_ms|producer_id"
    r"|transactional_id)\b"
)
JSON_SAYS = (
    r"\"(?:active_producers|transaction_timeout_ms|topic_partitions|lso_bound|staleness_ms|raft_group_id"
    r"|leaderPreferred|offsetMax|consumerLag|newestOffset|KafkaPartitionState)\":\s?[\[{\d\-tfn\"]"
    r"|\"firstOffset\":\s?-?\d{1,19},\s*\"lastOffset\":|\"kind\":\s?\"Kafka(?:Partition|ConsumerLag)(?:List)?\""
    r"|^\{\"\d{1,9}\":\s?\[\{\"transactional_id\":"
)
"""Of kafka-python, Redpanda's Admin API, Kafdrop, Kafka UI, kafkactl, Cruise Control, AKHQ and REST Proxy."""

FIELDS = """
    active_producers active_transactions age_ms coordinator_epoch coordinator_id
    current_transaction_start_offset epoch etag expired_transactions group_id groups id last_sequence
    last_timestamp lso_bound ns partition_id partitions pid producer_epoch producer_id raft_group_id
    staleness_ms state status timeout_ms topic topic_partitions transaction_start_time_ms transaction_timeout_ms
    transactional_id transaction_id tx_seq leader_id node_id core ongoing empty ready tombstone expired
    preparing_commit preparing prepared preparing_abort aborting killed completed_commit completed_abort name
    nodes leader inSyncs firstOffset lastOffset size replicas inSyncReplicas leaderPreferred offlineReplicas
    preferredLeader partition broker inSync offsetMax offsetMin partitionCount replicationFactor internal
    Partitions ID oldestOffset newestOffset Leader kind KafkaPartition KafkaPartitionList KafkaConsumerLag
    KafkaConsumerLagList data metadata related topic_name cluster_id consumer_group_id current_offset
    log_end_offset lag offsets offset groupId currentOffset endOffset consumerLag Group Name Topics Partition
    consumerOffset Lead Lag totalLag protocoltype protocol KafkaPartitionState offline urp in-sync out-of-sync
    min-isr under-min-isr with-offline-replicas other summary configs high_watermark last_stable_offset error
    TopicPartition PartitionProducerState ProducerState TransactionDescription TransactionListing
    TransactionState ONGOING EMPTY PREPARE_COMMIT PREPARE_ABORT COMPLETE_COMMIT COMPLETE_ABORT DEAD
    OLDEST_OFFSET NEWEST_OFFSET IN_SYNC_REPLICAS CONSUMER_OFFSET LEAD REPLICAS IN-SYNC OUT-OF-SYNC OFFLINE
    MIN-ISR Under Replicated Offline and MinIsr with Replicas Other All the Cluster verbose Reached of curl http
    https v1 jq python kafka.admin format yaml kafkactl kcat
"""
"""What these answers call their fields, states and columns, and words of the commands that ask for them."""
