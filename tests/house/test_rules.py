"""House rules over the rule book: what the code cites is in the book, and what the book names is in the code."""

import ast
import itertools
import re
from pathlib import Path

import pytest

from analyzer.detectors.registry import ALL

ROOT = Path(__file__).parent.parent.parent
BOOK = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
MODULES = sorted((ROOT / "analyzer").rglob("*.py"))
TEXTS = [
    *MODULES,
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted(path for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__)),
]
DETECTORS = [path for path in MODULES if "DETECTOR = Detector(" in path.read_text(encoding="utf-8")]

ANNOUNCED: dict[str, str] = {}
"""Findings that the book describes and no detector has yet."""
FINDINGS = ANNOUNCED | {detector.code: detector.name for detector in ALL}

RULES = frozenset(re.findall(r"^### ([A-F] \d+) \S", BOOK, re.MULTILINE)) | frozenset(
    re.findall(r"^- \*\*([A-F] \d+ [a-z])\*\* ", BOOK, re.MULTILINE)
)

_CITES = re.compile(r"\bRULES\b(?! =)|(?<!\w)Rules:")
_FIRST = re.compile(r" ([A-F]) (\d+)(?: ([a-z])(?!\w))?")
_NEXT = re.compile(r"(, | and | to )(?:(?:([A-F]) )?(\d+)(?: ([a-z])(?!\w))?|([a-z])(?!\w))")


def cited(text: str) -> list[str]:
    """The rules that a text cites: `A 6`, `A 6 b`; an empty name for a citation that names none."""
    return [rule for match in _CITES.finditer(text) for rule in _list(text, match.end()) or [""]]


def _list(text: str, at: int) -> list[str]:
    """The rules of the list that begins here; ranges are written out."""
    first = _FIRST.match(text, at)
    if first is None:
        return []
    part, number, sub = first[1], int(first[2]), first[3]
    out, end = [_name(part, number, sub)], first.end()
    while (more := _NEXT.match(text, end)) and (more[3] or sub):
        if more[3]:
            begin = number + 1 if more[1] == " to " else int(more[3])
            part, number, sub = more[2] or part, int(more[3]), more[4]
            out += [_name(part, one) for one in range(begin, number)] + [_name(part, number, sub)]
        else:
            begin_letter = ord(sub) + 1 if more[1] == " to " else ord(more[5])
            sub = more[5]
            out += [_name(part, number, chr(letter)) for letter in range(begin_letter, ord(sub) + 1)]
        end = more.end()
    return out


def _name(part: str, number: int, sub: str | None = None) -> str:
    return f"{part} {number} {sub}" if sub else f"{part} {number}"


def ids(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("(RULES A 4)", ["A 4"]),
        ("(RULES A 5, 6, 10).", ["A 5", "A 6", "A 10"]),
        ("(RULES A 6 b to d).", ["A 6 b", "A 6 c", "A 6 d"]),
        ("(RULES B 1 to 3).", ["B 1", "B 2", "B 3"]),
        ("  Rules: A 6 b, A 8.", ["A 6 b", "A 8"]),
        ("(RULES A 7, U)", ["A 7"]),
        ("(RULES C 6, KIP-253)", ["C 6"]),
        ("(RULES A 6 a and c), and RULES D 1", ["A 6 a", "A 6 c", "D 1"]),
        ("(RULES C)", [""]),
    ],
)
def test_lists_of_rules_are_read(text: str, rules: list[str]) -> None:
    assert cited(text) == rules


def test_every_citation_names_a_rule_of_the_book() -> None:
    found = {ids(path): set(cited(path.read_text(encoding="utf-8"))) - RULES for path in TEXTS}
    assert {path: wrong for path, wrong in found.items() if wrong} == {}
    assert sum(len(cited(path.read_text(encoding="utf-8"))) for path in MODULES) >= len(ALL)


def test_references_inside_the_book_hold() -> None:
    assert set(re.findall(r"(?<![\w-])[A-F] \d+(?: [a-z](?!\w))?", BOOK)) <= RULES


def test_rules_are_numbered_without_gaps() -> None:
    heads = [name.split() for name in re.findall(r"^### ([A-F] \d+) ", BOOK, re.MULTILINE)]
    for part, group in itertools.groupby(heads, key=lambda head: head[0]):
        numbers = [int(number) for _, number in group]
        assert numbers == list(range(1, len(numbers) + 1)), part


@pytest.mark.parametrize("path", DETECTORS, ids=ids)
def test_every_detector_cites_a_rule(path: Path) -> None:
    assert cited(path.read_text(encoding="utf-8"))


def test_every_detector_is_looked_at() -> None:
    assert len(DETECTORS) == len(ALL)


def test_the_book_names_findings_as_they_are_called() -> None:
    pairs = re.findall(r"`(\w+)` \(([A-Z]{3}\d{3})\)", BOOK)
    assert [(name, code) for name, code in pairs if FINDINGS.get(code) != name] == []
    assert set(re.findall(r"\b[A-Z]{3}\d{3}\b", BOOK)) == set(FINDINGS)


def test_announced_findings_are_still_to_come() -> None:
    there = {detector.code for detector in ALL} & set(ANNOUNCED)
    assert not there, f"{sorted(there)} exist now: take them out of ANNOUNCED"


def test_what_carries_a_rule_exists() -> None:
    rules = re.split(r"^### ", BOOK, flags=re.MULTILINE)[1:]
    carriers = {rule.split("\n")[0]: rule.partition("*Carried by:*")[2].split("\n")[0] for rule in rules}
    assert [title for title, text in carriers.items() if not text.strip()] == []
    defined = {
        node.name
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    named = {(title, name) for title, text in carriers.items() for name in re.findall(r"`(\w+)`", text)}
    assert {(title, name) for title, name in named if name not in defined | set(FINDINGS.values())} == set()
    called = used()
    assert {(title, name) for title, name in named if name in defined - called} == set(), "nobody calls it"


def used() -> set[str]:
    """The names that some code of the package reads, beside where they are defined and imported."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in MODULES]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return names | {node.attr for node in nodes if isinstance(node, ast.Attribute)}


def test_decisions_that_are_cited_exist() -> None:
    written = {path.name[:4] for path in (ROOT / "docs" / "decisions").glob("*.md")}
    cites = {
        (ids(path), number)
        for path in TEXTS
        for number in re.findall(r"\bdecision (\d{4})\b", path.read_text(encoding="utf-8"))
    }
    assert cites, "nothing cites a decision"
    assert {(path, number) for path, number in cites if number not in written} == set()
