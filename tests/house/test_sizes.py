"""House rules over sizes: how many modules a folder holds, how long a function is, whose name is whose."""

import ast
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
MODULES = sorted(path for folder in ("analyzer", "jobs") for path in (ROOT / folder).rglob("*.py"))
FOLDERS = sorted({path.parent for path in MODULES})

MOST_MODULES = 18
"""Modules of one folder, not counting `__init__.py`; about 15 are wanted."""
MOST_LINES = 50
"""Lines of one function from `def` to its end, not counting decorators and docstring; 25 are wanted."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def ids(path: Path) -> str:
    return str(path.relative_to(ROOT))


def lines_of(function: Function) -> int:
    """The lines from `def` to the end without those of the docstring: documentation is not rationed."""
    first = function.body[0]
    documented = ast.get_docstring(function) is not None
    documentation = (first.end_lineno or first.lineno) - first.lineno + 1 if documented else 0
    return (function.end_lineno or function.lineno) - function.lineno + 1 - documentation


@pytest.mark.parametrize("folder", FOLDERS, ids=ids)
def test_a_folder_holds_as_many_modules_as_one_can_overlook(folder: Path) -> None:
    assert len([path for path in folder.glob("*.py") if path.name != "__init__.py"]) <= MOST_MODULES


def test_no_two_helpers_of_tests_have_one_name() -> None:
    """Folders of tests stand on the path together: of two modules of one name, whoever asks first decides."""
    helpers = [
        path.stem
        for path in (ROOT / "tests").rglob("*.py")
        if path.stem not in {"conftest", "__init__"} and not path.stem.startswith("test_")
    ]
    assert sorted(name for name, times in Counter(helpers).items() if times > 1) == []


@pytest.mark.parametrize("path", MODULES, ids=ids)
def test_a_function_fits_on_a_screen(path: Path) -> None:
    functions = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, Function)]
    long = {node.name: lines_of(node) for node in functions if lines_of(node) > MOST_LINES}
    assert long == {}


def test_a_function_is_measured_without_its_docstring() -> None:
    text = (
        '@decorated\ndef f(\n    a: int,\n) -> int:\n    """One.\n\n    Two.\n    """\n    return (\n        a\n    )\n'
    )
    (function,) = ast.parse(text).body
    assert isinstance(function, ast.FunctionDef)
    assert lines_of(function) == 6
