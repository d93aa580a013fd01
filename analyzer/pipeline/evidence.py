"""Quotes for findings: each reference is read again from its file, at its stored byte offset."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, functions as F

from analyzer.detectors.model import Ref
from analyzer.parse.quoting import quoted


def with_text(capture_files: DataFrame, found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the findings with their evidence as file, line or position, and text."""
    wanted = sorted({(finding["capture"], ref.path) for finding in found for ref in finding["evidence"]})
    files: dict[tuple[str, str], Any] = {}
    if wanted:
        captures, paths = zip(*wanted, strict=True)
        targets = capture_files.sparkSession.createDataFrame(pa.table({"capture": captures, "path": paths}))
        rows = capture_files.join(F.broadcast(targets), ["capture", "path"]).collect()
        files = {(row.capture, row.path): row.asDict() for row in rows}

    def text_of(ref: Ref, capture: str) -> dict[str, Any]:
        return quoted(files[capture, ref.path], ref.path, ref.line, ref.byte_offset, ref.record)

    return [one | {"evidence": [text_of(ref, one["capture"]) for ref in one["evidence"]]} for one in found]
