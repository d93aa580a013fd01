"""Unpacks a zip, or a tar as it stands or packed (gzip, zstd, xz, bzip2), into a scratch folder; refuses hostile names.

The folder lives as long as it is used.
"""

import shutil
import stat
import tarfile
import weakref
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from analyzer.opening import DAMAGE, open_text, packed_by
from analyzer.scratch import UNPACKED, drop, scratch_folder

_PIECE = 1 << 20
_TAR_MAGIC_AT = 257
_TAR_MAGIC = b"ustar"
_ZIP_MAGIC = b"PK\x03\x04"
_NAME_LIMIT = 255
"""Bytes of a path's part that file systems take."""

BROKEN = (*DAMAGE, tarfile.TarError, zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError)
"""What a damaged, encrypted or unknown archive raises."""

Member = tuple[str, IO[bytes] | None, str]
"""Name, content, and why it must not be unpacked; without content it cannot be."""


class Unpacked:
    """A scratch folder with the files of an archive; it is removed when this object is no longer referenced."""

    def __init__(self, archive: Path) -> None:
        """Unpack all that can be; `problems` says why not for each other member by name ("" is the archive itself)."""
        self.folder = scratch_folder(UNPACKED)
        self.problems: dict[str, str] = {}
        weakref.finalize(self, drop, self.folder)
        try:
            for name, content, against in _members(archive):
                why = against or _refusal(name, self.folder)
                if why or content is None:
                    self.problems[name] = why
                else:
                    self._write(name, content)
        except BROKEN as fault:
            self.problems[""] = f"the archive breaks off: {fault}"

    def _write(self, name: str, content: IO[bytes]) -> None:
        target = self.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as out:
            shutil.copyfileobj(content, out, _PIECE)


def is_archive(path: Path) -> bool:
    """Whether the file is a zip, or a tar, packed or not, by its first bytes. Raises OSError."""
    with path.open("rb") as stream:
        head = stream.read(_TAR_MAGIC_AT + len(_TAR_MAGIC))
    if head.startswith(_ZIP_MAGIC):
        return True
    if by := packed_by(head):
        try:
            with open_text(path, by) as stream:
                head = stream.read(_TAR_MAGIC_AT + len(_TAR_MAGIC))
        except DAMAGE:
            return False
    return head[_TAR_MAGIC_AT:] == _TAR_MAGIC


def _members(archive: Path) -> Iterator[Member]:
    """Yield everything in the archive except folders; each content is valid until the next."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as zipped:
            for info in zipped.infolist():
                if info.is_dir():
                    continue
                if stat.S_ISLNK(info.external_attr >> 16):
                    yield info.filename, None, "a link, not followed"
                    continue
                with zipped.open(info) as opened:
                    yield info.filename, opened, ""
        return
    with archive.open("rb") as stream:
        by = packed_by(stream.read(_TAR_MAGIC_AT))
    with open_text(archive, by) as whole, tarfile.open(fileobj=whole, mode="r|" if by else "r:") as tar:
        for member in tar:
            if member.isdir():
                continue
            content = tar.extractfile(member) if member.isreg() else None
            kind = "a link, not followed" if member.issym() or member.islnk() else "no regular file"
            yield member.name, content, "" if content else kind
        if tar.fileobj is not None and tar.fileobj.tell() - tar.offset < tarfile.BLOCKSIZE:
            raise EOFError("it has no end mark")


def _refusal(name: str, folder: Path) -> str:
    """Return why a member is not unpacked: its name leads out of the folder or is taken; else an empty text."""
    path = PurePosixPath(name.replace("\\", "/"))
    if not path.parts or path.is_absolute() or ".." in path.parts or "\0" in name or ":" in path.parts[0]:
        return "its name leads out of the archive, refused"
    if any(len(part.encode("utf-8", "surrogateescape")) > _NAME_LIMIT for part in path.parts):
        return "its name is too long"
    if (folder / name).exists():
        return "a second file of that name in the archive"
    return ""
