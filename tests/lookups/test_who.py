"""`who` says of a record what an independent reading of the raw files says, and what real consumers were given."""

import json
import random
import re
import shutil

import pytest
from raw_truth import logs_of

from analyzer.config import Config
from analyzer.lookups.asking import asking
from analyzer.lookups.place import Spot
from analyzer.lookups.who import who
from analyzer.pipeline.analyze import analyze
from analyzer.pipeline.ingest import ingest
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.storage.case import Case
from analyzer.storage.reading.tables import tables_of_folder

OFFSETS, OFFSETS_OF_SOAK = 240, 4_000
LEGACY = {"legacy_formats/dumps", "legacy_formats/logdir"}
THINNED = re.compile(r"baseOffset: (\d+) lastOffset: (\d+) count: (\d+) .* isControl: (\w+)")
GIVEN = (
    "S5_kafka13727_2_after_pass1",
    "S8_marker_lost",
    "S8c_slipped_after_lost_marker",
)


@pytest.fixture(scope="module")
def logs(folders):
    """Every log of every capture, read by the tests' own reader."""
    return {name: logs_of(path) for name, path in folders.items()}


@pytest.fixture(scope="module")
def asked_offsets(logs, soak):
    """Offsets of the lab at random, as many of each capture, most of them in logs with transactions."""
    chance = random.Random(47)
    every = set()
    for name, found in sorted(logs.items()):
        known = [(key, log) for key, log in sorted(found.items()) if log is not None and log.batches]
        data = [(key, log) for key, log in known if log.spans] or known
        for at in range(-(-(OFFSETS_OF_SOAK if soak else OFFSETS) // len(logs))) if known else ():
            (topic, partition, replica), log = chance.choice(known if at % 4 == 0 else data)
            every.add((name, topic, partition, replica, chance.randrange(log.batches[0].base, log.end + 1)))
    return sorted(every)


@pytest.fixture(scope="module")
def answers(ask, asked_offsets):
    """The answer for each of these offsets, by the copy asked about."""
    out = {}
    for name, topic, partition, replica, offset in asked_offsets:
        told = who(ask(name), Spot(topic, partition, offset=offset))
        out[name, topic, partition, replica, offset] = {one["replica"]: one for one in told["copies"]}[replica]
    return out


def test_every_log_can_be_read_without_the_product(logs):
    """Only logs with messages of formats 0 and 1 cannot, and what the oldest tool prints of them."""
    assert {name for name, found in logs.items() if None in found.values()} == LEGACY
    assert len(logs) > 70


def test_the_outcome_is_that_of_the_raw_files(answers, logs):
    """Where the cleaner may have taken the marker and a snapshot says so, the answer is `unknown`: no marker is there."""
    wrong, words = [], set()
    for (name, topic, partition, replica, offset), copy in answers.items():
        log = logs[name][topic, partition, replica]
        truth, said = log.told(offset).word, copy["outcome"]
        words.add(truth)
        taken = truth == "open" and said == "unknown" and log.cleaned and "snapshot" in copy["why"]
        if said != truth and not taken:
            wrong.append((name, topic, partition, replica, offset, truth, said, copy["why"]))
    assert not wrong
    assert {"committed", "aborted", "open", "control", "plain", "not here"} <= words


def test_the_marker_that_let_a_record_through_is_that_of_the_raw_files(answers, logs):
    seen = 0
    for (name, topic, partition, replica, offset), copy in answers.items():
        if copy["outcome"] not in {"committed", "plain"} or not copy["visible"]["read_committed"]:
            continue
        seen += 1
        log = logs[name][topic, partition, replica]
        assert copy["visible"]["since_offset"] == log.let_through(offset), (name, topic, partition, replica, offset)
    assert seen > 100


def printed_of_thinned(folder):
    """Of each batch with fewer records than offsets, by its partition: the offsets, and those that a dump prints."""
    out = {}
    for path in sorted(folder.glob("broker-*/*/*.log*.txt")):
        offsets, key = range(0), None
        for line in path.read_text("utf-8", "surrogateescape").splitlines():
            batch, record = THINNED.match(line), re.match(r"\| offset: (\d+) ", line)
            if record is None:
                key = None
            if batch is not None and int(batch[3]) <= int(batch[2]) - int(batch[1]) and batch[4] == "false":
                offsets, topic = range(int(batch[1]), int(batch[2]) + 1), path.parent.name.rpartition("-")
                key = topic[0], int(topic[2]), offsets
                out.setdefault(key, set())
            elif record is not None and key is not None:
                out[key].add(int(record[1]))
    return out


@pytest.mark.parametrize("form", ["dumps", "logdir"])
def test_of_a_batch_that_the_cleaner_thinned_each_record_is_told_apart(form, ask, folders):
    """By what the dumps print of each batch, which the log dir of the same cluster holds, too."""
    truth = printed_of_thinned(folders["S15_clean_compaction/dumps"])
    assert len(truth) > 8
    assert {bool(left) for left in truth.values()} == {True, False}
    seen = set()
    for (topic, partition, offsets), left in truth.items():
        for offset in offsets:
            copy = who(ask(f"S15_clean_compaction/{form}"), Spot(topic, partition, offset=offset))["copies"][0]
            kept = "the cleaner left" in copy["why"]
            assert kept == (offset in left), (topic, partition, offset, copy["why"])
            assert kept != ("the cleaner took the record itself" in copy["why"])
            assert kept or copy["visible"]["read_committed"] is False
            seen.add((kept, copy["visible"]["read_committed"]))
    assert {(True, True), (False, False)} <= seen


def test_where_no_file_prints_records_a_thinned_batch_says_that_the_record_may_be_gone(spark, folders, tmp_path):
    """The same dumps without the lines of data records; those of markers stay."""
    folder = tmp_path / "dumps"
    shutil.copytree(folders["S15_clean_compaction/dumps"], folder)
    for path in folder.glob("broker-*/user-profiles-*/*.log*.txt"):
        lines = path.read_text("utf-8").splitlines(keepends=True)
        path.write_text("".join(line for line in lines if line[0] != "|" or "endTxnMarker" in line), "utf-8")
    case = Case(spark, str(tmp_path / "case"))
    ingest(case, [scan_capture(CaptureRequest((str(folder),), "flat"))])
    analyze(case, ["flat"], Config())
    copy = who(asking(tables_of_folder(case.location), "flat", case.location), Spot("user-profiles", 0, offset=136))
    told = copy["copies"][0]
    assert told["outcome"] == "committed"
    assert told["why"].endswith("the cleaner left 1 of the 3 records of its batch, perhaps not this one")
    assert told["visible"]["read_committed"] is None
    assert told["visible"]["why"].endswith(", if the cleaner left it")


def test_a_record_is_visible_between_the_brokers_start_and_last_stable_offset(answers, folders, logs):
    """By the answers of the brokers themselves (oracle/offsets.json), which are no input of the case.

    Records of batches that the cleaner thinned have a test of their own.
    """
    seen = 0
    for (name, topic, partition, replica, offset), copy in answers.items():
        oracle = folders[name].parent / "oracle" / "offsets.json"
        told = json.loads(oracle.read_text()).get(f"{topic}-{partition}") if oracle.exists() else None
        if not copy["judged"] or not isinstance(told, dict) or told.get("lso") is None:
            continue
        batch = logs[name][topic, partition, replica].at(offset)
        if copy["outcome"] in {"committed", "plain"} and not batch.thinned:
            seen += 1
            inside = (told.get("start") or 0) <= offset < told["lso"]
            assert copy["visible"]["read_committed"] == inside, (name, topic, partition, offset)
    assert seen > 80


@pytest.mark.parametrize("name", GIVEN)
def test_read_committed_is_given_what_a_real_consumer_was_given(name, ask, folders, logs):
    """Every record of the partitions that a real consumer with read_committed read to the end."""
    rows = json.loads((folders[f"{name}/dumps"].parent / "oracle" / "consumed.read_committed.json").read_text())
    asked = ask(f"{name}/dumps")
    for place, given in sorted(rows.items()):
        topic, _, partition = place.rpartition("-")
        held = max(
            (log for (of, at, _), log in logs[f"{name}/dumps"].items() if (of, at) == (topic, int(partition))),
            key=lambda log: log.end,
        )
        offsets = [batch.last for batch in held.batches if not batch.control][-30:]
        told = {offset: who(asked, Spot(topic, int(partition), offset=offset))["copies"][0] for offset in offsets}
        seen = {offset for offset, copy in told.items() if "visible" in copy and copy["visible"]["read_committed"]}
        assert seen == {row[0] for row in given} & set(offsets), place
