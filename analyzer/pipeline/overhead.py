"""From a capture of a case to the rows of its framing table."""

from typing import Any

from pyspark.sql import functions as F

from analyzer.lifecycles.framing import framing
from analyzer.lifecycles.log_batches import log_batches
from analyzer.lifecycles.placing import capture_sections, placed
from analyzer.lifecycles.replicas import log_spans, replica_logs
from analyzer.storage.case import Case


def overhead(case: Case, capture: str, topics: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """Return what frames the records of this capture, by topic, format and records a batch; all topics, or these."""
    files = case.read("capture_files").where(F.col("capture") == capture)
    places = capture_sections(files, case.read("sections"))
    batches = log_batches(case.read("batches"), places).persist()
    try:
        seen, states = placed(case.read("observations"), places), placed(case.read("producer_states"), places)
        rows = framing(batches, replica_logs(log_spans(batches), places, seen, states))
        chosen = rows.where(F.col("topic").isin(*topics)) if topics else rows
        return [row.asDict() for row in chosen.collect()]
    finally:
        batches.unpersist()
