"""Runs collect.sh under the shells of this machine, reads the archives that it writes, writes log dirs for it."""

import dataclasses
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

SCRIPT = Path(__file__).parent.parent.parent / "collect" / "collect.sh"
SHELLS = {"dash": ("dash",), "busybox": ("busybox", "sh")}
if Path(shutil.which("sh") or "sh").resolve().name != "dash":
    SHELLS["sh"] = ("sh",)


@dataclasses.dataclass(frozen=True)
class Collected:
    """The contents of an archive by name, and the lines of its manifest as lists of fields."""

    path: Path
    contents: dict[str, bytes]
    said: str

    @property
    def manifest(self) -> list[list[str]]:
        (text,) = [content for name, content in self.contents.items() if name.endswith("/manifest.txt")]
        return [line.split("\t") for line in text.decode().splitlines()]

    def lines(self, kind: str) -> dict[str, list[str]]:
        return {line[1]: line[2:] for line in self.manifest if line[0] == kind}


class Collect:
    """Runs the script under one shell; archives go into a folder of their own."""

    def __init__(self, shell: tuple[str, ...], folder: Path) -> None:
        self.shell, self.folder, self.count = shell, folder, 0

    def command(self, *arguments: object) -> list[str]:
        return [*self.shell, str(SCRIPT), *map(str, arguments)]

    def run(self, *arguments: object, **options) -> subprocess.CompletedProcess[str]:
        given = {"capture_output": True, "text": True, "cwd": self.folder, "timeout": 120}
        return subprocess.run(self.command(*arguments), check=False, **(given | options))

    def __call__(self, *arguments: object, **options) -> Collected:
        self.count += 1
        path = self.folder / f"capture-{self.count}.tar.gz"
        done = self.run(*arguments, "-o", path, **options)
        assert done.returncode == 0, done.stderr
        assert not list(self.folder.glob("*.part"))
        return read(path, done.stderr)


def read(path: Path, said: str = "") -> Collected:
    """Read an archive, whose members are all regular files with names of their own."""
    with tarfile.open(path, "r:gz") as tar:
        members = tar.getmembers()
        assert all(member.isreg() for member in members)
        contents = {member.name: tar.extractfile(member).read() for member in members}
    assert len(contents) == len(members)
    return Collected(path, contents, said)


def put(folder: Path, name: str, content: bytes = b"content") -> Path:
    """Write a file and the folders above it."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def state_of(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """All that a reader must leave as it is: names, times and contents."""
    return {
        os.fsdecode(path.relative_to(folder)): (path.stat().st_mtime_ns, path.stat().st_mode, path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file()
    }
