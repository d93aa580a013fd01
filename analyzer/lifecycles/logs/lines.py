"""Looks up where batches and markers of a few transactions stand: to keep that for all of them takes much memory."""

from collections.abc import Mapping

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.few import with_few
from analyzer.lifecycles.inputs import Hold
from analyzer.lifecycles.placing import PRODUCER_NO

BATCH = ("base_offset", "batch_ref", "max_timestamp", "base_sequence")
"""The fields of a batch that is looked up."""


def with_batches(rows: DataFrame, events: DataFrame, wanted: Mapping[str, str], hold: Hold) -> DataFrame:
    """Add structs of BATCH to a few rows with PRODUCER_NO: of the data batch at the base offset in a column.

    `events` are those of `Logs`; `wanted` maps the struct's name to that column. Null where no such batch is here; of
    segments that overlap, the first has it.
    """
    return _with_events(rows, events.where("NOT is_control"), wanted, hold, PRODUCER_NO)


def with_marker_ref(
    rows: DataFrame, events: DataFrame, hold: Hold, name: str = "marker", of: tuple[str, str] = PRODUCER_NO
) -> DataFrame:
    """Add `<name>_ref` to a few rows that have `<name>_offset`, of a marker: where it stands.

    `of` are the columns with the log's number and the marker's producer id.
    """
    told = _with_events(rows, events.where("is_control"), {"marker_batch": f"{name}_offset"}, hold, of)
    return told.withColumn(f"{name}_ref", F.col("marker_batch.batch_ref")).drop("marker_batch")


def _with_events(
    rows: DataFrame, events: DataFrame, wanted: Mapping[str, str], hold: Hold, of: tuple[str, str]
) -> DataFrame:
    named = [F.col(column).alias(name) for column, name in zip(of, PRODUCER_NO, strict=True)]
    asked = F.explode(F.array(*wanted.values())).alias("base_offset")
    keys = rows.select(*named, asked).where("base_offset IS NOT NULL").distinct()
    there = with_few(hold.narrowing(keys, "base_offset")(events), keys, [*PRODUCER_NO, "base_offset"])
    one = F.min_by(F.struct(*BATCH), F.struct("segment", "position")).alias("batch")
    found = hold.few(there.groupBy(*PRODUCER_NO, "base_offset").agg(one))
    for name, offset in wanted.items():
        to = dict(zip((*PRODUCER_NO, "base_offset", "batch"), (*of, offset, name), strict=True))
        rows = rows.join(found.select(*[F.col(old).alias(new) for old, new in to.items()]), [*of, offset], "left")
    return rows
