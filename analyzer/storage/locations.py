"""Where a case lies: a folder of this machine, an address, or a schema of the metastore."""

import importlib.util
import re
from pathlib import Path

SCHEMA_PREFIX = "schema:"
"""What stands before the name of a metastore's schema where a case is kept in one."""

PLAIN_PATH = re.compile(r"[\w/ .,:;+=@~()!&'#-]+")
"""Paths that delta-rs takes as they are: it decodes `%20`, turns `\\` into `/`, and dies of brackets."""


def is_local_folder(location: str) -> bool:
    """Return whether a case is a folder of this machine, named without a scheme."""
    return "://" not in location and not location.startswith((SCHEMA_PREFIX, "dbfs:", "file:"))


def needs_no_session(location: str) -> bool:
    """Return whether delta-rs reads and writes a case here: it is installed, and can name this folder.

    On clusters it is not installed.
    """
    installed = importlib.util.find_spec("deltalake") is not None
    return installed and is_local_folder(location) and bool(PLAIN_PATH.fullmatch(str(Path(location).absolute())))
