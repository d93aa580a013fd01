"""Lets Arrow work without pandas where no engine needs it: its import is half of what a look-up takes."""

import functools
import sys
from importlib.abc import MetaPathFinder

import pyarrow as pa


class _NoPandas(MetaPathFinder):
    """Says of pandas that it is not installed."""

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> None:  # noqa: ARG002
        """Raise ImportError for pandas; whatever else is looked for elsewhere."""
        if fullname == "pandas":
            raise ImportError(fullname)


@functools.cache
def without_pandas(*, engine: bool = False) -> None:
    """Hide pandas from Arrow, which asks for it once, before the first value of Python's that it converts.

    Not where pandas is there already, or where PySpark is and may be an `engine` of this process.
    """
    if "pandas" in sys.modules or (engine and "pyspark" in sys.modules):
        return
    hidden = _NoPandas()
    sys.meta_path.insert(0, hidden)
    try:
        pa.scalar(0)
    finally:
        sys.meta_path.remove(hidden)
