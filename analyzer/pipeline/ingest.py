"""Reads captures into a case: the same content is read once, whichever files hold it."""

import dataclasses
import functools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import functions as F

from analyzer.parse.reading import read_facts
from analyzer.scan.capture import Capture
from analyzer.storage.case import Case
from analyzer.storage.upkeep import delete_leftovers, join_small_files
from analyzer.tables import FACTS_VERSION, RAW_SEGMENTS, Source

ROUND_BYTES = 8 << 30
"""Files are stored in rounds of this size: a run that breaks off loses the last rounds, not all of them."""

SMALLEST_TASK_BYTES = 16 << 20
"""Small files share a task: each costs 0.1 s before its first row, as PySpark reads the index of Spark's archives."""

GONE = "it was there when the files were listed, and gone when its turn came to be read"
"""`capture_files.problem` of a file that vanished."""

Progress = Callable[[str, Callable[[], int], int], None]
Row = dict[str, Any]
Copies = dict[str, list[str]]
"""The paths that hold each content, by file_id."""
Gone = set[tuple[str, str]]
"""The file_id and path of each file that vanished."""


def ingest(case: Case, captures: Sequence[Capture], progress: Progress = lambda *_: None) -> int:
    """Store the facts of every content that the case does not hold yet; return how many files were read.

    Catalog rows are written last, one commit after the facts. Facts without a `files` row are left over from a crash
    and are deleted first. A file that is gone when its turn comes is listed with a problem. Raises EnvironmentFault if
    another process is writing to the case.
    """
    with case.only_writer() as check_held:
        join_small_files(case)
        return _ingest(case, captures, progress, check_held)


def _ingest(case: Case, captures: Sequence[Capture], progress: Progress, check_held: Callable[[], None]) -> int:
    known = _clean(case)
    copies = _copies(captures)
    sources = {source.file_id: source for capture in captures for source in capture.sources()}
    fresh = [source for file_id, source in sources.items() if file_id not in known]
    total = sum(source.bytes for source in fresh)
    done = 0
    vouched: list[Row] = []
    gone: Gone = set()
    lost = 0
    for part in _rounds(fresh):
        size = sum(source.bytes for source in part)
        progress("parse", functools.partial(_done, case, done, size), total)
        stored = _store(case, part, copies)
        check_held()
        case.append_rows({"files": vouched}, "catalog")
        vouched = stored
        gone |= {(one.file_id, path) for one in part for path in copies[one.file_id] if not Path(path).exists()}
        lost += len(part) - len(stored)
        done += size
    _list(case, captures, vouched, gone)
    progress("parse", lambda: total, total)
    return len(fresh) - lost


def _done(case: Case, before: int, size: int) -> int:
    """Return the bytes that are read by now: those of earlier rounds, and of this one as many as its tasks say."""
    return before + round(size * case.engine.share_done())


def _copies(captures: Sequence[Capture]) -> Copies:
    copies: Copies = {}
    for file in (file for capture in captures for file in capture.files if file["file_id"] is not None):
        copies.setdefault(file["file_id"], []).append(file["absolute_path"])
    return copies


def _clean(case: Case) -> set[str]:
    """Delete facts without a `files` row; return the file_ids that are stored."""
    if not case.holds("facts"):
        return set()
    delete_leftovers(case)
    return {row.file_id for row in case.read("files").select("file_id").collect()}


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


def _store(case: Case, sources: Sequence[Source], copies: Copies) -> list[Row]:
    """Parse the files in parallel and append their facts; return the `files` rows of contents that still exist."""
    bundles = bundle(sources, case.tasks_wanted)

    def read_bundles(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                for source in bundles[number]:
                    yield from _read(source, copies[source.file_id])

    case.append_read("facts", len(bundles), read_bundles, in_bytes=sum(source.bytes for source in sources))
    now = int(time.time() * 1000)
    return [
        {"file_id": s.file_id, "reader_version": FACTS_VERSION, "bytes": s.bytes, "ingested_ms": now}
        for s in sources
        if any(Path(path).exists() for path in copies[s.file_id])
    ]


def _read(source: Source, paths: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Yield a content's facts from the first of its files that is there: retention goes on in a broker's folder."""
    for path in paths:
        try:
            yield from read_facts(dataclasses.replace(source, absolute_path=path))
        except FileNotFoundError:
            continue
        return


def bundle(sources: Sequence[Source], cores: int) -> list[list[Source]]:
    """Return the files as tasks of even size: large files first, small ones together, raw segments in parts."""
    total = sum(source.bytes for source in sources)
    wanted = max(cores, min(len(sources), total // SMALLEST_TASK_BYTES // 4))
    room = max(SMALLEST_TASK_BYTES, total // max(wanted, 1))
    bundles: list[list[Source]] = []
    size = 0
    share = max(room, total // max(cores, 1))
    pieces = [piece for source in sources for piece in _pieces(source, share)]
    for source in sorted(pieces, key=lambda one: (-one.bytes, one.file_id, one.first_byte)):
        if not bundles or size + source.bytes > room:
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
    if source.file_kind not in RAW_SEGMENTS or source.compression or count < 2:  # noqa: PLR2004 - parts are several
        return [source]
    size = -(-source.bytes // count)
    starts = range(0, source.bytes, size)
    return [
        dataclasses.replace(
            source, first_byte=start, stop_byte=start + size if start != starts[-1] else None, bytes=size
        )
        for start in starts
    ]


def _list(case: Case, captures: Sequence[Capture], vouched: Sequence[Row], gone: Gone) -> None:
    """Write these `files` rows, and the rows of `captures` and `capture_files` that the case does not have yet.

    A path has one row. Where a file was read that was not before, or has another content now, all rows of its capture
    are put anew.
    """
    listed = _listed(case, captures)
    known = {(row["capture"], row["path"], row["file_id"]) for row in listed}
    files = [
        {**file, "file_id": None, "problem": GONE} if (file["file_id"], file["absolute_path"]) in gone else file
        for capture in captures
        for file in capture.files
    ]
    there = _paths_read(listed)
    unknown = [file for file in files if (file["capture"], file["path"], file["file_id"]) not in known]
    new = [file for file in unknown if _was_asked_for(file) or _path(file) not in there]
    read = _paths_read(new)
    again = {row["capture"] for row in listed if _path(row) in read}
    old = {row["capture"] for row in listed}
    added = [capture.row for capture in captures if capture.name not in old]
    others = [file for file in new if file["capture"] not in again]
    case.append_rows({"files": vouched, "captures": added, "capture_files": others}, "catalog")
    if again:
        kept = [row for row in listed if row["capture"] in again and _path(row) not in read]
        kept += [file for file in new if file["capture"] in again]
        held = case.read("captures").where(F.col("capture").isin(list(again))).collect()
        case.replace_rows(again, {"captures": [row.asDict() for row in held], "capture_files": kept}, "catalog")


def _path(file: Row) -> tuple[str, str]:
    return file["capture"], file["path"]


def _paths_read(files: Iterable[Row]) -> set[tuple[str, str]]:
    return {_path(file) for file in files if file["file_id"] is not None}


def _was_asked_for(file: Row) -> bool:
    """Return whether a file was read or should have been; others are only known to be there."""
    return file["file_id"] is not None or file["problem"] is not None


def _listed(case: Case, captures: Sequence[Capture]) -> list[Row]:
    """Return the rows of `capture_files` that the case has of these captures."""
    if not case.holds("catalog"):
        return []
    names = [capture.name for capture in captures]
    there = case.read("capture_files").where(F.col("capture").isin(names))
    return [row.asDict() for row in there.collect()]
