"""The commands of the next step reach the brokers as the person's own do: by options, by the case, by a paste."""

import json
import shutil

import pytest

WAY = ("--bootstrap", "kafka.example:9092", "--exec", "kubectl exec kafka-0 -n ops -- bin/")


@pytest.fixture(scope="module")
def folder(lab):
    """The dumps of a cluster in which a transaction hangs."""
    return lab / "dev" / "late_write" / "dumps"


def commands(told):
    """The commands to a cluster that an answer in JSON has."""
    return [step["command"] for step in json.loads(told.out)["next"] if step.get("command")]


def test_the_way_of_the_run_is_kept_with_its_case_and_options_win(command, folder, tmp_path):
    case = tmp_path / "case"
    assert command("run", folder, "--case", case, "--quiet", *WAY).code == 1
    asked = ("who", "orders-0@18", "--case", case)
    kept = commands(command(*asked, "--format", "json"))
    assert len(kept) > 1
    for one in kept:
        assert one.startswith("kubectl exec kafka-0 -n ops -- bin/kafka-")
        assert " --bootstrap-server kafka.example:9092 " in one
    text = command(*asked).out
    assert "$BOOTSTRAP" not in text
    assert "kubectl exec kafka-0 -n ops -- bin/kafka-transactions.sh" in text
    other = commands(command(*asked, "--format", "json", "--bootstrap", "b:1", "--command-config", "/etc/client.conf"))
    for one in other:
        assert one.startswith("kafka-")
        assert " --bootstrap-server b:1 " in one
        assert " /etc/client.conf " in one
    refused = command(*asked, "--bootstrap", "b:1; rm -rf /")
    assert (refused.code, refused.out) == (2, "")


def test_the_way_of_a_command_in_the_files_is_taken_and_named(command, folder, tmp_path):
    copy = tmp_path / "dumps"
    shutil.copytree(folder, copy)
    (copy / "list.txt").write_text(
        "$ kubectl exec kafka-1 -n prod -- bin/kafka-transactions.sh --bootstrap-server kafka.prod:9092 list\n"
        "TransactionalId\tCoordinator\tProducerId\tTransactionState\nbg-app-0\t0\t0\tCompleteAbort\n",
        "utf-8",
    )
    told = command("who", "orders-0@18", "--from", copy)
    assert told.code == 0, told.err
    assert "kubectl exec kafka-1 -n prod -- bin/kafka-transactions.sh" in told.out
    assert "as the one in list.txt:1 does" in " ".join(told.out.split())


def test_without_a_way_the_reader_is_told_what_bootstrap_is(command, folder):
    told = command("who", "orders-0@18", "--from", folder)
    assert "--bootstrap-server $BOOTSTRAP" in told.out
    assert "BOOTSTRAP=HOST:9092" in " ".join(told.out.split())
