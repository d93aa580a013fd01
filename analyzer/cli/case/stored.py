"""What a case holds: without a session where it is a folder of this machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from analyzer.config import Config
from analyzer.pipeline.captures import incident_capture, later_capture, stored_document
from analyzer.pipeline.history import with_history
from analyzer.report.actions.reached import reached
from analyzer.report.comparison.changes import Changes, compare
from analyzer.storage.locations import needs_no_session
from analyzer.storage.named_cases import case_name
from analyzer.storage.reading.rows import StoredRows, rows_of_folder


def report(location: str, name: str | None, config: Config) -> dict[str, Any]:
    """Return the stored document of a capture, its commands for the brokers that the settings or the case tell."""
    with stored_tables(location, config) as read:
        return _told(read, name, location, config)


def incident(location: str, name: str | None, config: Config) -> tuple[dict[str, Any], Changes | None]:
    """Return the stored document that a post-mortem is about, and what changed until the newest later capture."""
    with stored_tables(location, config) as read:
        document = _told(read, incident_capture(read, name), location, config)
        later = later_capture(read, document)
        return document, None if later is None else compare(document, stored_document(read, later, location))


def _told(read: StoredRows, name: str | None, location: str, config: Config) -> dict[str, Any]:
    document = {**stored_document(read, name, location), "case": case_name(location)}
    return reached(with_history([document], read)[0], config.reach)


@contextmanager
def stored_tables(location: str, config: Config) -> Iterator[StoredRows]:
    """Yield how to read what a case holds: without a session where it is a folder of this machine."""
    if needs_no_session(location):
        yield rows_of_folder(location)
        return
    from analyzer.cli.case.in_session import rows_in_session  # noqa: PLC0415 - loads an engine

    with rows_in_session(location, config) as read:
        yield read
