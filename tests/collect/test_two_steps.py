"""The two steps of collecting on real brokers' log dirs: what is asked for settles what is open, and all gives all."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from steps import both_steps, findings, opens

from analyzer.config import Config
from analyzer.pipeline.open_only import judge_open
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case
from analyzer.tables.fetch_steps import OLDER, SETTLING

SCENARIOS = ["late_write", "snapshot_only", "S8_marker_lost", "S5r_reassigned_replica"]


@pytest.fixture(scope="module")
def collected(lab, spark, tmp_path_factory):
    """The scenarios of the sample, by name: the documents after each step, and that of the whole log dirs."""
    folders = [lab / "dev" / name for name in SCENARIOS]
    scenarios, documents = both_steps(spark, folders, tmp_path_factory.mktemp("steps"))
    return {one.name: (one, [turn[one.name] for turn in documents]) for one in scenarios}


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_light_capture_is_never_clean_and_says_what_to_collect(collected, name):
    _, (light, *_) = collected[name]
    assert light["verdict"] != "clean"
    assert {row["step"] for row in light["fetch"]} & set(SETTLING)
    assert all(row["bytes"] >= 0 and row["why"] for row in light["fetch"])


@pytest.mark.parametrize("name", SCENARIOS)
def test_what_is_asked_for_settles_what_is_open(collected, name):
    one, (_, settled, _, whole) = collected[name]
    assert opens(settled) == opens(whole)
    assert {row["step"] for row in settled["fetch"]} <= {OLDER}
    assert one.sizes[0] < one.sizes[1] <= one.sizes[2]


@pytest.mark.parametrize("name", SCENARIOS)
def test_all_files_give_the_findings_of_the_log_dirs(collected, name):
    _, (*_, every, whole) = collected[name]
    assert findings(every) == findings(whole)
    assert every["verdict"] == whole["verdict"]
    assert every["fetch"] == []


def test_a_log_dir_in_place_is_read_by_the_same_plan(collected, lab, spark, tmp_path):
    one, (_, settled, _, whole) = collected["snapshot_only"]
    request = CaptureRequest((str(lab / "dev" / one.name / "logdir"),), "in place", segments=frozenset())
    nothing = scan_capture(request)
    document = judge_open(
        Case(spark, str(tmp_path / "case")), request, nothing, Config(), lambda *_: None, lambda _: None
    )
    assert opens(document) == opens(whole)
    assert document["fetch"] == settled["fetch"]
    assert document["coverage"]["bytes"] < whole["coverage"]["bytes"]
    assert [note["number"] for note in document["coverage"]["notes"] if note["kind"] == "left_unread"] == [2]
    assert whole["fetch"] == []
