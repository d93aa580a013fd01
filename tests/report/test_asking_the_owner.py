"""TXN001's answer to "is an abort safe" in each of its branches, and that nobody is fenced before the owner was asked."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from plans import VERSIONS, document_of
from test_contract import finding_of, smallest

from analyzer.detectors.registry import ALL
from analyzer.kafka.topics import OFFSETS_TOPIC
from analyzer.report.actions.plan import plan
from analyzer.report.triage.triage import triage

DETECTORS = {one.name: one for one in ALL}
FENCES = ("forceTerminateTransaction", "initTransactions", "fenceProducers")
SEEN = {"state_sound": True, "records": 3, "first_offset": 70, "last_offset": 72}
BRANCHES = {
    "in the log": SEEN,
    "offset commits": SEEN | {"topic": OFFSETS_TOPIC},
    "in a snapshot alone": SEEN | {"records": None},
    "no file of the partition": {"state_sound": True, "first_offset": None, "last_offset": None, "replica": "-"},
    "just over its timeout": SEEN | {"reached_ms": 8},
}


def overdue(**given):
    detector = DETECTORS["hanging_undecided"]
    known = {"reached_ms": 1_000_000, "deadline_ms": 7}
    return finding_of(detector, smallest(detector, "sink-0-7", **known | given))


def safe(finding):
    return next(one for one in finding["certainty"] if one["question"] == "an abort is safe")


@pytest.mark.parametrize("given", BRANCHES.values(), ids=BRANCHES)
def test_only_the_owner_knows_whether_an_abort_is_safe(given):
    finding = overdue(**given)
    assert safe(finding)["answer"] == "ask"
    assert "commits from a checkpoint (a Flink KafkaSink) or in two phases" in safe(finding)["because"]
    assert finding["action"]["kind"] == "abort"
    assert finding["action"]["summary"].startswith("ASK ITS OWNER FIRST")
    what = "these offset commits" if finding["topic"] == OFFSETS_TOPIC else "these records"
    assert f"loses {what}" in finding["action"]["warning"]


def test_a_state_file_that_may_lack_a_decision_makes_it_no():
    finding = overdue(**SEEN | {"state_sound": False})
    assert (safe(finding)["answer"], finding["action"]["kind"]) == ("no", "fetch")
    assert "DO NOT ABORT" in finding["action"]["summary"]
    assert "a COMMIT may be decided in what is missing" in finding["action"]["summary"]
    assert finding["settled_by"] == "a whole copy of __transaction_state-7"
    steps = plan(finding, document_of(finding, "4.1.1", "agg"))
    assert [step.stage for step in steps] == ["look"]
    assert not any(word in str(steps) for word in (*FENCES, " abort "))


@pytest.mark.parametrize("version", VERSIONS.values())
@pytest.mark.parametrize("given", BRANCHES.values(), ids=BRANCHES)
def test_nobody_is_fenced_before_the_owner_was_asked(given, version):
    finding = overdue(**given)
    steps = plan(finding, document_of(finding, version, "agg"))
    assert steps[0].text.startswith("ask the owner of sink-0-7")
    assert any("restart its job from the last checkpoint or savepoint" in answer for answer in steps[0].answers)
    assert steps[0].commands == ()
    ends = [step for step in steps if step.stage == "act"]
    assert ends
    assert all("the owner's answer in step 1 allows it" in step.text for step in ends)
    fencing = [number for number, step in enumerate(steps) if any(word in str(step) for word in FENCES)]
    assert fencing
    assert fencing[0] > 0
    assert all(steps[number].stage == "act" for number in fencing)


def test_the_table_of_actions_says_whom_to_ask():
    finding = overdue(**SEEN)
    (one,) = triage(document_of(finding, "4.1.1", "agg")).incidents
    assert one.action == "ask the owner"
    finding = overdue(**SEEN | {"state_sound": False})
    (one,) = triage(document_of(finding, "4.1.1", "agg")).incidents
    assert one.action == "check first"


def test_an_orphan_that_nothing_decided_is_asked_about_and_kept():
    detector = DETECTORS["orphan_state"]
    known = {"topic": "__transaction_state", "served": False, "open_count": 1, "open_topic": "orders",
             "open_partition": 4, "open_first": 70}  # fmt: skip
    finding = finding_of(detector, smallest(detector, "sink-0-7", state="Ongoing", **known))
    assert (safe(finding)["answer"], finding["action"]["kind"]) == ("ask", "abort")
    steps = plan(finding, document_of(finding, "4.1.1", "agg"))
    assert steps[0].text.startswith("ask the owner of sink-0-7")
    assert "a copy must be kept" in str(steps[0].answers)
    decided = finding_of(detector, smallest(detector, "sink-0-7", state="PrepareAbort", **known))
    assert safe(decided)["answer"] == "yes"
    assert not any("ask the owner" in step.text for step in plan(decided, document_of(decided, "4.1.1", "agg")))


def gone(**given):
    detector = DETECTORS["snapshot_only"]
    known = {"first_offset": 7, "last_offset": 9, "log_start_offset": 27, "log_end_offset": 30, "captured_at": 100}
    return finding_of(detector, smallest(detector, "sink-0-7", gone="below start", **known | given))


def test_data_that_is_gone_may_still_be_committed_elsewhere():
    finding = gone(running=True, told=True, timeout_at=50)
    assert (safe(finding)["answer"], finding["action"]["kind"]) == ("ask", "abort")
    steps = plan(finding, document_of(finding, "4.1.1", "agg"))
    assert steps[0].text.startswith("ask the owner of sink-0-7")
    assert safe(gone(told=True))["answer"] == "yes"
    assert safe(gone())["answer"] == "no"


def test_data_that_is_gone_of_a_transaction_without_a_timeout_is_its_owners():
    finding = gone(running=True, told=True, endless=True)
    assert (finding["severity"], finding["action"]["kind"]) == ("info", "wait")
    assert finding["action"]["summary"].startswith("ASK ITS OWNER")
    assert "without a timeout" in finding["explanation"]
