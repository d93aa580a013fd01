"""Measures speed and memory of ingest, and of inferring counts, as Markdown tables.

usage: python bench/run.py [--mb 1000] [--keys 10000000] [--only ingest|routing|keys] [--keep FOLDER]
Every row is a fresh process. Compare inside one table only: machines drift.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import Measured, measure

ROOT = Path(__file__).parent.parent
HEAP_MB = 2048
CONF = f'[spark]\nengine = "spark"\nmaster = "local[2]"\ndriver_memory = "{HEAP_MB}m"\n'

EMPTY_SESSION = """
import sys
from analyzer.config import load_config
from analyzer.storage.session import build_session
from analyzer.storage.settings import Work
spark, _ = build_session(load_config(sys.argv[1]), Work.BRIEF)
spark.range(10).write.format("delta").save(sys.argv[2])
assert spark.read.format("delta").load(sys.argv[2]).count() == 10
spark.stop()
"""

DUCKDB = """
import duckdb, sys
columns = ", ".join(f"'c{n}': 'VARCHAR'" for n in range(48))
duckdb.execute("SET threads = 2")
how = "delim=' ', header=false, quote='', escape='', null_padding=true, strict_mode=false, auto_detect=false"
table = f"read_csv('{sys.argv[1]}', {how}, columns={{{columns}}})"
duckdb.execute(f"COPY (SELECT * FROM {table}) TO '{sys.argv[2]}' (FORMAT parquet)")
"""


def main() -> None:
    """Parse the arguments, run the benches in a scratch folder and print their tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mb", type=int, default=1000, help="size of the smaller corpus; the larger one is 4 times it")
    parser.add_argument("--only", choices=("ingest", "routing", "keys"))
    parser.add_argument("--keys", type=int, default=10_000_000, help="distinct keys of the larger keyed topic")
    parser.add_argument("--keep", type=Path, help="folder for the dumps, kept and used again")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="txn-forensics-bench-") as scratch:
        folder = Path(scratch)
        (folder / "bench.toml").write_text(CONF, encoding="utf-8")
        if given.only in {None, "ingest"}:
            bench_ingest(folder, given.keep or folder, given.mb)
        if given.only in {None, "routing"}:
            bench_routing(folder)
        if given.only in {None, "keys"}:
            bench_keys(folder, given.keys)


def bench_ingest(scratch: Path, store: Path, mb: int) -> None:
    """Measure the ingest of 12 files and of one, four times as much for the memory, and wc and DuckDB beside it."""
    say(f"## Ingest: text dumps to Delta, local[2], heap {HEAP_MB} MB\n")
    say("| what | MB | s | MB/s | peak MB | beside the heap MB | of it Python MB |\n|---|---|---|---|---|---|---|")
    for size, files in ((mb, 12), (mb, 1), (4 * mb, 12), (4 * mb, 1)):
        dumps = make_dumps(store, size, files)
        case = scratch / f"case-{size}-{files}"
        command = [sys.executable, "-m", "analyzer", "ingest", str(dumps), "--case", str(case)]
        took = measure([*command, "--conf", str(scratch / "bench.toml")])
        row(f"ingest, {files} file{'s' * (files > 1)}", dumps, took)
        shutil.rmtree(case, ignore_errors=True)
    single = make_dumps(store, mb, 1)
    file = str(next(path for path in single.rglob("*") if path.is_file()))
    row("`wc -l`, 1 file", single, measure(["wc", "-l", file]))
    duckdb = [sys.executable, "-c", DUCKDB, file, str(scratch / "duckdb.parquet")]
    row("DuckDB read_csv to Parquet, 1 file", single, measure(duckdb))
    say("")


def make_dumps(store: Path, mb: int, files: int) -> Path:
    """Return a folder with `mb` megabytes of deep dumps in this many files, made once."""
    folder = store / f"dumps-{mb}-{files}"
    if not folder.exists():
        script = [sys.executable, str(ROOT / "bench" / "make_dumps.py"), str(folder)]
        sizes = ["--mb", str(mb), "--files", str(files), "--records-per-batch", "10", "--seed", "7"]
        subprocess.run([*script, *sizes], check=True, stdout=sys.stderr)
    return folder


def row(what: str, dumps: Path, took: Measured) -> None:
    """Print one row of the first table; a command that failed shows the end of its output."""
    mb = sum(path.stat().st_size for path in dumps.rglob("*") if path.is_file()) / 1e6
    peak, python = took.peak_bytes / 1e6, took.peak_other_bytes / 1e6
    above = took.above_heap_bytes(HEAP_MB << 20) / 1e6
    failed = f" FAILED (exit {took.exit_code})" if took.exit_code else ""
    figures = f"{mb:,.0f} | {took.seconds:.1f} | {mb / took.seconds:,.0f} | {peak:,.0f} | {above:,.0f} | {python:,.0f}"
    say(f"| {what}{failed} | {figures} |")
    if failed:
        sys.stderr.write(took.stderr[-2000:] + "\n")


def bench_routing(scratch: Path) -> None:
    """Measure how long a million distinct ids take to be hashed and their two partition counts to be found."""
    took = measure([sys.executable, str(ROOT / "bench" / "routing.py"), str(scratch / "bench.toml")])
    if took.exit_code:
        sys.stderr.write(took.stderr[-2000:] + "\n")
        raise SystemExit(f"routing failed with exit code {took.exit_code}")
    times = json.loads(took.stdout.splitlines()[-1])
    say("\n## Where ids lie: Java's hash and the counts that explain it, local[2]\n\n| what | s |\n|---|---|")
    say(f"| {times['ids']:,} distinct ids hashed | {times['hash_s']} |")
    say(f"| hashed and fitted | {times['total_s']} |")


def bench_keys(scratch: Path, keys: int) -> None:
    """Measure a tenth of the keys and all of them: the time grows with them, the memory must not."""
    say("\n## Keyed topics: the counts that explain the keys, and the records that move, local[2]\n")
    say("| distinct keys | counts found s | and moved records s | beside the heap MB |\n|---|---|---|---|")
    for number in (keys // 10, keys):
        took = measure([sys.executable, str(ROOT / "bench" / "keys.py"), str(scratch / "bench.toml"), str(number)])
        if took.exit_code:
            sys.stderr.write(took.stderr[-2000:] + "\n")
            raise SystemExit(f"keys failed with exit code {took.exit_code}")
        times = json.loads(took.stdout.splitlines()[-1])
        above = took.above_heap_bytes(HEAP_MB << 20) / 1e6
        say(f"| {times['keys']:,} | {times['counted_s']} | {times['total_s']} | {above:,.0f} |")


def say(text: str) -> None:
    """Print at once, so that a long bench shows its rows as they come."""
    print(text, flush=True)


if __name__ == "__main__":
    main()
