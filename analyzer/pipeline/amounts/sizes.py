"""Which shares an analysis takes its rows in, by what the places tell of their numbers."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from pyspark.sql import Column, DataFrame, functions as F

from analyzer.kafka.topics import OFFSETS_TOPIC, STATE_TOPIC
from analyzer.pipeline.amounts.shares import Share

STATE_BATCHES = OFFSETS_RECORDS = 4
"""How many batches take as much memory as one of __transaction_state, or as one record of __consumer_offsets."""

COLUMNS = ("log_no", "state_partition", "offsets_partition", "key_murmur2")
"""The columns that `Hold.by_shares` takes."""

Sizes = defaultdict[int, int]
Files = defaultdict[int, list[str]]


def stored_rows(keyed: Collection[str]) -> Column:
    """Return `rows`, of `places`: how many batches are stored, and records of topics whose records are stored, too.

    `keyed` are the topics whose keys were read.
    """
    records = F.when(F.col("topic").isin(OFFSETS_TOPIC, *keyed), F.col("section_records"))
    return (F.coalesce(F.sum("section_batches"), F.lit(0)) + F.coalesce(F.sum(records), F.lit(0))).alias("rows")


def whole() -> Mapping[str, Sequence[Share]]:
    """Return one share of everything for each of COLUMNS."""
    return {column: Share.several(column, {}, 1) for column in COLUMNS}


def shares_of(places: DataFrame, keyed: Collection[str], limit: int) -> Mapping[str, Sequence[Share]]:
    """Return the shares of each of COLUMNS, of about as many rows as `limit` batches.

    `keyed` are the topics whose keys were read.
    """
    logs, states, offsets = Sizes(int), Sizes(int), Sizes(int)
    files, offsets_files = Files(list), Files(list)
    keys = 0
    for row in _counted(places).collect():
        # Batches of __transaction_state open no transaction and take no memory; a share with their log has their file.
        logs[row.log_no] += 0 if row.topic == STATE_TOPIC else row.batches
        files[row.log_no] += row.files
        if row.topic == STATE_TOPIC and row.partition is not None:
            states[row.partition] += row.batches * STATE_BATCHES
        if row.topic == OFFSETS_TOPIC and row.partition is not None:
            offsets[row.partition] += row.records * OFFSETS_RECORDS
            offsets_files[row.partition] += row.files
        keys += row.records if row.topic in keyed else 0
    return {
        "log_no": Share.several("log_no", logs, limit, files, split_by="producer_id"),
        "state_partition": Share.several("state_partition", states, limit),
        "offsets_partition": Share.several("offsets_partition", offsets, limit, offsets_files),
        "key_murmur2": Share.several("key_murmur2", {0: keys}, limit, split_by="key_murmur2"),
    }


def _counted(places: DataFrame) -> DataFrame:
    """Return the batches, the records and the files of each copy of a log."""
    return places.groupBy("log_no", "topic", "partition").agg(
        *[F.coalesce(F.sum(f"section_{name}"), F.lit(0)).alias(name) for name in ("batches", "records")],
        F.collect_set("file_id").alias("files"),
    )
