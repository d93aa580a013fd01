"""The cleaner's rule against the worked example of KAFKA-13727 and against what a fixed broker keeps."""

from analyzer.kafka.cleaner import REPORTED, Record, clean, reported_example, transaction_index

HOUR_MS = 3_600_000


def offsets(records):
    return [record.offset for record in records]


def test_the_first_pass_forgets_the_aborted_transaction_and_marks_its_marker():
    first, _, _ = reported_example(fixed=False)
    assert first.dirty_offset == 3
    assert offsets(first.records) == [0, 1, 2, 3, 4, 5, 6, 7]
    assert [record.offset for record in first.records if record.delete_horizon_ms is not None] == [7]
    assert first.index == ()


def test_the_second_pass_removes_the_marker_and_leaves_the_data():
    _, second, _ = reported_example(fixed=False)
    assert second.dirty_offset == 6
    assert offsets(second.records) == [0, 1, 2, 3, 4, 5, 6]


def test_the_third_pass_lets_the_aborted_value_displace_the_committed_one():
    _, _, third = reported_example(fixed=False)
    assert offsets(third.records) == [0, 2, 3, 4, 5, 6]
    assert [record for record in third.records if record.key == "b"] == [Record(6, 1, "b")]


def test_the_fixed_cleaner_removes_the_data_first_and_then_the_marker():
    passes = reported_example(fixed=True)
    assert offsets(passes[0].records) == [0, 1, 2, 3, 4, 5, 7]
    assert passes[0].index == transaction_index(REPORTED)
    assert offsets(passes[-1].records) == [0, 1, 2, 3, 4, 5]


def test_a_map_with_room_for_every_key_forgets_nothing():
    for fixed in (False, True):
        done = clean(REPORTED, transaction_index(REPORTED), 0, map_keys=9, now_ms=0, retention_ms=HOUR_MS, fixed=fixed)
        assert offsets(done.records) == [0, 1, 2, 3, 4, 5, 7]
        assert done.index == transaction_index(REPORTED)


def test_a_marker_stays_until_its_horizon():
    empty = (Record(0, 1, marker="ABORT", delete_horizon_ms=HOUR_MS), Record(1, 0, "a"))
    for now_ms, left in ((HOUR_MS, [0, 1]), (HOUR_MS + 1, [1])):
        done = clean(empty, (), 0, map_keys=9, now_ms=now_ms, retention_ms=HOUR_MS)
        assert offsets(done.records) == left
