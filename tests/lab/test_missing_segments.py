"""Segments are not here, in the middle or at the end of each log: what lies before them is accused of nothing."""

import shutil

import pytest
from judging import Document, judged
from less_evidence import surer

SCENARIO = "chaos_391"


@pytest.fixture(scope="module")
def documents(spark, lab, tmp_path_factory) -> dict[str, Document]:
    """The log dirs of a run with many small segments: whole, and without one segment of each data partition's log."""
    files, root = lab / "dev" / SCENARIO / "logdir", tmp_path_factory.mktemp("segments")
    folders = {"whole": files}
    for name, chosen in (("middle", lambda names: len(names) // 2), ("end", lambda _: -1)):
        folders[name] = root / name
        shutil.copytree(files, folders[name])
        for log in folders[name].glob("*/*-*/"):
            segments = sorted(log.glob("*.log"))
            if not log.name.startswith("__") and len(segments) > 2:
                segments[chosen(segments)].unlink()
    return judged(spark, folders, root / "cases")


@pytest.mark.parametrize("missing", ["middle", "end"])
def test_nothing_is_surer(documents, missing):
    assert surer(documents[missing], documents["whole"]) == []


def test_the_missing_segment_is_asked_for(documents):
    rows = [row for row in documents["end"]["open_transactions"] if "not in the files that are here" in row["why"]]
    assert rows
    assert {row["verdict"] for row in rows} == {"undecided"}
    for row in rows:
        assert row["fetch"].startswith(f"the segment of {row['topic']}-{row['partition']} that holds offset ")


def test_what_a_later_snapshot_has_open_still_hangs(documents):
    """Snapshots of later offsets speak for the segments in the middle."""
    named = {
        (row["topic"], row["partition"], row["producer_id"], row["first_offset"])
        for row in documents["middle"]["open_transactions"]
        if row["verdict"].startswith("hanging")
    }
    assert len(named) > 20
