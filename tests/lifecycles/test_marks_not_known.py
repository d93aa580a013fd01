"""What a checkpoint or a capture without logs cannot tell is null in the document and said to be unknown in a report."""

import json
import re
import shutil

import pytest

MARK = re.compile(r"^(\S+ \d+) \d+$", re.MULTILINE)


@pytest.fixture(scope="module")
def captures(lab, tmp_path_factory):
    """The same log dir with a checkpoint from before everything, and without the logs of data partitions."""
    folder = tmp_path_factory.mktemp("marks")
    whole = lab / "dev" / "late_write" / "logdir"
    shutil.copytree(whole, folder / "stale")
    for path in (folder / "stale").rglob("replication-offset-checkpoint"):
        path.write_text(MARK.sub(r"\1 0", path.read_text()))
    light = shutil.ignore_patterns("*.log", "*.index", "*.timeindex")
    shutil.copytree(
        whole, folder / "light", ignore=lambda at, names: [] if "__transaction_state" in at else light(at, names)
    )
    return folder


def reports(command, folder, case):
    """Run a capture; return its document, its text and its page."""
    document = json.loads(command("run", folder, "--case", case, "--format", "json").out)
    text, page = (command("report", "--case", case, "--format", one, "--full").out for one in ("text", "html"))
    return document, text, page


def test_a_high_watermark_of_a_stale_checkpoint_is_not_known(command, captures, tmp_path):
    document, text, page = reports(command, captures / "stale", tmp_path / "case")
    written = [row for row in document["partitions"] if row["lso"] > 0]
    assert written
    assert all(row.get("high_watermark") is None for row in written)
    strips = [one["strip"] for one in document["findings"] if one.get("strip")]
    assert all(strip["high_watermark"] is None for strip in strips if strip["lso"] > 0)
    assert "HW not known" in text
    assert not re.search(r"\bLSO \d+ .*HW \d", text)
    assert "high watermark not known" in page
    assert not re.search(r"high watermark \d", page)


def test_what_waits_where_no_log_is_here_is_not_known(command, captures, tmp_path):
    document, text, page = reports(command, captures / "light", tmp_path / "case")
    rows = [row for row in document["partitions"] if not row["has_log"]]
    assert rows
    assert all(row["blocked_records"] is None and row["blocked_bytes"] is None for row in rows)
    places = {(row["topic"], row["partition"]) for row in rows}
    waiting = [one["waiting"] for one in document["findings"] if (one["topic"], one["partition"]) in places]
    assert waiting
    assert all(one["records"] is None and one["bytes"] is None and one["transactions"] is None for one in waiting)
    assert not re.search(r"\b0 rec", text)
    assert "an unknown number of records" in " ".join(text.split())
    assert "not known</td>" in page


def test_where_the_log_is_here_the_same_checkpoint_and_counts_are_told(command, lab, tmp_path):
    document, text, _ = reports(command, lab / "dev" / "late_write" / "logdir", tmp_path / "case")
    assert any(row.get("high_watermark") is not None for row in document["partitions"])
    assert all(row["blocked_records"] is not None for row in document["partitions"] if row["has_log"])
    assert "HW not known" not in text
