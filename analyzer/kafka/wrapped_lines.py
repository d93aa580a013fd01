r"""What stands around a line of a tool or log when people paste it, and the line without that.

broker-1  | baseOffset: 0 ...                                      (docker compose)
[pod/kafka-0/kafka] 2026-11-25T00:01:02.123456789Z baseOffset: 0   (kubectl logs --prefix --timestamps)
Nov 25 00:01:02 host kafka[812]: baseOffset: 0                     (journald)
<134>1 2026-11-25T00:01:02Z host kafka 812 - - baseOffset: 0       (syslog)
kafka-0 kafka baseOffset: 0                                        (stern)
{"log":"baseOffset: 0 ...\n","stream":"stdout"}                    (JSON lines)
> > baseOffset: 0     | baseOffset: 0     &gt; baseOffset: 0       (quoted in e-mails, copied from a page's source)
    baseOffset: 0     12:baseOffset: 0     +12 baseOffset: 0       (indented, numbered by grep or cat, from a patch)
"""

import html
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from analyzer.kafka.pasting.broken_lines import prints_contents, rejoined
from analyzer.kafka.pasting.fences import unfenced

_RECORD = r"(?!(?:offset:[ \xa0]-?\d|key:[ \xa0]|payload:[ \xa0]))"
"""A dump's own lines begin with a bar: `| offset: 5 ...`."""
_TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)"
UNWRAPPED_MARK = "? "
_PIECES = (
    re.compile(r"(?:>|&gt;)[ \xa0]?"),
    re.compile(rf"\|[ \xa0]{_RECORD}"),
    re.compile(rf"[\w.-]{{1,80}} {{1,60}}\| {_RECORD}"),
    re.compile(r"\[pod/[^\]\s]{1,300}\] "),
    re.compile(rf"{_TIME} (?:std(?:out|err) [FP] |[\w.-]{{1,80}} [\w./@-]{{1,80}}\[\d{{1,10}}\]: )?"),
    re.compile(r"(?:<\d{1,3}>)?[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d [\w.-]{1,80} [\w./@-]{1,80}(?:\[\d{1,10}\])?: "),
    re.compile(r"\? (?=\S)"),
    re.compile(r"<\d{1,3}>\d (?:\S{1,80} ){5}(?:-|\[[^\]]{0,300}\]) "),
)
_OF_WHOLE_TEXTS = (
    *_PIECES,
    re.compile(r" {0,8}\d{1,9}(?:[:-]|\t| (?! ))"),
    re.compile(r"\+(?:\d{1,9} (?! ))?"),
    *[re.compile(one) for one in (" {4}", "\t", " {3}", " {2}", " ")],
)
"""What may stand before each line of a dump besides: a number of grep or cat, the plus of a patch, an indentation."""
NAMED = re.compile(r"[\w.-]{1,200} [\w.-]{1,63} ")
"""Pod and container as stern prints them: two words, so only what follows them can tell."""
_JSON = "json"
_MESSAGES = ("message", "msg", "log", "textPayload", "line")
_HOLDERS = ("jsonPayload", "_source", "attributes", "content")
"""Where viewers of logs keep the line as it was: Google's, Grafana; Elastic's and Datadog's in an object of its own."""
_MOST_PIECES = 8
_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]{0,40}[ -/]{0,10}[@-~]|\][^\x07\x1b]{0,300}(?:\x07|\x1b\\)?|[ -/]{0,4}[0-~])"
    r"|[\x00-\x08\x0b-\x1f\x7f]"
)
_TYPED = str.maketrans("\xa0\u202f\u201c\u201d\u201e\u2018\u2019", '  """\'\'')
_QUOTED = re.compile(r"\s*(?:(?:>|&gt;)[ \xa0]?)+")
_ENTITY = re.compile(r"&(?:gt|lt|amp|quot|nbsp|apos|#39|#x27|#34);")
"""Those of characters that tools print; none is a line end."""
RETYPED_BYTES = 6
"""The longest of them, `&nbsp;`: a record may have held it as it is."""

HEAD_BYTES = 1 << 16
"""So much of a text tells what stands before its lines."""
_OTHER_QUOTES = re.compile(r"\{(?:&quot;|[\u201c-\u201e])(?:type|version|key)")
_OTHER_SPACES = re.compile(r"^(?:\|\xa0)?(?:baseO|o)ffset:\xa0", re.MULTILINE)
"""Lines of a dump or of JSON whose quotes or spaces were replaced, which goes for the whole text."""

_DUMP_LINE = re.compile(r"(?:baseOffset|offset|\| offset): -?\d+ (?:lastOffset|position|CreateTime|LogAppend|NoTimest)")
_DUMPED = re.compile(
    r"Dumping \S*\d{20}\.|baseOffset: \d+ lastOffset: \d"
    r"|offset: \d+ position: \d+ (?:CreateTime|LogAppendTime|NoTimest)|(?:Log s|S)tarting offset: \d+\s*$"
)
"""What only a line of a dump begins with, wherever a text stands."""
_BATCH_END = re.compile(r"^baseOffset: .* isvalid: (?:true|false)( *)\r?$")
_TRAILING_SPACES = re.compile(r" +(?=\r?$)")
"""What copying from a terminal leaves at line ends: the tool prints no space after a batch line."""
_CONTENTS = re.compile(r"\b(?:payload|key): |headerKeys: \[[^\]]")
Pieces = tuple[re.Pattern[str] | str, ...]
"""What stands before a line, from the left."""


def without_escapes(text: str) -> str:
    """Return a text without the codes that colour a terminal, and without control characters but tab and line end."""
    return text if text.isprintable() else _ESCAPES.sub("", text)


def as_typed(text: str) -> str:
    """Return a text with the characters that a page or a word processor put in the place of others."""
    if "&" in text:
        text = _ENTITY.sub(lambda match: html.unescape(match[0]), text)
    return text if text.isascii() else text.translate(_TYPED)


def quoted(text: str) -> int:
    """Return how many marks of quoting stand before a line, as mail and pages put them: `> > `."""
    return len(re.findall(r"&gt;|>", match[0])) if (match := _QUOTED.match(text)) else 0


def unwrapped(text: str) -> str:
    """Return a line without anything that is known to stand before lines, as it was printed."""
    return unfenced(as_typed(_split(unfenced(without_escapes(text)))[1]))


class Wrapping:
    """What stands before the lines of a whole text, told by the pieces that most of its first lines share.

    It comes from whatever copied the text, so lines within a record have it, too: taking off just these pieces makes
    no line of a dump out of a part of a payload. A line without them is marked, and can be no line of a dump.
    """

    def __init__(self, head: bytes) -> None:
        """Look at the first bytes of a text."""
        lines = head.decode("utf-8", "replace").splitlines()
        texts = [text for text in rejoined(lines) if text.strip()]
        self._coloured = sum("\x1b" in text for text in texts) * 2 > len(texts) or _marks_dump_lines(texts)
        plain = [without_escapes(text) for text in texts]
        split = [_split(text, _OF_WHOLE_TEXTS)[0] for text in plain]
        shared = Counter(pieces[:some] for pieces in split for some in range(len(pieces) + 1))
        self._pieces: Pieces = _fitting([p for p, count in shared.items() if count * 2 > len(texts)], split, plain)
        bares = [bare for text in plain if (bare := _after(self._pieces, text)) is not None]
        if sum(NAMED.match(bare) is not None for bare in bares) * 2 > len(texts):
            self._pieces = (*self._pieces, NAMED)
        whole = "\n".join(bares)
        escaped = sum(text.startswith("&gt;") for text in texts) * 2 > len(texts)
        quotes = '"' not in whole and _OTHER_QUOTES.search(whole) is not None
        spaces = "ffset: " not in whole and _OTHER_SPACES.search(whole) is not None
        self._typed = escaped or quotes or spaces
        ends = [match[1] for bare in bares if (match := _BATCH_END.search(bare))]
        self._padded = sum(map(bool, ends)) * 2 > len(ends)
        self.broken = not any(map(prints_contents, plain)) and self._breaks(lines)
        """Whether mail broke lines of a dump, which prints nothing that may hold line ends."""

    def _breaks(self, lines: Iterable[str]) -> bool:
        bares = [_after(self._pieces, text) or "" for text in lines]
        return rejoined(bares) != bares

    @property
    def typed(self) -> bool:
        """Whether characters in the lines were replaced, or the lines have trailing spaces."""
        return self._typed or self._padded

    @property
    def only_within(self) -> bool:
        """Whether nothing stands before the lines, but they were changed.

        Characters were replaced, spaces trail them, a tool marked words as grep --color does, or mail broke them.
        """
        return (self.typed or self._coloured or self.broken) and not self._pieces

    @property
    def parts_lines(self) -> bool:
        """Whether a line may go on in the next one, see `_goes_on`."""
        return _JSON in self._pieces

    def take_off(self, text: bytes) -> bytes:
        """Return lines without what stands before them; line ends stay."""
        if not (self._pieces or self.typed or self._coloured or self.broken):
            return text
        lines = [self._line(line) for line in text.decode("utf-8", "surrogateescape").split("\n")]
        return "\n".join(rejoined(lines) if self.broken else lines).encode("utf-8", "surrogateescape")

    def _line(self, text: str) -> str:
        text = without_escapes(text) if self._coloured else text
        text = _TRAILING_SPACES.sub("", text) if self._padded else text
        bare = _after(self._pieces, text)
        if not text.strip():
            return text if bare is None else bare
        if bare is None:
            return f"{UNWRAPPED_MARK}{text}"
        return as_typed(bare) if self._typed else bare


def _marks_dump_lines(texts: list[str]) -> bool:
    """Return whether words are marked in lines of a dump, and no line prints contents that may hold such lines."""
    plain = [without_escapes(text) for text in texts]
    marked = any(_DUMP_LINE.match(bare) for text, bare in zip(texts, plain, strict=True) if "\x1b" in text)
    return marked and not any(map(_CONTENTS.search, plain))


def reads_as_dump(bare: bytes) -> bool:
    """Return whether a line of a text, without what stands before it, is one that only a dump has."""
    return any(_DUMPED.match(line) for line in bare.decode("utf-8", "replace").splitlines())


def _fitting(shared: Sequence[Pieces], split: Sequence[Pieces], texts: Sequence[str]) -> Pieces:
    """Return what stands before the first line of a dump, in a text without one before most lines.

    The lines of one record may be most of a text, and begin with more of the same; a dump's first line stands before.
    """
    for pieces, text in zip(split, texts, strict=True):
        fits = (pieces[:some] for some in range(len(pieces) + 1) if _DUMPED.match(_after(pieces[:some], text) or ""))
        if (first := next(fits, None)) is not None:
            return first or max(shared, key=len, default=())
    return max(shared, key=len, default=())


def _after(pieces: Pieces, text: str) -> str | None:
    """Return what follows just these pieces, None if they do not stand before the line."""
    for piece in pieces:
        match = None if isinstance(piece, str) else piece.match(text)
        message = _message(text) if isinstance(piece, str) else None
        if match is None and message is None:
            return None
        text = text[match.end() :] if match else message or ""
    return text


def _split(text: str, known: Iterable[re.Pattern[str]] = _PIECES) -> tuple[Pieces, str]:
    pieces: list[re.Pattern[str] | str] = []
    while len(pieces) < _MOST_PIECES:
        message = _message(text)
        if message is not None:
            pieces.append(_JSON)
            text = message
            continue
        found = next(((piece, match) for piece in known if (match := piece.match(text))), None)
        if found is None:
            break
        pieces.append(found[0])
        text = text[found[1].end() :]
    return tuple(pieces), text


def message_of(value: dict[str, Any]) -> str | None:
    """Return the message in a JSON line of a log, None where it has none."""
    held = [one for name in _HOLDERS if isinstance(one := value.get(name), dict)]
    return next((one[name] for one in (value, *held) for name in _MESSAGES if isinstance(one.get(name), str)), None)


def _message(text: str) -> str | None:
    """Return the message of a JSON line, on one line; None for any other line."""
    stripped = text.strip()
    if not stripped.startswith("{") or not any(f'"{name}"' in stripped for name in _MESSAGES):
        return None
    try:
        value = json.loads(stripped)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    message = message_of(value)
    return None if message is None else re.sub(r"[\r\n]+", " ", message.rstrip("\r\n"))
