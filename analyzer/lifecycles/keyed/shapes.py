"""The tables about keyed topics as they are where there is nothing to say: their columns, without planning a job."""

from analyzer.lifecycles.placing import REF_TYPE

HOMES = (
    "capture string, topic string, partition int, key_digest string, key_murmur2 int, key_crc32 bigint, "
    "records bigint, first_ms bigint, last_ms bigint"
)
COUNTS = (
    "capture string, topic string, how string, partitioner string, old_count int, new_count int, told_count int, "
    "bits double, keys bigint, records bigint, sampled bigint, unexplained bigint, expanded_at bigint"
)
TOPICS = f"{COUNTS}, boundary_ms bigint, boundary_from string, slack_ms bigint"
_LIMIT = (
    f"old_leader_epoch bigint, epoch_offset bigint, epoch_ref {REF_TYPE}, spanning bigint, "
    "spanning_first struct<first_offset:bigint,producer_id:bigint,marker:string,marker_offset:bigint>"
)
THRESHOLDS = (
    "capture string, topic string, prior_partition int, home_partition int, replica string, log_end_offset bigint, "
    f"boundary_ms bigint, late_offset bigint, stale_end bigint, time_offset bigint, {_LIMIT}"
)
READS = (
    "capture string, topic string, prior_partition int, `group` string, position bigint, wait_for bigint, "
    "time_offset bigint, may_read boolean"
)
STALE = (
    "capture string, topic string, partition int, replica string, last_offset bigint, first_offset bigint, "
    "producer_id bigint, keys bigint, key_samples string, records bigint, by_offset bigint, "
    "transactional_records bigint, last_ms bigint, producer_epoch int, boundary_ms bigint, boundary_from string, "
    f"old_count int, new_count int, transactional_id string, first_ms bigint, first_ref {REF_TYPE}, last_ref {REF_TYPE}"
)
BELOW = (
    "capture string, topic string, prior_partition int, `group` string, replica string, position bigint, "
    f"position_ref {REF_TYPE}, time_offset bigint, stale_end bigint, boundary_ms bigint, boundary_from string, "
    f"homes bigint, home_names string, home_partition int, home_position bigint, home_ref {REF_TYPE}, "
    f"{_LIMIT}, unread_records bigint, unread_keys bigint"
)
BROKEN = (
    "capture string, topic string, prior_partition int, home_partition int, replica string, keys bigint, "
    "key_samples string, groups bigint, group_names string, group_name string, unread_records bigint, "
    f"boundary_from string, boundary_ms bigint, position bigint, position_ref {REF_TYPE}, home_position bigint, "
    f"home_ref {REF_TYPE}, unread_offset bigint, unread_ms bigint, unread_ref {REF_TYPE}, read_offset bigint, "
    f"read_ms bigint, read_ref {REF_TYPE}"
)
"""Each names the columns of one table of `keyed_build.Keyed`, in order, in Spark's own words."""
