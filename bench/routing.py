"""Measures how long it takes to hash a number of distinct ids and to infer their two partition counts.

usage: python bench/routing.py CONF [IDS]
The ids lie by 50 partitions, one in ten by 150; the session's start is not counted. Prints one line of JSON.
"""

import json
import sys
import time

from pyspark.sql import functions as F

from analyzer.config import load_config
from analyzer.lifecycles.routing.fit import fitted
from analyzer.lifecycles.routing.hashing import routing_hash
from analyzer.storage.session import build_session

OLD, NEW = 50, 150
BOUNDS = "capture string, topic string, seen int, partitions bigint, listed bigint, told int"


def main() -> None:
    """Hash, fit, check the answer, print the times in seconds."""
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    spark, _ = build_session(load_config(sys.argv[1]))
    spark.range(10).count()
    words = F.concat(F.lit("orders-service-"), F.sha1(F.col("id").cast("string")).substr(1, 12))
    ids = spark.range(number).select(words.alias("id"), (F.col("id") % 10 == 0).alias("moved")).persist()
    assert ids.count() == number
    began = time.perf_counter()
    hashed = ids.select("id", "moved", routing_hash(F.col("id")).alias("hash")).persist()
    assert hashed.count() == number
    hashed_s = time.perf_counter() - began
    held = hashed.select(
        F.lit("c").alias("capture"), F.lit("__transaction_state").alias("topic"), "id", "hash",
        (F.col("hash") % F.when(F.col("moved"), NEW).otherwise(OLD)).cast("int").alias("partition"),
        F.lit(1).cast("bigint").alias("records"),
    )  # fmt: skip
    bounds = spark.createDataFrame([("c", "__transaction_state", NEW - 1, NEW, NEW, None)], BOUNDS)
    counts = fitted(held, bounds)
    (found,) = counts.collect()
    total_s = time.perf_counter() - began
    assert (found.old_count, found.new_count, found.ids) == (OLD, NEW, number)
    print(json.dumps({"ids": number, "hash_s": round(hashed_s, 1), "total_s": round(total_s, 1)}))
    spark.stop()


if __name__ == "__main__":
    main()
