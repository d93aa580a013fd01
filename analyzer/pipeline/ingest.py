"""From captures on disk to their facts in a case: each content is read once, whatever holds it."""

import dataclasses
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pyarrow as pa
from pyspark.sql import functions as F

from analyzer.parse import read_facts
from analyzer.scan import Capture
from analyzer.storage.case import Case
from analyzer.tables import FACTS_VERSION, Source

ROUND_BYTES = 8 << 30
"""Files are stored in rounds of this size: what a broken run leaves behind is whole rounds."""

SMALLEST_TASK_BYTES = 16 << 20
"""Small files share a task: it costs 0.1 s before its first row (PySpark reads the index of Spark's archives again)."""

SPLIT_KINDS = frozenset({"segment", "transaction_segment", "offsets_segment"})
"""Files that several tasks may read side by side."""

Progress = Callable[[str, int, int], None]


def ingest(case: Case, captures: Sequence[Capture], progress: Progress = lambda *_: None) -> int:
    """Store the facts of every content that the case does not hold yet; return how many files were read.

    The catalog rows are written last, one commit after the facts: facts without a `files` row are what a crash
    left behind, and are deleted before anything else.
    """
    known = _clean(case)
    again = case.holds("catalog")
    sources = {source.file_id: source for capture in captures for source in capture.sources()}
    fresh = [source for file_id, source in sources.items() if file_id not in known]
    total = sum(source.bytes for source in fresh)
    done = 0
    vouched: list[dict[str, int | str]] = []
    with ThreadPoolExecutor(1) as beside:
        # A session's first commit takes seconds, for Delta's classes to be loaded: they pass while files are parsed.
        first_commit = beside.submit(case.create, "catalog")
        for part in _rounds(fresh):
            progress("parse", done, total)
            stored = _store(case, part)
            first_commit.result()
            case.append_rows({"files": vouched}, "catalog")
            vouched = stored
            done += sum(source.bytes for source in part)
    case.append_rows({"files": vouched, **_new_rows(case if again else None, captures)}, "catalog")
    progress("parse", total, total)
    return len(fresh)


def _clean(case: Case) -> set[str]:
    """Delete facts that no `files` row vouches for; return the file_ids that are stored."""
    if not case.holds("facts"):
        return set()
    files = case.read("files").select("file_id")
    orphans = case.read("sections").select("file_id").distinct().join(files, "file_id", "left_anti")
    if not orphans.isEmpty():
        case.delete_facts(orphans)
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


def _store(case: Case, sources: Sequence[Source]) -> list[dict[str, int | str]]:
    """Parse the files side by side and append their facts; return the rows that vouch for them."""
    bundles = bundle(sources, case.cores)

    def read_bundles(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                for source in bundles[number]:
                    yield from read_facts(source)

    case.append_read("facts", case.spark.range(0, len(bundles), 1, len(bundles)), read_bundles)
    now = int(time.time() * 1000)
    return [
        {"file_id": s.file_id, "reader_version": FACTS_VERSION, "bytes": s.bytes, "ingested_ms": now} for s in sources
    ]


def bundle(sources: Sequence[Source], cores: int) -> list[list[Source]]:
    """Return the files as tasks of even size: big files alone and first, small ones together, raw segments in parts."""
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
    """Return a raw segment that is much larger than this share as parts of even size, else the file as it is.

    Each part is walked to from the segment's first byte, so that no more parts are made than keep every core busy.
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


def _new_rows(case: Case | None, captures: Sequence[Capture]) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of captures and capture_files that the case does not have yet (None: it has none)."""
    names = [capture.name for capture in captures]
    known: set[tuple[str, str, str]] = set()
    have: set[str] = set()
    if case is not None:
        there = case.read("capture_files").where(F.col("capture").isin(names)).select("capture", "path", "file_id")
        known = {(row.capture, row.path, row.file_id) for row in there.collect()}
        have = {capture for capture, _, _ in known}
    files = [
        file
        for capture in captures
        for file in capture.files
        if (file["capture"], file["path"], file["file_id"]) not in known
    ]
    return {"captures": [c.row for c in captures if c.name not in have], "capture_files": files}
