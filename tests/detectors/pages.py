"""From docs/detectors/*.md to the examples in them: each heading's files, and what must be found in them.

A file is a block ```dump or ```file with its path in backquotes on the line above; ```expect is TOML. An example
without a capture.toml of its own gets DEFAULT_MANIFEST.
"""

import dataclasses
import re
import tomllib
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent.parent / "docs" / "detectors"
DEFAULT_MANIFEST = "captured_at = 2026-01-01T10:10:00Z\n[partition_counts]\n__transaction_state = 1\n"
FENCE = "```"


@dataclasses.dataclass(slots=True)
class Example:
    """One heading of a page with its files by path, and its expectations."""

    name: str
    files: dict[str, str] = dataclasses.field(default_factory=dict)
    expect: dict[str, Any] | None = None


def page_paths() -> list[Path]:
    """The pages, without the folder's README."""
    return sorted(path for path in FOLDER.glob("*.md") if path.name != "README.md")


def examples() -> list[Example]:
    """Every example of every page."""
    return [example for path in page_paths() for example in examples_of(path.stem, path.read_text(encoding="utf-8"))]


def examples_of(page: str, text: str) -> list[Example]:
    """Return the examples of a page; raises ValueError for a block that nobody would read."""
    found: list[Example] = []
    title, above, lines = page, "", iter(text.splitlines())
    for line in lines:
        if line.startswith("#"):
            title = line.lstrip("# ")
        elif line.startswith(FENCE):
            body = "".join(f"{inner}\n" for inner in iter(lambda: next(lines), FENCE))
            name = f"{page} - {re.sub(r'[^a-zA-Z0-9 ]', '', title)}"
            if not found or found[-1].name != name:
                found.append(Example(name))
            _add(found[-1], line.removeprefix(FENCE), above, body)
        above = line or above
    return [_complete(example) for example in found]


def _add(example: Example, kind: str, above: str, body: str) -> None:
    path = re.fullmatch(r"`([^`]+)`", above)
    if kind == "expect":
        example.expect = tomllib.loads(body)
    elif kind in {"dump", "file"} and path:
        example.files[path[1]] = body
    else:
        raise ValueError(f"{example.name}: a block {kind!r} below {above!r}")


def _complete(example: Example) -> Example:
    if example.expect is None or not example.files:
        raise ValueError(f"{example.name} has no expectations or no files")
    example.files.setdefault("capture.toml", DEFAULT_MANIFEST)
    return example
