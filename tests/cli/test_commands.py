"""The command line, run as a user runs it: arguments in, stdout, stderr and exit code out."""

import gzip
import json
import re
import shutil
from pathlib import Path

import pytest
from judged_together import judged_together

from analyzer.cli.judging.exit_codes import exit_code
from analyzer.detectors.registry import ALL
from analyzer.report.rendering import render


def test_run_then_report_then_analyze_say_the_same(command, late_write, tmp_path):
    case = tmp_path / "case"
    first = command("run", late_write, "--case", case)
    assert first.code == 1
    assert "3 PARTITIONS ARE STUCK, CONSUMERS MAY HAVE READ WRONG DATA" in first.out
    told, _, took = first.out.partition("Took: ")
    assert re.fullmatch(r"(?:[\w ]+\s\d+\.\d s,?\s)+", took)
    assert command("report", "--case", case).out == told
    assert command("analyze", "--case", case).code == 1
    assert command("report", "--case", case).out == told
    document = json.loads(command("report", "--case", case, "--format", "json").out)
    assert {finding["name"] for finding in document["findings"]} == {
        "hanging_late_write",
        "hanging_never_registered",
        "slipped_into_next_transaction",
    }
    markdown = command("report", "--case", case, "--format", "markdown").out
    assert all(finding["id"] in markdown for finding in document["findings"])


def test_same_input_twice_adds_nothing(command, late_write, judged):
    case, _ = judged
    count = "SELECT (SELECT count(*) FROM batches) AS batches, (SELECT count(*) FROM files) AS files, (SELECT count(*) FROM capture_files) AS paths, (SELECT count(*) FROM findings) AS findings"
    before = command("sql", count, "--case", case, "--format", "json").out
    assert command("run", late_write, "--case", case).code == 1
    assert command("sql", count, "--case", case, "--format", "json").out == before


def test_each_prints_a_line_a_path_in_the_order_given(command, lab, late_write, tmp_path):
    clean = lab / "dev" / "late_write_verified" / "dumps"
    outcome = command("run", "--each", "--format", "json", "--case", tmp_path / "case", late_write, clean)
    documents = [json.loads(line) for line in outcome.out.splitlines()]
    assert [document["verdict"] for document in documents] == ["findings", "clean"]
    assert outcome.code == 1


def test_captures_whose_folders_are_named_alike_are_judged_each_for_itself(command, late_write, tmp_path):
    """Two captures of one name would be joined with each other, and every finding told several times."""
    hosts = [tmp_path / incident / "host1" / "data" / "late_write" for incident in ("first", "second", "third")]
    for host in hosts:
        shutil.copytree(late_write, host)
    outcome = command("run", "--each", "--format", "json", *hosts, hosts[2], hosts[2])
    documents = [json.loads(line) for line in outcome.out.splitlines()]
    assert len({document["capture"]["name"] for document in documents}) == 5
    alone, *others = (
        ([finding["id"] for finding in document["findings"]], len(document["open_transactions"]))
        for document in documents
    )
    assert alone[0]
    assert others == [alone] * 4


def test_split_and_renamed_files_give_the_same_ids(command, late_write, judged, tmp_path):
    _, whole = judged
    other = tmp_path / "elsewhere"
    for path in sorted(late_write.rglob("*")):
        if path.is_file():
            place = other / path.relative_to(late_write)
            place.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".txt":
                place.with_suffix(".dump.gz").write_bytes(gzip.compress(path.read_bytes().replace(b"\n", b"\r\n")))
            else:
                shutil.copy(path, place)
    (other / "broker-0").rename(other / "host-b")
    again = json.loads(command("run", other, "--case", tmp_path / "b", "--format", "json").out)
    assert {f["id"] for f in again["findings"]} == {f["id"] for f in whole["findings"]}
    assert all(evidence["text"] for finding in again["findings"] for evidence in finding["evidence"])


PARTS = {"in_flight": "*.snapshot*", "late_write_verified": "__transaction_state-*"}
"""What is kept of each scenario's files."""


@judged_together
def documents(lab, root) -> dict[str, Path]:
    """Captures from which something was taken, or in which something was damaged."""
    late_write, alone, damaged = lab / "dev" / "late_write" / "dumps", root / "alone", root / "damaged"
    shutil.copytree(late_write, alone, ignore=shutil.ignore_patterns("__transaction_state-*"))
    shutil.copytree(late_write, damaged)
    (damaged / "broker-0" / "orders-1" / "00000000000000000000.log.data.txt").unlink()
    garbled = damaged / "broker-0" / "orders-1" / "00000000000000000000.log.txt"
    garbled.write_bytes(garbled.read_bytes() + b"who wrote this?\nand this?\n")
    half = damaged / "broker-0" / "audit-0" / "00000000000000000000.log.txt.gz"
    plain = gzip.compress((damaged / "broker-0" / "audit-0" / "00000000000000000000.log.txt").read_bytes())
    half.write_bytes(plain[: len(plain) // 2])
    (damaged / "nonsense.bin").write_bytes(bytes(range(256)) * 10)
    for name, kept in PARTS.items():
        whole = lab / "dev" / name / "dumps"
        for path in whole.rglob("*"):
            if path.is_file() and path.relative_to(whole).match(f"**/{kept}" if "-" not in kept else f"*/{kept}/*"):
                place = root / name / path.relative_to(whole)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, place)
    return {"alone": alone, "damaged": damaged} | {name: root / name for name in PARTS}


def test_without_coordinator_dumps_nothing_is_accused(documents):
    document = documents["alone"]
    assert exit_code([document]) == 3
    assert document["findings"] == []
    assert {row["verdict"] for row in document["open_transactions"]} == {"undecided"}
    assert all("__transaction_state" in row["fetch"] for row in document["open_transactions"])
    skipped = {run["code"]: run["reason"] for run in document["detector_runs"] if run["status"] == "skipped"}
    need_it = {one.code for one in ALL if all("coordinator_states" in way.needs for way in one.ways)}
    assert need_it <= skipped.keys()
    assert "no dump of __transaction_state" in skipped.values()


def test_damage_is_counted_and_hides_nothing(documents):
    document = documents["damaged"]
    assert exit_code([document]) == 1
    assert len(document["findings"]) == 4
    assert document["unparsed"]["lines"] >= 2
    assert any(file["file"].endswith("orders-1/00000000000000000000.log.txt") for file in document["unparsed"]["files"])
    told = json.dumps(document["coverage"]["notes"]) + json.dumps(document["unparsed"])
    assert "audit-0/00000000000000000000.log.txt.gz" in told


def test_a_hopeless_path_of_each_hides_no_other(command, lab, tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "todo.txt").write_text("call the vendor\n")
    clean = lab / "dev" / "late_write_verified" / "dumps"
    paths = (tmp_path / "missing", clean, tmp_path / "notes")
    outcome = command("run", "--each", "--format", "json", "--case", tmp_path / "case", *paths)
    missing, judged, notes = (json.loads(line) for line in outcome.out.splitlines())
    assert [one["verdict"] for one in (missing, judged, notes)] == ["unusable", "clean", "unusable"]
    assert "does not exist" in missing["error"]["found"]
    assert "nothing under" in notes["error"]["found"]
    assert "kafka-dump-log.sh" in notes["error"]["wanted"]
    assert missing["capture"]["name"] == str(tmp_path / "missing")
    assert outcome.code == 3
    hopeless = command("run", "--each", "--format", "json", tmp_path / "missing", tmp_path / "notes")
    assert [json.loads(line)["verdict"] for line in hopeless.out.splitlines()] == ["unusable", "unusable"]
    assert hopeless.code == 2


@pytest.mark.parametrize(
    ("name", "missing"), [("in_flight", "no log of "), ("late_write_verified", "no log of a data partition is here")]
)
def test_a_part_of_the_files_is_never_called_clean(documents, name, missing):
    assert exit_code([documents[name]]) == 3
    assert missing in " ".join(render(documents[name], "text").split("\n\n")[1].split())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", "no/such/folder"], "no/such/folder does not exist"),
        (["run", "--captured-at", "1795254355", "."], "1970-01-21: seconds?"),
        (["run", "--captured-at", "yesterday", "."], "yesterday is not a time"),
        (["run", "--each", "--capture", "one", "."], "--each makes several"),
        (["run", "--tz", "Mars/Olympus", "."], "no time zone 'Mars/Olympus'"),
        (["run", "--format", "pdf", "."], "unknown format pdf"),
        (["explain", "TXN02"], "unknown code TXN02; nearest: TXN002 hanging_late_write"),
        (["route", "my-group", "-n", "0"], "-n 0 is not a partition count"),
        (["run", "--conf", "no-such.toml", "."], "no-such.toml"),
    ],
)
def test_what_cannot_run_says_why_and_exits_with_2(command, arguments, said):
    outcome = command(*arguments)
    assert outcome.code == 2
    assert said in outcome.err
    assert outcome.out == ""


def test_folders_without_anything_of_kafkas(command, tmp_path):
    assert "holds no files" in command("run", tmp_path).err
    (tmp_path / "notes.txt").write_text("Consumers are stuck since nine.\n")
    outcome = command("run", tmp_path)
    assert outcome.code == 2
    assert "looks like a Kafka log or a dump of one: 1 file read (first: notes.txt)" in outcome.err


def test_a_broker_log_that_says_nothing_of_transactions_is_no_verdict(command, tmp_path):
    (tmp_path / "server.log").write_text("[2026-11-21 09:00:00,000] INFO started (kafka.server.KafkaServer)\n")
    outcome = command("run", tmp_path)
    assert outcome.code == 3
    assert "NO VERDICT" in outcome.out


def test_wrong_manifest_names_the_nearest_key(command, late_write, tmp_path):
    folder = tmp_path / "capture"
    shutil.copytree(late_write, folder)
    (folder / "capture.toml").write_text("captured_att = 1795254355780\n")
    outcome = command("run", folder)
    assert outcome.code == 2
    assert 'unknown key "captured_att"; nearest: "captured_at"' in outcome.err


def test_route_under_several_counts(command):
    lines = command("route", "my-group", "polygenelubricants", "-n", "50", "-n", "150").out.splitlines()
    assert lines[1].split() == ["12", "12", "my-group"]
    assert lines[2].split() == ["0", "0", "polygenelubricants"]


def test_detectors_and_pages(command):
    listed = command("detectors").out
    for code in ("TXN001", "TXN002", "TXN003", "TXN004", "TXN005", "TXN011"):
        assert code in listed
        page = command("explain", code).out
        assert code in page
        assert len(page.partition("Known bugs")[0].rstrip().splitlines()) <= 60
        assert len(page.splitlines()) <= 100
        assert max(len(line) for line in page.splitlines()) <= 80


def test_sql_over_lifecycles(command, late_write, tmp_path):
    case = tmp_path / "case"
    command("ingest", late_write, "--case", case)
    query = "SELECT topic, partition, first_offset FROM partition_txns WHERE marker_offset IS NULL ORDER BY 1, 2"
    out = command("sql", query, "--case", case, "--format", "csv").out
    assert out.splitlines() == ["topic,partition,first_offset", "audit,1,1", "orders,0,18", "payments,1,0"]
