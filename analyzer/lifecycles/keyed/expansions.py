"""The expansions of keyed topics: partitioner, partition counts, and the moment that capture.toml gives.

The driver judges a bounded sample of keys. The keys outside it are checked once against the counts that it suggests.
"""

import dataclasses
import itertools
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from pyspark.sql import DataFrame, Window, functions as F

from analyzer.lifecycles.keyed.best_counts import Pairs
from analyzer.lifecycles.keyed.counts import KeyCounts, infer
from analyzer.lifecycles.keyed.records import TOPIC, key_hash
from analyzer.lifecycles.keyed.tables import KEYED_TOPICS, OF_BOUNDARY
from analyzer.tables.frames import frame_of
from analyzer.tables.model import arrow_schema

SAMPLED = 200
"""Keys of each partition that a sample holds at most."""
LIMIT = 2_000
"""Keys of each topic and capture that a sample holds at most."""

FIRST_KEYS = ((*TOPIC, "partition"), ("key_digest",), SAMPLED)
ODD_KEYS = (TOPIC, ("key_digest", "partition"), LIMIT)
"""Which keys a sample holds: of each of these, in this order, so many."""

Key = tuple[str, str]

SCHEMA = arrow_schema(one for one in KEYED_TOPICS.columns if one not in OF_BOUNDARY)
"""What `key_counts` has: of `keyed_topics` all but what the boundaries tell."""


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


def asked_captures(captures: DataFrame) -> DataFrame:
    """Return the captures for which keys of topics were read: without any, there is nothing to judge."""
    named = F.get_json_object("manifest", "$.keys")
    return captures.where(named.isNotNull() & (named != "[]")).select("capture")


def expansions(
    odd: DataFrame | None, sample: DataFrame, captures: DataFrame, places: DataFrame, seen: DataFrame
) -> DataFrame:
    """Return rows of SCHEMA for each topic that has keys, one for each of its expansions.

    They are judged by the sample and, if they were looked for, the odd keys. `seen` are the placed observations.
    """
    topics = keyed_topics(captures)
    _bounds(topics, places, seen)
    for row in sample.collect():
        topic = topics.setdefault((row.capture, row.topic), Topic())
        topic.keys, topic.records, topic.held = row.keys, row.records, row.held
        _add(topic, row)
    held = {name: topic for name, topic in topics.items() if topic.pairs}
    for row in odd.collect() if odd is not None else ():
        _add(held[row.capture, row.topic], row)
    rows = [row for name, topic in sorted(held.items()) for row in _rows(name, topic, judged(topic))]
    return frame_of(sample.sparkSession, rows, SCHEMA)


def _add(topic: Topic, row: Any) -> None:  # noqa: ANN401 - a Spark row
    topic.pairs[row.key_murmur2, row.key_crc32, row.partition] = (row.first_ms or -1, row.last_ms or -1)


def grown(counts: DataFrame) -> DataFrame:
    """Return the expansions of topics: both the old and the new count are known."""
    return counts.where("how IN ('two', 'unused')")


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


def key_totals(homes: DataFrame) -> DataFrame:
    """Return how many keys and records there are of each topic, and how many (key, partition) are held."""
    counts = {"keys": F.countDistinct("key_digest"), "records": F.sum("records"), "held": F.count("*")}
    return homes.groupBy(*TOPIC).agg(*[count.alias(name) for name, count in counts.items()])


def key_sample(first: DataFrame, totals: DataFrame) -> DataFrame:
    """Return a bounded sample of the keys of each topic, of every partition some, with the topic's totals."""
    place = F.row_number().over(Window.partitionBy(*TOPIC).orderBy("turn", "partition"))
    sampled = first.drop("records").withColumn("place", place).where(F.col("place") <= LIMIT)
    return sampled.join(F.broadcast(totals), list(TOPIC))


def partly_sampled(sample: DataFrame) -> DataFrame:
    """Return the topics that have keys outside the sample."""
    sizes = sample.groupBy(*TOPIC).agg(F.max("held").alias("held"), F.count("*").alias("sampled"))
    return sizes.where("held > sampled")


def odd_keys(homes: DataFrame, counts: DataFrame) -> DataFrame:
    """Return the keys that the counts found so far do not explain."""
    known = counts.where("new_count = element_at(counts, -1)").drop("keys", "records")
    joined = homes.drop("records").join(F.broadcast(known), list(TOPIC))
    return joined.where(F.forall("counts", lambda count: key_hash() % count != F.col("partition")))


def _rows(name: Key, topic: Topic, counts: KeyCounts) -> Iterator[dict[str, Any]]:
    """Yield a row for each expansion; one for a topic without any."""
    known = {
        "capture": name[0], "topic": name[1], "partitioner": counts.partitioner, "counts": [*counts.counts],
        "told_count": topic.told, "bits": counts.bits, "keys": topic.keys, "records": topic.records,
        "unexplained": counts.unexplained, "expanded_at": topic.expanded_at,
    }  # fmt: skip
    grown = list(itertools.pairwise(counts.counts))
    newest = counts.counts[-1] if counts.counts else None
    steps: list[tuple[int | None, int | None]] = [*grown] or [(None, newest)]
    for old, new in steps:
        how = "two" if new != newest and old else counts.how
        which = f"{old} to {new}" if len(grown) > 1 else None
        yield known | {"how": how, "old_count": old, "new_count": new, "expansion": which}
