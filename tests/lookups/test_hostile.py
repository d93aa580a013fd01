"""Ids and topics that attack a terminal, a shell, a spreadsheet or a reader: every command, in every format."""

import csv
import io
import json
import re
import shlex
import shutil
import unicodedata

import pytest

from analyzer.config import Config
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.report.sentences.cells import width
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case

TOPICS = {"audit": "a-1-2", "orders": "-rf", "payments": f"0-1..{'x' * 200}"}
"""By the real name, names that Kafka allows: one that ends like a partition, one like an option, a long one with both."""
NO_TOPICS = ("\x1b[31m*red*|#`x`", "-rf@9 'q' \"p\"", "\u202eaudit", "audit\n")
"""Names that Kafka takes for no topic."""
IDS = {
    "bg-app-0": "\x1b]0;owned\x07=cmd|' /C calc'!A0 \u202e<script>alert(1)</script> $(id)",
    "order-writer-1": "L" * 3_000,
    "order-writer-3": "# md **b** [x](javascript:y) | `c`",
    "pay-writer-2": "-rf 'q' \"p\" @7 a-1-2",
    "late-fresh-5": "12345",
}
FORMATS = {
    "who": ("text", "json"),
    "txn": ("text", "json"),
    "top": ("text", "json", "csv"),
    "timeline": ("text", "jsonl", "trace"),
}
WIDEST = 400
"""Cells of a line of text: a name is cut, a place of a file is not."""


@pytest.fixture(scope="module")
def case(spark, lab, tmp_path_factory):
    """A case of the dumps of a real cluster with these names in the place of its own."""
    here = tmp_path_factory.mktemp("hostile")
    folder = here / "dumps"
    shutil.copytree(lab / "dev" / "late_write" / "dumps", folder)
    for path in [one for one in folder.rglob("*") if one.is_file()]:
        text = path.read_text("utf-8", "surrogateescape")
        for real, other in TOPICS.items():
            text = re.sub(rf"(?<=[\[,/ ]){real}-(?=\d)", lambda _, other=other: f"{other}-", text)
        for real, other in IDS.items():
            text = text.replace(f"transactionalId={real} ", f"transactionalId={other} ")
        path.write_text(text, "utf-8", "surrogateescape")
    for path in [one for one in folder.glob("broker-*/*-*") if one.is_dir()]:
        topic, _, partition = path.name.rpartition("-")
        if topic in TOPICS:
            path.rename(path.with_name(f"{TOPICS[topic]}-{partition}"))
    where = here / "case"
    ingest(Case(spark, str(where)), [scan_capture(CaptureRequest((str(folder),), "hostile"))])
    analyze(Case(spark, str(where)), ["hostile"], Config())
    return where


def questions():
    """Every command about every name, in every format."""
    asked = [("top",), ("timeline",)]
    asked += [("txn", "--", one) for one in IDS.values()] + [("timeline", f"--id={one}") for one in IDS.values()]
    asked += [("who", "--", f"{topic}-{at}@{offset}") for topic in TOPICS.values() for at, offset in ((0, 0), (1, 1))]
    asked += [("timeline", f"--topic={one}") for one in TOPICS.values()]
    return [(one, form) for one in asked for form in FORMATS[one[0]]]


def answer(command_alone, case, question, form):
    """What a command prints; its options come before the word that ends them."""
    name, *words = question
    told = command_alone(name, "--case", case, "--format", form, *words)
    assert told.code == 0, (question, told.err)
    return told.out


@pytest.mark.parametrize(("question", "form"), questions(), ids=lambda one: ascii(one)[:40])
def test_no_answer_carries_what_a_name_brings(question, form, command_alone, case):
    told = answer(command_alone, case, question, form)
    assert told
    assert not [one for one in told if unicodedata.category(one) == "Cc" and one != "\n"]
    if form in {"text", "csv"}:
        assert not [one for one in told if unicodedata.category(one) in {"Cf", "Zl", "Zp", "Co", "Cs"}]
    if form == "text":
        assert max(width(line) for line in told.splitlines()) <= WIDEST
    if form == "csv":
        assert not any(cell.startswith(("=", "+", "-", "@")) for row in csv.reader(io.StringIO(told)) for cell in row)
    for part in told.splitlines() if form == "jsonl" else [told] if form in {"json", "trace"} else []:
        assert json.loads(part)


@pytest.mark.parametrize("whose", IDS.values(), ids=lambda one: ascii(one)[:30])
def test_an_id_is_found_under_its_own_name(whose, command_alone, case):
    told = json.loads(answer(command_alone, case, ("txn", "--", whose), "json"))
    assert told["transactional_ids"] == [whose]
    assert told["transactions"]


@pytest.mark.parametrize("topic", TOPICS.values(), ids=ascii)
def test_a_topic_that_reads_like_a_place_is_that_topic(topic, command_alone, case):
    told = json.loads(answer(command_alone, case, ("who", "--", f"{topic}-0@0"), "json"))
    assert (told["topic"], told["partition"]) == (topic, 0)
    assert told["copies"][0]["outcome"] in {"committed", "aborted"}
    lines = answer(command_alone, case, ("timeline", f"--topic={topic}"), "jsonl").splitlines()
    named = {json.loads(line).get("topic") for line in lines}
    assert topic in named
    assert not named & (set(TOPICS.values()) - {topic})


@pytest.mark.parametrize("topic", NO_TOPICS, ids=ascii)
def test_a_name_that_is_no_topic_is_refused_without_what_it_brings(topic, command_alone, case):
    told = command_alone("who", "--case", case, "--", f"{topic}-0@0")
    assert (told.code, told.out) == (2, "")
    assert "wanted: " in told.err
    bad = {"Cc", "Cf", "Zl", "Zp", "Co", "Cs"}
    assert not [one for one in told.err if unicodedata.category(one) in bad and one != "\n"]


def test_what_stands_under_next_can_be_typed(command_alone, case):
    """Each command of ours that an answer prints is run, as a shell takes it apart, and answers."""
    seen = set()
    for question, form in questions():
        if question[0] not in {"who", "txn"} or form != "text":
            continue
        steps = answer(command_alone, case, question, "text").partition("\nNext\n")[2].replace("\\\n", "")
        for line in steps.splitlines():
            if not line.startswith("    txn-forensics "):
                continue
            program, name, *words = shlex.split(line)
            assert program == "txn-forensics"
            seen.add(name)
            told = command_alone(name, *words)
            assert told.code == 0, (line, told.err)
    assert seen >= {"who", "txn", "explain"}
