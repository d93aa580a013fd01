"""The compression codecs of record batches in one table: id, names, how to unpack content, and how to measure it first.

A codec that is not in the table cannot be measured, so a batch that uses it is not opened.
"""

import dataclasses
import struct
import zlib
from collections.abc import Callable, Iterator

import zstandard
from aiokafka.codec import gzip_decode, lz4_decode, snappy_decode, zstd_decode

CODEC_BITS = 0x07
"""The bits of a batch's attributes that hold the codec's id."""

_PIECE_BYTES = 1 << 16

_LZ4_FACTOR = 255
"""One byte of LZ4 unpacks to at most this many."""
_LZ4_MAGIC = b"\x04\x22\x4d\x18"
_LZ4_BLOCK_BYTES = {4: 1 << 16, 5: 1 << 18, 6: 1 << 20, 7: 1 << 22}
_LZ4_BLOCK_CHECKSUM, _LZ4_CONTENT_SIZE, _LZ4_CONTENT_CHECKSUM, _LZ4_DICTIONARY = 0x10, 0x08, 0x04, 0x01
_LZ4_STORED = 1 << 31

_XERIAL_MAGIC = b"\x82SNAPPY\0"
_XERIAL_HEAD_BYTES = 16

Sizes = Callable[[memoryview], Iterator[int]]
"""Compressed content in, sizes of the pieces it unpacks to out, at most a few MiB each; raises for broken content."""


@dataclasses.dataclass(frozen=True, slots=True)
class Codec:
    """A codec: its id in the attributes, its name, and how its content is measured and unpacked."""

    id: int
    name: str
    sizes: Sizes
    unpack: Callable[[bytes], bytes]
    printed: str = ""
    """The class name that dumps of 0.8 to 0.10 print for it; later ones print its name in capitals or as it is."""


def _stored(content: memoryview) -> Iterator[int]:
    yield len(content)


def _gzip(content: memoryview) -> Iterator[int]:
    """Unpack every member, a piece at a time."""
    left: bytes | memoryview = content
    while left:
        inflater = zlib.decompressobj(16 + zlib.MAX_WBITS)
        while left and not inflater.eof:
            yield len(inflater.decompress(left, _PIECE_BYTES))
            left = inflater.unconsumed_tail
        left = inflater.unused_data.lstrip(b"\0")


def _snappy(content: memoryview) -> Iterator[int]:
    """Read the size that each block states: the blocks of xerial's framing, or the one block without framing."""
    if content[: len(_XERIAL_MAGIC)] != _XERIAL_MAGIC:
        yield _snappy_size(content)
        return
    at = _XERIAL_HEAD_BYTES
    while at < len(content):
        (size,) = struct.unpack_from(">i", content, at)
        if size < 0:
            raise ValueError("a block of negative size")
        yield _snappy_size(content[at + 4 : at + 4 + size])
        at += 4 + size


def _snappy_size(block: memoryview) -> int:
    """Return the size that a Snappy block begins with, an unsigned varint."""
    size = 0
    for shift, byte in enumerate(block[:5]):
        size |= (byte & 0x7F) << 7 * shift
        if byte < 0x80:  # noqa: PLR2004 - the bit that says more follows
            break
    return size


def _lz4(content: memoryview) -> Iterator[int]:
    """Bound each block of a frame by its own bytes and by the frame's block size, and the rest by its bytes alone."""
    at = 0
    while content[at : at + 4] == _LZ4_MAGIC and len(content) - at > 7:  # noqa: PLR2004 - the least header
        flags, most = content[at + 4], _LZ4_BLOCK_BYTES.get(content[at + 5] >> 4 & 7, 1 << 22)
        at += 7 + (8 if flags & _LZ4_CONTENT_SIZE else 0) + (4 if flags & _LZ4_DICTIONARY else 0)
        while at + 4 <= len(content):
            (size,) = struct.unpack_from("<I", content, at)
            at += 4
            if size == 0:
                break
            stored = size & ~_LZ4_STORED
            yield min(most, stored * _LZ4_FACTOR)
            at += stored + (4 if flags & _LZ4_BLOCK_CHECKSUM else 0)
        at += 4 if flags & _LZ4_CONTENT_CHECKSUM else 0
    yield max(len(content) - at, 0) * _LZ4_FACTOR


def _zstd(content: memoryview) -> Iterator[int]:
    with zstandard.ZstdDecompressor().stream_reader(content, read_across_frames=True) as reader:
        while piece := reader.read(_PIECE_BYTES):
            yield len(piece)


CODECS = (
    Codec(0, "none", _stored, bytes, "NoCompressionCodec"),
    Codec(1, "gzip", _gzip, gzip_decode, "GZIPCompressionCodec"),
    Codec(2, "snappy", _snappy, snappy_decode, "SnappyCompressionCodec"),
    Codec(3, "lz4", _lz4, lz4_decode, "LZ4CompressionCodec"),
    Codec(4, "zstd", _zstd, zstd_decode),
)
"""Every codec of Kafka's, 0.8 to 4.4 (CompressionType); aiokafka and cramjam unpack them."""

_BY_ID = {codec.id: codec for codec in CODECS}
_PRINTED = {codec.printed: codec.name for codec in CODECS if codec.printed}

NAMES = tuple(_BY_ID[number].name if number in _BY_ID else None for number in range(CODEC_BITS + 1))
"""The name of each id that the attributes can hold, None for one that no codec has."""


def codec_name(printed: str) -> str:
    """Return today's name of a codec, for what any version of DumpLogSegments prints; an unknown one in lower case."""
    return _PRINTED.get(printed) or printed.lower()


def unpacked(codec_id: int, content: memoryview) -> bytes:
    """Return what content of a listed codec unpacks to; for content that `fits`. Raises what the codec raises."""
    return _BY_ID[codec_id].unpack(bytes(content))


def fits(codec_id: int, content: memoryview, limit: int) -> bool:
    """Whether content of this codec is sure to unpack to at most `limit` bytes; False for an unlisted codec.

    Nothing that is unpacked is kept. Raises what the codec raises for broken content: zlib.error, zstandard.ZstdError,
    struct.error or ValueError.
    """
    codec = _BY_ID.get(codec_id)
    if codec is None:
        return False
    taken = 0
    for size in codec.sizes(content):
        taken += size
        if taken > limit:
            return False
    return True
