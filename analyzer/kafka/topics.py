"""The topics in which Kafka keeps its own state, and what the name of any topic looks like."""

TOPIC_NAME = r"[A-Za-z0-9._-]{1,249}"
"""A pattern of the legal names (`Topic.validate`)."""
STATE_TOPIC = "__transaction_state"
OFFSETS_TOPIC = "__consumer_offsets"
INTERNAL_TOPICS = (STATE_TOPIC, OFFSETS_TOPIC)
UNOPENED = {
    "__share_group_state": "where share groups read on, and which records they have acquired",
    "__remote_log_metadata": "which segments are in remote storage",
}
"""Further topics of Kafka's own, whose records are not opened, with what they hold."""
METADATA_TOPIC = "__cluster_metadata"
"""The log of a KRaft quorum: what the controllers decided. Its only partition is 0."""
