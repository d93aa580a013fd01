"""What a post-mortem is written from: a stored document, and what changed until a later capture of its case."""

from typing import Any

from analyzer.cli.case.stored import stored_tables
from analyzer.config import Config
from analyzer.pipeline.captures import incident_capture, later_capture, stored_document
from analyzer.pipeline.history import with_history
from analyzer.report.actions.reached import reached
from analyzer.report.comparison.changes import Changes, compare
from analyzer.storage.named_cases import case_name


def incident(location: str, name: str | None, config: Config) -> tuple[dict[str, Any], Changes | None]:
    """Return the stored document that a post-mortem is about, and what changed until the newest later capture."""
    with stored_tables(location, config) as read:
        stored = {**stored_document(read, incident_capture(read, name), location), "case": case_name(location)}
        document = reached(with_history([stored], read)[0], config.reach)
        later = later_capture(read, document)
        changes = None if later is None else compare(document, stored_document(read, later, location))
    return document, changes
