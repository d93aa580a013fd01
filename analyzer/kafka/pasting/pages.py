"""Pages that a browser, a wiki or a mail program saved, as the lines that they show: a row of a table is one line.

<tr><th>Topic</th><th>Partition</th>...</tr>     becomes     Topic <tab> Partition <tab> ...
<pre>$ kafka-topics.sh --describe ...</pre>       becomes     its lines as they stand
<blockquote>...</blockquote>                     becomes     lines after >, as a mail quotes an older one
"""

import email
import email.policy
import html
import re
from collections.abc import Iterator
from email.message import Message
from html.parser import HTMLParser

_BEGIN = rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}>\s*|<!--.{0,2000}?-->\s*){0,3}"
_PAGE = re.compile(
    _BEGIN + rb"<(?:!doctype\s+html|html|head|body|rss|table|div|section|article|h[1-6]|p|meta|span|ul|ol)[\s>]",
    re.IGNORECASE | re.DOTALL,
)
_FEED = re.compile(_BEGIN + rb"<rss\b", re.DOTALL)
"""What Jira exports: its texts are pages, whose marks are written as `&lt;p&gt;`."""
_MAIL = re.compile(rb"(?:[A-Za-z][\w-]{1,60}:[^\n]*\n(?:[ \t][^\n]*\n){0,50}){0,100}?(?i:MIME-Version):[ \t]*1\.0\b")
_PAGES = "text/html"
_HIDDEN = frozenset({"script", "style", "title", "template", "noscript", "svg"})
_KEPT = frozenset({"pre", "textarea"})
"""Whose white space counts."""
_INLINE = frozenset(
    {
        "a", "abbr", "b", "bdi", "bdo", "button", "cite", "code", "del", "em", "font", "i", "img", "input", "ins",
        "kbd", "label", "mark", "nobr", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt",
        "u", "var", "wbr", "path",
    }
)  # fmt: skip
"""What begins no line of its own."""
_MOST_MARKS = 8
_SPACE = re.compile(r"[ \t\r\n\f]+")


def is_page(head: bytes) -> bool:
    """Return whether the first bytes of a text are those of a page, or of a mail or page that a program encoded."""
    return _PAGE.match(head) is not None or _MAIL.match(head) is not None


def lines_of_page(text: bytes) -> bytes:
    """Return the lines that a page shows, or the pages of a mail."""
    if _MAIL.match(text):
        try:
            return b"\n".join(_of_mail(email.message_from_bytes(text, policy=email.policy.default)))
        except RecursionError:  # no program nests so many parts
            return text
    page = text.decode("utf-8", "replace")
    return _shown(_shown(page, kept=True) if _FEED.match(text) else page).encode("utf-8", "replace")


def _of_mail(mail: Message) -> Iterator[bytes]:
    """Yield the texts of a mail and of what is attached to it; of what is both a page and plain text, the page."""
    kind = mail.get_content_type()
    content = mail.get_payload() if mail.is_multipart() else mail.get_payload(decode=True)
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, Message)]
        if kind == "multipart/alternative":
            rich = [part for part in parts if part.is_multipart() or part.get_content_type() == _PAGES]
            parts = rich[-1:] or parts[:1]
        for part in parts:
            yield from _of_mail(part)
    elif kind in {_PAGES, "text/plain"} and isinstance(content, bytes):
        try:
            text = content.decode(mail.get_content_charset("utf-8"), "replace")
        except LookupError:
            text = content.decode("utf-8", "replace")
        yield (_shown(text) if kind == _PAGES else text).encode("utf-8", "replace")


def _shown(page: str, *, kept: bool = False) -> str:
    """Return the lines of a page; `kept` if all of its white space counts."""
    reader = _Page(kept=kept)
    reader.feed(page)
    reader.end()
    return "\n".join(reader.lines) + "\n"


class _Page(HTMLParser):
    """The lines so far, and the rows and cells that are open: mails have tables within tables."""

    def __init__(self, *, kept: bool) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self._text: list[str] = []
        self._hidden, self._kept, self._quoted = 0, int(kept), 0
        self._rows: list[list[list[str]]] = []
        self._cells: list[list[str]] = []
        """The lines of each open cell; the innermost is the last."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - of HTMLParser
        self._hidden += tag in _HIDDEN
        if tag == "br":
            self._text.append(" " if self._cells and not self._kept else "\n")
        elif tag not in _INLINE:
            self._end_line()
        self._kept += tag in _KEPT
        self._quoted = min(self._quoted + (tag == "blockquote"), _MOST_MARKS)
        if tag == "tr":
            self._rows.append([])
        elif tag in {"td", "th"}:
            self._cells.append([])

    def handle_endtag(self, tag: str) -> None:
        self._hidden = max(self._hidden - (tag in _HIDDEN), 0)
        if tag not in _INLINE and tag != "br":
            self._end_line()
        self._kept = max(self._kept - (tag in _KEPT), 0)
        self._quoted = max(self._quoted - (tag == "blockquote"), 0)
        if tag in {"td", "th"} and self._cells:
            cell = self._cells.pop()
            self._rows[-1].append(cell) if self._rows else self._put(cell)
        elif tag == "tr" and self._rows:
            self._put(_of_row(self._rows.pop()))

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._text.append(data if self._kept else _SPACE.sub(" ", data))

    def end(self) -> None:
        """Close what the page left open; what is left of a mark without an end is text."""
        self.handle_data(html.unescape(self.rawdata))
        self._end_line()
        while self._cells or self._rows:
            self.handle_endtag("td" if self._cells else "tr")

    def _end_line(self) -> None:
        text = "".join(self._text)
        self._text = []
        lines = text.split("\n") if self._kept else (text.strip(" ").split("\n"))
        self._put([line.rstrip("\r") for line in lines if self._kept or line.strip()])

    def _put(self, lines: list[str]) -> None:
        if self._cells:
            self._cells[-1] += lines
        else:
            self.lines += [f"{'> ' * self._quoted}{line}" for line in lines]


def _of_row(cells: list[list[str]]) -> list[str]:
    """Return a row as one line with a tab after each cell; cells of several lines, and one alone, as their lines."""
    if len(cells) > 1 and all(len(cell) <= 1 for cell in cells):
        return ["".join(f"{' '.join(cell).strip()}\t" for cell in cells)]
    return [line for cell in cells for line in cell]
