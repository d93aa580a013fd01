"""Recognises how a file is read, by its first bytes and its name: kind, compression, encoding."""

import codecs
import dataclasses
import re
from pathlib import Path

from analyzer.kafka.bare_lines import BROKEN, WRAPPED, WholeLines
from analyzer.kafka.log_lines.registry import ALL as LOG_LINES
from analyzer.kafka.pasting.around_rows import around_first
from analyzer.kafka.pasting.characters import as_typed
from analyzer.kafka.pasting.dump_lines import reads_as_dump
from analyzer.kafka.pasting.escaped_text import (
    ESCAPED,
    MOST_BYTES,
    PAGE,
    PIECES,
    SEARCHED,
    in_pieces,
    line_ends,
    with_line_ends,
)
from analyzer.kafka.pasting.json_messages import MOST_OF_JSON
from analyzer.kafka.pasting.table_bars import without_bars, without_commas
from analyzer.kafka.placement import own_name
from analyzer.kafka.wrapped_lines import HEAD_BYTES, NAMED, Wrapping, unwrapped
from analyzer.opening import name_before, open_text, packed_by
from analyzer.scan.archives import is_archive
from analyzer.scan.text_kinds import TEXT_KINDS
from analyzer.scan.unread import REDPANDA, unread_kind

_PERHAPS_WRAPPED = frozenset({"", "segment", "broker_log", "stderr", "admin"})
"""What a text may seem to be whose lines have something before them."""
_OF_WHOLE_TEXTS = frozenset({"dump", "console"})
"""Kinds whose records may go over several lines, so that what stands before them is taken off the whole text."""
_OF_SINGLE_LINES = frozenset({"admin", "broker_log"})
"""Kinds that take off what stands before a line themselves; the reader of `admin` reads logs, too."""
_OF_BROKEN_LINES = frozenset({"", "admin", "broker_log", "console"})
"""What a text may be, or seem to be, in which mail broke lines."""

_LINES_TRIED, _CHARACTERS_TRIED = 400, 2_000
"""So much of a text of no other kind is searched for a line of a log."""

_MAGIC_BYTES = 16
CHECKPOINTS = frozenset(
    {
        "leader-epoch-checkpoint",
        "replication-offset-checkpoint",
        "recovery-point-offset-checkpoint",
        "cleaner-offset-checkpoint",
        "log-start-offset-checkpoint",
    }
)
METADATA = frozenset({"partition.metadata", "meta.properties"})
RAW_SUFFIXES = {
    ".log": "segment",
    ".snapshot": "snapshot",
    ".txnindex": "txnindex",
    ".index": "index",
    ".timeindex": "index",
    ".checkpoint": "metadata_checkpoint",
}
"""How the files of a log dir are read, by suffix; an `index` is not read, since segments hold all it says."""
SEGMENT_NAME = re.compile(r"\d{20}\.log")
"""What Kafka calls a segment."""

_RECORD_OR_ENTRY = re.compile(
    rb"\| offset: \d+ |producerId: \d+ producerEpoch: |version: \d+ producerId: |baseOffset: \d+ "
)
"""What shows in an excerpt without a batch line that it is one of a dump."""
PROPERTIES = frozenset({"server.properties", "broker.properties", "kraft-server.properties"})
"""What distributions call the configuration of a broker."""


@dataclasses.dataclass(frozen=True, slots=True)
class Recognised:
    """How a file is read; `kind` is a value of `capture_files.file_kind`."""

    kind: str
    compression: str = ""
    encoding: str = "utf-8"


def recognise(path: Path, size: int) -> Recognised:
    """Return how the file is read, by its content; the name decides only if the content cannot.

    Raises OSError if the file cannot be read, or another of DAMAGE if its compressed head is damaged.
    """
    if path.name == "capture.toml":
        return Recognised("manifest")
    if path.name in PROPERTIES:
        return Recognised("settings")
    if size == 0:
        return Recognised(_kind_of_empty(path))
    if is_archive(path):
        return Recognised("archive")
    with path.open("rb") as stream:
        magic = stream.read(_MAGIC_BYTES)
    compression = packed_by(magic)
    if compression:
        with open_text(path, compression) as text:
            magic = text.read(_MAGIC_BYTES)
    encoding = _encoding(magic)
    with open_text(path, compression, encoding) as text:
        head = text.read(HEAD_BYTES)
    if ends := _other_ends(path, compression, encoding, head):
        encoding += ends
        with open_text(path, compression, encoding) as text:
            head = text.read(HEAD_BYTES)
    called = path.with_name(own_name(name_before(path.name) if compression else path.name))
    kind = _kind(called.with_name(called.name.removesuffix(".swap")), head)
    if kind in _PERHAPS_WRAPPED and called.suffix != ".stderr":
        wrapped = _wrapped_kind(head, kind)
        encoding += WRAPPED if wrapped in _OF_WHOLE_TEXTS else ""
        kind = wrapped or kind or ("broker_log" if _says_something(head) else "")
    elif kind == "dump" and Wrapping(head).only_within:
        encoding += WRAPPED
    if kind in _OF_BROKEN_LINES and not encoding.endswith(WRAPPED) and (whole := _whole(head)):
        encoding += BROKEN
        kind = _whole_kind(whole) or kind
    return Recognised(kind or unread_kind(path, head, compression, encoding), compression, encoding)


def _kind_of_empty(path: Path) -> str:
    if path.name in CHECKPOINTS:
        return "checkpoint"
    if path.suffix == ".stderr":
        return "stderr"
    return RAW_SUFFIXES.get(path.suffix, "empty")


def _encoding(magic: bytes) -> str:
    if magic.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if len(magic) == _MAGIC_BYTES and not any(magic[1::2]) and magic[::2].isascii() and all(magic[::2]):
        return "utf-16"  # as cmd /u writes it, without a mark
    return "utf-8-sig" if magic.startswith(codecs.BOM_UTF8) else "utf-8"


def _other_ends(path: Path, compression: str, encoding: str, head: bytes) -> str:
    """Return how a text ends its lines, where that is another way and shows what it is; otherwise an empty text."""
    may_end = line_ends(head)
    if not may_end:
        return ""
    with open_text(path, compression, encoding) as text:
        whole = text.read(HEAD_BYTES) + text.read(MOST_BYTES)
    if b"\0" in whole:
        return ""
    if len(whole) > MOST_BYTES:
        return PIECES if SEARCHED in may_end and in_pieces(head) else ""
    shown = _shown_kind(head)
    return next((ends for ends in may_end if _ends_so(whole, ends, shown)), "")


def _ends_so(whole: bytes, ends: str, shown: str) -> bool:
    """Return whether a text is read with these line ends, which as it stands is `shown` to be of a kind."""
    of_one_line = b"\n" not in whole.rstrip()
    if ends == ESCAPED and shown and (shown == "broker_log" or not of_one_line):
        return False  # its own lines say what it is
    if ends == SEARCHED and of_one_line and len(whole) <= MOST_OF_JSON:
        return False  # it is read as a line of JSON
    made = with_line_ends(whole, ends)
    if ends != PAGE:
        return bool(_shown_kind(made))
    # What a record holds may write marks: no dump is read from a page that only its marks part.
    kind = _shown_kind(made) or ("broker_log" if _says_something(made[:HEAD_BYTES]) else "")
    return bool(kind) and not _OF_WHOLE_TEXTS & {shown, kind}


def _shown_kind(text: bytes) -> str:
    """Return what the first bytes of a text show of its kind, with or without what stands before its lines."""
    return _text_kind(text[:HEAD_BYTES]) or _wrapped_kind(text[:HEAD_BYTES], "")


def _kind(path: Path, head: bytes) -> str:
    """Return how the file is read, an empty string if no reader knows it; a swap is the file that it will be."""
    if path.name in METADATA:
        return "metadata"
    if path.name in CHECKPOINTS and re.match(rb"\d+\s", head):
        return "checkpoint"
    if path.suffix == ".stderr":
        return "stderr"
    if path.suffix in RAW_SUFFIXES and b"\0" in head[:64] and not REDPANDA.fullmatch(path.name):
        return RAW_SUFFIXES[path.suffix]
    if kind := _text_kind(head):
        return kind
    if path.name == "manifest.txt" and head.startswith(b"collect.sh\t"):
        return "manifest"
    return "segment" if SEGMENT_NAME.fullmatch(path.name) else ""


def _text_kind(head: bytes) -> str:
    text = head.replace(b"\r\n", b"\n")
    return next((kind for kind, pattern in TEXT_KINDS if pattern.search(text)), "")


def _whole(head: bytes) -> bytes:
    """Return the first bytes of a text with its broken lines put together; none if no line is broken."""
    whole = head if b"\0" in head else WholeLines().take(head, last=False)
    return b"" if whole == head else whole


def _whole_kind(head: bytes) -> str:
    """Return how such a text is read, empty if putting its lines together does not tell."""
    kind = _text_kind(head) or _wrapped_kind(head, "")
    return kind if kind in _OF_BROKEN_LINES else ""


def _says_something(head: bytes) -> bool:
    """Return whether one of its first lines is known, which somebody may have pasted without its time."""
    lines = [] if b"\0" in head else head.decode("utf-8", "replace").splitlines()[:_LINES_TRIED]
    return any(pattern.regex.search(line[:_CHARACTERS_TRIED]) for line in lines for pattern in LOG_LINES)


def _wrapped_kind(head: bytes, kind: str) -> str:
    """Return how a text is read without what stands before its lines; empty if it is as well read as it stands."""
    if b"\0" in head:
        return ""
    bare = Wrapping(head).take_off(head)
    wrapped = _text_kind(bare)
    if wrapped == "dump" and not reads_as_dump(bare) and not _RECORD_OR_ENTRY.search(head):
        wrapped = ""
    if wrapped in _OF_WHOLE_TEXTS or kind == "admin":
        return wrapped if wrapped in _OF_WHOLE_TEXTS else ""
    rows = head.decode("utf-8", "replace").splitlines()
    lines = [unwrapped(line) for line in rows]
    named = [NAMED.sub("", line, count=1) for line in lines]
    cells = [without_bars(line) or without_commas(line, below=False) or "" for line in rows]
    found = {_text_kind("\n".join(some).encode()) for some in (lines, named, cells)} & _OF_SINGLE_LINES
    return min(found, default="admin" if around_first(map(as_typed, rows)) else "")
