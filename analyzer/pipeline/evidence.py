"""Quotes for findings, read again from their files at stored byte offsets, and which files are no longer there."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, functions as F

from analyzer.detectors.model import Ref
from analyzer.parse.quoting import quoted
from analyzer.scratch import unpacked_member

_NAMED = 3


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


def removed_files(capture_files: DataFrame) -> dict[str, dict[str, Any]]:
    """Return, by capture, the coverage note on files that were read and are no longer there; none where all are.

    A file in an archive is there as long as the archive is; of a PATH that is one nothing tells whether it is there.
    """
    read = capture_files.where(F.col("file_id").isNotNull() & F.col("absolute_path").isNotNull())
    paths: dict[str, dict[str, str]] = defaultdict(dict)
    for row in read.select("capture", "path", "absolute_path").collect():
        paths[row.capture][row.path] = row.absolute_path
    removed = {capture: list(_removed(found)) for capture, found in paths.items()}
    return {capture: _removed_note(capture, gone, len(paths[capture])) for capture, gone in removed.items() if gone}


def _removed(paths: dict[str, str]) -> Iterator[str]:
    for path, absolute in sorted(paths.items()):
        around = (paths[str(one)] for one in PurePosixPath(path).parents if str(one) in paths)
        file = next(around, absolute)
        if not unpacked_member(file) and not Path(file).exists():
            yield path


def _removed_note(capture: str, gone: Sequence[str], of: int) -> dict[str, Any]:
    some = ", ".join(gone[:_NAMED]) + (f" and {len(gone) - _NAMED} more" if gone[_NAMED:] else "")
    are, them, their = ("is", "it", "its") if len(gone) == 1 else ("are", "them", "their")
    note = (
        f"{len(gone)} of the {of} files that were read into this capture {are} no longer there: {some}. What was read "
        f"of {them} is kept and judged with the rest; {their} lines cannot be quoted any more. To judge only what is "
        "there now, run again with a new --case, or with another name as --capture"
    )
    place = dict.fromkeys(("topic", "partition", "replica", "file", "fetch"))
    return {"capture": capture, "kind": "removed_file", **place, "number": len(gone), "note": note}
