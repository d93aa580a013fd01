"""The parts of README.md, docs/report.md and docs/detectors/README.md that are written from the code: `make readme` runs this module.

A part stands between `<!-- NAME, written by make readme -->` and `<!-- end -->`.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from typer.testing import CliRunner

from analyzer.cli.commands import app
from analyzer.detectors.registry import ALL
from analyzer.storage.named_cases import DATA_VARIABLE

ROOT = Path(__file__).parent.parent.parent
README = ROOT / "README.md"
REPORT = ROOT / "docs" / "report.md"
PAGES = ROOT / "docs" / "detectors"
FENCE = "```"
COLUMNS = 80


def help_text() -> str:
    """The output of `txn-forensics --help` on a terminal of 80 columns, as a block."""
    shown = CliRunner().invoke(app, ["--help"], prog_name="txn-forensics", terminal_width=COLUMNS)
    return f"{FENCE}\n{shown.stdout.strip()}\n{FENCE}"


def findings_table(folder: str) -> str:
    """Every detector with its code, severity and first sentence; `folder` is where the pages are from the table."""
    rows = [
        f"| {one.code} | [{one.name}]({folder}{one.name}.md) | {one.severity} | {first_sentence(one.page)} |"
        for one in ALL
    ]
    return "\n".join(["| code | name | severity | what it finds |", "|---|---|---|---|", *rows])


def first_sentence(page: str) -> str:
    """The sentence that opens a detector's page."""
    return page.strip().splitlines()[0]


def first_screen(output: str) -> str:
    """The first screen of a report, as a block."""
    return whole_report(output.partition("\n\nFOR EVERY STEP")[0])


def whole_report(output: str) -> str:
    """A report as a block, without its last lines, which name the engine and the seconds; the case is a new folder."""
    told = re.sub(r"--case \S+", "--case CASE", re.sub(r"\n\n\d+ checks on .*", "", output, flags=re.DOTALL))
    return f"{FENCE}\n{told.rstrip()}\n{FENCE}"


def part(text: str, name: str) -> str:
    """The part of this name as it is written in a document. Raises ValueError where there is none."""
    found = _pattern(name).search(text)
    if found is None:
        raise ValueError(f"no part {name!r}")
    return found[2]


def with_part(text: str, name: str, written: str) -> str:
    """The document with this part replaced. Raises ValueError where there is none."""
    part(text, name)
    return _pattern(name).sub(lambda found: f"{found[1]}\n{written}\n{found[3]}", text, count=1)


def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"(<!-- {re.escape(name)}, written by make readme -->)\n(.*?)\n(<!-- end -->)", re.DOTALL)


def main() -> None:
    """Write all parts; the transcript comes from a run on sample_data, the first that keeps a case."""
    command = [sys.executable, "-m", "analyzer", "run", "sample_data", "--quiet"]
    with tempfile.TemporaryDirectory() as data:
        kept = os.environ | {DATA_VARIABLE: data}
        output = subprocess.run(command, cwd=ROOT, env=kept, capture_output=True, text=True, check=False).stdout
    text = README.read_text(encoding="utf-8")
    text = with_part(text, "transcript", first_screen(output))
    REPORT.write_text(with_part(REPORT.read_text(encoding="utf-8"), "report", whole_report(output)), encoding="utf-8")
    text = with_part(text, "help", help_text())
    README.write_text(with_part(text, "findings", findings_table("docs/detectors/")), encoding="utf-8")
    index = PAGES / "README.md"
    index.write_text(with_part(index.read_text(encoding="utf-8"), "findings", findings_table("")), encoding="utf-8")


if __name__ == "__main__":
    main()
