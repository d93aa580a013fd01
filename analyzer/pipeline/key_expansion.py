"""What the expansion of a keyed topic would do: the keys that move, the thresholds, and the groups below them."""

import dataclasses
from typing import Any

from pyspark.sql import DataFrame, functions as F

from analyzer.config import Config
from analyzer.errors import UsageError
from analyzer.kafka.hashing import moved_share
from analyzer.lifecycles import ALL
from analyzer.lifecycles.keyed.records import key_hash
from analyzer.pipeline.captures import newest_capture
from analyzer.pipeline.workbench import workbench
from analyzer.stages.combining import added_up
from analyzer.stages.inputs import Hold, Step
from analyzer.stages.running import Run
from analyzer.storage.case import Case
from analyzer.storage.in_session import rows_of_case


@dataclasses.dataclass(frozen=True, slots=True)
class KeyExpansion:
    """What would happen: the counts, how many keys move, the share of all possible keys, and a row for each partition.

    A row has partition, keys, moving, threshold (the log end now) and groups (name and position of those below it).
    """

    topic: str
    partitioner: str
    old: int
    new: int
    old_from: str
    keys: int
    moving: int
    share: float
    partitions: list[dict[str, Any]]


def key_expansion(
    case: Case, capture: str | None, topic: str, counts: tuple[int | None, int], config: Config
) -> KeyExpansion:
    """Return what more partitions of a keyed topic would do, by the named capture, or by the newest.

    `counts` are the count now, or None for the one that the keys prove, and the new one. Raises UsageError if the
    capture has no keys of the topic, if they prove no count, or if the new count is not larger.
    """
    with workbench(case, [newest_capture(rows_of_case(case), capture, case.location)]) as bench:
        run = Run(ALL, bench, config)
        found = run["keyed_topics"].where(F.col("topic") == topic).orderBy(F.desc("new_count")).collect()
        partitioner, old, old_from = _now(found[0] if found else None, counts[0], topic)
        if counts[1] <= old:
            raise UsageError(f"-n {counts[1]} does not expand {old} partitions.", wanted=f"more than {old}")
        homes = run["key_homes"].where(F.col("topic") == topic).withColumn("partitioner", F.lit(partitioner))
        moving = _moving(homes, (old, counts[1]), bench.hold)
        rows = _partitions(moving, run["logs"], run["group_positions"], topic)
        partitions = [row.asDict(recursive=True) for row in rows.collect()]
        keys, moving = (sum(row[name] for row in partitions) for name in ("keys", "moving"))
        share = moved_share(old, counts[1])
        return KeyExpansion(topic, partitioner, old, counts[1], old_from, keys, moving, share, partitions)


def _now(found: Any, given: int | None, topic: str) -> tuple[str, int, str]:  # noqa: ANN401 - a Spark row
    """Return the partitioner, the count now, and how that is known."""
    if found is None:
        raise UsageError(
            f"no keys of {topic} in this capture.", do=f"txn-forensics ingest PATH... --keys {topic} --case FOLDER"
        )
    if found.partitioner is None:
        raise UsageError(
            f"the {found['keys']} keys of {topic} are too few, or follow neither murmur2 nor CRC32.",
            wanted="a topic whose producers leave the partition to murmur2 or CRC32",
        )
    if given is not None:
        return found.partitioner, given, "given"
    return found.partitioner, found.new_count, f"proven by {found['keys']} keys"


def _moving(homes: DataFrame, counts: tuple[int, int], hold: Hold) -> DataFrame:
    """Return the keys of each partition, and how many of them move."""
    old, new = (F.col("hash") % count for count in counts)

    def counted(only: Step) -> DataFrame:
        keys = only(homes).select("key_digest", key_hash().alias("hash")).distinct()
        each = keys.withColumn("partition", old.cast("int")).groupBy("partition")
        return each.agg(F.count("*").alias("keys"), F.count_if(old != new).alias("moving"))

    return added_up(hold.in_shares("key_murmur2", counted, None), ("partition",))


def _partitions(keys: DataFrame, logs: DataFrame, positions: DataFrame, topic: str) -> DataFrame:
    """Return, for each partition: its keys, how many of them move, its log end, and the groups below that."""
    ends = logs.where(F.col("authority") & (F.col("topic") == topic))
    ends = ends.select("partition", F.col("log_end_offset").alias("threshold"))
    own = positions.where(F.col("topic") == topic).join(ends, "partition").where("position < threshold")
    below = own.groupBy("partition").agg(F.sort_array(F.collect_list(F.struct("group", "position"))).alias("groups"))
    return keys.join(ends, "partition", "left").join(below, "partition", "left").orderBy("partition")
