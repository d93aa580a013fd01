"""What the batches of a segment say together, read once."""

import pytest

from analyzer.lifecycles.logs.segments import bounds, segments, torn

LOG = "capture string, topic string, partition int, replica string"
BATCHES = (
    f"log_no int, {LOG}, segment bigint, position bigint, size bigint, base_offset bigint, last_offset bigint, "
    "count bigint, producer_id bigint, is_control boolean, marker string, partition_leader_epoch int, "
    "timestamp_type string, max_timestamp bigint"
)
STAMPED = "timestamp_type = 'LogAppendTime' AND NOT is_control AS stamped"
NAMES = f"log_no int, {LOG}"
PLACE, TORN = ("c", "orders", 0, "1"), ("c", "torn", 0, "1")


def batch(segment, position, first, last, *, size=80, control=False, marker=None, epoch=0, kind="CreateTime", ms=5):
    """A batch of log 1, without its name."""
    return (segment, position, size, first, last, 1, 7, control, marker, epoch, kind, ms)


@pytest.fixture(scope="module")
def rows(spark):
    """Segment 0 is whole. Of 100, a batch is missing with its bytes, 200 has a hole without, 300 is out of order.

    Nothing printed the size of a batch of 400. Behind the batch of 500, in a log of its own, is one with a wrong checksum.
    """
    batches = [
        batch(0, 0, 0, 4), batch(0, 80, 5, 5, control=True, marker="COMMIT", ms=9),
        batch(100, 0, 100, 104), batch(100, 160, 110, 114, control=True, epoch=3),
        batch(200, 0, 200, 200), batch(200, 80, 205, 209, kind="LogAppendTime", ms=7, epoch=4),
        batch(300, 0, 310, 314, ms=20), batch(300, 80, 305, 309),
        batch(400, 0, 400, 404), batch(400, 80, 406, 409, size=None),
    ]  # fmt: skip
    rows = [*[(1, *PLACE, *one) for one in batches], (2, *TORN, *batch(500, 0, 500, 504))]
    made = spark.createDataFrame(rows, BATCHES).selectExpr("*", STAMPED)
    corrupt = spark.createDataFrame([(2, 500, 160)], "log_no int, segment bigint, corrupt_end bigint")
    return segments(made, spark.createDataFrame([(1, *PLACE), (2, *TORN)], NAMES), corrupt).localCheckpoint()


@pytest.fixture(scope="module")
def by_segment(rows):
    return {row.segment: row for row in rows.where("log_no = 1").collect()}


def test_what_is_missing_is_counted_in_offsets_and_in_bytes(by_segment):
    missing = {name: (row.missing_offsets, row.missing_bytes) for name, row in by_segment.items()}
    assert missing == {0: (0, 0), 100: (5, 80), 200: (4, 0), 300: (0, 0), 400: (1, None)}


def test_what_lies_behind_the_last_sound_batch_is_missing(rows, by_segment):
    [behind] = rows.where("log_no = 2").collect()
    assert (behind.missing_offsets, behind.missing_bytes, behind.corrupt_end) == (0, 80, True)
    assert not any(row.corrupt_end for row in by_segment.values())
    assert {row.segment for row in torn(rows).collect()} == {100, 500}
    assert {row.topic: row.corrupt_end for row in bounds(rows).collect()} == {"orders": False, "torn": True}


def test_a_hole_in_one_segment_thins_its_log(by_segment):
    assert all(row.thinned for row in by_segment.values())


def test_links_are_the_ends_only_where_every_batch_follows_another(by_segment):
    followed = {name for name in (0, 100, 200, 300) if by_segment[name].links == by_segment[name].ends}
    assert followed == {0}
    assert (by_segment[300].head_offset, by_segment[300].tail_offset) == (310, 309)
    assert (by_segment[300].segment_start, by_segment[300].segment_end) == (305, 314)


def test_segments_know_the_next_one(by_segment):
    assert {name: row.next_segment for name, row in by_segment.items()} == {
        0: 100, 100: 200, 200: 300, 300: 400, 400: None,
    }  # fmt: skip


def test_markers_without_a_type_are_counted(by_segment):
    assert {name: row.untyped_markers for name, row in by_segment.items()} == {
        0: 0, 100: 1, 200: 0, 300: 0, 400: 0,
    }  # fmt: skip


def test_a_log_spans_what_its_segments_span(rows):
    [log] = bounds(rows.where("log_no = 1")).collect()
    assert (log.first_offset, log.end_of_batches, log.batches, log.batch_epoch) == (0, 410, 10, 4)
    assert (log.newest_ms, log.reaches_ms) == (9, 20)
