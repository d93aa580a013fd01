"""Judges what is open in a log dir from small files first, then from only those segments that can matter."""

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from analyzer.config import Config
from analyzer.lifecycles.placing import NO_REPLICA
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan import Capture, CaptureRequest, scan_capture
from analyzer.storage.case import Case
from analyzer.tables.fetch_steps import BY_ROUNDS

Bytes = Callable[[str, Callable[[], int], int], None]
Stage = Callable[[str], None]
Place = tuple[str, str, int, int]
"""Replica, topic, partition and segment."""


def judge_open(
    case: Case, request: CaptureRequest, capture: Capture, config: Config, bytes_done: Bytes, stage: Stage
) -> dict[str, Any]:
    """Return the document of a capture of which only what the plan asks for is read, round by round.

    `capture` is the request's, scanned without segments. The last round is the one that asks for nothing more.
    """
    while True:
        ingest(case, [capture], bytes_done)
        (document,) = analyze(case, [capture.name], config, stage)
        read = request.segments or frozenset()
        asked = _paths(capture.files, document["fetch"])
        if asked <= read:
            return document
        request = dataclasses.replace(request, segments=read | asked)
        capture = scan_capture(request)


def _paths(files: Iterable[Mapping[str, Any]], fetch: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """Return the paths of the segments that settle what is open, as far as they are here and were not read."""
    wanted = (row for row in fetch if row["step"] in BY_ROUNDS and row.get("segment") is not None)
    settling = {_place(row, "broker", "") for row in wanted}
    unread = (file for file in files if file["file_id"] is None and file["problem"] is None and file["absolute_path"])
    return frozenset(file["path"] for file in unread if _place(file, "folder_replica", "folder_") in settling)


def _place(row: Mapping[str, Any], replica: str, prefix: str) -> Place:
    names = (f"{prefix}{name}" for name in ("topic", "partition", "segment"))
    topic, partition, segment = (row[name] for name in names)
    return row.get(replica) or NO_REPLICA, topic, partition, segment
