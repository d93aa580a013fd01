"""Measures reading raw segments into Delta, next to `cat` and Kafka's own tool on the same bytes.

usage: python bench/raw.py [--mb 1000] [--batch-bytes 1024 16384] [--kafka FOLDER] [--keep FOLDER]
`warm` rows are measured inside one session, after a first turn; the others are whole processes. --kafka is a folder
with Kafka's jars (libs/ of a release): then DumpLogSegments reads the same segments, as text to nowhere.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from kafka_tool import dump_log_segments
from measure import measure
from run import CONF, HEAP_MB, ROOT, say

TURNS = 3

WARM = """
import json, shutil, sys, time
from pathlib import Path
import psutil
from analyzer.config import load_config
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case
from analyzer.storage.session import build_session

def cpu():
    taken = [one.cpu_times() for one in psutil.Process().children(recursive=True)]
    return sum(one.user + one.system for one in taken) + time.process_time()

spark, _ = build_session(load_config(Path(sys.argv[1])))
for turn in range(int(sys.argv[4])):
    for checked in (True, False):
        shutil.rmtree(sys.argv[3], ignore_errors=True)
        cpu_before, began = cpu(), time.perf_counter()
        capture = scan_capture(CaptureRequest((sys.argv[2],), "bench", None, checked))
        scanned = time.perf_counter()
        ingest(Case(spark, sys.argv[3]), [capture])
        took = {"checked": checked, "scan": scanned - began, "ingest": time.perf_counter() - scanned}
        print(json.dumps(took | {"turn": turn, "cpu": cpu() - cpu_before}), flush=True)
spark.stop()
"""


def main() -> None:
    """Parse the arguments, make the segments and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mb", type=int, default=1000, help="segments together, in 1,000,000 bytes")
    parser.add_argument("--batch-bytes", type=int, nargs="+", default=[1024, 16384])
    parser.add_argument("--kafka", type=Path, help="folder of Kafka's jars")
    parser.add_argument("--keep", type=Path, help="folder for the segments, kept and used again")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="txn-forensics-bench-") as scratch:
        folder = Path(scratch)
        (folder / "bench.toml").write_text(CONF, encoding="utf-8")
        say(f"## Raw segments to Delta, local[2], heap {HEAP_MB} MB, {given.mb} MB\n")
        say("| batches | what | s | MB/s | CPU s | peak beside the heap MB |\n|---|---|---|---|---|---|")
        for size in given.batch_bytes:
            bench(folder, make_segments(given.keep or folder, given.mb, size), size, given.kafka)


def make_segments(store: Path, mb: int, batch_bytes: int, segment_mb: int = 512, *, sparse: bool = False) -> Path:
    """Return a log dir of this size, made once; `sparse`: of zeros that take no disk."""
    folder = store / f"segments-{mb}-{batch_bytes}-{segment_mb}{'-sparse' if sparse else ''}"
    if not folder.exists():
        script = [sys.executable, str(ROOT / "bench" / "make_segments.py"), str(folder / "broker-0")]
        sizes = ["--mb", str(mb), "--batch-bytes", str(batch_bytes), "--segment-mb", str(segment_mb)]
        subprocess.run([*script, *sizes, *(["--sparse"] if sparse else [])], check=True, stdout=sys.stderr)
    return folder


def bench(scratch: Path, segments: Path, batch_bytes: int, kafka: Path | None) -> None:
    """Print the rows of one size of batches."""
    files = sorted(str(path) for path in segments.rglob("*.log"))
    mb = sum(Path(file).stat().st_size for file in files) / 1e6
    conf, case = str(scratch / "bench.toml"), scratch / "case"

    def row(what: str, seconds: float, cpu: float | None = None, above: float | None = None) -> None:
        figures = " | ".join("" if figure is None else f"{figure:,.1f}" for figure in (cpu, above))
        say(f"| {batch_bytes:,} B | {what} | {seconds:.2f} | {mb / seconds:,.0f} | {figures} |")

    row("`cat` to /dev/null, warm", best(["sh", "-c", f"cat {segments}/broker-0/*/*.log > /dev/null"]))
    warm = subprocess.run(
        [sys.executable, "-c", WARM, conf, str(segments), str(case), str(TURNS)],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    turns = [json.loads(line) for line in warm.stdout.splitlines() if line.startswith("{")]
    for checked, name in ((True, "ingest, warm"), (False, "ingest --no-crc, warm")):
        took = min((one for one in turns if one["checked"] is checked and one["turn"]), key=lambda one: one["ingest"])
        row(name, took["ingest"], took["cpu"])
        if checked:
            row("scan (digest of every byte), warm", took["scan"])
    shutil.rmtree(case, ignore_errors=True)
    took = measure([sys.executable, "-m", "analyzer", "run", str(segments), "--case", str(case), "--conf", conf])
    above = took.above_heap_bytes(HEAP_MB << 20) / 1e6
    row(f"whole `run`, exit code {took.exit_code}", took.seconds, above=above)
    shutil.rmtree(case, ignore_errors=True)
    if kafka is not None:
        took = dump_log_segments(kafka, [file for file in files if "__" not in file])
        row("DumpLogSegments, data segments", took.seconds)


def best(command: list[str]) -> float:
    """Return the shortest of some turns, seconds."""
    return min(measure(command).seconds for _ in range(TURNS))


if __name__ == "__main__":
    main()
