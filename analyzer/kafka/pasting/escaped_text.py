r"""Text whose line ends were written otherwise: as `\n` in JSON or by a program, as CR, in a page, by a search.

{"stdout": "Topic\tPartition\tProducerId\n...", "rc": 0}          (Ansible, exports of chats, `jq`, a debugger)
{"body": {"contentType": "html", "content": "<pre>Topic ...<br>orders ...</pre>"}}                   (Teams)
$ kafka-dump-log.sh ...\nDumping orders-0/00000000000000000000.log\nStarting offset: 0\n...
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from analyzer.kafka.pasting.json_messages import lines_in, message_in, message_of
from analyzer.kafka.pasting.json_pieces import JsonPieces
from analyzer.kafka.pasting.pages import is_page, lines_of_page

ESCAPED, CARRIAGES, PAGE, SEARCHED, PIECES = " escaped", " cr", " page", " searched", " pieces"
"""What the encoding of such a text has after its name."""
MOST_BYTES = 1 << 24
"""Such a text is taken as a whole, so a larger one is left as it is, but for the answer of a search (`PIECES`)."""
_MOST_LINES = 20
"""A text of more lines is read as it stands: its own line ends part what it says."""
_LEAST_ENDS, _LONGEST_HEAD, _DEEPEST = 2, 300, 20
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_DUMPED = re.compile(r"(?:baseO|\bo)ffset: -?\d|\bDumping \S|::TransactionMetadata\(")
_BEGINS_DUMP = re.compile(r"(?:[^\n]{0,2000}\n){0,2}?(?:Dumping \S|baseOffset: -?\d)")
_MARKED = re.compile(r"<(?:br|pre|p|div|table|blockquote)\b[^<>\n]{0,300}>", re.IGNORECASE)
_MARKS = (b"<br", b"<pre", b"<p>", b"<div", b"<table", b"u003cbr", b"u003cpre", b"u003cp", b"u003cdiv", b"u003ctable")
"""Marks of pages in a string of JSON, which Microsoft's programs write with `\\u003c`."""
_POSTED = {
    "ts": re.compile(r"\d{10}\.\d{1,9}"),
    "createdDateTime": re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z"),
    "timestamp": re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,9}\+00:00"),
}
"""When a message was posted, as Slack, Teams and Discord tell it."""
_PLAIN = {r"\n": "\n", r"\t": "\t", r"\r": ""}


def line_ends(head: bytes) -> tuple[str, ...]:
    """Return how the first bytes of a text may end lines, otherwise than everywhere: what fits better stands before."""
    if b"\0" in head:
        return ()
    if is_page(head):
        return (PAGE,)
    lines, carriages = head.count(b"\n"), head.count(b"\r")
    if not lines and carriages >= _LEAST_ENDS:
        return (CARRIAGES,)
    of_json = head.lstrip()[:1] in (b"{", b"[")
    escaped = lines <= _MOST_LINES and head.count(b"\\n") >= _LEAST_ENDS
    escaped = escaped or (of_json and any(mark in head.lower() for mark in _MARKS))
    return ((ESCAPED,) if escaped else ()) + ((SEARCHED,) if of_json else ())


def in_pieces(head: bytes) -> bool:
    """Return whether the first bytes of a long text are those of the answer of a search that stands on one line."""
    lines = b"" if b"\n" in head else JsonPieces().take(head)
    return any(message_in(line) is not None for line in lines.decode("utf-8", "replace").splitlines())


def with_line_ends(text: bytes, ends: str) -> bytes:
    """Return a text with line ends, which it has written in one of these ways."""
    made = {PAGE: lines_of_page, ESCAPED: unescaped, SEARCHED: _searched}.get(ends)
    return made(text) if made else text.replace(b"\r", b"\n")


def _searched(text: bytes) -> bytes:
    """Return the lines of logs that the answer of a search holds, each as a line of JSON; nothing for another text."""
    try:
        lines = list(lines_in(json.loads(text)))
    except (ValueError, RecursionError):
        return b""
    told = lines if all(map(message_of, lines)) else []
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in told).encode("utf-8", "replace")


def unescaped(text: bytes) -> bytes:
    r"""Return a text with its escaped line ends: what the strings of its JSON say, each on lines of its own.

    What stands in no such string has its `\n` and `\t` replaced, and nothing else: a program that prints them so does
    not escape quotes or backslashes. A payload in such a text can write line ends: no dump is read from one.
    """
    told = text.decode("utf-8", "replace")
    if (value := _json_in(told)) is not None:
        return "".join(one.rstrip("\n") + "\n" for one in _strings(value) if _counts(one, told)).encode(
            "utf-8", "replace"
        )
    pieces = [_string(match) for match in _STRING.finditer(told)]
    if any(piece is not None for piece in pieces):
        given = iter(pieces)
        return _STRING.sub(lambda match: next(given) or match[0], told).encode()
    return b"" if _DUMPED.search(told) else re.sub(r"\\[ntr]", lambda match: _PLAIN[match[0]], told).encode()


def _json_in(text: str) -> object:
    """Return the JSON that a text is, perhaps after a few words as Ansible's `ok: [host] => `; None for any other."""
    begins = min((at for sign in "{[" if (at := text.find(sign)) >= 0), default=-1)
    after = text.find("=> {", 0, _LONGEST_HEAD)
    if begins < 0 or (after < 0 and text[:begins].strip()):
        return None
    try:
        value, end = json.JSONDecoder(strict=False).raw_decode(text, after + 3 if after >= 0 else begins)
    except (ValueError, RecursionError):
        return None
    return None if text[end:].strip() else value


def _counts(said: str, text: str) -> bool:
    """Return whether a string says what a tool printed: a dump only if it is most of the text, or a payload may be."""
    return _DUMPED.search(said) is None or (_BEGINS_DUMP.match(said) is not None and 2 * len(said) >= len(text))


def _strings(value: object, depth: int = 0) -> Iterator[str]:
    """Yield the strings in JSON that have line ends, or that may be a line of a tool or log."""
    if isinstance(value, str) and _MARKED.search(value):
        shown = lines_of_page(value.encode("utf-8", "replace")).decode()
        yield "" if _DUMPED.search(shown) else shown  # what a record holds may write marks
    elif isinstance(value, str) and ("\n" in value or " " in value.strip()):
        yield value
    elif isinstance(value, dict | list) and depth < _DEEPEST:
        for one in value.values() if isinstance(value, dict) else _oldest_first(value):
            yield from _strings(one, depth + 1)


def _oldest_first(values: list[Any]) -> list[Any]:
    """Return messages of a chat in the order in which they were posted: some answer with the newest one first.

    What stands below in a text was answered later (RULES F 1).
    """
    for name, of_time in _POSTED.items():
        if values and all(isinstance(one, dict) and of_time.fullmatch(str(one.get(name))) for one in values):
            return sorted(values, key=lambda one: str(one[name]))
    return values


def _string(match: re.Match[str]) -> str | None:
    """Return what a string of JSON says, on lines of its own; None where it has no line end, or is none."""
    if r"\n" not in match[1] or _DUMPED.search(match[1]):
        return None
    try:
        said = json.loads(match[0], strict=False)
    except ValueError:
        return None
    return f"\n{said}\n".encode("utf-8", "replace").decode()
