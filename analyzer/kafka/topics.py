"""The topics in which Kafka keeps its own state."""

STATE_TOPIC = "__transaction_state"
OFFSETS_TOPIC = "__consumer_offsets"
INTERNAL_TOPICS = (STATE_TOPIC, OFFSETS_TOPIC)
METADATA_TOPIC = "__cluster_metadata"
"""The log of a KRaft quorum: what the controllers decided. Its only partition is 0."""
