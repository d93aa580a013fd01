"""Streams of bytes made from others: inflated, transcoded, without a mark, with other lines."""

import bz2
import codecs
import lzma
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO, Protocol, Self, cast

import zstandard

from analyzer.kafka.bare_lines import LINE_LIMIT_BYTES, TakenLines
from analyzer.kafka.pasting.json_pieces import JsonPieces

DAMAGE = (EOFError, OSError, zlib.error, lzma.LZMAError, zstandard.ZstdError)
"""What reading a damaged stream raises."""
BLOCK_BYTES = 1 << 20
_PIECE = 1 << 16
_ZSTD_PIECE = 512
"""Small, because one byte of zstd may unpack to forty thousand."""
_XZ_MEMORY = 1 << 28
"""Bytes that unpacking xz may take: `xz -9` needs 65 MB; a header may ask for four gigabytes."""
MAGIC = {"gzip": b"\x1f\x8b", "zstd": b"\x28\xb5\x2f\xfd", "xz": b"\xfd7zXZ\0", "bzip2": b"BZh"}
"""How a stream begins, by what packed it."""
_BZIP2_BEGINS = (b"1AY&SY", b"\x17rE8P\x90")
"""What its level is followed by: a block, or the end of an empty stream."""


class Stream:
    """Bytes made from another stream; damage raises only once all bytes before it were read."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._left = b""
        self._fault: BaseException | None = None

    def _more(self) -> bytes:
        """Return further bytes, none at the end."""
        raise NotImplementedError

    def read(self, size: int = -1) -> bytes:
        """Return so many bytes, fewer at the end; all of them for a negative size."""
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
        """Close the stream that these are made from."""
        self._stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def packed_by(head: bytes) -> str:
    """Return what packed the stream that begins so, empty for none."""
    found = next((name for name, magic in MAGIC.items() if head.startswith(magic)), "")
    return "" if found == "bzip2" and head[4:10] not in _BZIP2_BEGINS else found


class Inflater(Protocol):
    """What the decompression objects of zlib, zstandard, lzma and bz2 have in common."""

    eof: bool
    unused_data: bytes
    unconsumed_tail: bytes
    """What of the input zlib did not take."""
    needs_input: bool
    """Whether those of lzma and bz2, which keep what they did not take, give nothing more without further bytes."""
    decompress: Any


class Inflated(Stream):
    """A gzip, zstd, xz or bzip2 stream of any number of members, as its content."""

    def __init__(self, stream: BinaryIO, compression: str) -> None:
        super().__init__(stream)
        self._by = compression
        self._inflater: Inflater | None = None
        self._raw = b""

    def _more(self) -> bytes:
        while True:
            if self._keeps():
                raw = b""
            elif not (raw := self._raw or self._stream.read(_ZSTD_PIECE if self._by == "zstd" else _PIECE)):
                if self._inflater is not None:
                    raise EOFError("the compressed stream ends before its end mark")
                return b""
            self._raw = b""
            if self._inflater is None:
                raw = raw if self._by == "zstd" else raw.lstrip(b"\0")
                if not raw:
                    continue
                self._inflater = self._new()
            text = self._inflate(self._inflater, raw)
            if text:
                return text

    def _keeps(self) -> bool:
        """Return whether the decompressor has more to give of the bytes that it got."""
        return self._inflater is not None and self._by in {"xz", "bzip2"} and not self._inflater.needs_input

    def _new(self) -> Inflater:
        new = {
            "gzip": lambda: zlib.decompressobj(16 + zlib.MAX_WBITS),
            "zstd": lambda: zstandard.ZstdDecompressor().decompressobj(),
            "xz": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY),
            "bzip2": bz2.BZ2Decompressor,
        }[self._by]()
        return cast("Inflater", new)

    def _inflate(self, inflater: Inflater, raw: bytes) -> bytes:
        """Return the content of the next bytes, at most a block, and keep the bytes that were not used."""
        text: bytes = inflater.decompress(raw) if self._by == "zstd" else inflater.decompress(raw, BLOCK_BYTES)
        if self._by == "gzip":
            self._raw = inflater.unconsumed_tail
        if inflater.eof:
            self._raw = inflater.unused_data
            self._inflater = None
        return text


class Transcoded(Stream):
    """A UTF-16 stream read as UTF-8, little-endian if it has no mark; broken units become U+FFFD."""

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__(stream)
        self._decoder: codecs.IncrementalDecoder | None = None
        self._ended = False

    def _more(self) -> bytes:
        while not self._ended:
            raw = self._stream.read(BLOCK_BYTES)
            self._ended = not raw
            if self._decoder is None:
                marked = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
                self._decoder = codecs.getincrementaldecoder("utf-16" if marked else "utf-16-le")("replace")
            text = self._decoder.decode(raw, final=not raw).encode("utf-8", "replace")
            if text:
                return text
        return b""


class Parted(Stream):
    """JSON of one long line as lines, one for each message in it."""

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__(stream)
        self._pieces = JsonPieces()

    def _more(self) -> bytes:
        while block := self._stream.read(BLOCK_BYTES):
            if lines := self._pieces.take(block):
                return lines
        return b""


class Unmarked(Stream):
    """A UTF-8 stream without its byte order mark."""

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__(stream)
        self._begun = False

    def _more(self) -> bytes:
        text = self._stream.read(BLOCK_BYTES)
        if not self._begun:
            self._begun = True
            text = text.removeprefix(codecs.BOM_UTF8)
            return text or self._stream.read(BLOCK_BYTES)
        return text


class Taken(Stream):
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
                block = self._stream.read(BLOCK_BYTES)
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
