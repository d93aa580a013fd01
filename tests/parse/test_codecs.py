"""Which compressed content is opened: of listed codecs, and only what surely unpacks to less than the limit."""

import gzip

import cramjam
import pytest

from analyzer.parse.codecs import CODEC_BITS, CODECS, NAMES, codec_name, fits

IDS = {codec.name: codec.id for codec in CODECS}
MB = 1 << 20


def snappy(data: bytes, block_bytes: int = 32 << 10) -> bytes:
    blocks = [
        bytes(cramjam.snappy.compress_raw(data[at : at + block_bytes])) for at in range(0, len(data), block_bytes)
    ]
    framed = b"".join(len(block).to_bytes(4, "big") + block for block in blocks)
    return b"\x82SNAPPY\0" + bytes([0, 0, 0, 1, 0, 0, 0, 1]) + framed


PACKED = {
    "none": bytes,
    "gzip": gzip.compress,
    "snappy": snappy,
    "snappy, one block": lambda data: bytes(cramjam.snappy.compress_raw(data)),
    "lz4": lambda data: bytes(cramjam.lz4.compress(data)),
    "zstd": lambda data: bytes(cramjam.zstd.compress(data)),
}


@pytest.mark.parametrize("packed", PACKED)
def test_content_within_and_beyond_the_limit(packed):
    content = memoryview(PACKED[packed](bytes(8 * MB)))
    codec = IDS[packed.partition(",")[0]]
    assert fits(codec, content, 16 * MB)
    assert not fits(codec, content, MB)


@pytest.mark.parametrize("packed", ["gzip", "lz4", "zstd"])
def test_a_small_first_part_hides_no_large_second_one(packed):
    """The decoders unpack every gzip member and every frame, so all of them count."""
    pack = PACKED[packed]
    assert not fits(IDS[packed], memoryview(pack(b"a") + pack(bytes(8 * MB))), MB)


def test_a_codec_that_is_not_listed_is_never_opened():
    unlisted = set(range(CODEC_BITS + 1)) - set(IDS.values())
    assert unlisted == {5, 6, 7}
    for codec in unlisted:
        assert not fits(codec, memoryview(b""), MB)
        assert NAMES[codec] is None


def test_every_printed_name_has_its_name_of_today():
    for codec in CODECS:
        assert codec_name(codec.printed or codec.name) == codec_name(codec.name.upper()) == codec.name
    assert codec_name("LZ4CompressionCodec") == "lz4"
