"""`route` and `expand` as a user runs them: which ids move, and whose transaction an expansion would orphan."""

import json

import pytest

from analyzer.kafka.hashing import partition_for
from analyzer.kafka.key_hashing import key_murmur2
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case


@pytest.fixture(scope="module")
def before(spark, lab, tmp_path_factory):
    """A case of a healthy cluster with 50 partitions, minutes before its expansion to 150."""
    folder = lab / "dev" / "coordinator_expansion_before"
    case = Case(spark, str(tmp_path_factory.mktemp("expand") / "case"))
    ingest(case, [scan_capture(CaptureRequest((str(folder / "dumps"),), "before"))])
    return case.location, json.loads((folder / "truth.json").read_text())


def test_expand_says_what_then_happened(command, before, lab):
    location, truth = before
    later = json.loads((lab / "dev" / "coordinator_expansion_mid" / "truth.json").read_text())
    code, out, _ = command("expand", "-n", "150", "--case", location, "--format", "json")
    found = json.loads(out)
    assert (code, found["old"], found["new"], found["ids"]) == (0, 50, 150, len(truth["ids"]))
    moving = {name for name, one in later["ids"].items() if one["moves"] and name in truth["ids"]}
    assert {row["id"] for row in found["listed"]} == moving
    assert all(row["now"] == later["ids"][row["id"]]["partition_old"] for row in found["listed"])
    assert all(row["then"] == later["ids"][row["id"]]["partition_new"] for row in found["listed"])
    running = {one["transactional_id"] for one in truth["expected_findings"] if one["kind"] == "in_flight"}
    orphaned = {row["id"] for row in found["listed"] if row["unfinished"]}
    assert orphaned == running & moving
    assert found["orphaned"] == len(orphaned) == sum(row["orphaned"] for row in found["brokers"])
    assert found["share"] == pytest.approx(2 / 3)


def test_expand_in_words(command, before):
    _, out, _ = command("expand", "-n", "150", "--case", before[0])
    assert "__transaction_state: 50 (proven by" in out
    assert "an expansion now would orphan it" in out
    assert "broker 0: of" in out
    assert "Never shrink" in out


def test_expand_of_a_file_of_ids(command, tmp_path):
    names = [f"svc-{number}" for number in range(300)] + ["polygenelubricants", "tx-🚀-1"]
    path = tmp_path / "ids.txt"
    path.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    code, out, _ = command("expand", "-n", "150", "--ids", path, "--format", "json")
    found = json.loads(out)
    assert (code, found["ids"]) == (0, 302)
    assert {row["id"] for row in found["listed"]} == {n for n in names if partition_for(n, 50) != partition_for(n, 150)}


@pytest.fixture(scope="module")
def keyed(spark, lab, tmp_path_factory):
    """A case with the keys of a topic that grew from 4 to 6 partitions."""
    case = Case(spark, str(tmp_path_factory.mktemp("expand_keys") / "case"))
    ingest(case, [scan_capture(CaptureRequest((str(lab / "dev" / "data_expansion" / "dumps"),), "grown"))])
    return case.location, json.loads((lab / "dev" / "data_expansion" / "truth.json").read_text())


def test_expand_a_keyed_topic_once_more(command, keyed):
    location, truth = keyed
    code, out, _ = command("expand", "-n", "12", "--topic", "user-events", "--case", location, "--format", "json")
    found = json.loads(out)
    assert (code, found["old"], found["new"], found["keys"]) == (0, 6, 12, len(truth["keys"]))
    ends = {row["partition"]: row["threshold"] for row in found["partitions"]}
    behind = {row["partition"]: row["groups"] for row in found["partitions"]}
    assert all(ends[int(partition)] >= one["epoch_boundary_offset"] for partition, one in truth["thresholds"].items())
    for partition, position in truth["group_committed"].items():
        assert behind[int(partition)] == [{"group": "profile-builder", "position": position}]
    moving = {key for key in truth["keys"] if key_murmur2(key.encode()) % 6 != key_murmur2(key.encode()) % 12}
    assert found["moving"] == len(moving)


def test_expand_a_keyed_topic_in_words(command, keyed):
    _, out, _ = command("expand", "-n", "9", "--topic", "user-events", "--case", keyed[0])
    assert "user-events: 6 (proven by" in out
    assert "9 is not a multiple of 6" in out
    assert "profile-builder at 18" in out


def test_expand_of_a_topic_without_keys(command, before):
    code, _, err = command("expand", "-n", "9", "--topic", "orders", "--case", before[0])
    assert code == 2
    assert "--keys orders" in err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("-n", "150"), "--case DIR or --ids FILE"),
        (("-n", "40", "--ids", __file__), "more than 50"),
        (("-n", "150", "--ids", "no/such/file"), "cannot read"),
        (("-n", "150", "--ids", __file__, "--topic", "orders"), "__consumer_offsets"),
    ],
)
def test_wrong_use_is_told(command, arguments, told):
    code, out, err = command("expand", *arguments)
    assert (code, out) == (2, "")
    assert told in err


def test_route_knows_every_count(command):
    _, out, _ = command("route", "order-svc-02", "polygenelubricants", "-n", "50", "-n", "150")
    assert [line.split() for line in out.splitlines()[1:]] == [
        ["0", "50", "order-svc-02"],
        ["0", "0", "polygenelubricants"],
    ]
