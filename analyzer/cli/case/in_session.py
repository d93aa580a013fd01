"""A case that is read through a session: one that is no folder of this machine."""

from collections.abc import Iterator
from contextlib import contextmanager

from analyzer.cli.opened import opened_briefly
from analyzer.config import Config
from analyzer.storage.in_session import rows_of_case, tables_of_case
from analyzer.storage.reading.rows import StoredRows
from analyzer.storage.reading.tables import Stored


@contextmanager
def rows_in_session(location: str, config: Config) -> Iterator[StoredRows]:
    """Yield how to read its rows."""
    with opened_briefly(location, config, quiet=True) as case:
        yield rows_of_case(case)


@contextmanager
def tables_in_session(location: str, config: Config) -> Iterator[Stored]:
    """Yield how to read its tables."""
    with opened_briefly(location, config, quiet=True) as case:
        yield tables_of_case(case)
