"""From a path to its text as UTF-8 bytes: plain, gzip or zstd, UTF-8 or UTF-16; and one line of it again."""

import codecs
import gzip
import io
from pathlib import Path
from typing import BinaryIO, cast

import zstandard

LINE_LIMIT = 1 << 20
"""A line longer than this many bytes is read in pieces: payloads may be megabytes without a line end."""


def open_text(path: str | Path, compression: str = "", encoding: str = "utf-8") -> BinaryIO:
    """Return the file's text as a stream of UTF-8 bytes without a byte order mark.

    `compression` is "", "gzip" or "zstd"; `encoding` is "utf-8", "utf-8-sig" or "utf-16". Raises OSError where the
    file cannot be opened; a damaged compressed stream raises when it is read (EOFError, OSError, ZstdError).
    """
    stream: BinaryIO = open(path, "rb")  # noqa: SIM115 - the caller closes it
    if compression == "gzip":
        stream = cast("BinaryIO", gzip.GzipFile(fileobj=stream))
    elif compression == "zstd":
        stream = cast("BinaryIO", zstandard.ZstdDecompressor().stream_reader(stream, read_across_frames=True))
    if encoding == "utf-16":
        return cast("BinaryIO", _Transcoded(stream))
    if encoding == "utf-8-sig":
        buffered = io.BufferedReader(cast("io.RawIOBase", stream))
        if buffered.peek(3).startswith(codecs.BOM_UTF8):
            buffered.read(3)
        return cast("BinaryIO", buffered)
    return stream


class _Transcoded:
    """A UTF-16 stream read as UTF-8; broken units become U+FFFD."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-16")("replace")
        self._left = b""

    def read(self, size: int = -1) -> bytes:
        while size < 0 or len(self._left) < size:
            raw = self._stream.read(1 << 20)
            self._left += self._decoder.decode(raw, final=not raw).encode("utf-8")
            if not raw:
                break
        cut = len(self._left) if size < 0 else size
        out, self._left = self._left[:cut], self._left[cut:]
        return out

    def close(self) -> None:
        self._stream.close()

    def __enter__(self) -> "_Transcoded":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_line(path: str | Path, byte_offset: int, compression: str = "", encoding: str = "utf-8") -> str:
    """Return the line that begins at this offset of the file's UTF-8 text, without its line end."""
    with open_text(path, compression, encoding) as stream:
        if not compression and encoding == "utf-8":
            stream.seek(byte_offset)
        else:
            left = byte_offset
            while left > 0:
                skipped = stream.read(min(left, 1 << 20))
                if not skipped:
                    return ""
                left -= len(skipped)
        line = b""
        while b"\n" not in line and len(line) < LINE_LIMIT:
            more = stream.read(4096)
            if not more:
                break
            line += more
    return line.split(b"\n", 1)[0].rstrip(b"\r").decode("utf-8", "replace")
