"""Collects every scenario of the lab in two steps, as people do, and compares what is said with that of whole log dirs.

usage: python bench/steps.py LAB/dev [--only REGEX]
collect.sh makes a light capture of each broker; the files that the document asks for are collected next, first those
that settle what is open, then the rest. After the last step findings must equal those of the log dirs, after the second
the verdicts on open transactions.
"""

import argparse
import dataclasses
import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from analyzer.config import Config, SparkConfig
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case
from analyzer.storage.session import build_session
from analyzer.storage.settings import Work
from analyzer.tables.fetch_steps import OLDER, SETTLING

SCRIPT = Path(__file__).parent.parent / "collect" / "collect.sh"
STEPS: Sequence[tuple[int, ...]] = ((), SETTLING, (*SETTLING, OLDER))
"""What is collected at each turn: the light capture, what settles, all."""

Document = dict[str, Any]


@dataclasses.dataclass
class Collected:
    """A scenario while it is collected: its archives, and the bytes of the files in them after each turn."""

    folder: Path
    archives: list[Path] = dataclasses.field(default_factory=list)
    sizes: list[int] = dataclasses.field(default_factory=list)

    @property
    def name(self) -> str:
        """Name of the scenario."""
        return self.folder.name

    @property
    def log_dirs(self) -> list[Path]:
        """The brokers' log dirs."""
        return sorted(path.parent for path in (self.folder / "logdir").glob("*/meta.properties"))

    def collect(self, scratch: Path, *options: str, wanted: Iterable[str] = ()) -> None:
        """Run the script once for each broker."""
        for log_dir in self.log_dirs:
            archive = scratch / f"{self.name}-{len(self.archives)}.tar.gz"
            command = ["sh", str(SCRIPT), "--log-dir", str(log_dir), *options, "-o", str(archive)]
            done = subprocess.run(command, input="\n".join(wanted), text=True, capture_output=True, check=False)
            if done.returncode == 0:
                self.archives.append(archive)
                self.sizes[-1] += int(re.findall(r"(\d+) bytes; left out", done.stderr)[0])

    def request(self, paths: Iterable[Path]) -> CaptureRequest:
        """Return what to scan, as of the scenario's moment."""
        told = self.folder / "logdir" / "capture.toml"
        moment = tomllib.loads(told.read_text())["captured_at"]
        return CaptureRequest((str(told), *map(str, paths)), self.name, moment)


def judged(spark: SparkSession, requests: Sequence[CaptureRequest], case: Path) -> dict[str, Document]:
    """Return the documents of these captures, by name."""
    captures = [scan_capture(request) for request in requests]
    stored = Case(spark, str(case))
    ingest(stored, captures)
    return {one["capture"]["name"]: one for one in analyze(stored, [one.name for one in captures], Config())}


def both_steps(
    spark: SparkSession, folders: Iterable[Path], scratch: Path
) -> tuple[list[Collected], list[dict[str, Document]]]:
    """Return the scenarios as collected, and the documents after each turn and of the whole log dirs."""
    scenarios = [Collected(folder) for folder in folders]
    turns: list[dict[str, Document]] = []
    for turn, steps in enumerate(STEPS):
        for one in scenarios:
            one.sizes.append(one.sizes[-1] if turn else 0)
            if turn == 0:
                one.collect(scratch)
            elif wanted := [path_of(row) for row in turns[-1][one.name]["fetch"] if row["step"] in steps]:
                one.collect(scratch, "--files", "-", wanted=wanted)
        turns.append(judged(spark, [one.request(one.archives) for one in scenarios], scratch / f"case-{turn}"))
    whole = [one.request([one.folder / "logdir"]) for one in scenarios]
    return scenarios, [*turns, judged(spark, whole, scratch / "case-whole")]


def path_of(row: Mapping[str, Any]) -> str:
    """Return a row of the list as a line for collect.sh."""
    return f"broker-{row['broker']}/{row['path']}"


def findings(document: Document) -> dict[str, str]:
    """Return the ids and how sure they are."""
    return {one["id"]: one["confidence"] for one in document["findings"]}


def opens(document: Document) -> dict[tuple[Any, ...], str]:
    """Return the verdicts on what is open in the copies that are judged."""
    names = ("topic", "partition", "producer_id", "first_offset")
    return {
        tuple(row[name] for name in names): row["verdict"] for row in document["open_transactions"] if row["authority"]
    }


def main() -> int:
    """Print a line for each scenario; return 1 if one of them does not come out as it must."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lab", type=Path)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    folders = [path.parent for path in sorted(given.lab.glob("*/logdir")) if re.search(given.only, path.parent.name)]
    spark, _ = build_session(Config(spark=SparkConfig(engine="sail")), Work.SMALL)
    with tempfile.TemporaryDirectory(prefix="txn-forensics-steps-") as scratch:
        scenarios, documents = both_steps(spark, folders, Path(scratch))
    bad = 0
    for one in scenarios:
        *turns, whole = [document[one.name] for document in documents]
        same = [(opens(turn) == opens(whole), findings(turn) == findings(whole)) for turn in turns]
        bad += not (same[1][0] and same[2] == (True, True))
        marks = ["".join(("O" if o else "-", "F" if f else "-")) for o, f in same]
        sizes = "  ".join(f"{size:>9}" for size in one.sizes)
        print(f"{one.name:<34}{sizes}  {' '.join(marks)}  {turns[0]['verdict']} -> {whole['verdict']}")
    print(json.dumps({"scenarios": len(scenarios), "different": bad}))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
