"""Judges what is open in a log dir from small files first, then from only those segments that can matter."""

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pyspark.sql import Row, functions as F

from analyzer.config import Config
from analyzer.pipeline.analyze import judged
from analyzer.pipeline.ingest import ingest
from analyzer.pipeline.reported import STAGES
from analyzer.pipeline.workbench import workbench
from analyzer.scan.capture import Capture, scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.stages.running import Run
from analyzer.storage.case import Case
from analyzer.tables import NO_REPLICA
from analyzer.tables.fetch_steps import BY_ROUNDS

Bytes = Callable[[str, Callable[[], int], int], None]
Stage = Callable[[str], None]
Place = tuple[str, str, int, int]
"""Replica, topic, partition and segment."""


def judge_open(
    case: Case, request: CaptureRequest, capture: Capture, config: Config, bytes_done: Bytes, stage: Stage
) -> dict[str, Any]:
    """Return the document of a capture of which only what the plan asks for is read, round by round.

    `capture` is the request's, scanned without segments. A round that asks for more ends with its plan; the one that
    asks for nothing more is judged.
    """
    while True:
        ingest(case, [capture], bytes_done)
        stage("plan")
        with workbench(case, [capture.name]) as bench:
            run = Run(STAGES, bench, config)
            rows = run["fetch_plan"].where(F.col("step").isin(*BY_ROUNDS))
            asked = _paths(capture.files, bench.hold.collected(rows))
            if not asked:
                (document,) = judged(case, bench, run, [capture.name], config, stage)
                return document
        request = dataclasses.replace(request, segments=(request.segments or frozenset()) | asked)
        capture = scan_capture(request)


def _paths(files: Iterable[Mapping[str, Any]], rows: Iterable[Row]) -> frozenset[str]:
    """Return the paths of the segments that these rows of the plan ask for, as far as they are here and unread."""
    wanted = {(row.replica, row.topic, row.partition, row.segment) for row in rows if row.segment is not None}
    unread = (file for file in files if file["file_id"] is None and file["problem"] is None and file["absolute_path"])
    return frozenset(file["path"] for file in unread if _place(file) in wanted)


def _place(file: Mapping[str, Any]) -> Place:
    replica = file["folder_replica"] or NO_REPLICA
    return replica, file["folder_topic"], file["folder_partition"], file["folder_segment"]
