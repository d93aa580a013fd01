"""A file named after an offset beyond a log's end proves that the end is not here, whatever the checkpoint says."""

import shutil
import struct
from pathlib import Path

import pytest
from crc32c import crc32c
from judged_together import judged_together

SCENARIO, LOG = "group_rebalance_clean", "*/*-*/00000000000000000000.log"
"""A capture that is clean, and its logs."""
BEYOND = f"{10**6:020d}"


def snapshot(*producers: tuple[int, ...]) -> bytes:
    """A producer snapshot: id, epoch, sequence, last offset, delta, time, coordinator epoch, first open offset."""
    body = struct.pack(">i", len(producers)) + b"".join(struct.pack(">qhiqiqiq", *one) for one in producers)
    return struct.pack(">hI", 1, crc32c(body)) + body


OPEN = (9, 0, 2, 999_999, 2, 1_795_252_000_000, 0, 999_997)
FILES = {
    "a snapshot with an open transaction": (".snapshot", snapshot(OPEN)),
    "a snapshot without producers": (".snapshot", snapshot()),
    "a transaction index": (".txnindex", struct.pack(">hqqqq", 0, 9, 10**6, 10**6 + 3, 10**6)),
}


def data_log(folder: Path) -> Path:
    """The longest log of a data partition."""
    logs = [path for path in folder.glob(LOG) if not path.parent.name.startswith("__")]
    return max(logs, key=lambda path: path.stat().st_size)


@judged_together
def documents(lab, root) -> dict[str, Path]:
    files = lab / "dev" / SCENARIO / "logdir"
    folders = {"as it was": files}
    for number, (name, (suffix, content)) in enumerate(FILES.items()):
        folders[name] = root / str(number)
        shutil.copytree(files, folders[name])
        data_log(folders[name]).with_name(BEYOND + suffix).write_bytes(content)
    return folders


def test_as_it_was_it_is_clean(documents):
    assert documents["as it was"]["verdict"] == "clean"


@pytest.mark.parametrize("name", FILES)
def test_such_a_capture_is_not_clean(documents, lab, name):
    log = data_log(lab / "dev" / SCENARIO / "logdir")
    assert documents[name]["verdict"] == "inconclusive"
    assert documents[name]["findings"] == []
    notes = [note for note in documents[name]["coverage"]["notes"] if note["kind"] == "short_log"]
    assert [f"{note['topic']}-{note['partition']}" for note in notes] == [log.parent.name]
    assert BEYOND in notes[0]["note"]
