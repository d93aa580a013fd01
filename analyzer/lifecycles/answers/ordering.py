"""Which of several answers about one thing is the newest, where not every row tells its time (RULES F 1)."""

from pyspark.sql import Column, DataFrame, Window, functions as F

NEWEST = ("epoch_told", "told_at", "turn")
"""Columns that together grow from answer to answer about one producer id."""


def in_order(rows: DataFrame, key: tuple[str, ...], at: Column) -> DataFrame:
    """Add what tells the newer one of several answers about one `key`: told_at, epoch ms or 0, and epoch_told.

    `at` is a row's own time, null for none. What stands below in one file was answered later: there a row that does not
    tell when it was answered counts as no older than those above it, whatever the timestamps of its batches say. A row
    without an epoch has that of the row above it. No epoch of a producer id comes back.
    """
    above = Window.partitionBy(*key, "path").orderBy("turn").rowsBetween(Window.unboundedPreceding, 0)
    no_older = F.coalesce(F.max(at).over(above), F.lit(0))
    return rows.withColumns({
        "told_at": F.coalesce("answered_ms", no_older),
        "epoch_told": F.coalesce("producer_epoch", F.max("producer_epoch").over(above), F.lit(-1)),
        "state_above": F.lag("state").over(Window.partitionBy(*key, "path").orderBy("turn")),
    })  # fmt: skip


def marked_ms() -> Column:
    """Return the time of a producer's last marker, epoch ms; null where a transaction is open."""
    return F.when(F.col("first_offset").isNull() & (F.col("coordinator_epoch") >= 0), F.col("last_ms"))
