"""Foreign text as Markdown that shows it and does nothing else: no HTML, link, mention, image, list or fence."""

import re
from collections.abc import Iterable, Sequence

from analyzer.report.sentences.cells import visible

_PUNCTUATION = re.compile(r"([`*\[\]<~$]|\\(?=[!-/:-@\[-`{-~]|$)|&(?=[#\w]))")
"""What Markdown may read as its own anywhere in a line; an underscore only at the edge of a word."""
_EDGE = re.compile(r"(?:^|\W)_|_(?:\W|$)")
_FIRST = ("-", "=", "+", "#", ">", "~", ":")
_MARKS = ",;:.)("
_LIVE = re.compile(r"@|://|www\.|mailto:|xmpp:|\bGH-\d|#\d|\b[0-9a-f]{7,64}\b", re.IGNORECASE)
_RUNS = re.compile("`+")
_DECIMAL = re.compile(r"\d+")
_ITEM = re.compile(r"\d+[.)]")


def inert(text: str) -> str:
    """Return a sentence in Markdown that shows it, with as few escapes as that takes.

    `@name`, addresses, URLs, commit-like words and names with underscores at their edge become code spans, where GitHub
    links and emphasizes nothing.
    """
    first, *rest = visible(text).split(" ")
    return " ".join([_beginning(_word(first), first), *map(_word, rest)])


def _beginning(escaped: str, word: str) -> str:
    """Return the first word so that it begins no list, heading or quote."""
    if _ITEM.fullmatch(word):
        return f"{word[:-1]}\\{word[-1]}"
    return f"\\{escaped}" if escaped.startswith(_FIRST) else escaped


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
    return "\n".join(f"| {' | '.join(map(_cell, row))} |" for row in (head, ["---"] * len(head), *rows))


def _cell(text: str) -> str:
    """Return the text of one cell: words with a `|` cannot be code, since a table ends a cell there first."""
    return " ".join(map(_word, visible(text).split(" "))).replace("\\|", "|").replace("|", "\\|")


def _word(word: str) -> str:
    """Return one word, escaped, or as code where it could become live; punctuation around a name stays outside."""
    if _LIVE.search(word) and not _DECIMAL.fullmatch(word):
        return code(word)
    if _EDGE.search(word):
        name = word.strip(_MARKS)
        before, _, after = word.partition(name)
        return before + code(name) + after if name else word
    return _PUNCTUATION.sub(r"\\\1", word)


def _ticks(text: str, least: int) -> str:
    """Return a run of backticks longer than any in the text."""
    return "`" * max(least, 1 + max((len(run) for run in _RUNS.findall(text)), default=0))
