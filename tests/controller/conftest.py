"""What the tests of the controllers' log share: one of its files, in any form, as the rows of `metadata_records`."""

import io
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "segments"))

from quorum_files import VERSIONS

from analyzer.parse.reading import read_stream
from analyzer.parse.segments.reading import read_raw

Facts = dict[str, list[dict[str, Any]]]


@pytest.fixture(scope="session")
def read() -> Callable[..., Facts]:
    """A function: a raw file, a dump, or bytes of either in, its rows by table out."""

    def _read(what: Path | bytes, kind: str = "", **options) -> Facts:
        facts: Facts = defaultdict(list)
        if isinstance(what, Path) and what.suffix != ".txt":
            kind = kind or ("metadata_checkpoint" if what.suffix == ".checkpoint" else "metadata_segment")
            batches = read_raw(str(what), kind, what.name, "file")
        else:
            text = what.read_bytes() if isinstance(what, Path) else what
            batches = read_stream(io.BytesIO(text), "dump", "dump.txt", "file", **options)
        for batch in batches:
            for row in batch.to_pylist():
                facts[row.pop("table")].append({name: value for name, value in row.items() if value is not None})
        return facts

    return _read


@pytest.fixture(scope="session")
def clusters(lab: Path) -> dict[str, Path]:
    """The folder of each cluster by its version."""
    return {version: lab / "metadata" / version for version in VERSIONS}
