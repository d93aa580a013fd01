"""Shares of a table: each row is in exactly one, whatever its numbers are."""

import pytest

from analyzer.pipeline.amounts.shares import Share
from analyzer.pipeline.amounts.sizes import shares_of

SIZES = {2: 30, 3: 80, 5: 1_000, 8: 10, 9: 0}
ROWS = [
    (log, producer) for log in (None, 0, 1, 2, 3, 4, 5, 8, 9, 10) for producer in (None, -1, 0, 1, 2, 3, 7, 1 << 40)
]


@pytest.mark.parametrize("sizes", [{}, {4: 0}, {4: 7}, SIZES], ids=["none", "empty", "one", "several"])
@pytest.mark.parametrize("split_by", ["", "producer_id"])
def test_each_row_is_in_one_share(spark, sizes, split_by):
    shares = Share.several("log_no", sizes, 100, split_by=split_by)
    rows = spark.createDataFrame(ROWS, "log_no int, producer_id bigint")
    found = [tuple(row) for share in shares for row in share.only(rows).collect()]
    assert sorted(found, key=str) == sorted(ROWS, key=str)


def test_shares_are_of_even_size():
    shares = Share.several("log_no", SIZES, 100, split_by="producer_id")
    assert [(share.first, share.last) for share in shares if share.parts == 1] == [(None, 2), (3, 4), (8, None)]
    assert [share.part for share in shares if (share.first, share.last, share.parts) == (5, 7, 10)] == list(range(10))
    assert [(share.first, share.last) for share in Share.several("log_no", SIZES, 100)] == [
        (None, 2), (3, 4), (5, 7), (8, None)
    ]  # fmt: skip


def test_all_of_one_share_is_not_searched():
    (share,) = Share.several("log_no", {1: 40, 2: 50}, 100)
    rows = object()
    assert share.only(rows) is rows


PLACES = [
    ("s3", "__transaction_state", 3, 1, 10), ("a0", "a", 0, 2, 50), ("s4", "__transaction_state", 4, 3, 10),
    ("b0", "b", 0, 4, 70), ("c0", "c", 0, 5, 0), ("o7", "__consumer_offsets", 7, 6, 90), ("none", None, None, 7, 0),
]  # fmt: skip


PLACE = "file_id string, topic string, partition int, log_no int, section_batches bigint, section_records bigint"


@pytest.fixture(scope="module")
def places(spark):
    """Each file shows a batch of its log."""
    return spark.createDataFrame([(*place, place[-1]) for place in PLACES], PLACE)


def test_the_files_of_a_share_have_all_its_rows(spark, places):
    """One batch is merged from several files."""
    shown = [(file, log, partition, 0) for file, _, partition, log, _ in PLACES] + [(None, 4, 0, 0)]
    batches = spark.createDataFrame(shown, "file_id string, log_no int, offsets_partition int, producer_id bigint")
    shares = shares_of(places, {"b"}, 100)
    assert [share.files for share in shares["log_no"]] == [["s3", "a0", "s4"], ["b0", "c0"], ["o7", "none"]]
    assert [share.files for share in Share.several("log_no", {1: 90, 2: 90}, 100, {1: ["x"] * 2_001})] == [[], []]
    found = [tuple(row) for share in shares["log_no"] for row in share.only(batches).collect()]
    assert sorted(found, key=str) == sorted(shown, key=str)


def test_keyed_records_are_split_by_their_hash(spark, places):
    shares = shares_of(places, {"a", "b"}, 30)["key_murmur2"]
    rows = spark.createDataFrame([(number,) for number in (0, 1, 2, 3, 4, 5, 2**31 - 1)], "key_murmur2 int")
    found = [sorted(row[0] for row in share.only(rows).collect()) for share in shares]
    assert found == [[0, 4], [1, 5], [2], [3, 2**31 - 1]]
    assert len(shares_of(places, set(), 30)["key_murmur2"]) == 1
