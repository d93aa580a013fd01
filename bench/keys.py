"""Measures how long it takes to infer the counts of a keyed topic and what moved, for a number of distinct keys.

usage: python bench/keys.py CONF [KEYS]
The topic grew from 4 to 6 partitions; each key has a record before and one after. The session's start is not counted.
Prints one line of JSON; `run.py --only keys` measures the memory beside it.
"""

import json
import sys
import time

from pyspark.sql import functions as F

from analyzer.config import load_config
from analyzer.lifecycles.keyed.expansions import FIRST_KEYS, ODD_KEYS, expansions, key_sample, key_totals, odd_keys
from analyzer.lifecycles.keyed.records import key_homes
from analyzer.lifecycles.keyed.thresholds import moved_records
from analyzer.stages.combining import first_of_each
from analyzer.storage.session import build_session

OLD, NEW = 4, 6
EXPANDED_MS = 1_788_134_400_000
PLACES = "capture string, topic string, partition int"
SEEN = f"{PLACES}, observed string, number bigint"


def main() -> None:
    """Make the records, find the counts, check the answer, print the times in seconds."""
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    spark, _ = build_session(load_config(sys.argv[1]))
    spark.range(10).count()
    digest = F.substring(F.sha1(F.col("key").cast("string")), 1, 16)
    late = F.col("id") % 2 == 1
    records = (
        spark.range(2 * number)
        .withColumn("key", F.expr("id div 2"))
        .withColumn("key_murmur2", F.expr("cast(xxhash64(key) & 2147483647 AS int)"))
        .select(
            F.lit("c").alias("capture"), F.lit("orders").alias("topic"),
            (F.col("key_murmur2") % F.when(late, NEW).otherwise(OLD)).cast("int").alias("partition"),
            F.lit("0").alias("replica"), F.col("id").alias("offset"),
            F.when(late, EXPANDED_MS + F.col("id") % 1000).otherwise(EXPANDED_MS - 1 - F.col("id") % 1000)
            .alias("timestamp"),
            digest.alias("key_digest"), F.lit(None).cast("string").alias("key_sample"), "key_murmur2",
            F.expr("crc32(cast(cast(key AS string) AS binary))").alias("key_crc32"),
            F.lit(-1).cast("bigint").alias("producer_id"), F.lit(-1).alias("producer_epoch"),
            F.lit(False).alias("is_transactional"),
        )
    )  # fmt: skip
    began = time.perf_counter()
    homes = key_homes(records).persist()
    places = spark.createDataFrame([("c", "orders", partition) for partition in range(NEW)], PLACES)
    captures = spark.createDataFrame([("c", '{"keys": ["orders"]}')], "capture string, manifest string")
    sample = key_sample(first_of_each(homes, *FIRST_KEYS), key_totals(homes)).persist()
    seen = spark.createDataFrame([], SEEN)
    found_first = expansions(None, sample, captures, places, seen)
    odd = first_of_each(odd_keys(homes, found_first), *ODD_KEYS)
    counts = expansions(odd, sample, captures, places, seen)
    (found,) = counts.collect()
    counted_s = time.perf_counter() - began
    assert (found.old_count, found.new_count, found.keys) == (OLD, NEW, number)
    moved = moved_records(records, counts).agg(F.count("*").alias("records")).collect()[0].records
    total_s = time.perf_counter() - began
    print(json.dumps({"keys": number, "counted_s": round(counted_s, 1), "moved": moved, "total_s": round(total_s, 1)}))
    spark.stop()


if __name__ == "__main__":
    main()
