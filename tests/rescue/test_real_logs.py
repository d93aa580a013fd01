"""rescue on files of real brokers: what is open there, byte for byte as a consumer with read_uncommitted gets it."""

import json
import re
from pathlib import Path

import pytest
from consumer import read_uncommitted
from saved import as_consumed, rows_of, summary_of

from analyzer.config import Config
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case
from analyzer.storage.in_session import rows_of_case
from analyzer.storage.reading.rows import rows_of_folder

SCENARIOS = ("late_write", "S8_marker_lost", "in_flight")


@pytest.fixture(scope="module")
def case(lab, spark, tmp_path_factory) -> tuple[Path, dict[str, dict]]:
    """A case with the raw files and the dumps of each cluster, and the documents by capture."""
    place = tmp_path_factory.mktemp("rescue") / "case"
    names = [(name, form) for name in SCENARIOS for form in ("logdir", "dumps")]
    paths = {f"{name}-{form}": str(lab / "dev" / name / form) for name, form in names}
    captures = [scan_capture(CaptureRequest((path,), name)) for name, path in paths.items()]
    opened = Case(spark, str(place))
    ingest(opened, captures)
    documents = analyze(opened, list(paths), Config())
    return place, dict(zip(paths, documents, strict=True))


def open_on_the_broker(folder: Path) -> set[tuple[str, int, int, int]]:
    """Topic, partition, producer id and first offset of what the live brokers called open (describe-producers)."""
    found = set()
    for path in (folder / "oracle").glob("describe-producers.*.txt"):
        topic, partition = re.fullmatch(r"describe-producers\.(.+)-(\d+)\.txt", path.name).groups()
        for line in path.read_text().splitlines()[1:]:
            words = line.split()
            if words[-1] != "None":
                found.add((topic, int(partition), int(words[0]), int(words[-1])))
    return found


@pytest.mark.parametrize("name", SCENARIOS)
def test_all_open_data_as_a_consumer_gets_it(lab, case, command, tmp_path, name):
    folder = lab / "dev" / name
    opened = open_on_the_broker(folder)
    assert opened
    for number, (topic, partition, producer_id, first) in enumerate(sorted(opened)):
        out = tmp_path / str(number)
        where = ("--topic", topic, "--partition", partition, "--producer-id", producer_id)
        outcome = command("rescue", "--case", case[0], "--capture", f"{name}-logdir", *where, "-o", out)
        assert outcome.code == 0, outcome
        (summary,) = summary_of(out)
        log = folder / "logdir" / f"broker-{summary['replica']}" / f"{topic}-{partition}"
        expected = [one for one in read_uncommitted(log) if one.producer_id == producer_id and one.offset >= first]
        assert [as_consumed(row) for row in rows_of(out)] == expected
        assert expected[0].offset == first
        assert summary["complete"]
        assert summary["records"] == summary["counted_at_analysis"] == len(expected)
        assert {(row["topic"], row["partition"], row["doubt"]) for row in rows_of(out)} == {(topic, partition, None)}


def test_all_that_chaos_left_open_as_a_consumer_gets_it(lab, soak, command, tmp_path):
    """37 transactions of three brokers, killed and restarted under load for five minutes: long, so with --soak."""
    if not soak:
        pytest.skip("takes a minute: make soak")
    folder, place = lab / "dev" / "chaos_391", tmp_path / "case"
    assert (
        command("run", folder / "logdir", "--case", place, "--engine", "sail", "--quiet", "-o", tmp_path / "r").code
        == 1
    )
    document = json.loads(command("report", "--case", place, "--format", "json").out)
    opened = [one for one in document["open_transactions"] if one["authority"] and one["first_offset"] >= 0]
    held = 0
    for number, one in enumerate(opened):
        log = folder / "logdir" / f"broker-{one['replica']}" / f"{one['topic']}-{one['partition']}"
        expected = [
            got
            for got in read_uncommitted(log)
            if got.producer_id == one["producer_id"] and one["first_offset"] <= got.offset <= one["last_offset"]
        ]
        out = tmp_path / str(number)
        where = ("--topic", one["topic"], "--partition", one["partition"], "--producer-id", one["producer_id"])
        outcome = command("rescue", "--case", place, *where, "-o", out)
        if not expected:
            assert (outcome.code, out.exists()) == (2, False), outcome
            continue
        assert outcome.code == 0, outcome
        assert [as_consumed(row) for row in rows_of(out)] == expected
        assert expected[0].offset == one["first_offset"]
        held += 1
    assert held == sum(not one[0].startswith("rolling") for one in open_on_the_broker(folder)) > 30


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_finding_names_the_records_that_its_abort_discards(case, command, tmp_path, name):
    tried = 0
    document = case[1][f"{name}-logdir"]
    for finding in document["findings"]:
        about = [
            row
            for row in document["open_transactions"]
            if row["authority"]
            and (row["topic"], row["partition"], row["producer_id"])
            == (finding["topic"], finding["partition"], finding["producer_id"])
        ]
        out = tmp_path / finding["id"]
        outcome = command(
            "rescue", "--case", case[0], "--capture", f"{name}-logdir", "--finding", finding["id"], "-o", out
        )
        if not about:
            assert (outcome.code, out.exists()) == (2, False)
            assert "an abort would discard nothing" in outcome.err
            continue
        assert outcome.code == 0
        (summary,), (row,) = summary_of(out), about
        assert (summary["first_offset"], summary["last_offset"]) == (row["first_offset"], row["last_offset"])
        tried += 1
    assert tried


@pytest.mark.parametrize("name", SCENARIOS)
def test_text_holds_the_same_keys_and_values_and_says_what_it_lost(lab, case, command, tmp_path, name):
    for number, (topic, partition, producer_id, _) in enumerate(sorted(open_on_the_broker(lab / "dev" / name))):
        where = ("--topic", topic, "--partition", partition, "--producer-id", producer_id)
        outs = {form: tmp_path / f"{number}-{form}" for form in ("logdir", "dumps")}
        codes = [
            command("rescue", "--case", case[0], "--capture", f"{name}-{form}", *where, "-o", out).code
            for form, out in outs.items()
        ]
        assert codes == [0, 3]
        raw, text = (rows_of(outs[form]) for form in ("logdir", "dumps"))
        assert summary_of(outs["dumps"])[0]["source"] == "text"
        assert summary_of(outs["dumps"])[0]["counted_at_analysis"] == len(raw)
        assert [row | {"headers": [], "doubt": None} for row in text] == [row | {"headers": []} for row in raw]
        for whole, printed in zip(raw, text, strict=True):
            assert ("only their keys: " in (printed["doubt"] or "")) == bool(whole["headers"])


def test_without_payloads_the_segment_to_copy_is_named(lab, command, spark, tmp_path):
    whole, part = lab / "dev" / "late_write" / "dumps", tmp_path / "part"
    for path in whole.rglob("*"):
        if path.is_file() and ".data." not in path.name:
            (part / path.relative_to(whole)).parent.mkdir(parents=True, exist_ok=True)
            (part / path.relative_to(whole)).write_bytes(path.read_bytes())
    place = tmp_path / "case"
    assert command("run", part, "--case", place, "--engine", "spark", "--quiet").code == 1
    where = ("rescue", "--case", place, "--topic", "payments", "--partition", 1, "--producer-id", 2)
    outcome = command(*where, "-o", tmp_path / "out")
    assert outcome.code == 2
    assert not (tmp_path / "out").exists()
    (dumped,) = re.findall(r"^Dumping (.*)", (part / "broker-0/payments-1/00000000000000000000.log.txt").read_text())
    assert f"copy {dumped} from the broker's disk into a folder payments-1" in outcome.err
    copied = lab / "dev" / "late_write" / "logdir" / "broker-0" / "payments-1"
    for number, path in enumerate((copied.parent, copied, copied / "00000000000000000000.log")):
        assert command(*where, "-o", tmp_path / str(number), path).code == 0
        (summary,) = summary_of(tmp_path / str(number))
        assert (summary["records"], summary["counted_at_analysis"]) == (7, 7)
    other = command(*where, "-o", tmp_path / "out", copied.parent / "payments-0")
    assert (other.code, (tmp_path / "out").exists()) == (2, False)


def test_files_that_are_gone_are_asked_for(lab, case, command, spark, tmp_path):
    folder = tmp_path / "moved"
    source = lab / "dev" / "late_write" / "logdir"
    for path in source.rglob("*"):
        if path.is_file():
            (folder / path.relative_to(source)).parent.mkdir(parents=True, exist_ok=True)
            (folder / path.relative_to(source)).write_bytes(path.read_bytes())
    place = tmp_path / "case"
    command("run", folder, "--case", place, "--engine", "spark", "--quiet")
    folder.rename(tmp_path / "elsewhere")
    where = ("rescue", "--case", place, "--topic", "payments", "--partition", 1, "--producer-id", 2)
    gone = command(*where, "-o", tmp_path / "out")
    assert gone.code == 2
    assert "is no longer there" in gone.err
    assert command(*where, "-o", tmp_path / "out", tmp_path / "elsewhere").code == 0
    assert [row["offset"] for row in rows_of(tmp_path / "out")] == list(range(7))


def test_an_earlier_rescue_is_never_overwritten(case, command, tmp_path):
    where = ("--topic", "payments", "--partition", 1, "--producer-id", 2, "-o", tmp_path / "out")
    first = command("rescue", "--case", case[0], "--capture", "late_write-logdir", *where)
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    again = command("rescue", "--case", case[0], "--capture", "late_write-logdir", *where)
    assert (first.code, again.code) == (0, 2)
    assert "of an earlier rescue" in again.err
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--finding", "TXN002-000000000000"), "no finding TXN002-000000000000"),
        (("--topic", "payments", "--partition", 1, "--producer-id", 77), "wanted: --finding"),
        (("--topic", "payments"), "no transaction is named"),
        (("--finding", "X", "--topic", "payments"), "--finding says which records"),
        (
            ("--topic", "payments", "--partition", 1, "--producer-id", 2, "--from", 5, "--to", 2),
            "--from 5 is after --to 2",
        ),
        (
            ("--topic", "no.such", "--partition", 0, "--producer-id", 2, "--from", 0, "--to", 2),
            "there is no log of no.such-0",
        ),
    ],
)
def test_nothing_there_is_told(case, command, tmp_path, arguments, said):
    outcome = command("rescue", "--case", case[0], "--capture", "late_write-logdir", *arguments, "-o", tmp_path / "out")
    assert outcome.code == 2
    assert said in outcome.err
    assert not (tmp_path / "out").exists()


def test_a_part_of_a_transaction_is_told(case, command, tmp_path):
    where = ("--topic", "payments", "--partition", 1, "--producer-id", 2, "--from", 2, "--to", 3)
    outcome = command("rescue", "--case", case[0], "--capture", "late_write-logdir", *where, "-o", tmp_path / "out")
    assert outcome.code == 3
    assert [row["offset"] for row in rows_of(tmp_path / "out")] == [2, 3]
    assert "5 records of the same transaction are outside these offsets" in outcome.out
    assert json.loads((tmp_path / "out" / "rescue.json").read_text())["capture"] == "late_write-logdir"


@pytest.fixture
def damaged(lab, tmp_path) -> Path:
    """A partition's folder whose first batch has a flipped bit."""
    source = lab / "dev" / "late_write" / "logdir" / "broker-0" / "payments-1"
    folder = tmp_path / "broker-3" / "payments-1"
    folder.mkdir(parents=True)
    data = bytearray((source / "00000000000000000000.log").read_bytes())
    data[80] ^= 1
    (folder / "00000000000000000000.log").write_bytes(data)
    return folder.parent


WHERE = ("--capture", "late_write-logdir", "--topic", "payments", "--partition", 1, "--producer-id", 2)


def test_a_damaged_batch_is_counted_and_told(case, command, tmp_path, damaged):
    outcome = command("rescue", "--case", case[0], *WHERE, "-o", tmp_path / "out", damaged)
    assert outcome.code == 3
    (summary,) = summary_of(tmp_path / "out")
    assert (summary["records"], summary["counted_at_analysis"], summary["complete"]) == (3, 7, False)
    assert [row["offset"] for row in rows_of(tmp_path / "out")] == [4, 5, 6]
    assert [(one["first_offset"], one["last_offset"], one["records"]) for one in summary["unread"]] == [(0, 3, 4)]
    assert "the analysis counted 7 records, 3 were saved" in outcome.out
    assert "not saved: offsets 0 to 3 (4 records): the checksum of the batch is wrong" in outcome.out


def test_the_copy_of_another_broker_is_pointed_at(lab, case, command, tmp_path, damaged):
    whole = lab / "dev" / "late_write" / "logdir"
    outcome = command("rescue", "--case", case[0], *WHERE, "-o", tmp_path / "0", damaged, whole, "--replica", 3)
    assert outcome.code == 3
    assert "--replica 0" in outcome.out
    again = command("rescue", "--case", case[0], *WHERE, "-o", tmp_path / "1", damaged, whole, "--replica", 0)
    assert again.code == 0
    assert summary_of(tmp_path / "1")[0]["records"] == 7


def test_a_case_is_read_the_same_with_and_without_a_session(case, spark):
    alone, opened = rows_of_folder(str(case[0])), rows_of_case(Case(spark, str(case[0])))
    for name, where in (
        ("captures", {}),
        ("capture_files", {"capture": ["in_flight-logdir"]}),
        ("open_transactions", {"capture": ["in_flight-logdir", "late_write-dumps"]}),
        ("findings", {"capture": ["late_write-dumps"], "id": ["TXN003-33726e625ed0"]}),
    ):
        key = lambda row: repr(sorted(row.items(), key=lambda pair: pair[0]))  # noqa: E731 - a key of one use
        assert sorted(alone(name, where), key=key) == sorted(opened(name, where), key=key)
        assert alone(name, where)
    assert rows_of_folder(str(case[0]) + "-none")("captures", {}) == []
