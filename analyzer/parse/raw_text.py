"""Tells whether what is printed of a record may hold line ends, and so the text of any other line (RULES C 14)."""

import enum
import json

from analyzer.kafka.topics import INTERNAL_TOPICS
from analyzer.parse.contents.transaction_state import DELETED
from analyzer.parse.lines.printed_text import RecordText
from analyzer.parse.lines.record_lines import MARKER
from analyzer.parse.sections import Section
from analyzer.parse.stream import Lines

_PRINTED = (b"] key: ", b"] payload: ")


class Raw(enum.Enum):
    """What a record line prints that may hold line ends."""

    NOTHING = "nothing"
    HEADER_KEYS = "header keys that are not closed on their line"
    CONTENTS = "a key or value"


def raw_text(lines: Lines, begin: int, text: RecordText | None, section: Section) -> Raw:
    """Return what the record line at the cursor prints that may hold line ends.

    `begin` is the distance from the cursor to where the text begins, with header keys; `text` is what was measured,
    None if its end is unknown. A key and value in JSON escape line ends, and a marker has none. A dump without contents
    prints header keys only: one that holds a line end leaves its line without the bracket that closes them.
    """
    if text is not None and text.json_key is not None:
        return Raw.NOTHING if is_json(text, section.topic) else Raw.CONTENTS
    start, edge, buffer = lines.at + begin, lines.edge, lines.buffer
    if start == edge or MARKER.fullmatch(buffer, start, edge):
        return Raw.NOTHING
    if prints_contents(lines, begin) or (text is not None and text.decoder == "data"):
        return Raw.CONTENTS
    stop = edge if text is None else text.stop
    bare = section.decoder == "none" or not any(buffer.find(label, start, stop) >= 0 for label in _PRINTED)
    if not bare:
        return Raw.CONTENTS
    if buffer.endswith(b"]", start, stop):
        return Raw.NOTHING if stop <= edge and lines.whole else Raw.HEADER_KEYS
    return Raw.HEADER_KEYS if section.decoder == "none" else Raw.CONTENTS


def prints_contents(lines: Lines, begin: int) -> bool:
    """Return whether the record line at the cursor prints a key or value right after empty header keys."""
    return lines.buffer.startswith(_PRINTED, lines.at + begin)


def says_contents(lines: Lines, begin: int) -> bool:
    """Return whether the record line at the cursor seems to print a key or value, after header keys or within them."""
    return any(lines.buffer.find(label, lines.at + begin, lines.edge) >= 0 for label in _PRINTED)


def is_json(text: RecordText, topic: str | None) -> bool:
    """Return whether key and value are JSON: what decoders print of internal topics, which brokers alone write."""
    if text.json_key is None:
        return False
    if topic in INTERNAL_TOPICS or text.value in (None, DELETED):
        return True
    try:
        return isinstance(json.loads(text.value or ""), dict)
    except (ValueError, RecursionError):
        return False
