"""One line of a dump is garbage, and it was a marker's: nobody is accused of its absence, and nothing is called clean."""

import shutil
from pathlib import Path

from judged_together import judged_together

SCENARIO = "normal_mix"
EACH = 4
"""Of the logs every fourth is damaged, all of them with --soak."""


@judged_together
def damaged(lab, root, soak) -> dict[str, Path]:
    """The scenario with one marker's line garbage, in the middle or at the end of a log; one dump of each segment."""
    files = lab / "dev" / SCENARIO / "dumps"
    folders = {}
    logs = [path for path in sorted(files.rglob("*.log.txt")) if "__" not in str(path.relative_to(files))]
    for path in logs if soak else logs[::EACH]:
        markers = _markers(path)
        if len(markers) > 2:
            for kind, number in (("middle", markers[len(markers) // 2]), ("end", markers[-1])):
                name = f"{path.parent.name} {path.name[:20]} {kind}"
                folders[name] = _without(files, root / name, path.relative_to(files), number)
    return folders


def _markers(path: Path) -> list[int]:
    return [number for number, line in enumerate(path.read_bytes().split(b"\n")) if b"isControl: true" in line]


def _without(files: Path, target: Path, damaged: Path, number: int) -> Path:
    shutil.copytree(files, target, ignore=shutil.ignore_patterns("*.log.data.txt"))
    lines = (files / damaged).read_bytes().split(b"\n")
    lines[number] = b"\x15\x93garbage"
    (target / damaged).write_bytes(b"\n".join(lines))
    return target


def test_nothing_is_found_and_nothing_is_called_clean(damaged):
    assert len(damaged) >= 4
    assert {name: document["findings"] for name, document in damaged.items() if document["findings"]} == {}
    assert {document["verdict"] for document in damaged.values()} == {"inconclusive"}


def test_the_place_is_named(damaged):
    for name, document in damaged.items():
        kinds = {note["kind"] for note in document["coverage"]["notes"]}
        assert kinds & {"unread_bytes", "short_log", "offset_hole"}, name
