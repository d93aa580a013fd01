"""Runs log dirs of growing size, whose data is zeros: what they take of time, memory and the disk, and how that grows.

usage: python bench/large.py [--mb 2000 8000 50000] [--batch-bytes 16384] [--engines sail spark] [--folder FOLDER]
The log dirs are sparse: their holes take no disk, and are read and checked as any other bytes. `disk MB` is the most
that the run had written at one time, its case among it; anything else that writes to the same disk counts as well.
"""

import argparse
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engines import ENGINES, VERDICTS
from measure import measure
from raw import make_segments
from run import CONF, HEAP_MB, say

LOOK_S = 0.5


def main() -> None:
    """Parse the arguments, make a log dir of each size, run it on each engine and print a row."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mb", type=int, nargs="+", default=[2000, 8000, 50000])
    parser.add_argument("--batch-bytes", type=int, default=16384)
    parser.add_argument("--engines", choices=ENGINES, nargs="+", default=["sail"])
    parser.add_argument("--folder", type=Path, help="where the log dirs and cases are made; by default a temporary one")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="txn-forensics-bench-", dir=given.folder) as scratch:
        folder = Path(scratch)
        (folder / "bench.toml").write_text(CONF, encoding="utf-8")
        say("| engine | MB | s | CPU s | peak beside the heap MB | disk MB | case MB |")
        say("|---|---|---|---|---|---|---|")
        for mb in given.mb:
            segments = make_segments(folder, mb, given.batch_bytes, sparse=True)
            for engine in given.engines:
                say(row(segments, folder, engine, mb))
            shutil.rmtree(segments)


def row(segments: Path, folder: Path, engine: str, mb: int) -> str:
    """Return what one run took, as a row of the table; a run without a verdict ends the bench."""
    case = folder / f"case-{engine}"
    command = [sys.executable, "-m", "analyzer", "run", str(segments), "--case", str(case), "--engine", engine]
    with watched(folder) as most:
        took = measure([*command, "--conf", str(folder / "bench.toml"), "-o", str(folder / "report.txt")])
    if took.exit_code not in VERDICTS:
        sys.stderr.write(took.stderr[-2000:] + "\n")
        raise SystemExit(f"{mb} MB on {engine} failed with exit code {took.exit_code}")
    beside = took.above_heap_bytes(HEAP_MB << 20) / 1e6
    kept = sum(file.stat().st_size for file in case.rglob("*") if file.is_file()) / 1e6
    shutil.rmtree(case)
    told = f"{took.seconds:.1f} | {took.cpu_seconds:.1f} | {beside:,.0f} | {most[0] / 1e6:,.0f} | {kept:,.0f}"
    return f"| {engine} | {mb:,} | {told} |"


@contextmanager
def watched(folder: Path) -> Iterator[list[int]]:
    """Yield a list whose one number is the most bytes that the disk of this folder has gained since."""
    before = shutil.disk_usage(folder).used
    most, over = [0], threading.Event()

    def look() -> None:
        while not over.wait(LOOK_S):
            most[0] = max(most[0], shutil.disk_usage(folder).used - before)

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield most
    finally:
        over.set()
        looking.join()


if __name__ == "__main__":
    main()
