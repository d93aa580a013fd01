"""Settings as the controllers' log dates them and as kafka-configs.sh tells them, and the ages that they bound."""

import pytest

from analyzer.lifecycles.controller import tables
from analyzer.lifecycles.controller.known_settings import known_settings, producer_id_expirations
from analyzer.lifecycles.matching.timing import MAX_TIMEOUT_MS, longest_timeouts

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
            spark.createDataFrame([], tables.FEATURE_LEVELS.ddl),
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


def test_producer_ids_expire_as_it_is_set_now_and_may_have_as_it_ever_was(known):
    name = "producer.id.expiration.ms"
    (row,) = producer_id_expirations(known(dynamic(name, "1000", 1, 2), dynamic(name, HALF_A_DAY, 2))).collect()
    assert (row.longest_ms, row.shortest_ms, row.expires_everywhere) == (int(HALF_A_DAY), 1000, True)
    (row,) = producer_id_expirations(known(dynamic(name, HALF_A_DAY, 2, resource="3"))).collect()
    assert (row.longest_ms, row.expires_everywhere) == (int(HALF_A_DAY), False)
    assert producer_id_expirations(known(dynamic("retention.ms", A_DAY, 1))).collect() == []


def test_the_longest_timeout_of_some_broker_counts_and_proves_nothing_of_others(spark):
    captures = spark.createDataFrame(
        [("none", "{}"), ("toml", '{"timeouts":{"transaction_max_timeout_ms":5000}}'), ("longer", "{}")],
        "capture string, manifest string",
    )
    seen = [asked("transaction.max.timeout.ms", "1: 3600000", capture=name) for name in ("toml", "longer")]
    rows = longest_timeouts(captures, spark.createDataFrame(seen, SEEN)).collect()
    assert {row.capture: (row.max_timeout_ms, row.max_timeout_told) for row in rows} == {
        "none": (MAX_TIMEOUT_MS, False), "toml": (3_600_000, True), "longer": (3_600_000, False),
    }  # fmt: skip
