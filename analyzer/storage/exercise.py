"""A small Delta job that loads the classes a real run needs; start_archive runs it in a process of its own."""

import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession, Window, functions as F

from analyzer.config import Config, SparkConfig
from analyzer.storage.jvm.launch import running_gateway
from analyzer.storage.session import build_session
from analyzer.storage.settings import Work


def exercise(spark: SparkSession, folder: Path) -> int:
    """Write, append, read, window, join and collect small Delta tables in the folder; return the rows read."""
    rows = spark.range(100).select("id", (F.col("id") % 3).alias("k"), F.array(F.lit("a")).alias("words"))
    parsed = rows.mapInArrow(_same, rows.schema)
    for mode in ("overwrite", "append"):
        parsed.write.format("delta").mode(mode).partitionBy("k").save(str(folder / "facts"))
    facts = spark.read.format("delta").load(str(folder / "facts"))
    order = Window.partitionBy("k").orderBy("id")
    ordered = facts.withColumn("last", F.lag("id").over(order)).withColumn("sum", F.sum("id").over(order))
    known = facts.filter("k = 1").groupBy("k").agg(F.max("id").alias("top"), F.collect_set("id").alias("ids"))
    joined = ordered.join(F.broadcast(known), "k", "left").unionByName(ordered, allowMissingColumns=True)
    joined.write.format("delta").mode("overwrite").save(str(folder / "results"))
    return _collect(spark.read.format("delta").load(str(folder / "results")))


def _collect(frame: DataFrame) -> int:
    frame.orderBy("k", "id").limit(5).collect()
    return int(frame.toArrow().num_rows)


def _same(batches: Iterable[pa.RecordBatch]) -> Iterable[pa.RecordBatch]:
    yield from batches


def main(archive: str, jars_folder: str) -> None:
    """Run the exercise in a JVM that archives its classes when it exits, and wait until it has."""
    options = {"spark.driver.extraJavaOptions": f"-XX:ArchiveClassesAtExit={archive}"}
    config = Config(spark=SparkConfig(master="local[2]", jars_dir=jars_folder, extra=options))
    spark, _ = build_session(config, Work.BRIEF)
    with tempfile.TemporaryDirectory() as scratch:
        exercise(spark, Path(scratch))
    spark.stop()
    process = getattr(running_gateway(), "proc", None)
    if process is not None:
        process.stdin.close()
        process.wait(timeout=240)


if __name__ == "__main__":
    main(*sys.argv[1:3])
