"""Lines of a dump as pages, terminals and programs change them: what tells that they did, and the lines as printed."""

import json
import re
from collections.abc import Sequence

from analyzer.kafka.pasting.characters import COLOUR, as_typed, without_escapes

_OTHER_QUOTES = re.compile(r"\{(?:&(?:amp;)?quot;|[\u201c-\u201e])(?:type|version|key)")
_OTHER_SPACES = re.compile(r"^(?:\|\xa0)?(?:baseO|o)ffset:\xa0", re.MULTILINE)
"""Lines of a dump or of JSON whose quotes or spaces were replaced, which goes for the whole text."""
_DUMP_LINE = re.compile(r"(?:baseOffset|offset|\| offset): -?\d+ (?:lastOffset|position|CreateTime|LogAppend|NoTimest)")
_RECORD = re.compile(r"\| offset: -?\d")
DUMPED = re.compile(
    r"Dumping \S*\d{20}\.|baseOffset: \d+ lastOffset: \d"
    r"|offset: \d+ position: \d+ (?:CreateTime|LogAppendTime|NoTimest)|(?:Log s|S)tarting offset: \d+\s*$"
)
"""What only a line of a dump begins with, wherever a text stands."""
BATCH_END = re.compile(
    r"^baseOffset: .* isvalid: (?:true|false)( *)"
    rf"({COLOUR}|\*{{1,3}}|_{{1,3}}|`|\}}\}}|\\|\u2502|\",?|<br\s?/?>|</[a-z]{{1,10}}>)? *\r?$"
)
_ANY_LINE = re.compile(rf"{DUMPED.pattern}|{_DUMP_LINE.pattern}|Dumping \S")
_CONTENTS = re.compile(r"\b(?:payload|key): |headerKeys: \[[^\]]")


def is_coloured(texts: Sequence[str], plain: Sequence[str]) -> bool:
    """Return whether most lines have colours, the first one of a dump among them: those below may be a record's."""
    changed = [text != bare for text, bare in zip(texts, plain, strict=True)]
    first = next((one for one, bare in zip(changed, plain, strict=True) if DUMPED.search(bare)), True)
    return first and sum(changed) * 2 > len(texts)


def is_retyped(bares: Sequence[str]) -> bool:
    """Return whether characters in the lines were replaced, by the first lines of a dump: no record's."""
    if _other_characters("\n".join(bares)):
        return True
    first = next((bare for bare in bares if _ANY_LINE.match(as_typed(bare))), "")
    record = next((bare for bare in bares if _RECORD.match(bare)), "")
    return (bool(first) and not _ANY_LINE.match(first)) or r"headerKeys: \[" in record or r"\_" in first


def _other_characters(whole: str) -> bool:
    quotes = '"' not in whole and _OTHER_QUOTES.search(whole) is not None
    return quotes or ("ffset: " not in whole and _OTHER_SPACES.search(whole) is not None)


def as_printed(text: str) -> str:
    """Return a line that stood in a string: of CSV, or of JSON."""
    if '""' in text or "\\" not in text:
        return text.replace('""', '"')
    try:
        return str(json.loads(f'"{text}"'))
    except ValueError:
        return text


def without_mark(text: str, mark: str) -> str:
    """Return a line without the mark that stands after each."""
    return text.removesuffix("\r").removesuffix(mark) + "\r" * text.endswith("\r")


def marks_dump_lines(texts: list[str]) -> bool:
    """Return whether words are marked in lines of a dump, and no line prints contents that may hold such lines."""
    plain = [without_escapes(text) for text in texts]
    marked = any(_DUMP_LINE.match(bare) for text, bare in zip(texts, plain, strict=True) if "\x1b" in text)
    return marked and not any(map(_CONTENTS.search, plain))


def reads_as_dump(bare: bytes) -> bool:
    """Return whether a line of a text, without what stands before it, is one that only a dump has."""
    return any(DUMPED.match(line) for line in bare.decode("utf-8", "replace").splitlines())
