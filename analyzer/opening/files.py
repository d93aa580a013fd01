"""Opens a file as UTF-8 text, whatever its compression and encoding, and reads one line of it again."""

import contextlib
import io
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from analyzer.kafka.bare_lines import LINE_LIMIT_BYTES, TAKING
from analyzer.kafka.pasting.escaped_text import PIECES, with_line_ends
from analyzer.opening.streams import BLOCK_BYTES, DAMAGE, Inflated, Parted, Taken, Transcoded, Unmarked
from analyzer.scratch import until_end

PACKED_AS = {".gz": "gzip", ".zst": "zstd", ".xz": "xz", ".bz2": "bzip2"}
"""How a file is packed, by its suffix."""


def name_before(name: str) -> str:
    """Return what a file that was packed by itself was called before; other names stay."""
    stem, dot, suffix = name.rpartition(".")
    return stem if dot + suffix in PACKED_AS else name


def open_text(path: str | Path, compression: str = "", encoding: str = "utf-8") -> BinaryIO:
    """Return the file's text as a stream of UTF-8 bytes without a byte order mark.

    `compression` is "", "gzip", "zstd", "xz" or "bzip2"; `encoding` is "utf-8", "utf-8-sig" or "utf-16", with ESCAPED,
    CARRIAGES, PAGE, SEARCHED or PIECES after it if line ends are written so, and with WRAPPED or BROKEN at its end if
    the text is made of the file's lines.
    Raises OSError if the file cannot be opened. A damaged compressed stream gives all bytes before the damage; the next
    read raises one of DAMAGE.
    """
    encoding, comma, taking = encoding.partition(", ")
    if taking:
        return cast("BinaryIO", Taken(open_text(path, compression, encoding), TAKING[comma + taking]))
    encoding, space, ends = encoding.partition(" ")
    if space + ends == PIECES:
        return cast("BinaryIO", Parted(open_text(path, compression, encoding)))
    if ends:
        with open_text(path, compression, encoding) as text, contextlib.suppress(*DAMAGE):
            return io.BytesIO(with_line_ends(text.read(), space + ends))
    stream: BinaryIO = Path(path).open("rb")  # noqa: SIM115 - the caller closes it
    if compression:
        stream = cast("BinaryIO", Inflated(stream, compression))
    if encoding == "utf-16":
        return cast("BinaryIO", Transcoded(stream))
    if encoding == "utf-8-sig":
        return cast("BinaryIO", Unmarked(stream))
    return stream


@contextmanager
def raw_file(path: str | Path, compression: str = "") -> Iterator[str]:
    """Yield a path with the file's bytes: its own or, for a packed file, that of a scratch copy of its content.

    The copy of a damaged stream holds the bytes before the damage. Raises OSError if the file cannot be opened.
    """
    if not compression:
        yield str(path)
        return
    with (
        open_text(path, compression) as stream,
        tempfile.NamedTemporaryFile(prefix="txn-forensics-") as copy,
        until_end(Path(copy.name)),
    ):
        with contextlib.suppress(*DAMAGE):
            while block := stream.read(BLOCK_BYTES):
                copy.write(block)
        copy.flush()
        yield copy.name


def skip(stream: BinaryIO, byte_offset: int, compression: str = "", encoding: str = "utf-8") -> None:
    """Go to this offset of the UTF-8 text of a stream that `open_text` has just opened, or to its end."""
    if not compression and encoding == "utf-8":
        stream.seek(byte_offset)
        return
    left = byte_offset
    while left > 0 and (skipped := stream.read(min(left, 1 << 20))):
        left -= len(skipped)


def read_line(path: str | Path, byte_offset: int, compression: str = "", encoding: str = "utf-8") -> str:
    """Return the line that begins at this offset of the file's UTF-8 text, without its line end."""
    with open_text(path, compression, encoding) as stream:
        skip(stream, byte_offset, compression, encoding)
        line = b""
        while b"\n" not in line and len(line) < LINE_LIMIT_BYTES and (more := stream.read(4096)):
            line += more
    return line.split(b"\n", 1)[0].rstrip(b"\r").decode("utf-8", "replace")
