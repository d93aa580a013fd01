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
