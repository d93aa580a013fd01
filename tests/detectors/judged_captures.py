"""From the files of captures to their documents: one ingest and one analysis of them all."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession
from writing import Files, write

from analyzer.config import Config
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case


def taken_at(time: str, states: int = 1) -> Files:
    """The capture.toml of a capture of this time of the day of all histories, with so many state partitions."""
    text = f"captured_at = 2026-01-01T{time}Z\n[partition_counts]\n__transaction_state = {states}\n"
    return {"capture.toml": text}


def documents_of(
    spark: SparkSession, folder: Path, captures: Mapping[str, Files], case: Path | None = None
) -> dict[str, dict[str, Any]]:
    """Write each capture into a folder of its own and judge them; return the documents by the captures' names."""
    scanned = [
        scan_capture(CaptureRequest((str(write(files, folder / name)),), name)) for name, files in captures.items()
    ]
    store = Case(spark, str(case or folder / "case"))
    ingest(store, scanned)
    return {one["capture"]["name"]: one for one in analyze(store, [one.name for one in scanned], Config())}
