"""Files and archives that xz and bzip2 packed are read as those of gzip are, within the same memory."""

import bz2
import gzip
import io
import lzma
import resource
import tarfile
from pathlib import Path

import pytest
import zstandard

from analyzer.opening import DAMAGE, open_text, packed_by
from analyzer.opening.streams import BLOCK_BYTES
from analyzer.scan.capture import scan_capture
from analyzer.scan.recognise import recognise
from analyzer.scan.request import CaptureRequest

DUMP = b"Dumping t-0/00000000000000000000.log\nLog starting offset: 0\n"
PACKERS = {
    "gzip": (".gz", gzip.compress),
    "zstd": (".zst", zstandard.ZstdCompressor().compress),
    "xz": (".xz", lzma.compress),
    "bzip2": (".bz2", bz2.compress),
}


def tar(members: int) -> bytes:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        for number in range(members):
            info = tarfile.TarInfo(f"t-{number}/00000000000000000000.log.txt")
            info.size = len(DUMP)
            archive.addfile(info, io.BytesIO(DUMP))
    return content.getvalue()


@pytest.mark.parametrize("by", PACKERS)
def test_a_file_that_was_packed_by_itself(tmp_path, by):
    suffix, pack = PACKERS[by]
    path = tmp_path / f"00000000000000000000.log.txt{suffix}"
    path.write_bytes(pack(DUMP) + pack(DUMP * 3))
    found = recognise(path, path.stat().st_size)
    assert (found.kind, found.compression) == ("dump", by)
    with open_text(path, by) as text:
        assert text.read() == DUMP * 4


@pytest.mark.parametrize("by", PACKERS)
def test_an_archive_that_was_packed(tmp_path, by):
    suffix, pack = PACKERS[by]
    path = tmp_path / f"broker-1.tar{suffix}"
    path.write_bytes(pack(tar(3)))
    capture = scan_capture(CaptureRequest((str(path),)))
    assert [file["file_kind"] for file in capture.files if file["file_kind"] != "archive"] == ["dump"] * 3
    assert not [file["problem"] for file in capture.files if file["problem"]]


@pytest.mark.parametrize("by", ["xz", "bzip2"])
def test_an_archive_that_breaks_off_gives_what_is_whole(tmp_path, by):
    suffix, pack = PACKERS[by]
    path = tmp_path / f"broker-1.tar{suffix}"
    first, second = (pack(part) for part in (tar(3)[:1536], tar(3)[1536:]))
    path.write_bytes(first + second[: len(second) // 2])
    capture = scan_capture(CaptureRequest((str(path),)))
    assert any(file["file_kind"] == "dump" for file in capture.files)
    assert "breaks off" in capture.files[0]["problem"]


@pytest.mark.parametrize("by", ["xz", "bzip2"])
def test_much_content_is_never_in_memory_at_once(tmp_path, by):
    path = tmp_path / "bomb"
    path.write_bytes(PACKERS[by][1](bytes(200 * BLOCK_BYTES)))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    total = 0
    with open_text(path, by) as content:
        while block := content.read(BLOCK_BYTES):
            assert len(block) <= BLOCK_BYTES
            total += len(block)
    assert total == 200 * BLOCK_BYTES
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000


@pytest.mark.parametrize("by", ["xz", "bzip2"])
def test_a_stream_that_breaks_off_is_damage_after_what_is_whole(tmp_path, by):
    path = tmp_path / "cut"
    path.write_bytes(PACKERS[by][1](DUMP)[:-6])
    with open_text(path, by) as content:
        assert content.read() == DUMP
        with pytest.raises(DAMAGE):
            content.read(1)


def test_xz_that_wants_much_memory_is_damage(tmp_path, monkeypatch):
    monkeypatch.setattr("analyzer.opening.streams._XZ_MEMORY", 1 << 20)
    path = tmp_path / "large.xz"
    path.write_bytes(lzma.compress(DUMP))
    with open_text(path, "xz") as content, pytest.raises(DAMAGE):
        content.read(1)


def test_words_that_begin_like_a_magic_are_text(tmp_path: Path):
    assert packed_by(b"BZh is how it begins") == ""
    assert packed_by(bz2.compress(b"")) == "bzip2"
