"""Foreign text as Markdown that shows it and does nothing else: no HTML, link, mention, image, list or fence."""

import re
from collections.abc import Iterable, Sequence

from analyzer.report.sentences.cells import visible

_PUNCTUATION = re.compile(r"([\\`*_{}\[\]<>#+!|~&$])")
_LIVE = re.compile(r"@|://|www\.|mailto:|xmpp:|\bGH-\d|#\d|\b[0-9a-f]{7,64}\b", re.IGNORECASE)
_RUNS = re.compile("`+")
_DECIMAL = re.compile(r"\d+")
_ITEM = re.compile(r"\d+[.)]")


def inert(text: str) -> str:
    """Return a sentence in Markdown: punctuation escaped, words that a renderer would make live as code.

    `@name`, addresses, URLs and commit-like words become code spans, where GitHub links nothing.
    """
    return " ".join(_word(word) for word in visible(text).split(" "))


def code(text: str) -> str:
    """Return a code span whose fence is longer than any run of backticks inside."""
    shown = visible(text) or " "
    ticks = _ticks(shown, 1)
    edge = " " if shown.startswith(("`", " ")) or shown.endswith(("`", " ")) else ""
    return f"{ticks}{edge}{shown}{edge}{ticks}"


def fence(text: str, language: str = "text", *, indent: str = "") -> str:
    """Return a fenced block; the fence is longer than any run of backticks inside. Line ends of the text are kept."""
    ticks = _ticks(text, 3)
    lines = [f"{ticks}{language}", *(visible(line) for line in text.split("\n")), ticks]
    return "\n".join(f"{indent}{line}" for line in lines)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; a `|` in a cell is escaped, also inside a code span, as GitHub's tables want it."""
    lines = [_row(head), _row(["---"] * len(head), raw=True)]
    return "\n".join([*lines, *(_row(row) for row in rows)])


def _row(cells: Sequence[str], *, raw: bool = False) -> str:
    """Return one row of a table."""
    texts = list(cells) if raw else [_cell(cell) for cell in cells]
    return "| " + " | ".join(texts) + " |"


def _cell(text: str) -> str:
    """Return the text of one cell: words with a `|` cannot be code, since a table ends a cell there first."""
    return inert(text).replace("\\|", "|").replace("|", "\\|")


def _word(word: str) -> str:
    """Return one word, escaped, or as code where it could become live."""
    if _LIVE.search(word) and not _DECIMAL.fullmatch(word):
        return code(word)
    escaped = _PUNCTUATION.sub(r"\\\1", word)
    if _ITEM.fullmatch(word):
        return f"{word[:-1]}\\{word[-1]}"
    return f"\\{escaped}" if escaped.startswith(("-", "=")) else escaped


def _ticks(text: str, least: int) -> str:
    """Return a run of backticks longer than any in the text."""
    return "`" * max(least, 1 + max((len(run) for run in _RUNS.findall(text)), default=0))
