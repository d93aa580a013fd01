"""Hostile and damaged archives: nothing leaves the scratch folder, and what is refused is named."""

import io
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from analyzer.errors import InputError
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest

DUMP = b"Dumping t-0/00000000000000000000.log\nLog starting offset: 0\n"
NAMES = ("../evil", "a/../../evil", "/evil-of-an-archive", "..", "")


def tar_file(path: Path, names=NAMES) -> Path:
    with tarfile.open(path, "w:gz") as tar:
        for name in ("t-0/00000000000000000000.log.txt", *names):
            info = tarfile.TarInfo(name)
            info.size = len(DUMP)
            tar.addfile(info, io.BytesIO(DUMP))
        for kind, name in ((tarfile.SYMTYPE, "soft"), (tarfile.LNKTYPE, "hard"), (tarfile.FIFOTYPE, "pipe")):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            tar.addfile(info)
    return path


def problems(path: Path) -> dict[str, str]:
    capture = scan_capture(CaptureRequest((str(path),)))
    folder = capture.unpacked[0].folder
    assert all(Path(file["absolute_path"]).is_relative_to(folder) or file["problem"] for file in capture.files[1:])
    return {file["path"]: file["problem"] for file in capture.files if file["problem"]}


def test_hostile_tar(tmp_path):
    found = problems(tar_file(tmp_path / "a.tar.gz"))
    assert {name for name, why in found.items() if "leads out" in why} >= {"../evil", "a/../../evil", ".."}
    assert {name: found[name] for name in ("soft", "hard", "pipe")} == {
        "soft": "a link, not followed", "hard": "a link, not followed", "pipe": "no regular file",
    }  # fmt: skip
    assert not (tmp_path.parent / "evil").exists()
    assert not Path("/evil-of-an-archive").exists()


def test_hostile_zip(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as zipped:
        for name in ("t-0/00000000000000000000.log.txt", "../evil", "C:/evil"):
            zipped.writestr(name, DUMP)
        link = zipfile.ZipInfo("soft")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        zipped.writestr(link, "/etc/passwd")
    found = problems(tmp_path / "a.zip")
    assert found == {
        "../evil": "its name leads out of the archive, refused",
        "C:/evil": "its name leads out of the archive, refused",
        "soft": "a link, not followed",
    }


@pytest.mark.parametrize("kept", [0.4, 0.66])
def test_a_cut_archive_gives_what_is_whole(tmp_path, kept):
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w") as tar:
        for number in range(20):
            info = tarfile.TarInfo(f"t-{number}/00000000000000000000.log.txt")
            info.size = len(DUMP) * 50
            tar.addfile(info, io.BytesIO(DUMP * 50))
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * kept)])
    capture = scan_capture(CaptureRequest((str(path),)))
    assert len([file for file in capture.files if file["file_kind"] == "dump"]) > 5
    assert "breaks off" in capture.files[0]["problem"]


def test_the_scratch_folder_goes_with_the_capture(tmp_path):
    capture = scan_capture(CaptureRequest((str(tar_file(tmp_path / "a.tar.gz", ())),)))
    folder = capture.unpacked[0].folder
    assert folder.exists()
    del capture
    assert not folder.exists()


def test_an_archive_of_nothing_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w"):
        pass
    with pytest.raises(InputError):
        scan_capture(CaptureRequest((str(tmp_path / "a.zip"),)))
