r"""What stands around a line of a tool or log when people paste it, and the line without that.

broker-1  | baseOffset: 0 ...                                      (docker compose)
[pod/kafka-0/kafka] 2026-11-25T00:01:02.123456789Z baseOffset: 0   (kubectl logs --prefix --timestamps)
Nov 25 00:01:02 host kafka[812]: baseOffset: 0                     (journald)
<134>1 2026-11-25T00:01:02Z host kafka 812 - - baseOffset: 0       (syslog)
kafka-0 kafka baseOffset: 0                                        (stern)
2026-11-25T00:01:02+01:00 {app="kafka"} baseOffset: 0              (logcli)
{"log":"baseOffset: 0 ...\n","stream":"stdout"}                    (JSON lines)
2026-11-25 00:01:02.000000000 +0100 kube.kafka: {"log": ...}       (fluentd)
[0] kube.kafka: [[1764025262.000000000, {}], {"log": ...}]         (Fluent Bit)
> > baseOffset: 0     | baseOffset: 0     &gt; baseOffset: 0       (quoted in e-mails, copied from a page's source)
    baseOffset: 0     12:baseOffset: 0     +12 baseOffset: 0       (indented, numbered by grep or cat, from a patch)
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from analyzer.kafka.pasting.around_rows import shape_of
from analyzer.kafka.pasting.broken_lines import prints_contents, rejoined
from analyzer.kafka.pasting.characters import as_typed, without_colours, without_escapes
from analyzer.kafka.pasting.dump_lines import (
    BATCH_END,
    DUMPED,
    as_printed,
    is_coloured,
    is_retyped,
    marks_dump_lines,
    without_mark,
)
from analyzer.kafka.pasting.fences import unfenced
from analyzer.kafka.pasting.json_messages import message_in

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
    re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,9})? [+-]\d{4} [\w./*-]{1,300}: (?=\{)"),
    re.compile(r"\[\d{1,9}\] [\w./*-]{1,300}: \[\[?\d{10}\.\d{1,9}, (?:\{[^{}]{0,300}\}\], )?(?=\{)"),
    re.compile(r"<\d{1,3}>\d (?:\S{1,80} ){5}(?:-|\[[^\]]{0,300}\]) "),
    re.compile(r"\{\w{1,80}=\"[^\"}]{0,200}\"(?:, ?\w{1,80}=\"[^\"}]{0,200}\"){0,40}\}[ \t]"),
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
_MOST_PIECES = 8
_QUOTED = re.compile(r"\s*(?:(?:>|&gt;)[ \xa0]?)+")
_MOST_BEFORE, _SHAPES_TRIED = 300, 3
HEAD_BYTES = 1 << 16
"""So much of a text tells what stands before its lines."""
_TRAILING_SPACES = re.compile(r" +(?=\r?$)")
"""What copying from a terminal leaves at line ends: the tool prints no space after a batch line."""
Pieces = tuple[re.Pattern[str] | str, ...]
"""What stands before a line, from the left."""


def quoted(text: str) -> int:
    """Return how many marks of quoting stand before a line, as mail and pages put them: `> > `."""
    return len(re.findall(r"&gt;|>", match[0])) if (match := _QUOTED.match(text)) else 0


def unwrapped(text: str) -> str:
    """Return a line without anything that is known to stand before lines, as it was printed."""
    return unfenced(as_typed(_split(unfenced(without_colours(text)))[1]))


class Wrapping:
    """What stands before the lines of a whole text, told by the pieces that most of its first lines share.

    It comes from whatever copied the text, so lines within a record have it, too: taking off just these pieces makes
    no line of a dump out of a part of a payload. A line without them is marked, and can be no line of a dump.
    """

    def __init__(self, head: bytes) -> None:
        """Look at the first bytes of a text."""
        lines = head.decode("utf-8", "replace").splitlines()
        texts = [text for text in rejoined(lines) if text.strip()]
        plain = [without_escapes(text) for text in texts]
        self._coloured = is_coloured(texts, plain) or marks_dump_lines(texts)
        known = (*_before_dump(plain), *_OF_WHOLE_TEXTS)
        split = [_split(text, known)[0] for text in plain]
        shared = Counter(pieces[:some] for pieces in split for some in range(len(pieces) + 1))
        self._pieces: Pieces = _fitting([p for p, count in shared.items() if count * 2 > len(texts)], split, plain)
        bares = [bare for text in plain if (bare := _after(self._pieces, text)) is not None]
        if sum(NAMED.match(bare) is not None for bare in bares) * 2 > len(texts):
            self._pieces = (*self._pieces, NAMED)
        escaped = sum(text.startswith(("&gt;", "&amp;gt;")) for text in texts) * 2 > len(texts)
        self._typed = escaped or is_retyped(bares)
        ends = [match for bare in bares if (match := BATCH_END.search(bare))]
        self._padded = sum(bool(match[1]) for match in ends) * 2 > len(ends)
        marks = Counter(match[2] for match in ends if match[2])
        self._after = next((mark for mark, count in marks.items() if count * 2 > len(ends)), "")
        """What stands after each line."""
        self.broken = not any(map(prints_contents, plain)) and self._breaks(lines)
        """Whether mail broke lines of a dump, which prints nothing that may hold line ends."""

    def _breaks(self, lines: Iterable[str]) -> bool:
        bares = [_after(self._pieces, text) or "" for text in lines]
        return rejoined(bares) != bares

    @property
    def typed(self) -> bool:
        """Whether characters in the lines were replaced, or something stands after the lines."""
        return self._typed or self._padded or bool(self._after)

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
        text = _TRAILING_SPACES.sub("", text) if self._padded or self._after else text
        text = without_mark(text, self._after) if self._after else text
        bare = _after(self._pieces, text)
        if not text.strip():
            return text if bare is None else bare
        if bare is None:
            return f"{UNWRAPPED_MARK}{text}"
        bare = as_printed(bare) if self._after.startswith('"') else bare
        return as_typed(bare) if self._typed else bare


def _before_dump(texts: Sequence[str]) -> list[re.Pattern[str]]:
    """Return what may stand before each line, told by the first lines of a dump that do not begin their line."""
    shapes: dict[str, re.Pattern[str]] = {}
    for text in texts:
        found = DUMPED.search(text, 0, _MOST_BEFORE)
        if found is None or not found.start():
            if found:
                break
            continue
        before = text[: found.start()]
        if not DUMPED.match(_split(text, _OF_WHOLE_TEXTS)[1]):
            shape = shape_of(before)
            shapes[shape.pattern] = shape
        if len(shapes) == _SHAPES_TRIED:
            break
    return [one for one in shapes.values() if sum(map(bool, map(one.match, texts))) * 2 > len(texts)]


def _fitting(shared: Sequence[Pieces], split: Sequence[Pieces], texts: Sequence[str]) -> Pieces:
    """Return what stands before the first line of a dump, in a text without one before most lines.

    The lines of one record may be most of a text, and begin with more of the same; a dump's first line stands before.
    """
    for pieces, text in zip(split, texts, strict=True):
        fits = (pieces[:some] for some in range(len(pieces) + 1) if DUMPED.match(_after(pieces[:some], text) or ""))
        if (first := next(fits, None)) is not None:
            return first or max(shared, key=len, default=())
    return max(shared, key=len, default=())


def _after(pieces: Pieces, text: str) -> str | None:
    """Return what follows just these pieces, None if they do not stand before the line."""
    for piece in pieces:
        match = None if isinstance(piece, str) else piece.match(text)
        message = message_in(text) if isinstance(piece, str) else None
        if match is None and message is None:
            return None
        text = text[match.end() :] if match else message or ""
    return text


def _split(text: str, known: Iterable[re.Pattern[str]] = _PIECES) -> tuple[Pieces, str]:
    pieces: list[re.Pattern[str] | str] = []
    while len(pieces) < _MOST_PIECES:
        message = message_in(text)
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
