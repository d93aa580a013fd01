"""A case that is read through a session: one that is no folder of this machine."""

from collections.abc import Iterator
from contextlib import contextmanager

from analyzer.cli.opened import opened_case
from analyzer.cli.progress import Progress
from analyzer.config import Config
from analyzer.storage.case import Case
from analyzer.storage.in_session import rows_of_case, tables_of_case
from analyzer.storage.reading.rows import StoredRows
from analyzer.storage.reading.tables import Stored
from analyzer.storage.settings import Work


@contextmanager
def rows_in_session(location: str, config: Config) -> Iterator[StoredRows]:
    """Yield how to read its rows."""
    with _opened(location, config) as case:
        yield rows_of_case(case)


@contextmanager
def tables_in_session(location: str, config: Config) -> Iterator[Stored]:
    """Yield how to read its tables."""
    with _opened(location, config) as case:
        yield tables_of_case(case)


@contextmanager
def _opened(location: str, config: Config) -> Iterator[Case]:
    with Progress(quiet=True) as progress, opened_case(location, config, progress, work=Work.BRIEF) as case:
        yield case
