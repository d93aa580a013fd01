"""The commands of look-ups as users type them: cases and files, wrong words, completion, and names that attack a terminal."""

import csv
import io
import json
import os
import shutil
import subprocess
import sys
import unicodedata
from types import SimpleNamespace

import pytest

from analyzer.cli.lookups import completion
from analyzer.config import Config
from analyzer.lookups.shown.lines import next_steps
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case

EVIL = "\x1b]0;owned\x07=cmd|' /C calc'!A0 \u202e<script>alert(1)</script> `id` $(id)"


@pytest.fixture(scope="module")
def hostile(lab, tmp_path_factory):
    """The dumps of a real cluster whose busiest id has another name."""
    folder = tmp_path_factory.mktemp("hostile") / "dumps"
    shutil.copytree(lab / "dev" / "late_write" / "dumps", folder)
    for path in folder.glob("broker-0/__transaction_state-*/*.log.txt"):
        text = path.read_text("utf-8")
        path.write_text(text.replace("transactionalId=bg-app-0 ", f"transactionalId={EVIL} "), "utf-8")
    return folder


@pytest.fixture(scope="module")
def case(spark, hostile, tmp_path_factory):
    """A case of these dumps, analyzed."""
    where = tmp_path_factory.mktemp("hostile") / "case"
    capture = scan_capture(CaptureRequest((str(hostile),), "hostile"))
    ingest(Case(spark, str(where)), [capture])
    analyze(Case(spark, str(where)), ["hostile"], Config())
    return where


def test_a_hostile_name_reaches_no_terminal_and_no_spreadsheet(command_alone, case):
    calls = [
        ("who", "audit-0@0"), ("txn", EVIL), ("txn", "0"), ("top",), ("timeline",), ("who", "audit-0@0", "--format", "json"),
        ("txn", EVIL, "--format", "json"), ("top", "--format", "csv"), ("timeline", "--format", "jsonl"), ("timeline", "--format", "trace"),
    ]  # fmt: skip
    for call in calls:
        told = command_alone(*call, "--case", case)
        assert told.code == 0, (call, told.err)
        plain = "--format" not in call
        bad = [letter for letter in told.out if unicodedata.category(letter) == "Cc" and letter != "\n"]
        assert not bad, call
        if plain:
            assert "\u202e" not in told.out, call
            assert "owned" in told.out, call
    table = csv.reader(io.StringIO(command_alone("top", "--format", "csv", "--case", case).out))
    assert not any(cell.startswith("=") for row in table for cell in row)
    told = json.loads(command_alone("who", "audit-0@0", "--format", "json", "--case", case).out)
    assert told["copies"][0]["transaction"]["transactional_id"] == EVIL


def test_the_next_step_quotes_names_for_a_shell_or_prints_no_command():
    lines = list(
        next_steps([{"for": "its life", "txn": "-rf $(id)"}, {"for": "another", "txn": EVIL}], "--case 'a case'")
    )
    assert "    txn-forensics txn --case 'a case' -- '-rf $(id)'" in [line.replace(" \\\n", " ") for line in lines]
    assert not any("\x1b" in line or "\u202e" in line for line in lines)


def test_what_cannot_be_asked_is_refused_with_what_would_do(command_alone, case):
    for words, said in {
        ("who", "orders@3"): "wanted: TOPIC-PARTITION@OFFSET",
        ("who", "orders-0@yesterday"): "wanted: TOPIC-PARTITION@OFFSET",
        ("who", "ordesr-0@3"): "wanted: a partition of it, such as orders-0",
        ("txn", "nobody"): "names the id nobody",
        ("txn", "bg", "--since", "soon"): "is not a time",
        ("timeline", "--format", "svg"): "wanted: one of text, jsonl, trace",
    }.items():
        told = command_alone(*words, "--case", case)
        assert told.code == 2, words
        assert said in told.err, words
        assert not told.out
    assert "wanted: --case FOLDER, or --from PATH" in command_alone("top").err


def test_files_are_asked_without_a_case(command, lab):
    told = command("who", "audit-0@1", "--from", lab / "dev" / "late_write" / "dumps")
    assert told.code == 0
    assert "COMMITTED: its producer's COMMIT marker is at offset 2." in told.out
    assert "--case CASE" in told.out


def test_a_time_names_the_first_record_from_then_on(command_alone, case):
    told = command_alone("who", "audit-0@2026-11-21T09:30:42.700Z", "--case", case, "--format", "json")
    copy = json.loads(told.out)["copies"][0]
    assert copy["offset"] == 3
    late = command_alone("who", "audit-0@2030-01-01T00:00:00Z", "--case", case)
    assert "NOT HERE: no batch in the files here has this time or a later one." in late.out


def test_an_older_case_says_what_to_do(command_alone, case, tmp_path):
    older = tmp_path / "case"
    shutil.copytree(case, older)
    shutil.rmtree(older / "lookups")
    told = command_alone("top", "--case", older)
    assert told.code == 2
    assert "do: txn-forensics analyze" in told.err


def test_a_shell_completes_ids_partitions_and_offsets_but_nothing_that_it_cannot_carry(case):
    context = SimpleNamespace(params={"case": str(case)})
    assert completion.whose(context, "order-") == ["order-writer-1", "order-writer-3"]
    assert EVIL not in completion.whose(context, "")
    assert completion.places(context, "audit") == ["audit-0@", "audit-1@"]
    assert completion.places(context, "audit-1@") == ["audit-1@1"]
    assert completion.topics(context, "pay") == ["payments", "payments-0", "payments-1"]
    assert len(completion.captures(context, "")) == 1
    nowhere = SimpleNamespace(params={})
    assert completion.whose(nowhere, "") == completion.places(nowhere, "") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_program_answers_a_shell(case, shell):
    """As the script that --show-completion prints asks it: the words so far in the environment, the answers on stdout."""
    line = f"txn-forensics txn --case {case} order-"
    words = {
        "COMP_WORDS": line,
        "COMP_CWORD": "4",
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    told = subprocess.run(
        [sys.executable, "-c", "from analyzer.cli import main; import sys; sys.argv = ['txn-forensics']; main()"],
        env={**os.environ, **words, "_TXN_FORENSICS_COMPLETE": f"complete_{shell}"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "order-writer-1" in told.stdout
    assert "order-writer-3" in told.stdout
