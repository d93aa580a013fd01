"""Settings as the controllers' log dates them and as admin tools tell them, and the ages that they bound."""

import pytest

from analyzer.kafka.timeouts import LONGEST_TIMEOUT_MS
from analyzer.lifecycles.controller import tables
from analyzer.lifecycles.controller.settings import known_settings, producer_id_expirations
from analyzer.lifecycles.matching.timing import longest_timeouts

SEEN = (
    "capture string, observed string, topic string, name string, number bigint, text string, path string, line bigint, "
    "byte_offset bigint"
)
HALF_A_DAY, A_DAY = "43200000", "86400000"


def asked(name, text, topic=None, observed="setting", capture="c"):
    return (capture, observed, topic, name, None, text, "configs.txt", 3, 77)


def dynamic(config, value, since, until=None, resource="", kind="broker"):
    return ("c", kind, resource, config, value, None, 5, since, None, until, ("log", None, 9, 0))


@pytest.fixture
def known(spark):
    def _known(*configs, seen=()):
        return known_settings(
            spark.createDataFrame(list(configs), tables.DYNAMIC_CONFIGS.ddl),
            spark.createDataFrame(list(seen), SEEN),
        )

    return _known


def test_what_tools_told_is_split_into_whose_and_what(known):
    rows = known(
        seen=[
            asked("min.insync.replicas", "2", topic="pay"),
            asked("min.insync.replicas", ": 1"),
            asked("unclean.leader.election.enable", "3: true"),
            asked("log.cleaner.threads", "2: 2"),
            asked("metadata.version", "4.1-IV1", observed="feature_level"),
            asked("streams.version", "1", observed="feature_level"),
        ]
    ).collect()
    assert sorted((row.resource_type, row.resource, row.config, row.setting, row.dated) for row in rows) == [
        ("broker", "", "min.insync.replicas", "1", False),
        ("broker", "3", "unclean.leader.election.enable", "true", False),
        ("feature", "", "metadata.version", "4.1-IV1", False),
        ("topic", "pay", "min.insync.replicas", "2", False),
    ]
    assert {row.ref.path for row in rows} == {"configs.txt"}


def test_what_kafka_topics_lists_of_a_topic_is_told_too(known):
    head = "Topic: pay\tTopicId: q6eP\tPartitionCount: 4\tReplicationFactor: 1\tConfigs: "
    several = "cleanup.policy=compact,delete,segment.bytes=1048576,remote.storage.enable=true"
    rows = known(
        seen=[
            asked(None, head + several, topic="pay", observed="partition_count"),
            asked(None, head.replace("pay", "log") + "min.insync.replicas=2", topic="log", observed="partition_count"),
            asked(None, head.strip(), topic="none", observed="partition_count"),
        ]
    ).collect()
    assert sorted((row.resource_type, row.resource, row.config, row.setting, row.dated) for row in rows) == [
        ("topic", "log", "min.insync.replicas", "2", False),
        ("topic", "pay", "cleanup.policy", "compact,delete", False),
        ("topic", "pay", "remote.storage.enable", "true", False),
    ]


def test_producer_ids_expire_as_it_is_set_now_and_may_have_as_it_ever_was(known):
    name = "producer.id.expiration.ms"
    (row,) = producer_id_expirations(known(dynamic(name, "1000", 1, 2), dynamic(name, HALF_A_DAY, 2))).collect()
    assert (row.longest_ms, row.shortest_ms, row.expires_everywhere) == (int(HALF_A_DAY), 1000, True)
    (row,) = producer_id_expirations(known(dynamic(name, HALF_A_DAY, 2, resource="3"))).collect()
    assert (row.longest_ms, row.expires_everywhere) == (int(HALF_A_DAY), False)
    assert producer_id_expirations(known(dynamic("retention.ms", A_DAY, 1))).collect() == []


def test_the_longest_timeout_of_some_broker_counts_and_proves_nothing_of_others(spark):
    captures = spark.createDataFrame(
        [
            ("none", "{}", None), ("toml", '{"timeouts":{"transaction_max_timeout_ms":5000}}', "4.0.1"),
            ("longer", "{}", "4.1.0"),
        ],
        "capture string, manifest string, kafka_version string",
    )  # fmt: skip
    seen = [asked("transaction.max.timeout.ms", "1: 3600000", capture=name) for name in ("toml", "longer")]
    rows = longest_timeouts(captures, spark.createDataFrame(seen, SEEN)).collect()
    assert {row.capture: (row.max_timeout_ms, row.max_timeout_told) for row in rows} == {
        "none": (LONGEST_TIMEOUT_MS, False), "toml": (3_600_000, True), "longer": (3_600_000, False),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("version", "possible"),
    [(None, True), ("4.0.1", False), ("4.1.0", True), ("4.1.0-SNAPSHOT", True), ("3.9.1", False), ("7.6.1-ccs", True)],
)
def test_no_setting_bounds_the_age_where_brokers_know_two_phase_commit(spark, version, possible):
    shape = "capture string, manifest string, kafka_version string"
    rows = longest_timeouts(spark.createDataFrame([("one", "{}", version)], shape), spark.createDataFrame([], SEEN))
    assert [row.two_phase_possible for row in rows.collect()] == [possible]


@pytest.mark.parametrize(("told", "longest"), [(2147483646, 2147483646), (2147483647, None)])
def test_a_limit_that_is_switched_off_is_none(spark, told, longest):
    manifest = f'{{"timeouts":{{"transaction_max_timeout_ms":{told}}}}}'
    shape = "capture string, manifest string, kafka_version string"
    rows = longest_timeouts(
        spark.createDataFrame([("one", manifest, None)], shape), spark.createDataFrame([], SEEN)
    ).collect()
    assert [(row.max_timeout_ms, row.max_timeout_told) for row in rows] == [(longest, True)]
    seen = [asked("transaction.max.timeout.ms", f"1: {told}", capture="one")]
    captures = spark.createDataFrame([("one", "{}", None)], shape)
    rows = longest_timeouts(captures, spark.createDataFrame(seen, SEEN)).collect()
    assert [row.max_timeout_ms for row in rows] == [longest]
