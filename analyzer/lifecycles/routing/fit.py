"""The partition counts of each capture's internal topics, inferred on the driver from a bounded sample of ids.

The sample has ids of every partition. The ids outside it are checked against the counts that it suggests, and those
that the counts do not explain join the sample once. So a few misplaced ids among a million are not missed.
"""

import collections
import dataclasses
from typing import Any

import numpy as np
from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.kafka.topics import INTERNAL_TOPICS
from analyzer.lifecycles.routing.counts import DEFAULT_COUNT, Counts, Known, infer
from analyzer.lifecycles.routing.tables import COUNTS as ROUTING_COUNTS
from analyzer.stages.combining import first_of_each
from analyzer.tables.frames import frame_of
from analyzer.tables.model import arrow_schema
from analyzer.tables.unions import union_filled

SAMPLED = 200
"""Ids of each partition that a sample holds at most."""
LIMIT = 20_000
"""Ids of each topic and capture that a sample holds at most."""

Key = tuple[str, str]


@dataclasses.dataclass(slots=True)
class Sample:
    """What is known of one topic of one capture: (hash, partition) pairs, and what the files say of its count."""

    pairs: set[tuple[int, int]] = dataclasses.field(default_factory=set)
    ids: int = 0
    records: int = 0
    taken: int = 0
    seen: int = -1
    partitions: int = 0
    listed: int = 0
    told: int | None = None

    def known(self) -> Known:
        """Return the lower bound, and whether it is the count: given, or named in full by checkpoint files."""
        bound = max(self.seen + 1, self.told or 0)
        return Known(bound, exact=bound in {self.told, self.listed}, whole=self.partitions == bound)


def topic_bounds(captures: DataFrame, places: DataFrame, observations: DataFrame) -> DataFrame:
    """Return what the files say of the count of each internal topic: seen, partitions, listed and told.

    seen is the highest partition in folders, dump sections (also empty ones), checkpoint files and kafka-topics.sh
    output, partitions how many were seen. listed is how many partitions the checkpoint files of log directories name:
    if that is seen + 1, none is missing. told is a given count, or null.
    """
    place = ("capture", "topic", "partition")
    told = observations.select(*place, (F.col("observed") == "high_watermark").alias("listed"))
    both = places.select(*place, F.lit(False).alias("listed")).unionByName(told)
    rows = both.where(F.col("topic").isin(*INTERNAL_TOPICS) & F.col("partition").isNotNull())
    seen = rows.groupBy("capture", "topic").agg(
        F.max("partition").alias("seen"),
        F.countDistinct("partition").alias("partitions"),
        F.countDistinct(F.when(F.col("listed"), F.col("partition"))).alias("listed"),
    )
    described = observations.where(F.col("topic").isin(*INTERNAL_TOPICS) & (F.col("observed") == "partition_count"))
    told = described.select("capture", "topic", F.col("number").cast("int").alias("told"))
    for topic in INTERNAL_TOPICS:
        path = f"$.partition_counts.{topic}"
        given = captures.select(
            "capture", F.lit(topic).alias("topic"), F.get_json_object("manifest", path).cast("int").alias("told")
        )
        told = told.unionByName(given)
    counts = told.where("told > 0").groupBy("capture", "topic").agg(F.max("told").alias("told"))
    return seen.join(counts, ["capture", "topic"], "full")


def fitted(held: DataFrame, bounds: DataFrame) -> DataFrame:
    """Return rows of `routing_counts` for each topic that has ids."""
    samples: dict[Key, Sample] = collections.defaultdict(Sample)
    for row in _sample(held, bounds).collect():
        _take(samples[row.capture, row.topic], row)
    found = _infer(samples)
    short = [key for key, sample in samples.items() if sample.ids > sample.taken]
    if short:
        for row in _unexplained(held, _frame(held, samples, found).drop("ids")).collect():
            samples[row.capture, row.topic].pairs.add((row.hash, row.partition))
        found = _infer(samples)
    return _frame(held, samples, found)


def grown(counts: DataFrame) -> DataFrame:
    """Return the counts that have changed: without any, nothing can be wrong with where ids lie."""
    return counts.where("old_count IS NOT NULL")


def _infer(samples: dict[Key, Sample]) -> dict[Key, Counts]:
    tables = {key: np.array(sorted(one.pairs), dtype=np.int64).reshape(-1, 2) for key, one in samples.items()}
    return {key: infer(table[:, 0], table[:, 1], samples[key].known()) for key, table in tables.items()}


def _sample(held: DataFrame, bounds: DataFrame) -> DataFrame:
    """Return rows of two kinds: (hash, partition) pairs up to the limits, with the totals, and the topic's bounds."""
    topic = Window.partitionBy("capture", "topic")
    each = Window.partitionBy("capture", "topic", "partition").orderBy("hash", "id")
    ranked = held.select(
        "capture", "topic", "hash", "partition", F.row_number().over(each).alias("turn"),
        F.count("*").over(topic).alias("ids"), F.sum("records").over(topic).alias("records_held"),
    ).where(F.col("turn") <= SAMPLED)  # fmt: skip
    shown = ranked.withColumn("place", F.row_number().over(topic.orderBy("turn", "partition")))
    return union_filled(shown.where(F.col("place") <= LIMIT), bounds)


def _take(sample: Sample, row: Any) -> None:  # noqa: ANN401 - a Spark row
    """Add a row of `_sample`."""
    if row.hash is not None:
        sample.pairs.add((row.hash, row.partition))
        sample.taken += 1
        sample.ids, sample.records = row.ids, row.records_held
    else:
        sample.told, sample.partitions, sample.listed = row.told, row.partitions or 0, row.listed or 0
        sample.seen = -1 if row.seen is None else row.seen


def lies_by(count: str) -> Column:
    """Return whether an id lies where the count in this column puts it, false where there is none."""
    return F.coalesce(F.col("partition") == F.col("hash") % F.col(count), F.lit(False))


def _unexplained(held: DataFrame, counts: DataFrame) -> DataFrame:
    """Return pairs, within the limit, that the counts found so far do not explain."""
    joined = held.join(F.broadcast(counts.where("new_count IS NOT NULL")), ["capture", "topic"])
    explained = lies_by("new_count") | lies_by("old_count") | lies_by("older_count")
    rows = joined.where(~explained).select("capture", "topic", "hash", "partition")
    return first_of_each(rows, ("capture", "topic"), ("hash", "partition"), LIMIT)


def _frame(held: DataFrame, samples: dict[Key, Sample], found: dict[Key, Counts]) -> DataFrame:
    rows = [_row(*key, samples[key], counts) for key, counts in sorted(found.items()) if counts.how != "none"]
    return frame_of(held.sparkSession, rows, arrow_schema(ROUTING_COUNTS.columns))


def _row(capture: str, topic: str, sample: Sample, counts: Counts) -> dict[str, Any]:
    known = sample.known()
    rivals = [str(rival[-1]) if counts.how == "one" else " -> ".join(map(str, rival)) for rival in counts.rivals]
    return {
        "capture": capture, "topic": topic, "how": counts.how, "old_count": counts.old, "new_count": counts.new,
        "new_exact": counts.new_exact, "counts_confidence": counts.confidence, "news": list(counts.news),
        "rivals": rivals, "ids": sample.ids, "records_held": sample.records,
        "old_only": counts.old_only, "new_only": counts.new_only, "unexplained": counts.unexplained,
        "bound": known.bound, "bound_exact": known.exact, "told_count": sample.told,
        "older_count": counts.older,
    }  # fmt: skip


def sure_counts(counts: DataFrame, topic: str) -> DataFrame:
    """Return the count that the ids of this topic prove in each capture: `inferred` (RULES B 8).

    A count below Kafka's default needs a topic that is known to have no more partitions: the ids in the first 10
    partitions of 50 also fit a count of 10. So does a count that only one or two ids explain.
    """
    alone = (F.col("topic") == topic) & (F.size("rivals") == 0)
    by_ids = (F.col("new_count") >= DEFAULT_COUNT) & (F.col("counts_confidence") == "certain")
    proven = counts.where(alone & (F.col("bound_exact") | by_ids))
    return proven.select("capture", F.col("new_count").alias("inferred"))
