"""House rules over the texts for readers: what README, CONTRIBUTING and the pages say is so."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer.main
from pyspark.sql import SparkSession
from readme_parts import (
    FENCE,
    PAGES,
    README,
    REPORT,
    ROOT,
    findings_table,
    first_screen,
    first_sentence,
    help_text,
    part,
    whole_report,
    with_part,
)
from typer.testing import CliRunner

from analyzer.cli.commands import app
from analyzer.detectors.registry import ALL

DOCUMENTS = [
    README,
    ROOT / "CONTRIBUTING.md",
    ROOT / "sample_data" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
COMMANDS = typer.main.get_group(app).commands
OURS = re.compile(r"\bscenarios?\b|\blab\b|\bcorpus\b|\bS\d+[a-z]?_\w+", re.IGNORECASE)
"""What a page for users does not name: how the rules were tried."""
STALE = "stale: run make readme"


def ids(path: Path) -> str:
    return str(path.relative_to(ROOT))


def example_commands(text: str) -> Iterator[str]:
    """The txn-forensics commands of a document's blocks, without comments and pipes."""
    blocks = [*text.split(FENCE)[1::2], *re.findall(r"^ {4}(\S.*)$", text, re.MULTILINE)]
    for line in "\n".join(blocks).splitlines():
        if re.match(r"txn-forensics \S", line):  # a report opens with the name and two spaces
            yield re.split(r"\s#|\s\|", line)[0]


def unknown_in(line: str) -> list[str]:
    """The words of a command that the command line does not know: the command itself, or its options."""
    words = shlex.split(line)[1:]
    while words and words[0].startswith("--"):
        words.pop(0)
    command = COMMANDS.get(words[0])
    if command is None:
        return words[:1]
    if command.name == "submit":
        words = words[: words.index("--")] if "--" in words else words
    known = {name for parameter in command.params for name in parameter.opts} | {"--help"}
    return [word for word in words[1:] if word.startswith("-") and word not in known]


def test_the_help_text_is_that_of_the_command_line() -> None:
    assert part(README.read_text(encoding="utf-8"), "help") == help_text(), STALE


def test_no_sentence_of_the_help_text_is_cut() -> None:
    assert "..." not in help_text().replace("[ARGS]...", "")


@pytest.mark.parametrize(("path", "folder"), [(README, "docs/detectors/"), (PAGES / "README.md", "")])
def test_the_table_of_findings_is_that_of_the_registry(path: Path, folder: str) -> None:
    assert part(path.read_text(encoding="utf-8"), "findings") == findings_table(folder), STALE


def test_the_transcript_is_what_the_command_prints(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = CliRunner().invoke(app, ["run", "sample_data", "--quiet", "--engine", "spark"])
    assert part(README.read_text(encoding="utf-8"), "transcript") == first_screen(result.stdout), STALE
    assert part(REPORT.read_text(encoding="utf-8"), "report") == whole_report(result.stdout), STALE


def test_a_part_is_replaced_and_a_missing_one_is_told() -> None:
    text = "a\n<!-- x, written by make readme -->\nold\n<!-- end -->\nb\n"
    assert with_part(text, "x", "new\n|") == text.replace("old", "new\n|")
    with pytest.raises(ValueError, match="no part 'y'"):
        with_part(text, "y", "new")


@pytest.mark.parametrize("path", DOCUMENTS, ids=ids)
def test_commands_in_documents_can_be_given(path: Path) -> None:
    lines = list(example_commands(path.read_text(encoding="utf-8")))
    assert {line: unknown_in(line) for line in lines if unknown_in(line)} == {}


def test_commands_are_found_and_wrong_ones_are_told() -> None:
    assert len(list(example_commands(README.read_text(encoding="utf-8")))) > 10
    assert unknown_in("txn-forensics run FOLDER --kase DIR") == ["--kase"]
    assert unknown_in("txn-forensics judge FOLDER") == ["judge"]


@pytest.mark.parametrize("path", DOCUMENTS, ids=ids)
def test_make_targets_in_documents_exist(path: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z-]+)|^make ([a-z-]+) ", path.read_text(encoding="utf-8"), re.MULTILINE)) <= {
        pair for name in targets for pair in ((name, ""), ("", name))
    }


@pytest.mark.parametrize("path", [*DOCUMENTS, *sorted((ROOT / "docs" / "decisions").glob("*.md"))], ids=ids)
def test_files_that_documents_name_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    named = re.findall(r"`((?:analyzer|bench|conf|docs|jobs|schemas|tests)/[^`\s]*)`", text)
    linked = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    missing = [name for name in named if not list(ROOT.glob(re.sub(r"<\w+>", "*", name).rstrip("/")))]
    missing += [link for link in linked if not (path.parent / link).exists()]
    assert missing == []


def test_every_room_is_on_the_map() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| `(analyzer/[\w/]+)/`", text, re.MULTILINE))
    packages = {path.parent.relative_to(ROOT) for path in (ROOT / "analyzer").rglob("__init__.py")}
    rooms = {path for path in packages if not any(path in other.parents for other in packages)}
    assert {str(path) for path in rooms if not {str(path), str(path.parent)} & named} == set()
    assert {name for name in named if Path(name) not in packages} == set()


@pytest.mark.parametrize("detector", ALL, ids=lambda one: one.code)
def test_a_page_names_nothing_of_ours(detector) -> None:
    assert OURS.findall(detector.page) == []


@pytest.mark.parametrize("detector", ALL, ids=lambda one: one.code)
def test_a_page_opens_with_a_sentence_that_fits_a_table(detector) -> None:
    assert len(first_sentence(detector.page)) <= 110
    assert "|" not in first_sentence(detector.page)
