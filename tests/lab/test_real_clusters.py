"""Excerpts of real clusters: what their living brokers answered when the files were taken decides what may be said."""

import shutil
import tarfile
from pathlib import Path

import pytest
from judged_together import judged_together

CLUSTERS = Path(__file__).parent.parent / "brokers.tar.xz"
"""Log dirs of brokers on loopback, by what was done to them and their release."""
KILLED, METADATA = "broker-2", "__cluster_metadata-0"
"""The broker that was killed while six transactions ran, 113 s before the files were taken, and the controllers' log."""


def unpacked(folder: Path) -> Path:
    with tarfile.open(CLUSTERS) as archive:
        archive.extractall(folder, filter="data")
    return folder / "brokers"


def part(source: Path, target: Path, brokers: tuple[str, ...], *, controllers: bool = True) -> Path:
    """Copy the log dirs of these brokers, with the moment of the whole capture."""
    for broker in brokers:
        left_out = shutil.ignore_patterns() if controllers else shutil.ignore_patterns(METADATA)
        shutil.copytree(source / broker, target / broker, ignore=left_out)
    shutil.copy(source / "capture.toml", target)
    return target


def state_cut(source: Path, target: Path) -> Path:
    """Copy a capture with __transaction_state-2 up to a PrepareCommit whose markers were written, as head leaves it."""
    shutil.copytree(source, target)
    log = target / "broker-1" / "__transaction_state-2" / "00000000000000000000.log"
    log.write_bytes(log.read_bytes()[:1535])
    return target


@judged_together
def documents(root: Path) -> dict[str, Path]:
    clusters = unpacked(root)
    killed = clusters / "killed_391"
    every = tuple(sorted(path.name for path in killed.glob("broker-*")))
    prepared = clusters / "prepared_unled_411"
    brokers = tuple(sorted(path.name for path in prepared.glob("broker-*")))
    return {
        "all": killed,
        "living": part(killed, root / "living", tuple(one for one in every if one != KILLED)),
        "killed": part(killed, root / "killed", (KILLED,)),
        "all, no controllers": part(killed, root / "bare", every, controllers=False),
        "killed, no controllers": part(killed, root / "bare-killed", (KILLED,), controllers=False),
        "by hand": clusters / "aborted_by_hand_430",
        "beside": clusters / "aborted_beside_411",
        "expanded": clusters / "expanded_352",
        "leaderless": clusters / "leaderless_430",
        "running": clusters / "running_411",
        "running, state cut": state_cut(clusters / "running_411", root / "cut"),
        "emptied": clusters / "emptied_411",
        "prepared": prepared,
        "prepared, no controllers": part(prepared, root / "bare-prepared", brokers, controllers=False),
    }


def told(document):
    return {(one["code"], one["confidence"]) for one in document["findings"]}


@pytest.mark.parametrize("name", ["all", "living", "all, no controllers"])
def test_what_the_living_brokers_have_ended_is_over(documents, name):
    """They aborted five transactions at their timeouts; the sixth has 15 min."""
    assert told(documents[name]) == set()
    rows = [row for row in documents[name]["open_transactions"] if row["authority"]]
    assert [(row["transactional_id"], row["verdict"]) for row in rows] == [("p5", "in_flight")]


def test_a_killed_broker_is_judged_as_of_its_death(documents):
    document = documents["killed"]
    assert told(document) == set()
    assert {row["verdict"] for row in document["open_transactions"]} == {"in_flight"}
    assert document["verdict"] == "inconclusive"
    (note,) = [one for one in document["coverage"]["notes"] if one["kind"] == "late_moment"]
    assert "the controllers' log in them ends at 2026-11-30 11:34:10" in note["note"]


def test_without_the_controllers_log_nothing_shows_that_it_still_led(documents):
    """The files say nothing of the broker's death: all five look overdue, and none is for certain."""
    document = documents["killed, no controllers"]
    assert told(document) == {("TXN001", "likely")}
    for finding in document["findings"]:
        assert finding["settled_by"].startswith("the leader's copy of __transaction_state-")
        assert finding["action"]["kind"] == "abort"
        assert "ASK ITS OWNER FIRST" in finding["action"]["summary"]


def test_what_an_administrator_aborted_before_the_commit_is_torn(documents):
    """`kafka-transactions.sh abort` in one partition of two transactions that ran; the client of one committed it."""
    assert told(documents["by hand"]) == {("TXN010", "likely")}
    runs, torn = sorted(documents["by hand"]["findings"], key=lambda one: one["first_offset"])
    assert (runs["transactional_id"], runs["first_offset"], runs["last_offset"]) == ("toolabort", 28, 29)
    assert "toolabort must not commit" in runs["action"]["summary"]
    assert (torn["transactional_id"], torn["first_offset"], torn["last_offset"]) == ("toolthencommit", 30, 31)


def test_an_abort_by_hand_is_told_although_its_state_partition_went_quiet(documents):
    """`kafka-transactions.sh abort` of e in orders-2, 120 s before the files were taken; nothing was written since."""
    (torn,) = [one for one in documents["beside"]["findings"] if one["code"] == "TXN010"]
    assert (torn["transactional_id"], torn["topic"], torn["confidence"]) == ("e", "orders", "likely")
    rows = [row for row in documents["beside"]["open_transactions"] if row["topic"] == "solo"]
    assert [row["verdict"] for row in rows] == ["in_flight"]


def test_a_decision_that_no_broker_reads_any_more_waits_for_no_leader(documents):
    """Its broker was killed before it wrote the marker, and started again after `--alter` of __transaction_state."""
    found = documents["expanded"]["findings"]
    (orphan,) = [one for one in found if one["code"] == "RTE004" and one["transactional_id"] == "x1"]
    (lacking,) = [one for one in found if one["code"] == "TXN004"]
    assert (lacking["transactional_id"], lacking["folded_under"]) == ("x1", orphan["id"])
    rows = documents["expanded"]["open_transactions"]
    assert [row["verdict"] for row in rows if row["transactional_id"] == "x1"] == ["orphaned"]


def test_a_marker_that_no_leader_could_take_is_missing(documents):
    """Broker 1 led pay-0 alone and was killed; p0 was committed while nobody led it (KAFKA-20734)."""
    document = documents["leaderless"]
    found = {one["code"]: one for one in document["findings"] if one["topic"] == "pay"}
    assert (found["TXN004"]["confidence"], found["TXN004"]["first_offset"]) == ("certain", 0)
    assert "KAFKA-20734" in found["TXN004"]["cause"][0]
    assert any("has had no leader since" in one["text"] for one in found["TXN004"]["steps"])
    rows = [one for one in document["open_transactions"] if one["topic"] == "pay" and one["authority"]]
    assert [(one["transactional_id"], one["verdict"]) for one in rows] == [
        ("p0", "marker_missing_commit"),
        ("p1", "in_flight"),
    ]
    assert all(" at byte " in one["unled_by"] for one in rows)


def test_a_plan_begins_with_a_leader_where_the_raw_log_of_the_controllers_has_none(documents):
    found = [one for one in documents["leaderless"]["findings"] if one["code"] == "TXN004"]
    (first, *_) = found[0]["action"]["steps"]
    assert first["text"].startswith("bring back a leader of pay-0, which has none")


def test_what_runs_without_its_data_waits_for_no_marker_of_the_transaction_before(documents):
    """Retention took the data of g and the COMMIT before it: its coordinator ran g all the time."""
    rows = [row for row in documents["emptied"]["open_transactions"] if row["topic"] == "ret"]
    assert [(row["transactional_id"], row["verdict"]) for row in rows] == [("g", "in_flight")]
    found = {one["code"]: one for one in documents["emptied"]["findings"]}
    assert (found["TXN009"]["severity"], found["TXN009"]["action"]["kind"]) == ("info", "wait")


def test_a_decision_whose_partition_has_no_leader_is_stuck_at_once(documents):
    """Broker 2 alone held solo-0 and was killed; a was committed 64 s later, and the files were taken 41 s after that."""
    (stuck,) = [one for one in documents["prepared"]["findings"] if one["code"] == "TXN006"]
    assert (stuck["transactional_id"], stuck["topic"], stuck["confidence"]) == ("a", "solo", "certain")
    rows = [row for row in documents["prepared"]["open_transactions"] if row["topic"] == "solo"]
    assert [row["verdict"] for row in rows] == ["prepare_stuck"]
    assert "waiting_marker" not in {one["kind"] for one in documents["prepared"]["coverage"]["notes"]}


def test_without_the_controllers_log_it_may_be_on_its_way_and_is_not_clean(documents):
    document = documents["prepared, no controllers"]
    assert (told(document), document["verdict"]) == (set(), "inconclusive")
    (note,) = [one for one in document["coverage"]["notes"] if one["kind"] == "waiting_marker"]
    assert note["note"].startswith("COMMIT was decided for a at 2026-11-30 18:50:29")
    assert note["fetch"] == "a newer copy of solo-0"


def test_what_runs_is_no_hang_where_the_state_ends_before_it_began(documents):
    """The copy ends with a PrepareCommit of e whose markers were written 110 s before: what came next is not in it."""
    rows = [row for row in documents["running"]["open_transactions"] if row["transactional_id"] in {"b", "e"}]
    assert {row["verdict"] for row in rows} == {"in_flight"}
    cut = documents["running, state cut"]
    rows = [row for row in cut["open_transactions"] if row["transactional_id"] in {"b", "e"}]
    assert [row["verdict"] for row in rows] == ["undecided"] * 4
    assert {code for code, _ in told(cut)} == {"TXN006"}
