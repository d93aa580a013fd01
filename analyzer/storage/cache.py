"""Where downloads and derived files are kept between runs: jars, Ivy's own cache, start-up archives."""

import os
import sys
from pathlib import Path

CACHE_VARIABLE = "TXN_FORENSICS_CACHE"


def cache_dir() -> Path:
    """Return the folder `txn-forensics` of the user's cache, or `$TXN_FORENSICS_CACHE`; it need not exist yet."""
    given = os.environ.get(CACHE_VARIABLE)
    if given:
        return Path(given).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "txn-forensics"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "txn-forensics"


def shown(path: Path) -> str:
    """Return the path for a message, with `~` for the home folder."""
    try:
        return f"~/{path.relative_to(Path.home())}"
    except ValueError:
        return str(path)
