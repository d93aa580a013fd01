"""What a truncation took: the data of older leader epochs that another copy has from the start of the new one on."""

import pytest

from analyzer.lifecycles.logs.truncated import truncated

LOG = "capture string, topic string, partition int, replica string"
REF = "struct<path:string,line:bigint,byte_offset:bigint,record:int>"
PARTED = f"{LOG}, new_epoch bigint, start_offset bigint"
BATCHES = (
    f"{LOG}, base_offset bigint, last_offset bigint, count int, producer_id bigint, is_transactional boolean, "
    f"is_control boolean, partition_leader_epoch int, batch_ref {REF}"
)
TXNS = f"{LOG}, producer_id bigint, first_offset bigint, last_offset bigint, marker string"
OLD = ("c", "orders", 0, "2")


def batch(first, last, producer_id, *, transactional=True, control=False, epoch=0, log=OLD):
    held = last - first + 1
    return (*log, first, last, held, producer_id, transactional, control, epoch, ("log", first, first, None))


@pytest.fixture(scope="module")
def row(spark):
    batches = [
        batch(8, 9, 7),  # below the new epoch: the new leader has it
        batch(10, 10, 7, control=True),
        batch(11, 13, 8),
        batch(14, 14, 8, control=True),
        batch(15, 16, 9),
        batch(17, 17, 9, control=True),
        batch(18, 21, 10),
        batch(22, 22, -1, transactional=False),
        batch(23, 23, 8, epoch=2),  # fetched from the new leader
        batch(11, 30, 8, log=("c", "orders", 0, "1")),
    ]
    txns = [
        (*OLD, 7, 8, 9, "COMMIT"),
        (*OLD, 8, 11, 13, "COMMIT"),
        (*OLD, 9, 15, 16, "ABORT"),
        (*OLD, 10, 18, 21, None),
    ]
    parted = [(*OLD, 2, 10), ("c", "payments", 0, "2", None, None)]
    rows = truncated(
        spark.createDataFrame(parted, PARTED),
        spark.createDataFrame(batches, BATCHES),
        spark.createDataFrame(txns, TXNS),
    )
    (only,) = rows.collect()
    return only


def test_offsets_and_records_from_the_start_of_the_new_epoch_on(row):
    assert (row.topic, row.replica, row.new_epoch) == ("orders", "2", 2)
    assert (row.first_offset, row.last_offset, row.records) == (11, 22, 10)
    assert row.first_ref.byte_offset == 11


def test_a_record_is_committed_where_the_copy_has_the_commit_marker(row):
    assert (row.committed, row.plain) == (3, 1)


def test_producers_with_the_most_records_come_first(row):
    assert (row.producers, row.producer_ids) == (3, [10, 8, 9])
