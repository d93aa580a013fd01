"""Copies of real captures under other names, and what may be left of the old ones in them."""

import dataclasses
import functools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analyzer.anonymize.copying import Copied, anonymized
from analyzer.anonymize.secret import Secret
from analyzer.anonymize.vocabulary import words
from analyzer.parse.codecs import CODEC_BITS
from analyzer.parse.segments.byte_layout import MAGIC_AT
from analyzer.parse.segments.chain import walk
from analyzer.parse.segments.raw_bytes import RawBytes
from analyzer.parse.segments.records import records_of

SECRET = Secret(bytes(range(32)))
LEAST = 6
"""Shorter sequences of bytes are in any file."""
UNLIKE = frozenset({"case", "capture", "bytes", "blocked_bytes"})
"""Parts of a report that two captures do not share: sizes depend on the digits of checksums, and on how contents pack."""
UNLIKE_TEXT = re.compile(r"\bcrc: \d+|[A-Z]{3}\d{3}-[0-9a-f]{12}|\S+\.\.\. \([0-9a-f]{16}\)")


@dataclasses.dataclass(frozen=True)
class Copy:
    """A capture's folder, the folder of its copy, and what was done."""

    name: str
    original: Path
    folder: Path
    done: Copied

    def restored(self, value: Any) -> Any:
        """Return a report about the copy under the original names."""
        if isinstance(value, dict):
            return {name: self.restored(one) for name, one in value.items()}
        if isinstance(value, list):
            return [self.restored(one) for one in value]
        if not isinstance(value, str):
            return value
        return self._old.get(value) or self._names.sub(lambda match: self._old[match[0]], value)

    def path(self, path: str) -> str:
        """Return what a path of the original became."""
        return self.done.paths[path]

    def names(self) -> set[bytes]:
        """Return the original names that are long enough to be looked for, and no part of a word of Kafka's."""
        kafka = " ".join(words())
        long = {name for name in self.done.names if len(name.encode()) >= LEAST and len(set(name)) > 1}
        return {name.encode() for name in long if name not in kafka}

    @functools.cached_property
    def _old(self) -> dict[str, str]:
        return {new: name for name, new in self.done.names.items()}

    @functools.cached_property
    def _names(self) -> re.Pattern[str]:
        names = "|".join(re.escape(name) for name in sorted(self._old, key=len, reverse=True) if len(name) > 1)
        return re.compile(rf"(?<![A-Za-z0-9_-])(?:{names or '(?!)'})(?![A-Za-z0-9_])")


def copy_of(name: str, original: Path, target: Path) -> Copy:
    """Anonymize a capture."""
    return Copy(name, original, target, anonymized([str(original)], target, SECRET))


def contents_of(folder: Path) -> Iterator[bytes]:
    """Yield the path and content of each file of a folder, and what its compressed batches hold."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        yield str(path.relative_to(folder)).encode()
        yield path.read_bytes()
        if path.suffix == ".log":
            yield from held_in(path)


def secrets_in(folder: Path) -> set[bytes]:
    """Return every key, value and header of the records in a folder's raw segments of users' topics."""
    found: set[bytes] = set()
    for path in folder.rglob("*.log"):
        if not path.parent.name.startswith("__"):
            found |= set(held_in(path))
    return {one for one in found if len(one) >= LEAST and not _of_kafka(one)}


def _of_kafka(content: bytes) -> bool:
    """Whether this is text that Kafka prints itself, such as `endTxnMarker: ABORT`, or what stays of printed payloads."""
    text = content.decode("utf-8", "replace")
    return all(word in words() or word.isdigit() for word in re.findall(r"[^\W_][\w-]*", text)) and len(text) < 40


def held_in(path: Path, *, printed: bool = False) -> Iterator[bytes]:
    """Yield what each record of a segment holds; `printed`: without values of headers, which no tool prints."""
    with RawBytes(path) as file:
        for stretch in walk(file):
            for position in stretch.positions.tolist():
                length = int.from_bytes(stretch.data[position + 8 : position + 12], "big")
                batch = stretch.data[position : position + 12 + length]
                attributes = batch[22] if batch[MAGIC_AT] == 2 else batch[17]
                control = batch[MAGIC_AT] == 2 and attributes & 0x20
                for record in () if control else records_of(batch) or ():
                    yield from (one for one in (record.key, record.value) if one)
                    for name, value in record.headers or ():
                        yield from (one for one in (name.encode(), None if printed else value) if one)
                    assert attributes & CODEC_BITS <= 4


def comparable(value: Any) -> Any:
    """Return what of a report names or checksums do not decide, with lists in one order: rows are sorted by names.

    Ids of findings and digests and samples of keys are made of names; a checksum may have another number of digits.
    """
    if isinstance(value, dict):
        return {name: comparable(one) for name, one in value.items() if name not in UNLIKE}
    if isinstance(value, list):
        return sorted(map(comparable, value), key=lambda one: json.dumps(one, sort_keys=True))
    return UNLIKE_TEXT.sub("", value) if isinstance(value, str) else value


FOUND = (
    "code", "name", "severity", "confidence", "topic", "partition", "replica", "transactional_id", "producer_id",
    "producer_epoch", "group", "first_offset", "last_offset",
)  # fmt: skip
"""Fields of a finding that say what was found."""
CHOSEN = frozenset({"finding", "why"})
"""Fields of an open transaction that quote its finding."""


def found(document: dict[str, Any]) -> dict[str, Any]:
    """Return what a report finds, without its words: these name examples, of equal ones the first by name."""
    opens = [{name: one[name] for name in one.keys() - CHOSEN} for one in document["open_transactions"]]
    told = {
        "verdict": document["verdict"],
        "findings": [{name: one.get(name) for name in FOUND} for one in document["findings"]],
        "open_transactions": opens,
        "partitions": document["partitions"],
        "unparsed": document["unparsed"]["lines"],
    }
    return dict(comparable(told))
