"""The texts in the classes of Kafka's jars, read from their constant pools: what a release can write into a log."""

import re
import struct
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

UTF8, LONG, DOUBLE = 1, 5, 6
SIZES = (
    {LONG: 8, DOUBLE: 8, 15: 3} | dict.fromkeys((7, 8, 16, 19, 20), 2) | dict.fromkeys((3, 4, 9, 10, 11, 12, 17, 18), 4)
)
"""Bytes behind the tag of each kind of constant but UTF8, which has its length before it."""
VALUE = re.compile(r"[\x01\x02]|\{\}|%[sd]")
"""Where a message takes a value: recipes of string concatenation, slf4j, String.format."""


def texts(code: bytes) -> Iterator[str]:
    """Yield the UTF8 constants of a class: its messages, whole or as the parts between two values, and all its names."""
    (count,) = struct.unpack_from(">H", code, 8)
    at, index = 10, 1
    while index < count:
        tag = code[at]
        if tag == UTF8:
            (length,) = struct.unpack_from(">H", code, at + 1)
            yield code[at + 3 : at + 3 + length].decode("utf-8", "replace")
            at += 3 + length
        else:
            at += 1 + SIZES[tag]
        index += 2 if tag in (LONG, DOUBLE) else 1


def texts_of_classes(jars: Iterable[Path]) -> Iterator[list[str]]:
    """Yield the texts of each class of these jars."""
    for jar in jars:
        with zipfile.ZipFile(jar) as archive:
            for name in archive.namelist():
                if name.endswith(".class"):
                    yield list(texts(archive.read(name)))


def has_message(said: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether a class has a message of these words: in one text that takes values, else each in a part."""
    everything = "\n".join(said)
    if not all(word in everything for word in words):
        return False
    whole = re.compile(".*?".join(map(re.escape, words)), re.DOTALL)
    if any(whole.search(text) for text in said if words[0] in text):
        return True
    parts = [text for text in said if not VALUE.search(text)]
    return all(any(word in part for part in parts) for word in words)
