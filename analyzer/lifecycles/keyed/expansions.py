"""The expansions of keyed topics: partitioner, partition counts, and the moment that capture.toml gives.

The driver judges a bounded sample of keys. The keys outside it are checked once against the counts that it suggests.
"""

import dataclasses
import json
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from analyzer.lifecycles.combining import counted_in_shares, first_in_shares
from analyzer.lifecycles.inputs import ByShares
from analyzer.lifecycles.keyed.counts import KeyCounts, Pairs, infer
from analyzer.lifecycles.keyed.records import TOPIC, key_hash
from analyzer.tables.frames import frame_of

SAMPLED = 200
"""Keys of each partition that a sample holds at most."""
LIMIT = 2_000
"""Keys of each topic and capture that a sample holds at most."""

FIRST_KEYS = ((*TOPIC, "partition"), ("key_digest",), SAMPLED)
ODD_KEYS = (TOPIC, ("key_digest", "partition"), LIMIT)
"""Which keys a sample holds: of each of these, in this order, so many."""

Key = tuple[str, str]

SCHEMA = pa.schema(
    [
        ("capture", pa.string()), ("topic", pa.string()), ("how", pa.string()), ("partitioner", pa.string()),
        ("old_count", pa.int32()), ("new_count", pa.int32()), ("told_count", pa.int32()), ("bits", pa.float64()),
        ("keys", pa.int64()), ("records", pa.int64()), ("sampled", pa.int64()), ("unexplained", pa.int64()),
        ("expanded_at", pa.int64()),
    ]
)  # fmt: skip


@dataclasses.dataclass(slots=True)
class Topic:
    """What is known of one keyed topic of one capture."""

    expanded_at: int | None = None
    told: int | None = None
    bound: int = 0
    keys: int = 0
    records: int = 0
    held: int = 0
    """How many distinct (key, partition) there are; `pairs` is a sample of them."""
    pairs: dict[tuple[int, int, int], tuple[int, int]] = dataclasses.field(default_factory=dict)
    """By murmur2, crc32 and partition of a key: the times of its first and last record there."""


def keyed_topics(captures: DataFrame) -> dict[Key, Topic]:
    """Return the topics named with --keys, by capture and name, with what capture.toml says of them."""
    out: dict[Key, Topic] = {}
    for row in captures.select("capture", "manifest").collect():
        manifest = json.loads(row.manifest or "{}")
        for name in manifest.get("keys", ()):
            told = manifest.get("partition_counts", {}).get(name)
            out[row.capture, name] = Topic(manifest.get("expanded_at"), told)
    return out


def expansions(
    homes: DataFrame, topics: dict[Key, Topic], places: DataFrame, seen: DataFrame, in_shares: ByShares
) -> tuple[DataFrame, bool]:
    """Return a row of SCHEMA for each topic that has keys, and whether any of them was expanded.

    `seen` are the placed observations; `in_shares` takes a step share by share of the keys.
    """
    _bounds(topics, places, seen)
    for row in _sample(homes, in_shares).collect():
        topic = topics.setdefault((row.capture, row.topic), Topic())
        topic.keys, topic.records, topic.held = row.keys, row.records, row.held
        topic.pairs[row.key_murmur2, row.key_crc32, row.partition] = (row.first_ms or -1, row.last_ms or -1)
    held = {name: topic for name, topic in topics.items() if topic.pairs}
    found = {name: judged(topic) for name, topic in held.items()}
    if any(topic.held > len(topic.pairs) for topic in held.values()):
        for row in _odd(homes, _frame(homes, held, found), in_shares).collect():
            pair = row.key_murmur2, row.key_crc32, row.partition
            held[row.capture, row.topic].pairs[pair] = (row.first_ms or -1, row.last_ms or -1)
        found = {name: judged(topic) for name, topic in held.items()}
    return _frame(homes, held, found), any(counts.expanded for counts in found.values())


def judged(topic: Topic) -> KeyCounts:
    """Return the counts that explain the sampled keys of a topic."""
    table = np.array(sorted(topic.pairs), dtype=np.int64).reshape(-1, 3)
    times = np.array([topic.pairs[pair] for pair in sorted(topic.pairs)], dtype=np.int64).reshape(-1, 2)
    before = after = None
    if topic.expanded_at is not None:
        before, after = times[:, 0] < topic.expanded_at, times[:, 1] >= topic.expanded_at
    return infer(Pairs(table[:, 0], table[:, 1], table[:, 2], before, after), topic.bound, topic.told)


def _bounds(topics: dict[Key, Topic], places: DataFrame, seen: DataFrame) -> None:
    """Fill in the highest partition seen plus 1, and the count that pasted kafka-topics.sh output gives."""
    names = sorted({name for _, name in topics})
    of_places = places.where(F.col("topic").isin(names)).select("capture", "topic", "partition", F.lit(None).alias("n"))
    told = F.when(F.col("observed") == "partition_count", F.col("number"))
    of_seen = seen.where(F.col("topic").isin(names)).select("capture", "topic", "partition", told.alias("n"))
    bounds = of_places.unionByName(of_seen).groupBy(*TOPIC).agg(F.max("partition").alias("top"), F.max("n").alias("n"))
    for row in bounds.collect():
        topic = topics.get((row.capture, row.topic))
        if topic is not None:
            topic.told = topic.told or (int(row.n) if row.n else None)
            topic.bound = max((-1 if row.top is None else row.top) + 1, topic.told or 0)


def _sample(homes: DataFrame, in_shares: ByShares) -> DataFrame:
    ranked = first_in_shares(in_shares, lambda only: only(homes), *FIRST_KEYS)
    place = F.row_number().over(Window.partitionBy(*TOPIC).orderBy("turn", "partition"))
    sampled = ranked.drop("records").withColumn("place", place).where(F.col("place") <= LIMIT)
    counts = {"keys": F.countDistinct("key_digest"), "records": F.sum("records"), "held": F.count("*")}
    totals = counted_in_shares(in_shares, lambda only: only(homes), TOPIC, **counts)
    return sampled.join(F.broadcast(totals), list(TOPIC))


def _odd(homes: DataFrame, counts: DataFrame, in_shares: ByShares) -> DataFrame:
    """Return keys, within the limit, that the counts found so far do not explain."""
    value, known = key_hash(), F.broadcast(counts.drop("keys", "records"))
    explained = F.coalesce(value % F.col("old_count") == F.col("partition"), F.lit(False))

    def odd(rows: DataFrame) -> DataFrame:
        joined = rows.drop("records").join(known, list(TOPIC)).where("new_count IS NOT NULL")
        return joined.where((value % F.col("new_count") != F.col("partition")) & ~explained)

    return first_in_shares(in_shares, lambda only: odd(only(homes)), *ODD_KEYS)


def _frame(homes: DataFrame, topics: dict[Key, Topic], found: dict[Key, KeyCounts]) -> DataFrame:
    rows = [_row(name, topics[name], counts) for name, counts in sorted(found.items())]
    return frame_of(homes.sparkSession, rows, SCHEMA)


def _row(name: Key, topic: Topic, counts: KeyCounts) -> dict[str, Any]:
    return {
        "capture": name[0], "topic": name[1], "how": counts.how, "partitioner": counts.partitioner,
        "old_count": counts.old, "new_count": counts.new, "told_count": topic.told, "bits": counts.bits,
        "keys": topic.keys, "records": topic.records, "sampled": counts.pairs, "unexplained": counts.unexplained,
        "expanded_at": topic.expanded_at,
    }  # fmt: skip
