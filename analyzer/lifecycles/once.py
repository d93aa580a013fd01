"""Records that are here twice: from several dumps or copies, or of segments that the cleaner is swapping."""

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame, Window, functions as F


def once(rows: DataFrame, log: Sequence[str], *ties: Column | str) -> DataFrame:
    """Return one row for each offset of a log, the first by `ties`; `log` are the columns that name it."""
    before = F.lag("offset").over(Window.partitionBy(*log).orderBy("offset", *ties))
    return rows.withColumn("before", before).where("before IS NULL OR before <> offset").drop("before")
