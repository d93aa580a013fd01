"""Printed commands go the way that options give, else the one of the pasted commands, and a case keeps it."""

import json
import subprocess
import sys

import pytest

ROW = (
    "Topic\tPartition\tProducerId\tProducerEpoch\tCoordinatorEpoch\tStartOffset\tLastTimestamp\tDuration(min)\t\n"
    "app_logs\t3\t4000\t15937\t514\t1193596434\t1747728095380\t32825\t\n"
)
PASTE = f"$ kubectl exec -it kafka-0 -n obs -- bin/kafka-transactions.sh --bootstrap-server in:9092 find-hanging\n{ROW}"
OPTIONS = ("--bootstrap", "h:1,h:2", "--command-config", "c.properties", "--exec", "ssh me@host")


def called(*arguments: str, text: str = ""):
    return subprocess.run(
        [sys.executable, "-m", "analyzer", *arguments], input=text, capture_output=True, text=True, check=False,
        timeout=300,
    )  # fmt: skip


def commands(document) -> list[str]:
    """Return every command of a document that asks brokers."""
    actions = [finding["action"] for finding in document["findings"]]
    found = [one["command"] for action in actions for step in action["steps"] for one in step["commands"]]
    found += [
        action[key] for action in actions for key in ("command", "check_command", "save_command") if key in action
    ]
    return [command for command in found if "kafka-" in command]


@pytest.fixture(scope="module")
def case(tmp_path_factory) -> str:
    """A case of a paste, judged without options and then with them."""
    folder = str(tmp_path_factory.mktemp("case"))
    for capture, options in (("pasted", ()), ("given", OPTIONS), ("later", ())):
        at = {"pasted": "2025-06-12", "given": "2025-06-13", "later": "2025-06-14"}[capture]
        done = called(
            "run", "-", "--case", folder, "--capture", capture, "--captured-at", at, "--engine", "sail", "--quiet",
            "--format", "json", *options, text=PASTE,
        )  # fmt: skip
        assert done.returncode == 1, done.stderr
        document = json.loads(done.stdout)
        begins = "ssh me@host 'kafka-" if capture != "pasted" else "kubectl exec kafka-0 -n obs -- bin/kafka-"
        assert commands(document)
        assert {command for command in commands(document) if not command.startswith(begins)} == set()
    return folder


def reported(case: str, *arguments: str) -> str:
    done = called("report", "--case", case, *arguments)
    assert done.returncode == 1, done.stderr
    return done.stdout


def test_a_report_goes_the_way_that_the_case_keeps(case):
    text = reported(case, "--capture", "later")
    assert "$BOOTSTRAP" not in text
    assert "ssh me@host" in text
    document = json.loads(reported(case, "--capture", "later", "--format", "json"))
    assert document["reach"] == {
        "bootstrap": "h:1,h:2",
        "command_config": "c.properties",
        "exec": "ssh me@host kafka-topics.sh",
        "source": "options",
    }


def test_the_way_of_a_paste_names_its_line(case):
    text = " ".join(reported(case, "--capture", "pasted").split())
    assert "reach the brokers as the one in stdin.txt:1 does" in text


def test_options_of_a_report_are_for_this_report(case):
    text = reported(case, "--capture", "pasted", "--bootstrap", "other:7")
    assert "--bootstrap-server other:7" in text
    assert "kubectl" not in text
    assert "--bootstrap-server in:9092" in reported(case, "--capture", "pasted")


def test_without_any_way_the_reader_gives_it():
    done = called("run", "-", "--engine", "sail", "--quiet", text=ROW)
    assert "--bootstrap-server $BOOTSTRAP" in done.stdout
    assert "BOOTSTRAP=HOST:9092" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    "options", [("--bootstrap", "h:1; touch hit"), ("--exec", "docker exec k; touch hit"), ("--command-config", "a\nb")]
)
def test_hostile_options_are_refused_before_anything_is_read(options, tmp_path):
    done = called("run", str(tmp_path / "nothing"), *options)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {options[0]}")


LOG = (
    "[2022-11-16 21:06:00,359] INFO [TransactionCoordinator id=0] Initialized transactionalId tx-producer-of-orders-2 with "
    "producerId 2 and producer epoch 0 on partition __transaction_state-2 (kafka.coordinator.transaction.X)\n"
)


def test_what_a_log_leaves_open_is_asked_in_commands_that_can_be_pasted():
    done = called("run", "-", "--bootstrap", "h:1", "--engine", "sail", "--quiet", text=LOG)
    asked = "kafka-transactions.sh --bootstrap-server h:1 describe --transactional-id tx-producer-of-orders-2"
    assert asked in " ".join(done.stdout.replace("\\\n", " ").split())
