"""From sample_data, raw segments and a lab to tables: what Spark and Sail take for them, and whether they say the same.

usage: python bench/engines.py [--mb 1000] [--batch-bytes 1024 16384] [--runs 5] [--keep FOLDER]
       python bench/engines.py --lab FOLDER     every FOLDER/*/dumps and FOLDER/*/logdir on both engines
Every row is a fresh process. Leaves with 1 where two documents differ.
"""

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from measure import Measured, measure
from raw import make_segments
from run import CONF, EMPTY_SESSION, ROOT, say

ENGINES = ("spark", "sail")
VERDICTS = {0, 1, 3}
"""The exit codes of a run that came to a verdict."""


def main() -> None:
    """Parse the arguments, run what is asked for in a scratch folder and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lab", type=Path, help="folder with a folder for each scenario")
    parser.add_argument("--mb", type=int, default=1000, help="segments together, in 1,000,000 bytes")
    parser.add_argument("--batch-bytes", type=int, nargs="+", default=[1024, 16384])
    parser.add_argument("--runs", type=int, default=5, help="how often sample_data is measured")
    parser.add_argument("--keep", type=Path, help="folder for the segments, kept and used again")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="txn-forensics-bench-") as scratch:
        folder = Path(scratch)
        (folder / "bench.toml").write_text(CONF, encoding="utf-8")
        say("| what | engine | s | peak MB | documents |\n|---|---|---|---|---|")
        if given.lab is not None:
            forms = {form: sorted(given.lab.glob(f"*/{form}")) for form in ("dumps", "logdir")}
            same = [bench(form, paths, folder, 1) for form, paths in forms.items()]
        else:
            empty = [sys.executable, "-c", EMPTY_SESSION, str(folder / "bench.toml")]
            took = [measure([*empty, str(folder / f"empty-{turn}")]) for turn in range(given.runs)]
            row("a Delta session that writes and reads one table", "spark", took, "")
            same = [bench("`run sample_data`", [ROOT / "sample_data"], folder, given.runs)]
            for size in given.batch_bytes:
                segments = make_segments(given.keep or folder, given.mb, size)
                same.append(bench(f"`run` of raw segments, {given.mb} MB, {size:,} B batches", [segments], folder, 1))
    sys.exit(not all(same))


def bench(what: str, paths: list[Path], folder: Path, runs: int) -> bool:
    """Print a row for each engine and return whether both say the same of these captures."""
    said: dict[str, list[Any]] = {}
    for engine in ENGINES:
        case, out = folder / f"case-{engine}", folder / f"{engine}.jsonl"
        command = [sys.executable, "-m", "analyzer", "run", "--each", *map(str, paths), "--conf"]
        command += [str(folder / "bench.toml"), "--engine", engine, "-o", str(out), "--case"]
        took = [measure([*command, f"{case}-{hash(what)}-{turn}"]) for turn in range(runs)]
        said[engine] = [comparable(line) for line in out.read_text("utf-8").splitlines()]
        differing = [name for name, document in said[engine] if (name, document) not in said[ENGINES[0]]]
        row(what, engine, took, f"{len(said[engine])}, {len(differing)} differ" if engine != ENGINES[0] else "")
        sys.stderr.writelines(f"differs: {name}\n" for name in differing)
    return said[ENGINES[0]] == said[ENGINES[1]]


def comparable(line: str) -> tuple[str, dict[str, Any]]:
    """Return the capture's name and its document without where the case lies, in commands too, and what computed it."""
    document = json.loads(line.replace(json.loads(line)["case"], "CASE"))
    document["coverage"].pop("engine", None)
    return document["capture"]["name"], document


def row(what: str, engine: str, took: list[Measured], documents: str) -> None:
    """Print the median time and the largest memory of some turns; one that failed ends the bench."""
    for one in took:
        if one.exit_code not in VERDICTS:
            sys.stderr.write(one.stderr[-2000:] + "\n")
            raise SystemExit(f"{what} on {engine} failed with exit code {one.exit_code}")
    seconds = statistics.median(one.seconds for one in took)
    say(f"| {what} | {engine} | {seconds:.1f} | {max(one.peak_bytes for one in took) / 1e6:,.0f} | {documents} |")


if __name__ == "__main__":
    main()
