"""Runs the detectors as one Spark job; one that fails does not hide what the others find."""

import dataclasses
import logging
from collections.abc import Mapping, Sequence
from typing import Any

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame

from analyzer.detectors.model import Detector
from analyzer.detectors.running import Asked, run_all
from analyzer.pipeline.workbench import Bench
from analyzer.stages.running import Run

LOG = logging.getLogger(__name__)

LACKING = {
    "batches": "no dump of a partition's log",
    "coordinator_states": "no dump of __transaction_state",
    "offset_commits": "no dump of __consumer_offsets",
    "keyed_records": "needs record keys: run again with --keys TOPIC on raw segments or --print-data-log dumps",
    "answers": "no answer of an admin tool",
    "routed_ids": "no dump of __transaction_state or __consumer_offsets",
}


@dataclasses.dataclass(frozen=True, slots=True)
class DetectorRun:
    """What one detector did on one capture."""

    code: str
    name: str
    status: str
    reason: str | None
    findings: int


@dataclasses.dataclass(slots=True)
class Detected:
    """Evidence rows, how many each (capture, code) has without the limit, and what failed."""

    rows: list[dict[str, Any]]
    totals: dict[tuple[str, str], int]
    failed: dict[str, str]

    def runs(self, detectors: Sequence[Detector], capture: str, facts: Mapping[str, Any]) -> list[DetectorRun]:
        """Return what each detector did on this capture; `facts` counts what the capture has of each need."""
        return [self._run(detector, capture, facts) for detector in detectors]

    def _run(self, detector: Detector, capture: str, facts: Mapping[str, Any]) -> DetectorRun:
        if detector.code in self.failed:
            return DetectorRun(detector.code, detector.name, "failed", self.failed[detector.code], 0)
        found = self.totals.get((capture, detector.code), 0)
        lacking = [[need for need in way.needs if not facts.get(need)] for way in detector.ways]
        if all(lacking) and not found:
            return DetectorRun(detector.code, detector.name, "skipped", LACKING[lacking[0][0]], 0)
        return DetectorRun(detector.code, detector.name, "ran", None, found)


def with_faults(detectors: Sequence[Detector], run: Run) -> tuple[list[Asked], dict[str, DataFrame]]:
    """Return the ways of these detectors that may find something, and the tables that they take.

    A way whose tables are known to be empty has found nothing and is not run.
    """
    every = [(one.code, number, way) for one in detectors for number, way in enumerate(one.ways)]
    there = run.with_rows(*[name for _, _, way in every for name in way.reads])
    asked = [one for one in every if not there.keys().isdisjoint(one[2].reads)]
    return asked, run.tables(*[name for _, _, way in asked for name in (*way.reads, *way.beside)])


def detect(asked: Sequence[Asked], tables: Mapping[str, DataFrame], bench: Bench, limit: int) -> Detected:
    """Run the detectors as one job, or one by one if that fails, so that only the broken one is missing.

    `tables` are the derived tables by name, `limit` bounds the rows of each code and capture.
    """
    if not asked:
        return Detected([], {}, {})
    hold = bench.hold.over(tables.values())
    try:
        return _detected([row.asDict() for row in hold.collected(run_all(asked, tables, limit))], {})
    except PySparkException:
        LOG.debug("the detectors fail together; running them one by one", exc_info=True)
    rows: list[dict[str, Any]] = []
    failed: dict[str, str] = {}
    for one in asked:
        try:
            rows += [row.asDict() for row in hold.collected(run_all([one], tables, limit))]
        except PySparkException as fault:
            failed[one[0]] = str(fault).splitlines()[0]
    return _detected(rows, failed)


def _detected(rows: list[dict[str, Any]], failed: dict[str, str]) -> Detected:
    return Detected(rows, {(row["capture"], row["code"]): row["total"] for row in rows}, failed)
