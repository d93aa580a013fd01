"""Opens a file as UTF-8 text, whatever its compression and encoding, and reads one line of it again."""

import codecs
import contextlib
import io
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Protocol, Self, cast

import zstandard

from analyzer.kafka.bare_lines import LINE_LIMIT_BYTES, TAKING, TakenLines
from analyzer.kafka.pasting.escaped_text import with_line_ends
from analyzer.scratch import until_end

DAMAGE = (EOFError, OSError, zlib.error, zstandard.ZstdError)
"""What reading a damaged stream raises."""
PACKED_AS = {".gz": "gzip", ".zst": "zstd"}
"""How a file is packed, by its suffix."""

_BLOCK_BYTES = 1 << 20
_GZIP_PIECE = 1 << 16
_ZSTD_PIECE = 512
"""Small, because one byte of zstd may unpack to forty thousand."""


def name_before(name: str) -> str:
    """Return what a file that gzip or zstd packed was called before; other names stay."""
    stem, dot, suffix = name.rpartition(".")
    return stem if dot + suffix in PACKED_AS else name


def open_text(path: str | Path, compression: str = "", encoding: str = "utf-8") -> BinaryIO:
    """Return the file's text as a stream of UTF-8 bytes without a byte order mark.

    `compression` is "", "gzip" or "zstd"; `encoding` is "utf-8", "utf-8-sig" or "utf-16", with ESCAPED or CARRIAGES
    after it if line ends are written so, and with WRAPPED or BROKEN at its end if the text is made of the file's lines.
    Raises OSError if the file cannot be opened. A damaged compressed stream gives all bytes before the damage; the next
    read raises one of DAMAGE.
    """
    encoding, comma, taking = encoding.partition(", ")
    if taking:
        return cast("BinaryIO", _Taken(open_text(path, compression, encoding), TAKING[comma + taking]))
    encoding, space, ends = encoding.partition(" ")
    if ends:
        with open_text(path, compression, encoding) as text, contextlib.suppress(*DAMAGE):
            return io.BytesIO(with_line_ends(text.read(), space + ends))
    stream: BinaryIO = Path(path).open("rb")  # noqa: SIM115 - the caller closes it
    if compression:
        stream = cast("BinaryIO", _Inflated(stream, compression))
    if encoding == "utf-16":
        return cast("BinaryIO", _Transcoded(stream))
    if encoding == "utf-8-sig":
        return cast("BinaryIO", _Unmarked(stream))
    return stream


@contextmanager
def raw_file(path: str | Path, compression: str = "") -> Iterator[str]:
    """Yield a path with the file's bytes: its own or, for a gzip or zstd file, that of a scratch copy of its content.

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
            while block := stream.read(_BLOCK_BYTES):
                copy.write(block)
        copy.flush()
        yield copy.name


class _Stream:
    """Bytes made from another stream; damage raises only once all bytes before it were read."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._left = b""
        self._fault: BaseException | None = None

    def _more(self) -> bytes:
        """Return further bytes, none at the end."""
        raise NotImplementedError

    def read(self, size: int = -1) -> bytes:
        pieces = [self._left]
        have = len(self._left)
        while self._fault is None and (size < 0 or have < size):
            try:
                more = self._more()
            except DAMAGE as fault:
                self._fault = fault
                break
            if not more:
                break
            pieces.append(more)
            have += len(more)
        text = b"".join(pieces)
        if not text and self._fault is not None and size != 0:
            raise self._fault
        cut = len(text) if size < 0 else size
        self._left = text[cut:]
        return text[:cut]

    def close(self) -> None:
        self._stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Inflater(Protocol):
    """What zlib's and zstandard's decompression objects have in common."""

    eof: bool
    unused_data: bytes
    unconsumed_tail: bytes
    decompress: Any


class _Inflated(_Stream):
    """A gzip or zstd stream of any number of members, as its content."""

    def __init__(self, stream: BinaryIO, compression: str) -> None:
        super().__init__(stream)
        self._gzip = compression == "gzip"
        self._inflater: _Inflater | None = None
        self._raw = b""

    def _more(self) -> bytes:
        while True:
            raw = self._raw or self._stream.read(_GZIP_PIECE if self._gzip else _ZSTD_PIECE)
            self._raw = b""
            if not raw:
                if self._inflater is not None:
                    raise EOFError("the compressed stream ends before its end mark")
                return b""
            if self._inflater is None:
                raw = raw.lstrip(b"\0") if self._gzip else raw
                if not raw:
                    continue
                self._inflater = self._new()
            text = self._inflate(self._inflater, raw)
            if text:
                return text

    def _new(self) -> _Inflater:
        new = zlib.decompressobj(16 + zlib.MAX_WBITS) if self._gzip else zstandard.ZstdDecompressor().decompressobj()
        return cast("_Inflater", new)

    def _inflate(self, inflater: _Inflater, raw: bytes) -> bytes:
        """Return the content of the next bytes, at most a block, and keep the bytes that were not used."""
        if self._gzip:
            text: bytes = inflater.decompress(raw, _BLOCK_BYTES)
            self._raw = inflater.unconsumed_tail
        else:
            text = inflater.decompress(raw)
        if inflater.eof:
            self._raw = inflater.unused_data
            self._inflater = None
        return text


class _Transcoded(_Stream):
    """A UTF-16 stream read as UTF-8; broken units become U+FFFD."""

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__(stream)
        self._decoder = codecs.getincrementaldecoder("utf-16")("replace")
        self._ended = False

    def _more(self) -> bytes:
        while not self._ended:
            raw = self._stream.read(_BLOCK_BYTES)
            self._ended = not raw
            text = self._decoder.decode(raw, final=not raw).encode("utf-8", "replace")
            if text:
                return text
        return b""


class _Unmarked(_Stream):
    """A UTF-8 stream without its byte order mark."""

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__(stream)
        self._begun = False

    def _more(self) -> bytes:
        text = self._stream.read(_BLOCK_BYTES)
        if not self._begun:
            self._begun = True
            text = text.removeprefix(codecs.BOM_UTF8)
            return text or self._stream.read(_BLOCK_BYTES)
        return text


class _Taken(_Stream):
    """A UTF-8 stream whose lines are made into others, one for each: its first block tells how."""

    def __init__(self, stream: BinaryIO, taking: Callable[[bytes], TakenLines]) -> None:
        super().__init__(stream)
        self._taking = taking
        self._lines: TakenLines | None = None
        self.retyped = self.rejoined = False
        self._open = b""
        self._ended = False

    def _more(self) -> bytes:
        while not self._ended:
            try:
                block = self._stream.read(_BLOCK_BYTES)
            except DAMAGE as fault:
                block, self._fault = b"", fault
            self._ended = not block
            text = self._open + block
            whole = text.rfind(b"\n") + 1
            if self._ended or (not whole and len(text) > LINE_LIMIT_BYTES):
                whole = len(text)
            self._open = text[whole:]
            if whole:
                self._lines = self._lines or self._taking(text)
                self.retyped, self.rejoined = self._lines.retyped, self._lines.rejoined
                return self._lines.take(text[:whole], last=self._ended)
        return b""


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
