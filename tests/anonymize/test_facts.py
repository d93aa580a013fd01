"""Copies of dumps of every version, of raw files and of the quorum's log give the same facts under other names."""

import functools
import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from copies import Copy, contents_of, copy_of, secrets_in

from analyzer.parse.reading import read_facts
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.tables import RAW_KINDS

SAMPLE = ("0.11.0.3", "2.8.2", "3.9.1", "4.3.1", "console", "raw-2.8.2", "raw-broken")
KEYED = ("mx", "nasty", "simple")
MADE_OF_CONTENTS = {"file_id", "crc", "byte_offset", "key_digest", "key_sample", "key_murmur2", "key_crc32", "metadata"}
"""Columns that the bytes of contents decide."""
OF_PLACES = {"position", "marker_byte_offset"}
"""Columns that the packed size of the batches before decides, in raw files with compressed batches; in dumps the digits
of checksums."""
QUOTES = {"unparsed_lines", "log_lines", "answers"}
"""Tables whose `text` quotes a line."""


@pytest.fixture(scope="module")
def copied(lab: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Copy]:
    target = tmp_path_factory.mktemp("copies")

    @functools.cache
    def made(folder: Path) -> Copy:
        return copy_of(folder.name, folder, target / folder.parent.name / folder.name)

    return made


@pytest.fixture(scope="module")
def folders(lab: Path, soak: bool) -> list[Path]:
    """Folders of the corpus to copy, all of them with --soak."""
    every = [folder for pattern in ("matrix/*", "metadata/*") for folder in sorted(lab.glob(pattern))]
    return [
        folder
        for folder in every
        if folder.is_dir() and (soak or (folder.parent.name == "matrix" and folder.name in SAMPLE))
    ]


def test_facts_are_the_same(folders: list[Path], copied: Callable[[Path], Copy]):
    for folder in folders:
        copy = copied(folder)
        old, new = facts_of(folder, copy, new=False), facts_of(copy.folder, copy, new=True)
        assert old - new == Counter(), folder.name
        assert new - old == Counter(), folder.name


def test_nothing_is_left(folders: list[Path], copied: Callable[[Path], Copy]):
    for folder in folders:
        copy = copied(folder)
        secrets = copy.names() | secrets_in(folder)
        text = b"\0".join(contents_of(copy.folder))
        assert not [secret for secret in secrets if secret in text], folder.name


def facts_of(folder: Path, copy: Copy, *, new: bool) -> Counter[str]:
    """Return the facts of a capture or of its copy, each with the path of its file in the copy."""
    topics = tuple(copy.done.names.get(name, name) if new else name for name in KEYED)
    capture = scan_capture(CaptureRequest((str(folder),), keys=topics))
    read = {source.file_id: source for source in capture.sources()}
    paths: dict[str, list[str]] = {file_id: [] for file_id in read}
    for file in capture.files:
        if file["file_id"] in read:
            paths[file["file_id"]].append(file["path"] if new else copy.path(file["path"]))
    facts: Counter[str] = Counter()
    for file_id, source in read.items():
        rows = [row for batch in read_facts(source) for row in batch.to_pylist()]
        packed = any(row["codec"] not in (None, "none") for row in rows)
        for row in rows:
            plain = _plain(row, placed=source.file_kind in RAW_KINDS and not packed)
            told = json.dumps(_in_order(copy.restored(plain) if new else plain), sort_keys=True)
            facts.update(f"{path} {told}" for path in paths[file_id])
    return facts


def _plain(row: dict[str, Any], *, placed: bool) -> dict[str, Any]:
    gone = MADE_OF_CONTENTS | (set() if placed else OF_PLACES) | ({"text"} if row["table"] in QUOTES else set())
    gone |= {"size"} if row["codec"] not in (None, "none") else set()
    named = {name: value for name, value in row.items() if name not in gone and value is not None}
    return named | ({"fields": json.loads(row["fields"])} if row["fields"] else {})


def _in_order(row: dict[str, Any]) -> dict[str, Any]:
    return {name: sorted(value) if name in ("members", "partitions") else value for name, value in row.items()}
