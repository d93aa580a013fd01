"""From a folder with the lab (dev/, matrix/, vectors/, metadata/) to tests/corpus.tar.xz, the same bytes for the same files.

usage: python tests/pack_corpus.py LAB corpus.tar.xz
"""

import lzma
import sys
import tarfile
from pathlib import Path

STAMP = 1_767_225_600
"""The time that every file in the archive has: 2026-01-01, epoch seconds."""


LEFT_OUT = (
    "dev/chaos_*/dumps",
    "dev/chaos_*/oracle/*.excerpt",
    "dev/chaos_*/oracle/clients.jsonl",
    "metadata/*/dumps/broker-*/*/*.nodecoder.txt",
    "metadata/*.java",
    "metadata/*.md",
    "metadata/*.json",
)
"""What no test reads: texts of captures that are scored from their raw files, what brokers and clients logged, dumps
without contents, and what the schemas in the package were made from."""


def pack(lab: Path, target: Path) -> int:
    """Write the archive and return how many files it holds; sorted by path, no owner, fixed times, xz -9e."""
    left_out = {path for pattern in LEFT_OUT for path in lab.glob(pattern)}
    paths = [path for path in lab.rglob("*") if not left_out & {path, *path.parents}]
    paths.sort(key=lambda path: path.relative_to(lab).parts)
    with (
        lzma.open(target, "wb", preset=9 | lzma.PRESET_EXTREME) as stream,
        tarfile.open(fileobj=stream, mode="w") as tar,
    ):
        for path in paths:
            entry = tar.gettarinfo(path, arcname=str(path.relative_to(lab)))
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = ""
            entry.mtime = STAMP
            entry.mode = 0o755 if entry.isdir() else 0o644
            if entry.isfile():
                with path.open("rb") as content:
                    tar.addfile(entry, content)
            else:
                tar.addfile(entry)
    return sum(path.is_file() for path in paths)


if __name__ == "__main__":
    if len(sys.argv) != 3 or not (Path(sys.argv[1]) / "dev").is_dir():
        raise SystemExit(__doc__)
    count = pack(Path(sys.argv[1]), Path(sys.argv[2]))
    sys.stdout.write(f"{sys.argv[2]}: {count} files, {Path(sys.argv[2]).stat().st_size:,} bytes\n")
