"""Measures a case over many captures: the second, where one file of a hundred grew, and the last beside the first.

usage: python bench/captures.py [--mb 400] [--captures 100] [--engine sail] [--keep FOLDER]
Every row is a fresh process. The captures after the first two are hourly ones of sample_data, each by its own name.
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from deltalake import DeltaTable
from measure import Measured, measure
from raw import make_segments
from run import ROOT, say

VERDICTS = {0, 1, 3}
"""The exit codes of a run that came to a verdict."""
HOUR_MS = 3_600_000
FIRST_MS = 1_790_000_400_000


def main() -> None:
    """Parse the arguments, run both benches in a scratch folder and print their tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mb", type=int, default=400, help="the first capture, as about a hundred segments")
    parser.add_argument("--captures", type=int, default=100)
    parser.add_argument("--engine", choices=("spark", "sail"), default="sail")
    parser.add_argument("--keep", type=Path, help="folder for the segments, kept and used again")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="txn-forensics-bench-") as scratch:
        bench_second(Path(scratch), given.keep or Path(scratch), given.mb, given.engine)
        bench_many(Path(scratch), given.captures, given.engine)


def bench_second(scratch: Path, store: Path, mb: int, engine: str) -> None:
    """Measure a capture of about a hundred segments, and the next one, in which one of them has grown."""
    say(f"## A second capture, {engine}\n\n| what | files read | s |\n|---|---|---|")
    later = make_segments(store, mb, 16384, max(1, mb // 100))
    earlier = scratch / "earlier"
    shutil.copytree(later, earlier, copy_function=lambda source, target: Path(target).hardlink_to(source))
    grown = max(earlier.glob("*/orders-*/*.log"))
    content = grown.read_bytes()
    grown.unlink()
    grown.write_bytes(content[: half(content)])
    case = scratch / "case"
    for name, folder in (("first", earlier), ("second, one file has grown", later)):
        before = files_of(case)
        took = judged(engine, case, folder, name)
        say(f"| {name} | {files_of(case) - before} | {took.seconds:.1f} |")
    small = judged(engine, scratch / "small", ROOT / "sample_data", "small")
    say(f"| sample_data, a case of its own | {files_of(scratch / 'small')} | {small.seconds:.1f} |\n")


def half(segment: bytes) -> int:
    """Return the end of a batch near the middle of a segment."""
    end = 0
    while end < len(segment) // 2:
        end += 12 + int.from_bytes(segment[end + 8 : end + 12], "big")
    return end


def bench_many(scratch: Path, captures: int, engine: str) -> None:
    """Judge sample_data once an hour into one case; print each tenth of the way, and what vacuum leaves of it."""
    say(
        f"## {captures} captures of sample_data in one case, {engine}\n\n| capture | s | Parquet files |\n|---|---|---|"
    )
    case = scratch / "hours"
    for number in range(captures):
        moment = FIRST_MS + number * HOUR_MS
        took = judged(engine, case, ROOT / "sample_data", f"hour-{number:04}", "--captured-at", str(moment))
        if number in {0, 1, captures - 1} or number % max(1, captures // 5) == 0:
            say(f"| {number + 1} | {took.seconds:.1f} | {parquet_files(case)} |")
    tidy = measure([sys.executable, "-m", "analyzer", "vacuum", "--case", str(case), "--keep", "36500d"])
    say(f"| vacuum, all kept | {tidy.seconds:.1f} | {parquet_files(case)} |\n")


def judged(engine: str, case: Path, folder: Path, name: str, *more: str) -> Measured:
    """Run the main job on a folder as a capture of this case."""
    run = [sys.executable, "-m", "analyzer", "run", str(folder), "--engine", engine, "--quiet", "--format", "concise"]
    took = measure([*run, "--case", str(case), "--capture", name, *more])
    if took.exit_code not in VERDICTS:
        sys.exit(took.stderr)
    return took


def files_of(case: Path) -> int:
    """Return how many contents the case has read."""
    if not (case / "catalog").exists():
        return 0
    rows = DeltaTable(case / "catalog").to_pyarrow_table(columns=["file_id"], filters=[("table", "=", "files")])
    return len(rows)


def parquet_files(case: Path) -> int:
    """Return how many Parquet files the case's Delta tables refer to."""
    return sum(len(DeltaTable(case / store).file_uris()) for store in ("catalog", "facts", "results"))


if __name__ == "__main__":
    main()
