"""The framing table of a capture: what the message format costs (KIP-98)."""

from typing import Any

from pyspark.sql import DataFrame, functions as F

from analyzer.config import Config
from analyzer.lifecycles import ALL
from analyzer.lifecycles.logs.framing import framing
from analyzer.parse.segments.payloads import PAYLOADS, read_payloads
from analyzer.pipeline.workbench import workbench
from analyzer.stages.running import Run
from analyzer.storage.case import Case
from analyzer.tables import RAW_KINDS


def overhead(case: Case, capture: str, topics: tuple[str, ...], config: Config) -> list[dict[str, Any]]:
    """Return what frames the records of this capture, by topic, format and records per batch; `topics` limits it."""
    with workbench(case, [capture]) as bench:
        tables = Run(ALL, bench, config).tables("log_batches", "logs")
        rows = framing(_with_payloads(tables["log_batches"], bench.files), tables["logs"])
        chosen = rows.where(F.col("topic").isin(*topics)) if topics else rows
        return [row.asDict() for row in chosen.collect()]


def _with_payloads(batches: DataFrame, files: DataFrame) -> DataFrame:
    """Add payload_bytes to the batches of raw segments, whose records are opened only for this."""
    paths = files.where(F.col("file_kind").isin(*RAW_KINDS))
    paths = paths.select(F.col("path").alias("raw_path"), "absolute_path", "compression")
    asked = (
        batches.where("payload_bytes IS NULL AND codec = 'none' AND NOT is_control AND size > 0 AND count > 0")
        .where("batch_ref.line IS NULL AND coalesce(crc_valid, true)")
        .join(F.broadcast(paths), F.col("batch_ref.path") == F.col("raw_path"))
        .select("absolute_path", "compression", "position", "size")
        .distinct()
    )
    read = (
        asked.repartition("absolute_path")
        .sortWithinPartitions("absolute_path", "position")
        .mapInArrow(read_payloads, PAYLOADS)
    )
    told = read.join(F.broadcast(paths), "absolute_path")
    told = told.select("raw_path", F.col("position").alias("at"), F.col("payload_bytes").alias("opened_bytes"))
    matches = (F.col("batch_ref.path") == F.col("raw_path")) & (F.col("position") == F.col("at"))
    joined = batches.join(told, matches, "left").drop("raw_path", "at")
    return joined.withColumn("payload_bytes", F.coalesce("payload_bytes", "opened_bytes")).drop("opened_bytes")
