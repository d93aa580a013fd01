"""From sample_data, raw segments and a lab to tables: what Spark and Sail take for them, and whether they say the same.

usage: python bench/engines.py [--mb 1000 8000] [--batch-bytes 1024 16384] [--records 1000000 10000000] [--runs 5]
                               [--keep FOLDER] [--engines sail]
       python bench/engines.py --lab FOLDER     every FOLDER/*/dumps and FOLDER/*/logdir on both engines
       python bench/engines.py --log-dir FOLDER [--kafka JARS]   and Kafka's own tool on its largest segment
Every row is a fresh process. Leaves with 1 where two documents differ.
"""

import argparse
import itertools
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kafka_tool import dump_log_segments
from measure import Measured, measure
from raw import make_segments
from run import CONF, EMPTY_SESSION, HEAP_MB, ROOT, say

ENGINES = ("spark", "sail")
KINDS = {"keyed records": ("--commits", "0", "--keyed"), "commits of groups": ("--keyed", "0", "--commits")}
"""What may be stored record by record, and the arguments of make_records for it."""
VERDICTS = {0, 1, 3}
"""The exit codes of a run that came to a verdict."""
TOOL_RUNS = 3
"""How often Kafka's tool is measured: a run of a few seconds varies by a third."""


def main() -> None:
    """Parse the arguments, run what is asked for in a scratch folder and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lab", type=Path, help="folder with a folder for each scenario")
    parser.add_argument("--log-dir", type=Path, nargs="+", help="log dirs, each a capture of its own")
    parser.add_argument(
        "--kafka", type=Path, help="folder of Kafka's jars: DumpLogSegments --deep-iteration beside them"
    )
    parser.add_argument("--mb", type=int, nargs="+", default=[1000], help="segments together, in 1,000,000 bytes")
    parser.add_argument("--batch-bytes", type=int, nargs="+", default=[1024, 16384])
    parser.add_argument("--records", type=int, nargs="*", default=[1_000_000], help="of a keyed topic, and of commits")
    parser.add_argument("--runs", type=int, default=5, help="how often sample_data is measured")
    parser.add_argument("--engines", choices=ENGINES, nargs="+", default=ENGINES)
    parser.add_argument("--keep", type=Path, help="folder for the segments, kept and used again")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="txn-forensics-bench-") as scratch:
        folder = Path(scratch)
        (folder / "bench.toml").write_text(CONF, encoding="utf-8")
        say("| what | engine | s | CPU s | peak MB | beside the heap MB | MB/s | documents |")
        say("|---|---|---|---|---|---|---|---|")
        if given.lab is not None:
            forms = {form: sorted(given.lab.glob(f"*/{form}")) for form in ("dumps", "logdir")}
            same = [bench(form, paths, folder, given.engines, 1) for form, paths in forms.items()]
        elif given.log_dir is not None:
            same = [bench_log_dir(one, folder, given.engines, given.kafka) for one in given.log_dir]
        else:
            small = [ROOT / "sample_data"]
            same = [bench("`run sample_data`", small, folder, given.engines, given.runs, beside_empty=True)]
            for mb, size in itertools.product(given.mb, given.batch_bytes):
                segments = [make_segments(given.keep or folder, mb, size)]
                what = f"`run` of raw segments, {mb} MB, {size:,} B batches"
                same.append(bench(what, segments, folder, given.engines, 1))
            for number, kind in itertools.product(given.records, KINDS):
                made = [make_records(given.keep or folder, number, kind)]
                same.append(bench(f"`run` of {number:,} {kind}", made, folder, given.engines, 1))
    sys.exit(not all(same))


def make_records(store: Path, number: int, kind: str) -> Path:
    """Return a capture with so many records of this kind, made once."""
    folder = store / f"{kind.replace(' ', '-')}-{number}"
    if not folder.exists():
        script = [sys.executable, str(ROOT / "bench" / "make_records.py"), str(folder)]
        subprocess.run([*script, *KINDS[kind], str(number)], check=True, stdout=sys.stderr)
    return folder


def bench_log_dir(log_dir: Path, folder: Path, engines: Sequence[str], kafka: Path | None) -> bool:
    """Print the rows of a log dir, and of Kafka's own tool on its largest segment; return whether all say the same."""
    segments = {file: file.stat().st_size for file in log_dir.rglob("*.log")}
    total = sum(segments.values())
    same = bench(f"`run` of {log_dir.name}, {total / 1e6:,.0f} MB", [log_dir], folder, engines, 1, in_bytes=total)
    if kafka is not None:
        largest = max(segments, key=lambda file: segments[file])
        took = [dump_log_segments(kafka, [str(largest)], "--deep-iteration") for _ in range(TOOL_RUNS)]
        what = f"DumpLogSegments --deep-iteration of {segments[largest] / 1e6:,.0f} MB of it"
        row(what, "", took, "", in_bytes=segments[largest])
    return same


def bench(
    what: str,
    paths: list[Path],
    folder: Path,
    engines: Sequence[str],
    runs: int,
    *,
    beside_empty: bool = False,
    in_bytes: int | None = None,
) -> bool:
    """Print a row for each engine and return whether all say the same of these captures; engines take turns.

    An empty Delta session is measured in each turn, too, if asked for. Nothing waits for the disk: see `into_cache`.
    """
    into_cache(paths)
    empty: list[Measured] = []
    took: dict[str, list[Measured]] = {engine: [] for engine in engines}
    said: dict[str, list[Any]] = {}
    for turn in range(runs):
        if beside_empty:
            session = [sys.executable, "-c", EMPTY_SESSION, str(folder / "bench.toml"), str(folder / f"empty-{turn}")]
            empty.append(measure(session))
        for engine in engines:
            case, out = folder / f"case-{engine}-{hash(what)}-{turn}", folder / f"{engine}.jsonl"
            command = [sys.executable, "-m", "analyzer", "run", "--each", *map(str, paths), "--case", str(case)]
            command += ["--conf", str(folder / "bench.toml"), "--engine", engine, "-o", str(out)]
            took[engine].append(measure(command))
            shutil.rmtree(case, ignore_errors=True)
            if took[engine][-1].exit_code in VERDICTS:
                said[engine] = [comparable(line) for line in out.read_text("utf-8").splitlines()]
    if empty:
        row("a Delta session that writes and reads one table", "spark", empty, "")
    for engine in engines:
        here = said.get(engine, [])
        differing = [name for name, document in here if (name, document) not in said.get(engines[0], [])]
        row(
            what,
            engine,
            took[engine],
            f"{len(here)}, {len(differing)} differ" if engine != engines[0] else "",
            in_bytes,
        )
        sys.stderr.writelines(f"differs: {name}\n" for name in differing)
    return all(said[engine] == said[engines[0]] for engine in engines)


def into_cache(paths: Sequence[Path]) -> None:
    """Read every file once: Kafka's tool reads what was read just before, so ours must not be the one that waits."""
    block = bytearray(8 << 20)
    for file in (file for path in paths for file in path.rglob("*") if file.is_file()):
        with file.open("rb", buffering=0) as stream:
            while stream.readinto(block):
                pass


def comparable(line: str) -> tuple[str, dict[str, Any]]:
    """Return the capture's name and its document without where the case lies, in commands too, and what computed it."""
    document = json.loads(line.replace(json.loads(line)["case"], "CASE"))
    document["coverage"].pop("engine", None)
    return document["capture"]["name"], document


def row(what: str, engine: str, took: list[Measured], documents: str, in_bytes: int | None = None) -> None:
    """Print the median times and the largest memory of some turns; one that failed ends the bench.

    Sail has no heap: all that it takes stands beside it, too.
    """
    for one in took:
        if one.exit_code not in VERDICTS:
            sys.stderr.write(one.stderr[-2000:] + "\n")
            raise SystemExit(f"{what} on {engine} failed with exit code {one.exit_code}")
    seconds = statistics.median(one.seconds for one in took)
    cpu = statistics.median(one.cpu_seconds for one in took)
    peak = max(one.peak_bytes for one in took) / 1e6
    beside = max(one.above_heap_bytes(HEAP_MB << 20) for one in took) / 1e6
    speed = "" if in_bytes is None else f"{in_bytes / 1e6 / seconds:,.0f}"
    say(f"| {what} | {engine} | {seconds:.1f} | {cpu:.1f} | {peak:,.0f} | {beside:,.0f} | {speed} | {documents} |")


if __name__ == "__main__":
    main()
