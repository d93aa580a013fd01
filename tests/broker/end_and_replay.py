"""Follows the report's plan word for word on a real broker: rescue, check, abort, verify, produce again.

usage: python tests/broker/end_and_replay.py --kafka 3.9.1 [--transcript docs/plan-on-a-broker.md]

A broker on loopback takes over the files of the corpus's late_write, hanging transactions included. The report of these
files is followed step by step. What the broker answers is compared with what the report expects: the last stable offset
moves where it says, and the records that are produced again are those that were lost.
"""

import argparse
import json
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from confluent_kafka import Consumer, IsolationLevel, TopicPartition
from confluent_kafka.admin import AdminClient, OffsetSpec
from kafka_jars import write_scripts
from real_cluster import Broker

ROOT = Path(__file__).parent.parent.parent
SCENARIO = "dev/late_write/logdir"
TOPICS = {"orders": 3, "payments": 2, "audit": 2, "__transaction_state": 50}
RUNS = ("save", "check", "act", "verify")
"""Stages whose commands are run; the last resort of a save is not."""
LOGGING = ("SLF4J", "log4j:", "WARNING: sun.reflect")
"""What the libraries of a tool print of themselves where no logging is configured."""
TIMEOUT_S = 60


class Transcript:
    """What was run and what it answered, as Markdown."""

    def __init__(self, title: str) -> None:
        """Begin with a title."""
        self.lines = [f"# {title}", ""]

    def say(self, text: str) -> None:
        """Add a paragraph."""
        self.lines += [text, ""]
        say(text)

    def ran(self, command: str, code: int, output: str) -> None:
        """Add a command with its output and exit code."""
        shown = output.rstrip() or "(prints nothing)"
        self.lines += ["```", f"$ {command}", shown, f"exit code {code}", "```", ""]
        say(f"$ {command}\n{shown}\nexit code {code}")

    def write(self, path: Path, scratch: str, name: str) -> None:
        """Write it into a file, with the scratch folder under another name."""
        path.write_text("\n".join(self.lines).replace(scratch, name).rstrip() + "\n", encoding="utf-8")


def without_logging(output: str) -> str:
    """Return what a tool answers, without what its libraries print of themselves."""
    return "\n".join(line.rstrip() for line in output.splitlines() if not line.startswith(LOGGING))


def say(text: str) -> None:
    """Print at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> None:
    """Follow the plan on one release."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kafka", default="3.9.1", help="release of the broker and its tools")
    parser.add_argument("--transcript", type=Path, help="write what was run into this file")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="txn-forensics-broker-") as scratch:
        told = follow(given.kafka, Path(scratch))
    if given.transcript:
        told.write(given.transcript, scratch, "/incident")


def follow(version: str, scratch: Path) -> Transcript:
    """Boot the broker, report on its files, follow every plan; raises AssertionError where the report is wrong."""
    told = Transcript(f"A plan followed on a real broker: Kafka {version}")
    with tarfile.open(ROOT / "tests" / "corpus.tar.xz") as archive:
        archive.extractall(scratch, filter="data", members=[m for m in archive if m.name.startswith(SCENARIO)])
    write_scripts(version, scratch / "bin")
    broker = Broker(scratch / "broker", scratch / "bin")
    broker.create(TOPICS)
    broker.take_over(scratch / SCENARIO / "broker-0")
    capture = scratch / SCENARIO
    manifest = capture / "capture.toml"
    manifest.write_text(re.sub(r"(?m)^kafka_version.*$", f'kafka_version = "{version}"', manifest.read_text("utf-8")))
    report = analysed(capture, scratch, told)
    with broker.running() as admin:
        ends = [one for one in report["findings"] if one["action"]["kind"] in {"abort", "save_then_abort"}]
        assert len(ends) == 3, [one["id"] for one in ends]
        for finding in ends:
            follow_plan(finding, report, broker, admin, scratch, told)
    told.say(f"Every plan was followed to its end on Kafka {version}, and the broker answered as expected.")
    return told


def analysed(capture: Path, scratch: Path, told: Transcript) -> dict[str, Any]:
    """Return the document of the broker's files."""
    command = f"txn-forensics run {capture} --case {scratch / 'case'} --format json -o report.json --engine sail"
    program = [sys.executable, "-m", "analyzer", *command.split()[1:], "--quiet"]
    code = subprocess.run(program, cwd=scratch, check=False).returncode
    told.ran(command, code, "")
    assert code == 1
    document: dict[str, Any] = json.loads((scratch / "report.json").read_text("utf-8"))
    return document


def follow_plan(
    finding: dict[str, Any], report: dict[str, Any], broker: Broker, admin: AdminClient, scratch: Path, told: Transcript
) -> None:
    """Run the steps of one finding and hold the broker against them."""
    place = TopicPartition(finding["topic"], finding["partition"])
    told.say(f"## {finding['headline']}")
    told.say(finding["action"]["summary"])
    lost = records(broker, place, finding["first_offset"], finding["last_offset"], "read_uncommitted")
    before = stable(admin, place)
    assert before == finding["first_offset"], (before, finding["first_offset"])
    told.say(f"The last stable offset of {place.topic}-{place.partition} is {before}.")
    for step in finding["action"]["steps"]:
        told.say(f"**{step['stage']}**: {step['text']}")
        if step["stage"] in RUNS and step["commands"]:
            run_step(step, broker, scratch, told)
    after, end = stable(admin, place), latest(admin, place)
    told.say(f"The last stable offset of {place.topic}-{place.partition} is {after} now.")
    others = [
        one["first_offset"]
        for one in report["open_transactions"]
        if (one["topic"], one["partition"]) == (place.topic, place.partition)
        and one["producer_id"] != finding["producer_id"]
    ]
    assert after == min([*others, end])
    hidden = records(broker, place, finding["first_offset"], finding["last_offset"], "read_committed")
    assert hidden == [], "an aborted record is visible"
    if finding["action"]["kind"] == "save_then_abort":
        replay(finding, lost, broker, place, scratch, told)


def run_step(step: dict[str, Any], broker: Broker, scratch: Path, told: Transcript) -> None:
    """Run the first command of a step, and compare the answer with what is expected."""
    command = step["commands"][0]["command"]
    if command.startswith("txn-forensics "):
        told_command, command = command, f"{sys.executable} -m analyzer {command.partition(' ')[2]}"
        code, output = broker.shell(command, scratch)
        told.ran(told_command, code, output)
        assert code == 0, output
        return
    code, output = broker.shell(command, scratch)
    answer = without_logging(output)
    told.ran(command, code, answer)
    assert code == 0, output
    if step["stage"] == "act":
        assert answer.strip() == "", output
    elif "describe-producers" in command:
        row = dict(re.findall(r"(ProducerId|ProducerEpoch|CurrentTransactionStartOffset) (\d+)", step["expect"]))
        found = any(row.items() <= one.items() for one in table(answer))
        assert found == (step["stage"] == "check"), (step["expect"], output)
    elif "describe --transactional-id" in command:
        (state,) = re.findall(r"TransactionState (\w+);", step["expect"])
        (place,) = re.findall(r"; (\S+) not in TopicPartitions", step["expect"])
        (row,) = table(answer)
        assert row["TransactionState"] == state, output
        assert place not in (row.get("TopicPartitions") or "").split(","), output


def table(output: str) -> list[dict[str, str]]:
    """Return the rows of a tool's table by its heads."""
    head, *rows = [line.split("\t") if "\t" in line else line.split() for line in output.splitlines() if line.strip()]
    return [dict(zip(map(str.strip, head), map(str.strip, row), strict=False)) for row in rows]


def replay(
    finding: dict[str, Any], lost: list[Any], broker: Broker, place: TopicPartition, scratch: Path, told: Transcript
) -> None:
    """Produce the saved records again, and compare what readers get now with what was lost."""
    again = replayed(scratch / f"rescued-{finding['id']}" / "records.jsonl", broker, place, scratch, told)
    assert [one[1:] for one in again] == [one[1:] for one in lost]
    told.say(
        f"{len(again)} records are readable again from offset {again[0][0]}: keys, values, headers and timestamps equal "
        f"those that were lost at {finding['first_offset']}..{finding['last_offset']}."
    )


def replayed(saved: Path, broker: Broker, place: TopicPartition, scratch: Path, told: Transcript) -> list[Any]:
    """Run the program of docs/rescue.md on the saved records; return what readers get of them now."""
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "rescue.md").read_text("utf-8"), re.DOTALL)
    (scratch / "replay.py").write_text(code, encoding="utf-8")
    rows = [json.loads(line) for line in saved.read_text("utf-8").splitlines()]
    command = f"python replay.py {saved.relative_to(scratch)} $BOOTSTRAP"
    end = latest_of(broker, place)
    exit_code, output = broker.shell(command.replace("python", sys.executable, 1), scratch)
    told.ran(command, exit_code, output)
    assert exit_code == 0, output
    return records(broker, place, end, end + len(rows) - 1, "read_committed")


def records(broker: Broker, place: TopicPartition, first: int, last: int, isolation: str) -> list[Any]:
    """Return (offset, key, value, headers, timestamp) of the records of a range that a reader gets."""
    consumer = Consumer(
        {
            "bootstrap.servers": broker.address, "group.id": "reader", "isolation.level": isolation,
            "enable.partition.eof": True, "enable.auto.commit": False,
        }
    )  # fmt: skip
    consumer.assign([TopicPartition(place.topic, place.partition, first)])
    found = []
    try:
        while (message := consumer.poll(TIMEOUT_S)) is not None and not message.error():
            if message.offset() > last:
                break
            row = (message.offset(), message.key(), message.value(), message.headers(), message.timestamp())
            found.append(row)
    finally:
        consumer.close()
    return found


def stable(admin: AdminClient, place: TopicPartition) -> int:
    """Return the last stable offset."""
    return _newest(admin, place, IsolationLevel.READ_COMMITTED)


def latest(admin: AdminClient, place: TopicPartition) -> int:
    """Return the high watermark."""
    return _newest(admin, place, IsolationLevel.READ_UNCOMMITTED)


def latest_of(broker: Broker, place: TopicPartition) -> int:
    """Return the high watermark, by a client of its own."""
    return latest(AdminClient({"bootstrap.servers": broker.address}), place)


def _newest(admin: AdminClient, place: TopicPartition, isolation: IsolationLevel) -> int:
    asked = {TopicPartition(place.topic, place.partition): OffsetSpec.latest()}
    answers: Iterable[Any] = admin.list_offsets(asked, isolation_level=isolation).values()
    return int(next(iter(answers)).result(TIMEOUT_S).offset)


if __name__ == "__main__":
    main()
