"""House rules over the code: import direction, sizes, names, first sentences."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PACKAGE = ROOT / "analyzer"
MODULES = sorted(path for folder in (PACKAGE, ROOT / "jobs") for path in folder.rglob("*.py"))

LAYERS = (
    {"cli", "__main__", "submit", "jobs"},
    {"lookups"},
    {"pipeline", "anonymize"},
    {"scan", "parse", "lifecycles", "detectors", "report", "storage"},
    {"stages"},
    {"tables"},
    {"kafka", "opening", "scratch", "config", "errors"},
)
"""From above to below; a part imports only what is below it. The parts of the two outer rows may know each other."""

ROOMS = {
    "lifecycles": (
        {"ddl"},
        {"registry", "tables"},
        {"collecting", "leadership", "producers", "groups", "keyed", "opens", "pictures"},
        {"matching"},
        {"pairing"},
        {"answers", "coordinator", "coverage", "routing"},
        {"judging", "logs"},
        {"controller"},
        {"declaring", "telling_apart"},
        {"once", "placing"},
        {"released"},
    ),
    "stages": (
        {"running"},
        {"graph", "inputs", "profiling", "ready"},
        {"both", "combining", "few", "stage"},
        {"private"},
    ),
    "pipeline": (
        {"open_only"},
        {"analyze"},
        {"detecting", "expansion", "key_expansion", "looked_up", "overhead", "pictures", "query"},
        {
            "captures",
            "clusters",
            "evidence",
            "history",
            "ingest",
            "reported",
            "rescue",
            "sql",
            "vacuum",
            "workbench",
        },
        {"amounts"},
    ),
    "report": (
        {"comparison", "rendering"},
        {"formats"},
        {"pictures"},
        {"postmortem"},
        {"assembling", "outline"},
        {"actions", "metrics", "triage"},
        {"sentences"},
        {"document"},
    ),
    "parse": (
        {"quoting", "reading"},
        {"dump", "segments"},
        {"raw_text", "small_files"},
        {"answers", "console"},
        {"contents", "logs"},
        {"unclaimed"},
        {"lines", "sections"},
        {"codecs", "remarks", "rows", "stream"},
    ),
    "storage": (
        {"doctor", "exercise", "in_session", "upkeep"},
        {"case", "session"},
        {"engines", "faults"},
        {"arrow_files", "checkpoints", "jvm", "named_cases", "room"},
        {"cache", "conditions", "lease", "locations", "lock", "reading", "record_files", "settings"},
    ),
    "cli": (
        {"watch"},
        {
            "anonymize",
            "commands",
            "comparison",
            "expansion",
            "explaining",
            "inspection",
            "judging",
            "kept",
            "lookups",
            "rescue",
        },
        {"running"},
        {"wanted"},
        {"options"},
        {"case"},
        {"opened"},
        {"border", "printing", "progress"},
        {"pages", "stopping"},
    ),
}
"""The same inside a part: its folders and modules; none imports another of its row."""

FORBIDDEN = {"utils", "util", "helpers", "helper", "common", "core", "base", "manager", "misc"}
LONGEST_FILE = 250


def part_of(path: Path) -> str:
    """The part of the package that a module belongs to: its folder or, at the top, its own name."""
    relative = path.relative_to(PACKAGE)
    return relative.parts[0] if len(relative.parts) > 1 else relative.stem


def imported_parts(path: Path) -> set[str]:
    """The parts of the package that a module imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively"
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return {name.split(".")[1] for name in names if name.startswith("analyzer.")}


def row_of(part: str) -> int:
    """The number of the row that a part stands in, 0 on top."""
    return next(number for number, row in enumerate(LAYERS) if part in row)


def ids(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_every_part_stands_in_a_layer() -> None:
    parts = {part_of(path) for path in MODULES if path.is_relative_to(PACKAGE)} - {"__init__"}
    assert parts <= set().union(*LAYERS)


@pytest.mark.parametrize("path", [path for path in MODULES if path.is_relative_to(PACKAGE)], ids=ids)
def test_imports_point_downwards(path: Path) -> None:
    here = part_of(path)
    if here == "__init__":
        return
    known = set().union(*LAYERS)
    for part in imported_parts(path) & known - {here}:
        outer = row_of(here) in {0, len(LAYERS) - 1} and row_of(part) == row_of(here)
        assert outer or row_of(part) > row_of(here), f"{here} imports {part}, which is not below it"


def room_of(path: Path, part: str) -> str:
    """The room of a part that a module belongs to: its folder or, directly in the part, its own name."""
    relative = path.relative_to(PACKAGE / part)
    return relative.parts[0] if len(relative.parts) > 1 else relative.stem


def imported_rooms(path: Path, part: str) -> set[str]:
    """The rooms of a part that a module imports from."""
    modules = [
        node.module or "" for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.ImportFrom)
    ]
    return {name.split(".")[2] for name in modules if name.startswith(f"analyzer.{part}.")}


@pytest.mark.parametrize("part", ROOMS)
def test_every_room_stands_in_a_row(part: str) -> None:
    rooms = {room_of(path, part) for path in (PACKAGE / part).rglob("*.py")} - {"__init__"}
    rows = [room for row in ROOMS[part] for room in row]
    assert sorted(rows) == sorted(rooms)


@pytest.mark.parametrize(
    ("part", "path"), [(part, path) for part in ROOMS for path in sorted((PACKAGE / part).rglob("*.py"))], ids=str
)
def test_imports_between_rooms_point_downwards(part: str, path: Path) -> None:
    here = room_of(path, part)
    if here == "__init__":
        return
    row = {room: number for number, rooms in enumerate(ROOMS[part]) for room in rooms}
    for room in imported_rooms(path, part) - {here}:
        assert row[room] > row[here], f"{here} imports {room}, which is not below it"


@pytest.mark.parametrize("path", MODULES, ids=ids)
def test_a_file_is_short_enough_to_be_read_at_once(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= LONGEST_FILE


@pytest.mark.parametrize("path", MODULES, ids=ids)
def test_a_module_is_named_after_what_it_does(path: Path) -> None:
    assert not FORBIDDEN & set(path.relative_to(ROOT).with_suffix("").parts)


@pytest.mark.parametrize("path", MODULES, ids=ids)
def test_a_module_opens_with_a_sentence(path: Path) -> None:
    page = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert page
    assert len(page.splitlines()[0]) > 20


@pytest.mark.parametrize("path", MODULES, ids=ids)
def test_no_module_postpones_its_annotations(path: Path) -> None:
    assert "from __future__ import annotations" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", [path for path in MODULES if "storage" not in path.parts], ids=ids)
def test_only_storage_knows_of_a_jvm(path: Path) -> None:
    """A session may be Spark Connect's, as on serverless compute: there is none to talk to."""
    assert not re.search(r"sparkContext|\b_jvm\b|\b_jdf\b|_jsparkSession|\.rdd\b", path.read_text(encoding="utf-8"))
