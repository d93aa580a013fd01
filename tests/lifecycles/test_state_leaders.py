"""Which leader of a state partition works by which count: what a capture must show before anybody is called orphaned."""

import dataclasses

import pytest

from analyzer.lifecycles.routing.leaders import served

TOPIC = "__transaction_state"
ROWS = (
    "capture string, topic string, partition int, by_old_only boolean, by_new_only boolean, last_offset bigint, "
    "new_count int, placed_by int"
)
BATCHES = (
    "capture string, topic string, partition int, base_offset bigint, last_offset bigint, partition_leader_epoch int"
)
PLACES = "capture string, topic string, partition int, replica string, kind string, segment bigint"
SEEN = (
    "capture string, observed string, topic string, log_topic string, partition int, log_partition int, number bigint, "
    "other_number bigint, path string, line bigint, byte_offset bigint, record int, replica string"
)


@dataclasses.dataclass(frozen=True)
class Shown:
    """What a capture of two state partitions shows: an id by the old count in 0, one by the new count in 1."""

    replicas: dict[int, tuple[str, ...]]
    named: dict[int, int] = dataclasses.field(default_factory=dict)
    epoch_start: int = 4
    new_epoch: int = 1


CAPTURES = {
    "one_replica_each": Shown({0: ("1",), 1: ("1",), 2: ("2",)}),
    "another_leader": Shown({0: ("2",), 1: ("1",), 2: ("1",)}),
    "single_broker": Shown({0: ("1",), 1: ("1",), 2: ("1",)}),
    "part_of_the_topic": Shown({0: ("1",), 1: ("1",)}),
    "three_replicas": Shown(dict.fromkeys(range(3), ("1", "2", "3"))),
    "named": Shown(dict.fromkeys(range(3), ("1", "2", "3")), named={0: 2, 1: 2, 2: 3}),
    "no_leader": Shown(dict.fromkeys(range(3), ("1", "2", "3")), named={0: -1, 1: -1, 2: 3}),
    "written_before": Shown({0: ("1",), 1: ("1",), 2: ("2",)}, new_epoch=0),
    "cut": Shown({0: ("1",), 1: ("1",), 2: ("2",)}, epoch_start=5),
}


@pytest.fixture(scope="module")
def rows(spark):
    routing, batches, places, seen = [], [], [], []
    for name, shown in CAPTURES.items():
        routing += [(name, TOPIC, 0, True, False, 3, 3, 2), (name, TOPIC, 1, False, True, 7, 3, 2)]
        batches += [(name, TOPIC, 0, 3, 3, 0), (name, TOPIC, 1, 7, 7, shown.new_epoch)]
        places += [
            (name, TOPIC, at, replica, "log", 0) for at, replicas in shown.replicas.items() for replica in replicas
        ]
        epochs = [(0, 1, shown.epoch_start), (1, 1, 6)]
        seen += [
            (name, "leader_epoch", None, TOPIC, None, at, start, epoch, "e", 1, 0, None, "1")
            for at, epoch, start in epochs
        ]
        seen += [
            (name, "partition_leader", TOPIC, None, at, None, leader, None, "d", 1, 0, None, "1")
            for at, leader in shown.named.items()
        ]
    frames = ((routing, ROWS), (batches, BATCHES), (seen, SEEN), (places, PLACES))
    found = served(*[spark.createDataFrame(values, types) for values, types in frames])
    return {row.capture: row for row in found.where("partition = 0").collect()}


def test_a_leader_that_wrote_by_the_new_count_in_another_partition_is_shown_to_know_it(rows):
    assert {name for name, row in rows.items() if row.leader_by_new} == {"one_replica_each", "named", "cut"}


def test_a_copy_that_ends_before_its_newest_leader_epoch_is_cut(rows):
    assert {name for name, row in rows.items() if row.cut} == {"cut"}


def test_nobody_by_the_old_count_wrote_in_the_newest_epoch(rows):
    assert {(row.old_epoch, row.newest_epoch, row.served) for row in rows.values()} == {(0, 1, False)}
    assert len(rows) == len(CAPTURES)
