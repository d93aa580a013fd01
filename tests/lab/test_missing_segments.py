"""Segments are not here, at the start, in the middle or at the end of logs: nothing is surer, and each is asked for."""

import shutil
from pathlib import Path

import pytest
from judged_together import judged_together
from less_evidence import surer

SCENARIO = "chaos_391"
TRUNCATED = "S8b_truncation"
SLIPPED = "S8c_slipped_after_lost_marker"
LESS = 40
"""Bytes, fewer than any batch has."""
CLEANED, DELETED = "S5_kafka13727_3_after_pass2", "snapshot_only"


@judged_together
def documents(lab, root) -> dict[str, Path]:
    """The log dirs of a run with many small segments: whole, and without one segment of each data partition's log."""
    files = lab / "dev" / SCENARIO / "logdir"
    folders = {"whole": files}
    for name, chosen in (("middle", lambda names: len(names) // 2), ("end", lambda _: -1)):
        folders[name] = root / name
        shutil.copytree(files, folders[name])
        for log in folders[name].glob("*/*-*/"):
            segments = sorted(log.glob("*.log"))
            if not log.name.startswith("__") and len(segments) > 2:
                segments[chosen(segments)].unlink()
    folders["cleaned"] = root / "cleaned"
    shutil.copytree(folders["middle"], folders["cleaned"])
    for broker in folders["cleaned"].glob("broker-*"):
        logs = [log.name.rsplit("-", 1) for log in sorted(broker.glob("*-*/")) if not log.name.startswith("__")]
        lines = [f"{topic} {partition} 1\n" for topic, partition in logs]
        (broker / "cleaner-offset-checkpoint").write_text(f"0\n{len(lines)}\n{''.join(lines)}")
    folders["decided"] = root / "decided"
    shutil.copytree(files, folders["decided"])
    for log in folders["decided"].glob("*/__transaction_state-1/"):
        segments = sorted(log.glob("*.log"))
        if len(segments) > 1:
            segments[-1].unlink()
    return folders


@judged_together
def torn_states(lab, root) -> dict[str, Path]:
    """A run with slips, whole, and without the end of the last batch of each state partition."""
    files = lab / "dev" / SLIPPED / "logdir"
    shutil.copytree(files, root / "torn")
    for log in (root / "torn").glob("*/__transaction_state-*/*.log"):
        log.write_bytes(log.read_bytes()[:-LESS])
    return {"whole": files, "torn": root / "torn"}


@judged_together
def beginnings(lab, root) -> dict[str, Path]:
    """Log dirs without the first segment of a log, or without the file that says where logs start."""
    folders = {}
    for scenario, gone in {
        CLEANED: "accounts-0/00000000000000000000.log",
        DELETED: "log-start-offset-checkpoint",
    }.items():
        folders[scenario] = root / scenario
        shutil.copytree(lab / "dev" / scenario / "logdir", folders[scenario])
        (folders[scenario] / "broker-0" / gone).unlink()
    folders[TRUNCATED] = root / TRUNCATED
    shutil.copytree(lab / "dev" / TRUNCATED / "logdir" / "broker-0", folders[TRUNCATED] / "broker-0")
    folders["zeroed"] = root / "zeroed"
    shutil.copytree(lab / "dev" / CLEANED / "logdir", folders["zeroed"])
    segment = folders["zeroed"] / "broker-0" / "accounts-0" / "00000000000000000000.log"
    data = segment.read_bytes()
    segment.write_bytes(data[:294] + bytes(len(data) - 294))
    return folders


def test_what_finished_transactions_list_is_missed(beginnings):
    """One broker of three: its coordinators finished transactions in partitions of which no copy is here."""
    document = beginnings[TRUNCATED]
    notes = [note for note in document["coverage"]["notes"] if note["kind"] == "missing_partition"]
    assert "payments-0, payments-1, payments-2" in notes[0]["fetch"]
    assert document["verdict"] == "inconclusive"


def test_a_decision_whose_later_records_are_missing_is_not_stuck(documents):
    """A log that retention cut off lacks no marker, and a state partition without its end no Complete record."""
    document = documents["decided"]
    assert not [row for row in document["findings"] if row["name"] == "prepare_stuck"]
    assert any("the newest segment of __transaction_state-1" in note["fetch"] for note in document["coverage"]["notes"])


def test_a_torn_end_of_a_state_partition_takes_no_slip(torn_states):
    """Every state partition was copied while its last record was written: what its other records prove stands."""
    whole, torn = torn_states["whole"], torn_states["torn"]
    slips = {"marker_lost_truncation", "slipped_into_next_transaction"}
    known = [{(row["name"], row["first_offset"], row["confidence"], row["topic"], row["partition"])
              for row in document["findings"] if row["name"] in slips} for document in (whole, torn)]  # fmt: skip
    assert len(known[0]) == 6
    assert known[0] == known[1]
    assert not [row for row in torn["findings"] if row["name"] == "prepare_stuck"]


def test_a_log_without_its_first_segment_is_not_clean(beginnings):
    """The cut-off of leader-epoch-checkpoint is at the log start: a log that begins later lacks a file."""
    document = beginnings[CLEANED]
    notes = [note for note in document["coverage"]["notes"] if note["kind"] == "offset_hole"]
    assert [(note["topic"], note["partition"]) for note in notes] == [("accounts", 0)]
    assert notes[0]["fetch"] == "the segments of accounts-0 that hold them"
    assert document["verdict"] == "inconclusive"


def test_zeros_at_the_end_of_a_segment_with_a_next_one_are_no_work_of_the_cleaner(beginnings):
    """The COMMIT marker at 5 was there: the zeros begin at offset 4, in a range that the cleaner has passed."""
    document = beginnings["zeroed"]
    assert [row["code"] for row in document["findings"] if row["code"] == "TXN007"] == []
    assert document["verdict"] == "inconclusive"


def test_the_log_start_is_also_in_the_folder_of_the_partition(beginnings):
    """Records were deleted in the middle of a segment: what is below the log start is not open data."""
    found = {(finding["name"], finding["topic"]) for finding in beginnings[DELETED]["findings"]}
    assert ("snapshot_only", "purged-active") in found
    assert ("hanging_late_write", "purged-active") not in found


def test_a_hole_beyond_the_cleaner_is_a_missing_file(documents):
    """The cleaner takes nothing from segments that begin above its checkpoint."""
    holes = [
        {
            (note["topic"], note["partition"])
            for note in documents[name]["coverage"]["notes"]
            if note["kind"] == "offset_hole"
        }
        for name in ("middle", "cleaned")
    ]
    assert holes[0] == holes[1] != set()


@pytest.mark.parametrize("missing", ["middle", "end", "cleaned", "decided"])
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
