"""A batch whose base offset or leader epoch is damaged is put right, and no batch of a sound log is touched."""

import random

import pytest

from analyzer.lifecycles.logs.leader_epochs import epoch_ranges
from analyzer.lifecycles.logs.segments import segments
from analyzer.lifecycles.logs.strayed import doubtful_logs, doubtful_segments, restored, strayed, wrong_epochs
from analyzer.lifecycles.placing import log_names

LOG = "capture string, topic string, partition int, replica string, segment bigint"
REF = "struct<path:string,line:bigint,byte_offset:bigint,record:int>"
STAMPED = "timestamp_type = 'LogAppendTime' AND NOT is_control AS stamped"
BATCHES = (
    f"log_no int, {LOG}, position bigint, base_offset bigint, last_offset bigint, size int, is_control boolean, "
    f"batch_ref {REF}, count bigint, producer_id bigint, marker string, partition_leader_epoch int, "
    "timestamp_type string, max_timestamp bigint, crc bigint"
)
UNASKED = (2, -1, None, 0, "CreateTime", 1_700_000_000_000, None)
"""What no order depends on."""
PLACES = f"log_no int, {LOG}, kind string"
SOUND = tuple((first, first + 1) for first in range(100, 140, 2))
"""Twenty batches of two records of the segment 100; the next segment begins at 140."""


def damaged(at: int, base: int) -> tuple[tuple[int, int], ...]:
    return (*SOUND[:at], (base, base + 1), *SOUND[at + 1 :])


FLIPS = {
    f"{name} by bit {bit}": (at, SOUND[at][0] ^ 1 << bit)
    for name, at in (("first", 0), ("second", 1), ("middle", 9), ("last", 19))
    for bit in range(63)
}


@pytest.fixture(scope="module")
def judged(spark):
    """Each flip as a capture: where its batches are in the end, and which were called strayed."""
    rng = random.Random(1)
    compacted = tuple(sorted(rng.sample(SOUND, 9)))
    captures = {name: damaged(*flip) for name, flip in FLIPS.items()}
    captures |= {"twice": damaged(9, SOUND[0][0])}
    captures |= {"sound": SOUND, "compacted": compacted, "no segment": tuple(reversed(SOUND))}
    rows = [
        (log, name, "orders", 0, "1", 100, 80 * number, first, last, 80, False, ("log", number, 0, None), *UNASKED)
        for log, (name, batches) in enumerate(captures.items())
        for number, (first, last) in enumerate(batches)
    ]
    places = [
        (log, name, "orders", 0, "1", segment, "log") for log, name in enumerate(captures) for segment in (100, 140)
    ]
    unnamed = ((5 << 31), (5 << 31) + 2, (5 << 31) + 4)
    other = (len(captures), "unnamed", "orders", 0, "1")
    rows += [(*other, 0, 80 * n, at, at + 1, 80, False, None, *UNASKED) for n, at in enumerate(unnamed)]
    places += [(*other, segment, "log") for segment in (0, 140)]
    batches, named = (
        spark.createDataFrame(rows, BATCHES).selectExpr("*", STAMPED),
        spark.createDataFrame(places, PLACES),
    )
    corrupt = spark.createDataFrame([], "log_no int, segment bigint, corrupt_end bigint")
    extents = segments(batches, log_names(named), corrupt)
    wrong = strayed(doubtful_segments(extents, named), batches).localCheckpoint()
    out = {name: ([], []) for name in (*captures, "unnamed")}
    for row in restored(wrong, _wrong_epochs(batches), batches).orderBy("position").collect():
        out[row.capture][0].append((row.base_offset, row.last_offset))
    for row in wrong.collect():
        out[row.capture][1].append(row.position // 80)
    return captures, out


def _wrong_epochs(batches):
    return wrong_epochs(doubtful_logs(epoch_ranges(batches)), batches)


@pytest.mark.parametrize("name", FLIPS)
def test_one_flipped_bit_moves_no_bound(judged, name):
    at, base = FLIPS[name]
    batches, strays = judged[1][name]
    if 100 <= base < 140 and strays != [at]:  # inside the segment a flip may leave an order that could be true
        assert min(batches)[0] >= 100
        assert max(batches)[1] < 140
        return
    assert strays == [at]
    assert tuple(batches) == SOUND


@pytest.mark.parametrize("name", ["sound", "compacted", "no segment"])
def test_nothing_else_is_moved(judged, name):
    captures, out = judged
    assert out[name] == (list(captures[name]), [])


def test_an_offset_that_another_batch_has_too_is_damage(judged):
    batches, strays = judged[1]["twice"]
    assert strays == [9]
    assert tuple(batches) == SOUND


def test_a_dump_that_does_not_name_its_segment_has_no_bounds_of_segment_0(judged):
    assert judged[1]["unnamed"][1] == []


EPOCHS = {
    # name: leader epochs of the batches -> those that are believed
    "one": ((2, 2, 2, 2), (2, 2, 2, 2)),
    "two": ((2, 2, 3, 3), (2, 2, 3, 3)),
    "none": ((-1, -1, 0, 0), (-1, -1, 0, 0)),
    "higher": ((2, 2, 1026, 2, 2), (2, 2, 2, 2, 2)),
    "lower": ((3, 3, 1, 3, 3), (3, 3, 3, 3, 3)),
    "negative": ((0, -2147483648, 0, 0), (0, 0, 0, 0)),
    "at the change": ((2, 2, 66, 3, 3), (2, 2, None, 3, 3)),
    "lower at the change": ((2, 2, 0, 3, 3), (2, 2, None, 3, 3)),
    "first": ((66, 2, 2, 3), (2, 2, 2, 3)),
    "last, lower": ((2, 3, 3, 1), (2, 3, 3, 3)),
    "last, higher: a new leader's": ((2, 3, 3, 67), (2, 3, 3, 67)),
    "in order": ((2, 3, 4, 5), (2, 3, 4, 5)),
    "two of them: nobody can tell": ((2, 2, 66, 66, 2, 2), (2, 2, 66, 66, 2, 2)),
}


@pytest.fixture(scope="module")
def led(spark):
    """The leader epochs of each log's batches, restored, and how many were called wrong."""
    rows = [
        (log, name, "orders", 0, "1", 0, 80 * n, 2 * n, 2 * n + 1, 80, False, None, 2, -1, None, epoch, *UNASKED[4:])
        for log, (name, (epochs, _)) in enumerate(EPOCHS.items())
        for n, epoch in enumerate(epochs)
    ]
    batches = spark.createDataFrame(rows, BATCHES)
    wrong = _wrong_epochs(batches).localCheckpoint()
    nothing = strayed(spark.createDataFrame([], f"{LOG}, lower bigint, upper bigint"), batches)
    out = {name: [] for name in EPOCHS}
    for row in restored(nothing, wrong, batches).orderBy("position").collect():
        out[row.capture].append(row.partition_leader_epoch)
    return out, [row.capture for row in wrong.collect()]


@pytest.mark.parametrize("name", EPOCHS)
def test_a_leader_epoch_only_grows(led, name):
    said, right = EPOCHS[name]
    batches, wrong = led
    assert tuple(batches[name]) == right
    assert wrong.count(name) == (said != right)
