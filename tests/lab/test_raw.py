"""The same clusters from their raw files: what the text dumps say, with equal ids, and the brokers' own LSOs."""

import json
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from analyzer.config import Config
from analyzer.parse.reading import line_at
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case

sys.path.insert(0, str(Path(__file__).parent))

from conftest import Scenario
from test_scenarios import brokers_offsets, brokers_opens, judged_rows

EXPANDED_ONLY_IN_RAW = "data_expansion"
"""Its capture.toml says when the topic grew only beside the raw files."""

ONLY_RAW = {"chaos_391"}
"""Scenarios of which only the raw files are here."""


@pytest.fixture(scope="module")
def raw(lab, spark, tmp_path_factory) -> dict[str, Scenario]:
    """Every scenario, judged from `logdir/` alone."""
    folders = sorted(path.parent for path in (lab / "dev").glob("*/logdir"))
    captures = [scan_capture(CaptureRequest((str(folder / "logdir"),), folder.name)) for folder in folders]
    case = Case(spark, str(tmp_path_factory.mktemp("raw") / "case"))
    ingest(case, captures)
    documents = analyze(case, [capture.name for capture in captures], Config())
    return {
        folder.name: Scenario(folder.name, folder, json.loads((folder / "truth.json").read_text()), document)
        for folder, document in zip(folders, documents, strict=True)
    }


def said(document: dict[str, Any]) -> dict[str, Any]:
    """What must not depend on the form of the files, nor on where the case lies.

    Sentences may depend on the form: text of old tools lacks the start time, and only raw files can be rescued from.
    """
    about = ("id", "confidence", "severity", "last_offset", "producer_epoch", "replica")
    done = ("kind", "state", "command", "check_command", "check_expect", "loses_records", "discards")
    opened = ("topic", "partition", "replica", "authority", "producer_id", "first_offset", "last_offset", "verdict")
    return {
        "verdict": document["verdict"],
        "findings": [{name: finding[name] for name in about} for finding in document["findings"]],
        "actions": [{name: finding["action"].get(name) for name in done} for finding in document["findings"]],
        "open": [{name: row.get(name) for name in opened} for row in document["open_transactions"]],
        "partitions": document["partitions"],
    }


def test_raw_files_say_what_dumps_say(raw, scenarios):
    assert raw.keys() - scenarios.keys() == ONLY_RAW
    compared = 0
    for name, scenario in raw.items():
        if name not in {EXPANDED_ONLY_IN_RAW, *ONLY_RAW}:
            assert said(scenario.document) == said(scenarios[name].document), name
            compared += len(scenario.document["findings"])
    assert compared > 20


def test_lso_and_open_sets_equal_the_brokers(raw):
    compared = 0
    for scenario in raw.values():
        for partition, answer in brokers_offsets(scenario.folder).items():
            rows = judged_rows(scenario.document, partition)
            if rows or list(scenario.folder.glob(f"logdir/*/{partition}")):
                assert answer["lso"] in {row["lso"] for row in rows}, (scenario.name, partition)
                compared += 1
        for partition, wanted in brokers_opens(scenario.folder).items():
            apart = partition in scenario.truth.get("open_not_comparable", [])
            if apart or not list(scenario.folder.glob(f"logdir/*/{partition}")):
                continue
            topic, _, number = partition.rpartition("-")
            got = {
                (row["producer_id"], row["first_offset"])
                for row in scenario.document["open_transactions"]
                if row["authority"] and row["topic"] == topic and row["partition"] == int(number)
            }
            assert got == wanted, (scenario.name, partition)
    assert compared > 1_000


def test_undamaged_files_have_no_damage(raw):
    for scenario in raw.values():
        assert not [note for note in scenario.document["coverage"]["notes"] if note["kind"] == "damaged_file"]
        assert not [finding for finding in scenario.document["findings"] if finding["code"] == "LOG002"]


def test_every_quote_is_what_stands_at_its_position(raw):
    quoted = 0
    for scenario in raw.values():
        for finding in scenario.document["findings"]:
            for evidence in finding["evidence"]:
                path = scenario.folder / "logdir" / evidence["file"]
                text = evidence["text"]
                if "line" in evidence:  # a checkpoint file is text
                    assert path.read_text().splitlines()[evidence["line"] - 1] == text
                    continue
                if text.startswith("baseOffset: "):
                    assert text == line_at(str(path), "segment", evidence["position"])
                    assert f" position: {evidence['position']} " in text
                else:
                    assert text.startswith(("| offset: ", "producerId: ", "version: ")), text
                quoted += 1
    assert quoted > 30


CASES = {
    "07_zero_bytes": set(), "08_raw_cut_mid_batch": set(), "15_snapshot_crc": set(), "16_zero_tail": set(), "17_txnindex_odd_size": set(),
    "09_raw_flipped_byte/value": {6}, "09_raw_flipped_byte/marker": {5}, "09_raw_flipped_byte/length": {6},
}  # fmt: skip
NOTES = {"07_zero_bytes", "08_raw_cut_mid_batch", "15_snapshot_crc", "16_zero_tail", "17_txnindex_odd_size"}
"""Cases whose damage is a note of the coverage; the others' is LOG002 at these offsets."""


@pytest.fixture(scope="module")
def damaged(lab, spark, tmp_path_factory) -> dict[str, dict[str, Any]]:
    """Each damaged case of S16 twice: only its raw files, and only its texts."""
    root = tmp_path_factory.mktemp("damaged")
    cases = lab / "dev" / "S16_damaged_input" / "cases"
    for name in CASES:
        for path in sorted((cases / name).rglob("*")):
            if path.is_file() and (name, path.suffix) != ("07_zero_bytes", ".txt"):  # an empty text alone is no capture
                form = "text" if path.suffix == ".txt" else "raw"
                target = root / name.replace("/", "-") / form / path.relative_to(cases / name)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(path.read_bytes())
    folders = sorted(root.glob("*/*"))
    captures = [scan_capture(CaptureRequest((str(f),), f"{f.parent.name} {f.name}")) for f in folders]
    case = Case(spark, str(root / "case"))
    ingest(case, captures)
    documents = analyze(case, [capture.name for capture in captures], Config())
    return {document["capture"]["name"]: document for document in documents}


@pytest.mark.parametrize("form", ["raw", "text"])
def test_damage_is_named(damaged, form):
    ids: dict[int, set[str]] = {}
    for name, offsets in CASES.items():
        document = damaged.get(f"{name.replace('/', '-')} {form}")
        if document is None:
            continue
        found = [finding for finding in document["findings"] if finding["code"] == "LOG002"]
        assert {finding["first_offset"] for finding in found} == offsets, name
        assert len(document["findings"]) == len(found), name
        noted = {note["kind"] for note in document["coverage"]["notes"]}
        assert form == "text" or ("damaged_file" in noted) is (name in NOTES), name
        for finding in found:
            ids.setdefault(finding["first_offset"], set()).add(finding["id"])
    assert {offset: len(one) for offset, one in ids.items()} == {5: 1, 6: 1}
    wanted = {f["id"] for name in damaged for f in damaged[name]["findings"] if name.endswith("raw")}
    assert wanted == set.union(*ids.values())


@pytest.mark.parametrize("kind", ["tar.gz", "tar", "zip"])
def test_an_archive_says_what_its_folder_says(raw, spark, tmp_path, kind):
    folder = raw["late_write"].folder / "logdir"
    archive = tmp_path / f"files.{kind}"
    if kind == "zip":
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zipped:
            for path in sorted(folder.rglob("*")):
                zipped.write(path, path.relative_to(folder))
    else:
        with tarfile.open(archive, "w:gz" if kind == "tar.gz" else "w") as tar:
            tar.add(folder, arcname=".")
    capture = scan_capture(CaptureRequest((str(archive),), kind))
    case = Case(spark, str(tmp_path / "case"))
    ingest(case, [capture])
    (document,) = analyze(case, [kind], Config())
    assert said(document) == said(raw["late_write"].document)
    pairs = zip(document["findings"], raw["late_write"].document["findings"], strict=True)
    assert all(one["evidence"] == other["evidence"] for one, other in pairs)
