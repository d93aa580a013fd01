"""Quotes for findings: each reference is read again from its file, at its stored byte offset."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.detectors import Ref
from analyzer.kafka.wrapped_lines import without_escapes
from analyzer.opening import raw_file, read_line
from analyzer.parse import line_at
from analyzer.tables import RAW_KINDS

GONE = "(the file is no longer there)"


def with_text(capture_files: DataFrame, found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the findings with their evidence as file, line or position, and text."""
    wanted = sorted({(finding["capture"], ref.path) for finding in found for ref in finding["evidence"]})
    files: dict[tuple[str, str], Any] = {}
    if wanted:
        captures, paths = zip(*wanted, strict=True)
        targets = capture_files.sparkSession.createDataFrame(pa.table({"capture": captures, "path": paths}))
        rows = capture_files.join(F.broadcast(targets), ["capture", "path"]).collect()
        files = {(row.capture, row.path): row.asDict() for row in rows}
    return [
        finding | {"evidence": [quoted(ref, files[finding["capture"], ref.path]) for ref in finding["evidence"]]}
        for finding in found
    ]


def quoted(ref: Ref, file: Mapping[str, Any]) -> dict[str, Any]:
    """Return a quote: file and line of a text file, or file and position of a raw file (a row of `capture_files`)."""
    raw = file["file_kind"] in RAW_KINDS
    try:
        if raw:
            with raw_file(file["absolute_path"], file["compression"]) as path:
                text = line_at(path, file["file_kind"], ref.byte_offset, ref.record)
        else:
            text = without_escapes(
                read_line(file["absolute_path"], ref.byte_offset, file["compression"], file["encoding"])
            )
    except OSError:
        text = GONE
    place = {"position": ref.byte_offset} if raw else {"line": ref.line}
    return {"file": ref.path, **place, "text": text}
