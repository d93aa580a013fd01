"""Where batches of a few transactions stand, looked up by offset."""

import pytest
from given_tables import run_with

from analyzer.lifecycles.logs.lines import MARKER, line_stages
from analyzer.pipeline.amounts.holding import Holding
from analyzer.pipeline.amounts.one_task_or_many import Amount
from analyzer.storage.engines.differences import engine_of

EVENTS = (
    "log_no int, producer_id bigint, base_offset bigint, segment bigint, position bigint, is_control boolean, "
    "batch_ref struct<path:string,line:bigint,byte_offset:bigint,record:int>, max_timestamp bigint, base_sequence int"
)


def event(log, producer, offset, path, *, segment=0, control=False):
    return (
        log,
        producer,
        offset,
        segment,
        10 * offset,
        control,
        (path, None, 10 * offset, None),
        1000 + offset,
        offset,
    )


@pytest.fixture(scope="module")
def events(spark):
    rows = [
        event(1, 7, 5, "5"), event(1, 7, 8, "8"), event(1, 7, 9, "9", control=True),
        event(1, 8, 5, "another producer's"), event(2, 7, 5, "another log's"),
        event(1, 7, 8, "8 again, in the segment after", segment=8),
        (1, 7, 2, None, None, False, ("of a snapshot", None, 3, None), None, None),
    ]  # fmt: skip
    return spark.createDataFrame(rows, EVENTS)


@pytest.fixture(params=[Amount.FEW, Amount.MANY], ids=["few", "many"])
def hold(spark, request):
    return Holding(engine_of(spark), request.param)


def test_batches_are_found_by_log_producer_id_and_offset(spark, events, hold):
    rows = spark.createDataFrame(
        [("whole", 1, 7, 5, 8), ("one", 1, 7, 8, 8), ("carried in", 1, 7, 2, 5), ("gone", 1, 7, 6, None)],
        "name string, log_no int, producer_id bigint, first bigint, last bigint",
    )
    stages = line_stages("told", "rows", {"first_batch": "first", "last_batch": "last"}, {})
    told = run_with(hold, stages, rows=rows, events=events)["told"].collect()
    assert len(told) == 4
    found = {row.name: (row.first_batch and row.first_batch.batch_ref.path, row.last_batch) for row in told}
    paths = {name: (first, last and last.batch_ref.path) for name, (first, last) in found.items()}
    assert paths == {"whole": ("5", "8"), "one": ("8", "8"), "carried in": ("of a snapshot", "5"), "gone": (None, None)}
    last = found["whole"][1]
    assert (last.base_offset, last.max_timestamp, last.base_sequence) == (8, 1008, 8)


def test_the_producer_id_may_be_in_another_column(spark, events, hold):
    rows = spark.createDataFrame([(1, 99, 7, 9)], "log_no int, producer_id bigint, other bigint, before_offset bigint")
    stages = line_stages("told", "rows", {}, {"before": "other"})
    (row,) = run_with(hold, stages, rows=rows, events=events)["told"].collect()
    assert (row.producer_id, row.before_ref.path) == (99, "9")


def test_a_row_without_a_marker_has_no_line(spark, events, hold):
    rows = spark.createDataFrame([(1, 7, 9), (1, 7, None)], "log_no int, producer_id bigint, marker_offset bigint")
    told = run_with(hold, line_stages("told", "rows", {}, MARKER), rows=rows, events=events)["told"].collect()
    assert sorted((row.marker_offset or 0, row.marker_ref and row.marker_ref.path) for row in told) == [
        (0, None),
        (9, "9"),
    ]


def test_data_and_a_marker_at_the_same_offset_are_told_apart(spark, events, hold):
    both = events.unionByName(spark.createDataFrame([event(1, 7, 9, "damaged", segment=9)], EVENTS))
    rows = spark.createDataFrame([(1, 7, 9)], "log_no int, producer_id bigint, marker_offset bigint")
    stages = line_stages("told", "rows", {"batch": "marker_offset"}, MARKER)
    (row,) = run_with(hold, stages, rows=rows, events=both)["told"].collect()
    assert (row.batch.batch_ref.path, row.marker_ref.path) == ("damaged", "9")
