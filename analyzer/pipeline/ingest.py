"""Reads captures into a case: the same content is read once, whichever files hold it."""

import contextlib
import dataclasses
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import functions as F

from analyzer.parse import read_facts
from analyzer.scan import Capture
from analyzer.storage.case import Case
from analyzer.tables import FACTS_VERSION, Source

ROUND_BYTES = 8 << 30
"""Files are stored in rounds of this size: a run that breaks off loses the last rounds, not all of them."""

SMALLEST_TASK_BYTES = 16 << 20
"""Small files share a task: each costs 0.1 s before its first row, as PySpark reads the index of Spark's archives."""

SPLIT_KINDS = frozenset({"segment", "transaction_segment", "offsets_segment"})
"""Kinds of files that several tasks may read in parallel."""

GONE = "it was there when the files were listed, and gone when its turn came to be read"
"""`capture_files.problem` of a file that vanished."""

Progress = Callable[[str, int, int], None]
Row = dict[str, Any]
Listed = set[tuple[str, str, str]]
"""The capture, path and file_id of each file that a case lists."""


def ingest(case: Case, captures: Sequence[Capture], progress: Progress = lambda *_: None) -> int:
    """Store the facts of every content that the case does not hold yet; return how many files were read.

    Catalog rows are written last, one commit after the facts. Facts without a `files` row are left over from a crash
    and are deleted first. A file that is gone when its turn comes is listed with a problem. Raises EnvironmentFault if
    another process is writing to the case's folder.
    """
    with case.only_writer():
        return _ingest(case, captures, progress)


def _ingest(case: Case, captures: Sequence[Capture], progress: Progress) -> int:
    known = _clean(case)
    listed = _listed(case, captures)
    sources = {source.file_id: source for capture in captures for source in capture.sources()}
    fresh = [source for file_id, source in sources.items() if file_id not in known]
    total = sum(source.bytes for source in fresh)
    done = 0
    vouched: list[Row] = []
    gone: set[str] = set()
    with ThreadPoolExecutor(1) as beside:
        # A session's first commit takes seconds, because it loads Delta's classes: that happens while files are parsed.
        first_commit = beside.submit(case.create, "catalog")
        for part in _rounds(fresh):
            progress("parse", done, total)
            stored = _store(case, part)
            first_commit.result()
            case.append_rows({"files": vouched}, "catalog")
            vouched = stored
            gone |= {source.file_id for source in part} - {str(row["file_id"]) for row in stored}
            done += sum(source.bytes for source in part)
    case.append_rows({"files": vouched, **_new_rows(captures, listed, gone)}, "catalog")
    progress("parse", total, total)
    return len(fresh) - len(gone)


def _clean(case: Case) -> set[str]:
    """Delete facts without a `files` row; return the file_ids that are stored."""
    if not case.holds("facts"):
        return set()
    files = case.read("files").select("file_id")
    unvouched = case.read("sections").select("file_id").distinct().join(files, "file_id", "left_anti")
    if not unvouched.isEmpty():
        case.delete_facts(unvouched)
    return {row.file_id for row in files.collect()}


def _rounds(sources: Sequence[Source]) -> Iterator[list[Source]]:
    part: list[Source] = []
    size = 0
    for source in sources:
        if part and size + source.bytes > ROUND_BYTES:
            yield part
            part, size = [], 0
        part.append(source)
        size += source.bytes
    if part:
        yield part


def _store(case: Case, sources: Sequence[Source]) -> list[Row]:
    """Parse the files in parallel and append their facts; return the `files` rows of those that still exist."""
    bundles = bundle(sources, case.cores)

    def read_bundles(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                for source in bundles[number]:
                    with contextlib.suppress(FileNotFoundError):  # a broker's own folder: retention goes on
                        yield from read_facts(source)

    case.append_read("facts", case.spark.range(0, len(bundles), 1, len(bundles)), read_bundles)
    now = int(time.time() * 1000)
    return [
        {"file_id": s.file_id, "reader_version": FACTS_VERSION, "bytes": s.bytes, "ingested_ms": now}
        for s in sources
        if Path(s.absolute_path).exists()
    ]


def bundle(sources: Sequence[Source], cores: int) -> list[list[Source]]:
    """Return the files as tasks of even size: large files first, small ones together, raw segments in parts."""
    total = sum(source.bytes for source in sources)
    wanted = max(cores, min(len(sources), total // SMALLEST_TASK_BYTES // 4))
    room = max(SMALLEST_TASK_BYTES, total // max(wanted, 1))
    bundles: list[list[Source]] = []
    size = room
    share = max(room, total // max(cores, 1))
    pieces = [piece for source in sources for piece in _pieces(source, share)]
    for source in sorted(pieces, key=lambda one: (-one.bytes, one.file_id, one.first_byte)):
        if size + source.bytes > room:
            bundles.append([])
            size = 0
        bundles[-1].append(source)
        size += source.bytes
    return bundles


def _pieces(source: Source, share: int) -> list[Source]:
    """Return a raw segment that is much larger than this share as parts of even size, otherwise the file as it is.

    A task finds its part by walking from the segment's first byte, so there are only as many parts as cores need.
    """
    count = round(source.bytes / share)
    if source.file_kind not in SPLIT_KINDS or source.compression or count < 2:  # noqa: PLR2004 - parts are several
        return [source]
    size = -(-source.bytes // count)
    starts = range(0, source.bytes, size)
    return [
        dataclasses.replace(
            source, first_byte=start, stop_byte=start + size if start != starts[-1] else None, bytes=size
        )
        for start in starts
    ]


def _listed(case: Case, captures: Sequence[Capture]) -> Listed:
    """Return the files of these captures that the case already lists."""
    if not case.holds("catalog"):
        return set()
    names = [capture.name for capture in captures]
    there = case.read("capture_files").where(F.col("capture").isin(names)).select("capture", "path", "file_id")
    return {(row.capture, row.path, row.file_id) for row in there.collect()}


def _new_rows(captures: Sequence[Capture], listed: Listed, gone: set[str]) -> dict[str, list[Row]]:
    """Return the rows of `captures` and `capture_files` that the case does not have yet."""
    have = {capture for capture, _, _ in listed}
    files = [
        {**file, "file_id": None, "problem": GONE} if file["file_id"] in gone else file
        for capture in captures
        for file in capture.files
        if (file["capture"], file["path"], file["file_id"]) not in listed
    ]
    return {"captures": [c.row for c in captures if c.name not in have], "capture_files": files}
