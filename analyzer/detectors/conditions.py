"""The open transactions that verdicts are about, and what every finding about one begins with (RULES A 5, 6, 10).

What the files say of each is its `judgement`: `lifecycles/judging` asks the questions.
"""

from pyspark.sql import Column, DataFrame, functions as F

from analyzer.kafka.clocks import COPYING_MS
from analyzer.kafka.topics import STATE_TOPIC

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

    Those whose data is proven to be gone from the log, and whose marker is not on its way.
    """
    gone = "authority AND has_log AND gone IS NOT NULL AND unread_offset IS NULL AND NOT judgement.has_data"
    return opens.where(f"{gone} AND coalesce(judgement.kind, '') != 'completing'")


def of_kind(opens: DataFrame, *kinds: str) -> DataFrame:
    """Return those of these open transactions of which the coordinator's records make one of these kinds."""
    return opens.where(F.col("judgement.kind").isin(*kinds))


def with_state_copy(rows: DataFrame, copies: DataFrame) -> DataFrame:
    """Add state_sound, and whether the coordinator's word is of the capture's moment: of_leader (RULES A 15).

    `rows` have state_partition, captured_at, reached_ms, the moment that the state files reach, and since_ms, from
    which on the word is astonishing. It is of that moment if its leader's copy is here, or the broker that leads was up
    then, or the state partition itself goes on after since_ms up to then; `copies` are the `state_copies`.
    """
    told = copies.select(
        "capture", "state_partition", F.col("sound").alias("state_sound"), "leader_here", "lived_ms",
        F.col("newest_ms").alias("state_newest_ms"),
    )  # fmt: skip
    now_ms = F.col("captured_at") - COPYING_MS
    goes_on = F.col("state_newest_ms") >= F.greatest("since_ms", now_ms)
    shown = F.col("leader_here") | (F.col("lived_ms") >= now_ms) | goes_on
    of_leader = F.coalesce((F.col("reached_ms") >= now_ms) & shown, F.lit(False))
    joined = rows.join(told, ["capture", "state_partition"], "left")
    return joined.withColumns({"of_leader": of_leader, "state_sound": F.coalesce("state_sound", F.lit(False))})


def ended_since(partition: int) -> str:
    """Return what else a coordinator's word may be where of_leader is false."""
    return (
        "a transaction that its coordinator has ended since: nothing here shows that this copy's broker was up and led "
        f"{STATE_TOPIC}-{partition} when the files were taken"
    )


def leaders_copy(partition: int) -> str:
    """Return what would tell then."""
    return f"the leader's copy of {STATE_TOPIC}-{partition} (kafka-topics.sh --describe)"


SHOWN_NAMES = 10
"""Of several names in one sentence."""


def first_names(names: str) -> Column:
    """Return the first names of a column of arrays as text, null for none."""
    more = F.when(F.size(names) > SHOWN_NAMES, ", ...").otherwise("")
    return F.when(F.size(names) > 0, F.concat(F.array_join(F.slice(names, 1, SHOWN_NAMES), ", "), more)).alias(names)
