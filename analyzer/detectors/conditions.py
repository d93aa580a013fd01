"""The open transactions that verdicts are about, and what every finding about one begins with (RULES A 5, 6, 10).

What the files say of each is its `judgement`: `lifecycles/judging` asks the questions.
"""

from pyspark.sql import Column, DataFrame, functions as F

PARTITION = ("capture", "topic", "partition")
PRODUCER = (*PARTITION, "replica", "producer_id")
_WITH_DATA = "NOT disputed AND unread_offset IS NULL AND judgement.has_data"


def subject() -> dict[str, Column]:
    """Return what tells fields of `OfOpenData` of rows of `opens`: where no data is here, what a snapshot says."""
    return {
        "producer_epoch": F.coalesce("producer_epoch", "snapshot_epoch"),
        "last_offset": F.coalesce("last_offset", "snapshot_last_offset", "first_offset"),
        "first_ref": F.coalesce("first_batch.batch_ref", "snapshot_ref"),
        "last_ref": F.coalesce("last_batch.batch_ref", "snapshot_ref"),
    }


def judged(opens: DataFrame) -> DataFrame:
    """Return the open transactions that the verdicts are about: of the authority replica, with the log after them."""
    return opens.where(f"authority AND {_WITH_DATA}")


def judged_or_snapshot(opens: DataFrame) -> DataFrame:
    """Return those, and the open transactions of partitions of which only producer snapshots are here (RULES D 5)."""
    return opens.where(f"authority AND (NOT has_log OR ({_WITH_DATA}))")


def remembered(opens: DataFrame) -> DataFrame:
    """Return the open transactions that only a producer snapshot of the authority replica still knows (RULES A 9).

    Those whose data is proven to be gone from the log.
    """
    return opens.where(
        "authority AND has_log AND gone IS NOT NULL AND unread_offset IS NULL AND NOT judgement.has_data"
    )


def of_kind(opens: DataFrame, *kinds: str) -> DataFrame:
    """Return those of these open transactions of which the coordinator's records make one of these kinds."""
    return opens.where(F.col("judgement.kind").isin(*kinds))


SHOWN_NAMES = 10
"""Of several names in one sentence."""


def first_names(names: str) -> Column:
    """Return the first names of a column of arrays as text, null for none."""
    more = F.when(F.size(names) > SHOWN_NAMES, ", ...").otherwise("")
    return F.when(F.size(names) > 0, F.concat(F.array_join(F.slice(names, 1, SHOWN_NAMES), ", "), more)).alias(names)
