"""Shares of a table: each row is in exactly one, whatever its numbers are."""

import pytest

from analyzer.pipeline.amounts.shares import Share

SIZES = {2: 30, 3: 80, 5: 1_000, 8: 10, 9: 0}
ROWS = [
    (log, producer) for log in (None, 0, 1, 2, 3, 4, 5, 8, 9, 10) for producer in (None, -1, 0, 1, 2, 3, 7, 1 << 40)
]


@pytest.mark.parametrize("sizes", [{}, {4: 0}, {4: 7}, SIZES], ids=["none", "empty", "one", "several"])
@pytest.mark.parametrize("by_producer", [False, True])
def test_each_row_is_in_one_share(spark, sizes, by_producer):
    shares = Share.several("log_no", sizes, 100, split_by="producer_id" if by_producer else "")
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
