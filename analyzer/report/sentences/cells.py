"""Foreign text made safe to print, and cut or wrapped to a width in terminal cells."""

import unicodedata
from collections.abc import Sequence

WIDTH = 80
"""Cells of a page."""
NAME_CELLS = 40
"""A longer name is cut in its middle."""
MARK = "..."
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_QUOTE_WORTHY = frozenset(" '\"`,;|")
_SHORT = 0x100
_ASTRAL = 0x10000
_BYTE_FIRST, _BYTE_LAST = 0xDC80, 0xDCFF


def visible(text: str) -> str:
    r"""Return the text with every control, format, surrogate and separator character written out.

    `\x1b` for C0 and C1, `\u202e` for what turns or hides text (U+200B to 200F, 2028 to 202E, 2060 to 2069, FEFF and
    the other format characters), `\xa0` for blanks that are no space, `\x80` to `\xff` for bytes that were no UTF-8
    (Python's surrogateescape).
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_shown, text))


def is_safe(text: str) -> bool:
    """Return whether a terminal and a shell show and carry the text as it is."""
    return not any(unicodedata.category(letter) in _UNSAFE for letter in text)


def name(text: str, cells: int = NAME_CELLS) -> str:
    """Return a foreign name for print: visible, in quotes if it has blanks or quotes, cut in its middle if too long."""
    shown = visible(text)
    if not shown or _QUOTE_WORTHY & set(shown):
        shown = "'" + shown.replace("'", "\\'") + "'"
    return cut_middle(shown, cells)


def width(text: str) -> int:
    """Return how many cells the text takes: East Asian wide letters two, combining marks none."""
    return len(text) if text.isascii() else sum(_cells(letter) for letter in text)


def cut(text: str, cells: int) -> str:
    """Return the text, or its beginning and `...`, in at most so many cells."""
    return text if width(text) <= cells else _head(text, cells - len(MARK)) + MARK


def cut_middle(text: str, cells: int) -> str:
    """Return the text, or its two ends with `...` between, in at most so many cells."""
    if width(text) <= cells:
        return text
    room = cells - len(MARK)
    tail = _head(text[::-1], room // 2)[::-1]
    return _head(text, room - room // 2) + MARK + tail


def pad(text: str, cells: int) -> str:
    """Return the text with blanks at its end up to the width."""
    return text + " " * (cells - width(text))


def pad_left(text: str, cells: int) -> str:
    """Return the text with blanks before it up to the width: numbers are aligned right."""
    return " " * (cells - width(text)) + text


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a table of these rows as lines, its columns as wide as they must be."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(pad, row, widths)).rstrip() for row in rows]


def wrap(text: str, *, first: str = "", rest: str | None = None, cells: int = WIDTH) -> list[str]:
    """Return lines of at most so many cells: the first begins with `first`, the others with `rest`.

    A word longer than a line is broken. `rest` defaults to blanks as wide as `first`.
    """
    indent = " " * width(first) if rest is None else rest
    lines: list[str] = []
    line, begun = first, False
    for word in text.split(" "):
        blank = " " if begun else ""
        if width(line) + len(blank) + width(word) <= cells:
            line, begun = line + blank + word, True
            continue
        if begun:
            lines.append(line.rstrip())
            line = indent
        left = word
        while width(line) + width(left) > cells:
            piece = _head(left, cells - width(line)) or left[:1]
            lines.append(line + piece)
            line, left = indent, left[len(piece) :]
        line, begun = line + left, True
    return [*lines, line.rstrip()]


def _head(text: str, cells: int) -> str:
    """Return as much of the beginning as fits, with the combining marks that belong to it."""
    used = 0
    for index, letter in enumerate(text):
        used += _cells(letter)
        if used > cells:
            return text[:index]
    return text


def _cells(letter: str) -> int:
    """Return the cells of one character; ambiguous ones count one."""
    if unicodedata.category(letter) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def _shown(letter: str) -> str:
    """Return one character, or its escape where it is invisible or looks like a space."""
    category, code = unicodedata.category(letter), ord(letter)
    if category not in _UNSAFE and (category != "Zs" or letter == " "):
        return letter
    if letter in "\t\n\r":
        return {"\t": "\\t", "\n": "\\n", "\r": "\\r"}[letter]
    if _BYTE_FIRST <= code <= _BYTE_LAST:
        return f"\\x{code - 0xDC00:02x}"
    if code < _SHORT:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < _ASTRAL else f"\\U{code:08x}"
