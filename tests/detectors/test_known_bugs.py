"""Known bugs: each is reachable from its findings, is named where files speak for it, and not where something rules it out."""

import dataclasses
import itertools
import json
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fill_page import dumps_of
from judged_together import judged_together
from test_causes import NEW, PERIOD, cluster, setting
from test_contract import smallest

from analyzer.detectors.beside.known import known_bugs
from analyzer.detectors.beside.prevention import PREVENTION
from analyzer.detectors.causes import Cause, named
from analyzer.detectors.registry import ALL
from analyzer.detectors.running import findings
from analyzer.kafka.known_bugs import ALL as BUGS, BY_ISSUE, explaining
from analyzer.kafka.versions import brokers_of

DETECTORS = {one.code: one for one in ALL}
VARIANTS = ({}, {"topic": "__transaction_state"}, {"cleaned": True, "completed_ms": 9, "state": "Complete"},
            {"producer_epoch": 32767}, {"exhausted_id": "old", "exhausted_partition": 3})  # fmt: skip
OWNED = {"Kafka Streams", "Flink connector"}
"""Whose bugs are named where the owner of an id is known."""


def test_issues_are_unique_and_well_formed():
    assert len(BY_ISSUE) == len(BUGS)
    assert all(re.fullmatch(r"(?:KAFKA|FLINK)-\d{4,5}", bug.issue) for bug in BUGS)


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.issue)
def test_ranges_rise_and_have_one_release_a_branch(bug):
    assert list(bug.fixed) == sorted(set(bug.fixed))
    branches = [one[:2] for one in bug.fixed]
    assert len(set(branches)) == len(branches)
    assert all(len(one) == 3 for one in (bug.since, *bug.fixed))
    if bug.fixed:
        assert bug.since <= bug.fixed[-1]
        assert not bug.affects(bug.fixed[-1])


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.issue)
def test_every_entry_says_everything(bug):
    assert bug.mechanism.endswith(".")
    assert all(text and not text.endswith(".") for text in (bug.speaks, bug.against, bug.remedy))
    assert set(bug.findings) <= set(DETECTORS)
    assert bug.findings


def said(code: str, version: str | None, settings=()):
    """The known bugs of a detector's findings, over all its ways and evidences of every kind, on these brokers."""
    detector = DETECTORS[code]
    found = {}
    for number in range(len(detector.ways)):
        for given, decision in itertools.product(VARIANTS, ("COMMIT", "ABORT")):
            told = {"decision": decision, "latest_decision": decision} | given
            evidence = smallest(detector, way=number, **told)
            row = {"capture": "c", "code": code, "way": number, "evidence": json.dumps(dataclasses.asdict(evidence))}
            (finding,) = findings(ALL, [row], {"c": cluster(*settings, version=version, log=None)})
            found |= {bug["issue"]: bug["shown"] for bug in finding["known_bugs"]}
    return found


def with_it(bug) -> str | None:
    """A release that has the bug, None for a bug of clients or of no release."""
    releases = [(major, minor, patch) for major in (2, 3, 4) for minor in range(10) for patch in range(3)]
    found = [one for one in releases if bug.affects(one)]
    return ".".join(map(str, found[-1])) if found and bug.software == "brokers" else None


@pytest.mark.parametrize("bug", [bug for bug in BUGS if bug.software not in OWNED], ids=lambda bug: bug.issue)
def test_every_entry_is_reachable_from_each_of_its_findings(bug):
    settings = [setting(name, value, dated=False) for name, value in bug.only_with]
    for code in bug.findings:
        assert bug.issue in said(code, with_it(bug), settings), code


@pytest.mark.parametrize("bug", [one for one in BUGS if one.fixed and one.software == "brokers"],
                         ids=lambda bug: bug.issue)  # fmt: skip
def test_a_release_with_the_fix_is_not_told_of_it_as_its_own(bug):
    fixed = ".".join(map(str, bug.fixed[-1]))
    for code in bug.findings:
        if not DETECTORS[code].name.startswith("marker_"):
            assert bug.issue not in said(code, fixed) or bug.issue == "KAFKA-19999", code


def test_words_name_the_known_bugs_that_their_causes_carry_and_no_others():
    ways = [(detector, number) for detector in ALL for number in range(len(detector.ways))]
    for (detector, number), given in itertools.product(ways, VARIANTS):
        words = detector.ways[number].explain(smallest(detector, way=number, **given))
        for one in (*words.cause, words.otherwise, words.settled_by):
            told = re.findall(r"(?:KAFKA|FLINK)-\d+", one.text if isinstance(one, Cause) else one or "")
            assert set(told) == {bug.issue for bug in named([one])}, (detector.code, one)


def test_of_an_unknown_version_nothing_is_named_for_its_release():
    for detector in ALL:
        told = known_bugs(detector.code, [], cluster(version=None, log=None), None)
        assert all(BY_ISSUE[bug["issue"]].software == "Java producer" for bug in told)


def test_a_setting_that_the_controllers_log_shows_rules_a_bug_out():
    asked = ["KAFKA-15653"]
    switch = "transaction.partition.verification.enable"

    def told(value):
        known = cluster(NEW, setting(switch, value), version="3.6.0")
        return [bug["issue"] for bug in known_bugs("TXN003", [], known, PERIOD) if bug["issue"] in asked]

    assert told("true") == asked
    assert told("false") == []


def test_every_finding_has_something_that_prevents_it():
    assert set(PREVENTION) == set(DETECTORS)


POISON = "0 state old p9e32767 Ongoing orders-1 @0 t60000\n"
OTHERS = "1 state pay-1 p7e0 Ongoing orders-0 @100 t60000\n2 state pay-2 p8e0 Ongoing orders-2 @150 t60000"
DATA = {
    "orders-0": "0..1 data p7e0 s0 @200",
    "orders-1": "0..1 data p9e32767 s0 @50",
    "orders-2": "0..1 data p8e0 s0 @250",
}


def files(version: str, states: str, epoch: int = 32767) -> dict[str, str]:
    """The files of a capture of overdue transactions."""
    told = f'kafka_version = "{version}"\n' if version else ""
    texts = {"capture.toml": f"captured_at = 2026-01-01T10:10:00Z\n{told}[partition_counts]\n__transaction_state = 1\n"}
    logs = {"__transaction_state-0": states} | DATA
    return texts | dumps_of({name: history.replace("e32767", f"e{epoch}") for name, history in logs.items()})


CAPTURES = {
    "4.2.0": files("4.2.0", POISON + OTHERS),
    "4.3.0": files("4.3.0", POISON + OTHERS),
    "without it": files("4.2.0", POISON + OTHERS, epoch=5),
}


@judged_together
def overdue():
    return CAPTURES


def shown(document, code="TXN001"):
    return {
        finding["transactional_id"]: [bug["issue"] for bug in finding["known_bugs"] if bug["shown"]]
        for finding in document["findings"]
        if finding["code"] == code
    }


def test_an_id_at_the_last_epoch_explains_every_overdue_id_of_its_coordinator(overdue):
    document = overdue["4.2.0"]
    assert sorted(shown(document)) == ["old", "pay-1", "pay-2"]
    assert all("KAFKA-20090" in issues for issues in shown(document).values())
    assert len({finding["cause"][0] for finding in document["findings"]}) == 1
    assert len(document["incidents"]) == 1


@pytest.mark.parametrize("name", ["4.3.0", "without it"])
def test_a_release_with_the_fix_or_an_epoch_below_rules_it_out(overdue, name):
    assert len(shown(overdue[name])) == 3
    assert all("KAFKA-20090" not in issues for issues in shown(overdue[name]).values())


def commands(finding) -> str:
    return " ".join(one["command"] for step in finding["action"]["steps"] for one in step["commands"])


def test_the_plan_of_the_id_at_the_last_epoch_aborts_by_partition_and_asks_no_coordinator_to_end_it(overdue):
    found = {finding["transactional_id"]: finding for finding in overdue["4.2.0"]["findings"]}
    assert "forceTerminateTransaction" not in commands(found["old"])
    assert "kafka-transactions.sh" in commands(found["old"])
    assert " abort --topic orders --partition 1 " in commands(found["old"])
    assert "forceTerminateTransaction" in commands(found["pay-1"])
    fixed = {finding["transactional_id"]: finding for finding in overdue["4.3.0"]["findings"]}
    assert "forceTerminateTransaction" in commands(fixed["old"])


def test_explaining_is_by_code():
    assert {bug.issue for bug in explaining("PID004")} == {"KAFKA-20031"}
    assert brokers_of("4.2.0").version == (4, 2)
