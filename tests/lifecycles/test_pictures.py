"""What a report draws: transactions around a finding, how a stuck log grew, where ids of an expanded topic are."""

import pytest
from pyspark.sql import functions as F

from analyzer.lifecycles.pictures import around
from analyzer.lifecycles.pictures.growth import POINTS, growth, id_places

LOG = "capture string, topic string, partition int, replica string"
TXNS = (
    f"{LOG}, txn_no bigint, producer_id bigint, producer_epoch int, first_offset bigint, last_offset bigint, "
    "records bigint, bytes bigint, first_ms bigint, last_ms bigint, "
    "marker string, marker_offset bigint, marker_ms bigint"
)
HERE = ("c", "orders", 0, "1")


def txn(producer_id, first, last, marker_offset=None, *, log=HERE, at=0):
    marker = None if marker_offset is None else "COMMIT"
    return (
        *log, 0, producer_id, 0, first, last, last - first + 1, 70, at, at + 1, marker, marker_offset,
        None if marker_offset is None else at + 2,
    )  # fmt: skip


def numbered(rows):
    return rows.withColumn("log_no", F.lit(1))


@pytest.fixture(scope="module")
def grown(spark):
    """A log of one record a batch, offsets 0 to 9: producer 1 open from 4 on, producer 2 committed around it."""
    txns = [txn(2, 0, 1, 2), txn(1, 4, 4), txn(2, 5, 7, 8)]
    batches = [(*HERE, offset, 1000 + offset) for offset in range(10)]
    pinned = [(*HERE, 0, 10)]
    rows = growth(
        spark.createDataFrame(pinned, f"{LOG}, low bigint, high bigint"),
        numbered(spark.createDataFrame(batches, f"{LOG}, last_offset bigint, max_timestamp bigint")),
        numbered(spark.createDataFrame(txns, TXNS)),
        spark.createDataFrame([(1, *HERE)], f"log_no int, {LOG}"),
    )
    return [(row.at_ms, row.log_end, row.lso) for row in sorted(rows.collect(), key=lambda row: row.point)]


def test_the_lso_follows_the_log_until_a_transaction_stays_open(grown):
    assert [log_end for _, log_end, _ in grown] == list(range(1, 11))
    assert [lso for _, _, lso in grown] == [0, 0, 3, 4, 4, 4, 4, 4, 4, 4]
    assert [at for at, _, _ in grown] == list(range(1000, 1010))


def test_a_long_log_has_few_points(spark):
    batches = spark.range(10_000).selectExpr(
        "'c' AS capture", "'orders' AS topic", "0 AS partition", "'1' AS replica", "id AS last_offset",
        "id AS max_timestamp",
    )  # fmt: skip
    pinned = spark.createDataFrame([(*HERE, 2_000, 10_000)], f"{LOG}, low bigint, high bigint")
    txns = numbered(spark.createDataFrame([txn(1, 9_000, 9_100)], TXNS))
    logs = spark.createDataFrame([(1, *HERE)], f"log_no int, {LOG}")
    rows = growth(pinned, numbered(batches), txns, logs).collect()
    assert len(rows) == POINTS
    assert {row.lso for row in rows if row.log_end > 9_000} == {9_000}
    assert all(row.lso == row.log_end for row in rows if row.log_end <= 9_000)


def test_the_nearest_of_others_and_all_of_the_own_producer_are_drawn(spark):
    others = [txn(2, 10 * number, 10 * number + 1, 10 * number + 2) for number in range(40)]
    own = [txn(1, 205, 206), txn(1, 13, 14, 15)]
    elsewhere = [txn(1, 205, 206, log=("c", "payments", 0, "1"))]
    targets = spark.createDataFrame(
        [("c", "orders", 0, 1, 205)], "capture string, topic string, partition int, producer_id bigint, target bigint"
    )
    drawn = around.bars(targets, spark.createDataFrame([*others, *own, *elsewhere], TXNS)).collect()
    assert {row.first_offset for row in drawn if row.producer_id == 1} == {13, 205}
    assert {row.topic for row in drawn} == {"orders"}
    near = sorted(row.first_offset for row in drawn if row.producer_id == 2)
    assert near == list(range(170, 250, 10))


def test_ids_are_counted_by_the_count_that_alone_explains_them(spark):
    rows = [
        ("c", "__transaction_state", 0, True, "two", True, False),
        ("c", "__transaction_state", 0, True, "two", False, False),
        ("c", "__transaction_state", 60, True, "two", False, True),
        ("c", "__transaction_state", 1, False, "two", True, False),
        ("c", "__consumer_offsets", 3, True, "one", False, False),
    ]
    shape = "capture string, topic string, partition int, alive boolean, how string, by_old_only boolean, by_new_only boolean"
    counted = id_places(spark.createDataFrame(rows, shape)).collect()
    assert {(row.topic, row.partition, row.ids, row.by_old_only, row.by_new_only) for row in counted} == {
        ("__transaction_state", 0, 2, 1, 0),
        ("__transaction_state", 60, 1, 0, 1),
    }
