"""The pages of `explain`: of a code, from a detector's docstring (and what keeps it from being one), and of a bug."""

import dataclasses
import itertools
import re
from collections.abc import Iterator, Sequence

from analyzer.kafka.known_bugs import KnownBug
from analyzer.report.sentences.cells import WIDTH, is_safe, pad, width, wrap
from analyzer.report.sentences.inert import fence, inert

HEADINGS = (
    "How it looks",
    "Why it happens",
    "What waits",
    "Is an abort safe",
    "How sure",
    "What it is not",
    "What would refute it",
    "Versions",
    "See also",
)
"""The sections of every page, in this order, after the name and one sentence."""
MOST_LINES = 60
_ALIGNED = re.compile(r"\S {2,}\S|^ ", re.MULTILINE)


@dataclasses.dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, or lines whose columns must stay aligned."""

    text: str
    aligned: bool


@dataclasses.dataclass(frozen=True, slots=True)
class Page:
    """The page of a finding: its names, one sentence, and its sections in the order of `HEADINGS`."""

    code: str
    name: str
    severity: str
    sentence: str
    sections: tuple[tuple[str, tuple[Block, ...]], ...]


Endings = Sequence[tuple[str, Sequence[str]]]
"""Sections after those of the docstring: a head and its paragraphs each."""


def read_page(docstring: str, code: str, name: str, severity: str, endings: Endings = ()) -> Page:
    """Return the page that a docstring is, with further sections at its end."""
    sentence, body = _parts(docstring, code, name)
    sections = tuple((head, tuple(_blocks(lines))) for head, lines in _sections(body))
    more = tuple((head, tuple(Block(text, aligned=False) for text in texts)) for head, texts in endings)
    return Page(code, name, severity, sentence, (*sections, *more))


def _blocks(lines: list[str]) -> Iterator[Block]:
    """Yield the blocks of a section; one with a gap inside a line or an indented line is aligned."""
    for text in "\n".join(line[2:] for line in lines).strip("\n").split("\n\n"):
        aligned = _ALIGNED.search(text) is not None
        yield Block(text if aligned else " ".join(text.split()), aligned)


def render_page(docstring: str, code: str, name: str, severity: str, endings: Endings = ()) -> str:
    """Return the page: name and code with the severity on the right, one sentence, the sections, a line end."""
    title = f"{name} ({code})"
    sentence, body = _parts(docstring, code, name)
    lines = [pad(title, WIDTH - width(severity)) + severity, *wrap(sentence), "", *body]
    for head, texts in endings:
        lines += ["", head, *(line for text in texts for line in wrap(text, first="  - ", rest="    "))]
    return "\n".join(lines).rstrip() + "\n"


def page_markdown(page: Page) -> str:
    """Return the page as Markdown; what is aligned is in fences."""
    blocks = [f"# {page.name} ({page.code})", f"Severity: {page.severity}", inert(page.sentence)]
    for head, some in page.sections:
        blocks += [f"## {head}", *(fence(one.text) if one.aligned else inert(one.text) for one in some)]
    return "\n\n".join(blocks) + "\n"


def validate_page(docstring: str, code: str, name: str) -> list[str]:
    """Return what keeps a docstring from being a page, a sentence each; an empty list means that it is one.

    A page has one sentence first, the sections of `HEADINGS` in their order and none empty, at most 60 lines of at most
    80 columns, ASCII only.
    """
    lines = render_page(docstring, code, name, "critical").splitlines()
    sentence, body = _parts(docstring, code, name)
    problems = [] if sentence.endswith(".") else [f"the first line is no sentence: {sentence!r}"]
    sections = _sections(body)
    found = [head for head, _ in sections]
    if found != list(HEADINGS):
        problems.append(f"headings are {found}, wanted {list(HEADINGS)}")
    problems += [f"section {head!r} is empty" for head, told in sections if not any(map(str.strip, told))]
    problems += [f"{len(lines)} lines, at most {MOST_LINES} wanted"] if len(lines) > MOST_LINES else []
    problems += [f"{width(line)} columns: {line}" for line in lines if width(line) > WIDTH]
    problems += [f"not plain ASCII: {line!r}" for line in lines if not (line.isascii() and is_safe(line))]
    return problems


def _parts(docstring: str, code: str, name: str) -> tuple[str, list[str]]:
    """Return the sentence, without a leading `name:` or `name (CODE):`, and the lines of the sections."""
    first, *rest = docstring.strip().splitlines() or [""]
    for prefix in (f"{name} ({code}):", f"{name}:"):
        if first.startswith(prefix):
            first = first.removeprefix(prefix).strip()
            first = first[:1].upper() + first[1:]
    while rest and not rest[0].strip():
        rest.pop(0)
    return first, [line.rstrip() for line in rest]


def _sections(body: list[str]) -> list[tuple[str, list[str]]]:
    """Return each heading with the lines below it."""
    heads = [number for number, line in enumerate(body) if line and not line.startswith(" ")]
    return [(body[start], body[start + 1 : end]) for start, end in itertools.pairwise([*heads, len(body)])]


def bug_page(bug: KnownBug, format: str) -> str:  # noqa: A002 - the flag is --format
    """Return the page of a known bug as `text` or `markdown`: its issue, whose it is, and its parts."""
    if format == "markdown":
        parts = "\n\n".join(f"## {head}\n\n{inert(text)}" for head, text in _bug_parts(bug))
        return f"# {bug.issue}\n\n{inert(bug.mechanism)}\n\n{parts}\n"
    lines = [pad(bug.issue, WIDTH - width(bug.software)) + bug.software, *wrap(bug.mechanism)]
    for head, text in _bug_parts(bug):
        lines += ["", head, *wrap(text, first="  ")]
    return "\n".join(lines) + "\n"


def _bug_parts(bug: KnownBug) -> tuple[tuple[str, str], ...]:
    """Return the parts of a known bug with their heads."""
    unread = "" if bug.ranges_read else "; only an excerpt of the issue was read, so this is no more than possible"
    parts = (
        ("Releases", bug.affected() + unread),
        ("Explains", ", ".join(bug.findings)),
        ("What speaks for it", bug.speaks),
        ("What rules it out", "; ".join((bug.against, *(f"{name} is not {value}" for name, value in bug.only_with)))),
        ("What to do", bug.remedy),
        ("What it changes in a plan", bug.step),
    )
    return tuple((head, text) for head, text in parts if text)
