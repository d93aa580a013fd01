"""Characters that terminals, pages and word processors put in the place of others, or among them."""

import html
import re

_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]{0,40}[ -/]{0,10}[@-~]|\][^\x07\x1b]{0,300}(?:\x07|\x1b\\)?|[ -/]{0,4}[0-~])"
    r"|[\x00-\x08\x0b-\x1f\x7f]"
)
COLOUR = r"(?:\^\[\[\d{0,3}|\[\d{1,3})(?:;\d{1,3}){0,5}m(?!\])"
_COLOURS = re.compile(COLOUR)
_COLOURED = re.compile(r"\[\d{0,3}(?:;\d{1,3}){0,5}m")
"""Codes of colours whose first character was lost, or printed as `^[`."""
_OTHER_SPACES = "\xa0\u202f\u2002\u2003\u2004\u2005\u2007\u2009\u200a\u3000"
_DIRECTIONS = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad" + _DIRECTIONS
"""Joints, and marks of the direction in which text runs, as Windows puts them around what is copied."""
_DASH = re.compile("(?<![^ \t])[\u2012-\u2015](?=[a-z])")
"""What word processors make of the `--` of an option."""
_TYPED = str.maketrans(
    dict.fromkeys(_OTHER_SPACES, " ")
    | dict.fromkeys(_INVISIBLE, None)
    | dict.fromkeys("\u201c\u201d\u201e", '"')
    | dict.fromkeys("\u2018\u2019", "'")
)
_ENTITY = re.compile(r"&(?:amp;)?(?:gt|lt|amp|quot|nbsp|apos|#39|#x27|#34);")
"""Those of characters that tools print, perhaps twice; none is a line end."""
_ESCAPED = re.compile(r"\\([_*\[\]])")
"""What programs that write Markdown put a backslash before."""
RETYPED_BYTES = 10
"""The longest of them, `&amp;nbsp;`: a record may have held it as it is."""


def without_escapes(text: str) -> str:
    """Return a text without the codes that colour a terminal, and without control characters but tab and line end."""
    return text if text.isprintable() else _ESCAPES.sub("", text)


def without_colours(text: str) -> str:
    """Return a text without such codes, also without those that lost their first character."""
    text = without_escapes(text)
    return _COLOURS.sub("", text) if _COLOURED.search(text) else text


def as_typed(text: str) -> str:
    """Return a text with the characters that a page or a word processor put in the place of others."""
    if "&" in text:
        text = _ENTITY.sub(lambda match: html.unescape(html.unescape(match[0])), text)
    if "\\" in text:
        text = _ESCAPED.sub(r"\1", text)
    return text if text.isascii() else _DASH.sub("--", text.translate(_TYPED))
