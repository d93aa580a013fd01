"""Kafka's own DumpLogSegments reads the raw files of anonymized copies, and says of them what it says of the originals.

Needs the jars of real releases: make accepted, or pytest --kafka. Every scenario of the corpus, by two releases.
"""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "anonymize"))

from copies import copy_of, held_in

CLASSES = {"3.9.1": "kafka.tools.DumpLogSegments", "4.3.0": "org.apache.kafka.tools.DumpLogSegments"}
DECODERS = {"__transaction_state": "--transaction-log-decoder", "__consumer_offsets": "--offsets-decoder"}
SAID = re.compile(
    r"isvalid: (?:true|false)|endTxnMarker: \w+|^\| offset: \d+|^producerId: .*|^version: .*|state=\w+", re.MULTILINE
)
BATCH = re.compile(r"^(baseOffset: .*?) position: \d+ (.*?) size: \d+ (.*) crc: \d+ (isvalid: \w+)", re.MULTILINE)
"""A batch line but for what a compressed batch may change: position, size and checksum."""


@pytest.mark.parametrize("release", CLASSES)
def test_the_tool_says_the_same_of_the_copies(release, lab, tmp_path, request):
    if not request.config.getoption("--kafka"):
        pytest.skip("needs the jars of real Kafka releases: make accepted, or pytest --kafka")
    folders = sorted(path for path in (lab / "dev").glob("*/logdir") if path.is_dir())
    copies = [copy_of(folder.parent.name, folder, tmp_path / folder.parent.name) for folder in folders]
    originals = [path for folder in folders for path in raw_files(folder)]
    renamed = [path for copy in copies for path in raw_files(copy.folder)]
    assert len(originals) == len(renamed) > 0
    old, new = said_of(originals, release, tmp_path), said_of(renamed, release, tmp_path)
    old.subtract(forged_in(originals))
    assert new == old
    assert old["exit"] == 0
    batches = sum(count for line, count in new.items() if isinstance(line, tuple))
    assert batches > 0
    print(f"{release}: {len(renamed)} raw files, {batches} batches")  # noqa: T201 - with -s: a figure


def raw_files(folder: Path) -> list[Path]:
    kinds = (".log", ".snapshot", ".txnindex")
    return sorted(path for path in folder.rglob("*") if path.suffix in kinds and path.stat().st_size)


def forged_in(files: list[Path]) -> Counter[object]:
    """Return what looks like lines of the tool in keys, values and names of headers: copies have other contents."""
    forged: Counter[object] = Counter()
    for path in files:
        if path.suffix == ".log" and path.parent.name.rpartition("-")[0] not in DECODERS:
            for held in held_in(path, printed=True):
                text = f"payload: {held.decode('utf-8', 'replace')}"
                forged.update(SAID.findall(text))
                forged.update(BATCH.findall(text))
    return forged


def said_of(files: list[Path], release: str, scratch: Path) -> Counter[object]:
    """Return what the tool says of files: its batch lines, markers, records and entries, and how often it failed."""
    from kafka_jars import classpath

    said: Counter[object] = Counter()
    for topic in (*DECODERS, ""):
        chosen = [path for path in files if path.parent.name.rpartition("-")[0] == topic or (not topic and
                  path.parent.name.rpartition("-")[0] not in DECODERS)]  # fmt: skip
        for start in range(0, len(chosen), 200):
            named = ",".join(map(str, chosen[start : start + 200]))
            command = ["java", "-Xmx1g", "-cp", classpath(release), CLASSES[release],
                       *([DECODERS[topic]] if topic else ["--print-data-log"]), "--files", named]  # fmt: skip
            ran = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, cwd=scratch)
            said["exit"] += ran.returncode != 0
            said.update(SAID.findall(ran.stdout))
            said.update(BATCH.findall(ran.stdout))
    return said
