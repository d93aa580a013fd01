"""One word for what to do: each finding's, in each of its branches, against its summary and its steps, and in every format."""

import json
import re
import sys
from pathlib import Path
from typing import get_args

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from plans import VERSIONS, document_of
from test_contract import finding_of, smallest

from analyzer.detectors.registry import ALL
from analyzer.kafka.timeouts import NO_TIMEOUT_MS
from analyzer.kafka.topics import OFFSETS_TOPIC, STATE_TOPIC
from analyzer.report.actions.plan import plan
from analyzer.report.rendering import render
from analyzer.tables.action_words import DANGER, ActionWord, Impact

HERE = Path(__file__).parent
OLDER = {"see below", "cannot tell"}
"""Words for documents that have none."""

ORPHAN = {"topic": STATE_TOPIC, "served": False, "counts_confidence": "certain", "open_count": 1, "open_topic": "orders",
          "open_partition": 4, "open_first": 70, "open_data": "orders-4"}  # fmt: skip
EXPANDED = {"old_count": 50, "new_count": 150, "topic": STATE_TOPIC, "how": "two", "new_exact": True}
OWN = {"own_decision": "ABORT", "own_decided_ms": 5, "previous_marker": None}

BRANCHES = (
    ("TXN001", {"state_sound": True}, "ask the owner"),
    ("TXN001", {"state_sound": True, "first_offset": None, "last_offset": None}, "ask the owner"),
    ("TXN001", {"state_sound": False}, "check first"),
    ("TXN002", {"decision": "ABORT"}, "abort"),
    ("TXN002", {"decision": "COMMIT"}, "do not abort yet"),
    ("TXN002", {"decision": "ABORT", "idle_until_ms": 8}, "do not abort yet"),
    ("TXN003", {"latest_decision": "ABORT"}, "abort"),
    ("TXN003", {"latest_decision": "COMMIT"}, "do not abort yet"),
    ("TXN003", {"latest_decision": None}, "do not abort yet"),
    ("TXN004", {"completed_ms": 8}, "do not abort yet"),
    ("TXN004", {"completed_ms": None}, "bring back leader"),
    ("TXN005", {"completed_ms": 8}, "abort"),
    ("TXN005", {"completed_ms": None}, "bring back leader"),
    ("TXN006", {"decision": "COMMIT"}, "bring back leader"),
    ("TXN006", {"decision": "ABORT", "topic": STATE_TOPIC}, "bring back leader"),
    ("TXN007", {"stage": "precursor", "decision": None, "marker_offset": 9}, "notify consumers"),
    ("TXN007", {"stage": "done", "broker_open": True, "decision": "ABORT", "gap_certain": True, "marker_offset": None},
     "abort"),
    ("TXN007", {"stage": "done", "broker_open": True, "decision": "ABORT", "marker_offset": None}, "check first"),
    ("TXN007", {"stage": "done", "broker_open": True, "decision": None, "marker_offset": None}, "fetch files first"),
    ("TXN007", {"stage": "done", "broker_open": False, "decision": "ABORT", "marker_offset": None}, "upgrade brokers"),
    ("TXN007", {"stage": "done", "broker_open": False, "decision": "ABORT", "marker_offset": 9}, "upgrade brokers"),
    ("TXN008", {"closer": "open", "decision": "COMMIT"}, "do not abort yet"),
    ("TXN008", {"closer": "open", "decision": "ABORT"}, "abort"),
    ("TXN008", {"closer": "later", "decision": "COMMIT", "marker": "ABORT"}, "notify the producer"),
    ("TXN008", {"closer": "later", "decision": "ABORT", "marker": "COMMIT"}, "notify consumers"),
    ("TXN008", {"closer": "later", "decision": "ABORT", "marker": "ABORT"}, "nothing to do here"),
    ("TXN009", {"told": True, "running": False}, "abort"),
    ("TXN009", {"told": True, "running": True, "timeout_at": 3, "captured_at": 7}, "ask the owner"),
    ("TXN009", {"told": True, "running": True, "timeout_at": 3, "captured_at": 7, "disputed": True}, "ask the owner"),
    ("TXN009", {"told": True, "running": True, "endless": True, "captured_at": 7}, "ask the owner"),
    ("TXN009", {"told": True, "running": True, "timeout_at": 9, "captured_at": 7}, "wait"),
    ("TXN009", {"told": True, "disputed": True}, "check first"),
    ("TXN009", {"told": False}, "fetch files first"),
    ("TXN010", {"closer": "open", "elsewhere": "orders-1", "elsewhere_offset": 3}, "do not abort yet"),
    ("TXN010", {"closer": "later", "decision": "COMMIT", "marker": "ABORT"}, "notify the producer"),
    ("TXN010", {"closer": "unmatched", "decision": "ABORT", "marker": "COMMIT"}, "notify consumers"),
    ("TXN011", {"decision": "COMMIT"}, "notify consumers"),
    ("TXN011", {"decision": "COMMIT", "proven_last": 5}, "notify consumers"),
    ("TXN011", {"decision": "ABORT"}, "notify the producer"),
    ("TXN011", {"decision": None}, "wait"),
    ("TXN011", OWN | {"decision": "COMMIT"}, "notify consumers"),
    ("TXN011", OWN | {"decision": "ABORT"}, "nothing to do here"),
    ("TXN011", OWN | {"decision": "ABORT", "own_decision": "COMMIT"}, "notify the producer"),
    ("TXN012", {}, "see its findings"),
    ("TXN013", {"rest_kind": "ended", "rest_state": "CompleteAbort", "decision": "ABORT"}, "abort"),
    ("TXN013", {"rest_kind": "moved", "rest_state": "Ongoing", "rest_producer_id": 8, "decision": None},
     "do not abort yet"),
    ("TXN013", {"rest_kind": None, "decision": None}, "do not abort yet"),
    ("TXN014", {}, "see its findings"),
    ("TXN015", {}, "notify the producer"),
    ("TXN015", {"way": 1}, "rescue records first"),
    ("TXN007", {"way": 1}, "rebuild the replica"),
    ("PID001", {"is_open": True}, "do not abort yet"),
    ("PID001", {"is_open": False}, "new transactional.id"),
    ("PID002", {}, "new transactional.id"),
    ("PID003", {}, "compare replicas"),
    ("PID004", {}, "new transactional.id"),
    ("GRP001", {"proof": "overlap"}, "stop all but one"),
    ("GRP002", {"topic": OFFSETS_TOPIC, "standing": "in_flight"}, "wait"),
    ("GRP002", {"topic": OFFSETS_TOPIC, "standing": "in_flight", "timeout_ms": NO_TIMEOUT_MS}, "ask the owner"),
    ("GRP002", {"topic": OFFSETS_TOPIC, "standing": "completing"}, "wait"),
    ("GRP002", {"topic": OFFSETS_TOPIC, "standing": "hanging_late_write"}, "see its findings"),
    ("GRP002", {"topic": OFFSETS_TOPIC, "standing": "undecided"}, "check first"),
    ("LOG001", {}, "copy files first"),
    ("LOG002", {"damage": "wrong_crc"}, "copy segment again"),
    ("ORD001", {}, "read again in order"),
    ("TXN009", {"told": False, "aged": True}, "fetch files first"),
    ("TXN009", {"told": False, "aged": False}, "fetch files first"),
    ("ORD002", {}, "restart the producer"),
    ("ORD003", {}, "pause partitions"),
    ("RTE001", {"topic": OFFSETS_TOPIC, "group": "agg"}, "set group position"),
    ("RTE001", {"topic": STATE_TOPIC, "state": "CompleteCommit"}, "leave it"),
    ("RTE001", {"topic": STATE_TOPIC, "state": "Ongoing", "orphaned": False}, "do not restart yet"),
    ("RTE001", {"topic": STATE_TOPIC, "state": "Ongoing", "orphaned": True}, "see its findings"),
    ("RTE002", {"topic": STATE_TOPIC}, "keep the new copy"),
    ("RTE002", {"topic": OFFSETS_TOPIC, "group": "agg"}, "keep the new copy"),
    ("RTE003", EXPANDED, "do not restart yet"),
    ("RTE003", EXPANDED | {"how": "unused"}, "do not restart yet"),
    ("RTE003", EXPANDED | {"leaders_by_new": True}, "end the orphans"),
    ("RTE003", EXPANDED | {"topic": OFFSETS_TOPIC}, "do not restart yet"),
    ("RTE003", EXPANDED | {"topic": OFFSETS_TOPIC, "leaders_by_new": True}, "set group position"),
    ("RTE004", ORPHAN | {"state": "Ongoing"}, "ask the owner"),
    ("RTE004", ORPHAN | {"state": "Ongoing", "counts_confidence": "possible"}, "check first"),
    ("RTE004", ORPHAN | {"state": "PrepareAbort"}, "restart the leader"),
    ("RTE004", ORPHAN | {"state": "PrepareCommit"}, "do not abort yet"),
    ("RTE004", ORPHAN | {"state": "Ongoing", "open_count": 0}, "leave it"),
    ("RTE004", ORPHAN | {"state": "Ongoing", "served": None}, "fetch files first"),
)  # fmt: skip
"""Each finding and each branch of it: what it is given, and its word."""

SUMMARIES = {
    "rescue records first": "RESCUE RECORDS FIRST",
    "do not abort yet": "DO NOT ABORT YET", "do not restart yet": "DO NOT RESTART YET",
    "copy files first": r"COPY THE FILES of .* FIRST", "check first": "CHECK FIRST",
    "restart the leader": "RESTART THE LEADER", "abort": "ABORT IT",
    "ask the owner": "ASK ITS OWNER", "end the orphans": "END THE ORPHANS",
    "bring back leader": r"BRING BACK THE LEADER .* DO NOT ABORT", "notify consumers": "NOTIFY THE CONSUMERS' OWNERS",
    "notify the producer": "NOTIFY THE PRODUCER'S OWNERS",
    "new transactional.id": r"GIVE (THE APPLICATION|BOTH APPLICATIONS) A NEW transactional\.id", "stop all but one": "STOP ALL BUT ONE",
    "pause partitions": "PAUSE .* FOR THE GROUP", "read again in order": "READ AGAIN IN ORDER",
    "restart the producer": "RESTART THE PRODUCER", "upgrade brokers": "UPGRADE THE BROKERS FIRST",
    "rebuild the replica": "REBUILD THE REPLICA",
    "copy segment again": "COPY THE SEGMENT AGAIN", "compare replicas": "COMPARE THE REPLICAS",
    "set group position": "SET THE GROUP'S POSITION", "keep the new copy": "KEEP THE NEW COPY",
    "see its findings": "SEE ITS FINDINGS", "wait": "WAIT", "fetch files first": "FETCH FILES FIRST",
    "leave it": "LEAVE IT", "nothing to do here": "NOTHING TO DO HERE",
}  # fmt: skip
"""How a summary with this word begins."""
BY_HAND = {"abort", "do not abort yet", "check first", "restart the leader", "ask the owner"}
"""Words of plans that may end with an abort by hand."""
RUNBOOK = {"end the orphans", "do not restart yet"}


def named(code, given):
    return "-".join([code, *(f"{name}={value}" for name, value in given.items() if name not in ORPHAN)])


def finding(code, given):
    detector = next(one for one in ALL if one.code == code)
    return finding_of(detector, smallest(detector, **given))


SURE = (
    # without the coordinator's records nobody knows whether it runs: its age alone tells, up to any timeout
    ({"told": True, "running": False}, "certain", None), ({"told": False, "aged": True}, "likely", None),
    ({"told": False, "aged": False}, "possible", "warning"), ({"told": True, "disputed": True}, "possible", "warning"),
)  # fmt: skip


@pytest.mark.parametrize(("given", "confidence", "severity"), SURE)
def test_how_sure_it_is_that_what_only_a_snapshot_has_hangs(given, confidence, severity):
    one = finding("TXN009", given)
    assert one["confidence"] == confidence
    assert one["severity"] == (severity or "critical")


EVERY = [pytest.param(finding(code, given), word, id=named(code, given)) for code, given, word in BRANCHES]


def plans_of(one):
    """The plan for every version of the brokers."""
    return [plan(one, document_of(one, version, "agg")) for version in VERSIONS.values()]


def ends_by_hand(step):
    return any(" abort " in (command.text or "") for command in step.commands)


def test_the_words_are_a_closed_list_that_fits_a_table():
    assert set(SUMMARIES) | OLDER == set(get_args(ActionWord)) == set(DANGER)
    assert max(map(len, DANGER)) <= 20
    assert {word for _, _, word in BRANCHES} == set(SUMMARIES)
    assert {code for code, _, _ in BRANCHES} == {detector.code for detector in ALL}


def test_the_schema_has_the_same_lists():
    schema = json.loads((HERE.parents[1] / "schemas" / "report.schema.json").read_text("utf-8"))["$defs"]
    assert schema["action"]["properties"]["word"]["enum"] == [*get_args(ActionWord), None]
    assert schema["readers"]["properties"]["impact"]["enum"] == [*get_args(Impact)]


@pytest.mark.parametrize(("one", "word"), EVERY)
def test_a_summary_begins_with_what_its_word_says(one, word):
    assert one["action"]["word"] == word
    assert re.match(SUMMARIES[word], one["action"]["summary"])
    others = [told for other, told in SUMMARIES.items() if other != word and re.match(told, one["action"]["summary"])]
    assert others == []


@pytest.mark.parametrize(("one", "word"), EVERY)
def test_the_first_deed_of_a_plan_is_what_the_word_says(one, word):
    for steps in plans_of(one):
        deeds = [step for step in steps if step.stage == "act"]
        by_hand = [step for step in deeds if ends_by_hand(step)]
        assert not by_hand or word in BY_HAND | RUNBOOK
        if word in {"abort", "check first"} and one["action"]["kind"] == "abort":
            assert deeds[:1] == by_hand[:1]
        if word == "ask the owner":
            assert not deeds or steps[0].text.startswith("ask the owner of")
            assert bool(deeds) == (one["action"]["kind"] == "abort")
        if word == "ask the owner" and deeds and one["code"] != "RTE004":
            assert deeds[0].text.startswith(
                "only if the owner's answer in step 1 allows it: have the coordinator abort"
            )
            assert all(step.text.startswith("last resort") for step in by_hand)
        if word == "restart the leader" or (
            word == "do not abort yet" and one["action"].get("state") == "PrepareCommit"
        ):
            assert deeds[0].text.startswith("restart that broker")
        if word == "rescue records first":
            assert [step.stage for step in steps][:3] == ["stop", "save", "save"]
        if word == "do not abort yet":
            saves = [number for number, step in enumerate(steps) if step.stage == "save"]
            assert by_hand
            assert saves
            assert saves[0] < min(steps.index(step) for step in by_hand)


@pytest.mark.parametrize(("one", "word"), EVERY)
def test_the_kind_goes_with_the_word(one, word):
    action = one["action"]
    assert (action["kind"] == "rescue") == (word == "rescue records first")
    assert (action["kind"] == "save_then_abort") == (word == "do not abort yet")
    assert (word == "abort") <= (action["kind"] == "abort")
    possible = any(sure["question"] == "it hangs" and sure["answer"] == "possible" for sure in one["certainty"])
    assert not possible or word != "abort", "what only possibly hangs is checked first"
    asks = any(sure["answer"] == "ask" for sure in one["certainty"])
    assert not asks or word in {"ask the owner", "check first"}, "what its owner may still commit is never just aborted"
    assert not asks or "ask its owner" in one["action"]["summary"].lower()


@pytest.mark.parametrize(("one", "word"), EVERY)
def test_what_readers_were_given_goes_with_the_word(one, word):
    impact = (one["readers"] or {}).get("impact")
    assert (word == "notify consumers") <= (impact == "wrong_data")
    assert (word == "notify the producer") <= (impact in {"lost_data", "wrong_data"})
    assert (impact == "key_order") == one["code"].startswith("ORD")
    hangs = word in BY_HAND | RUNBOOK | {"bring back leader", "wait"}
    assert not (hangs and impact) or one["code"] == "TXN007", "what hangs has reached no reader before it did"


@pytest.mark.parametrize("state", ["PrepareCommit", "PrepareAbort", "CompleteAbort", "Ongoing", None])
@pytest.mark.parametrize("code", ["TXN002", "TXN003", "TXN013"])
def test_an_id_whose_transaction_is_ending_is_not_fenced(code, state):
    given = {"decision": "ABORT", "latest_decision": "ABORT", "rest_kind": "moved", "rest_state": "Ongoing"}
    one = finding(code, given)
    document = document_of(one, "4.1.1", "agg")
    for opened in document["open_transactions"]:
        opened["id_state"] = state
    one["action"]["state"] = state
    steps = plan(one, document)
    offered = [step for step in steps if "forceTerminateTransaction" in str(step.commands)]
    assert bool(offered) == (state not in {"PrepareCommit", "PrepareAbort"})
    assert "CONCURRENT_TRANSACTIONS" in str([(step.commands, step.answers) for step in steps])


def test_foreign_records_are_not_produced_again_for_the_id():
    for steps in plans_of(finding("PID001", {"is_open": True})):
        texts = " ".join([step.text for step in steps])
        assert "produce the records" not in texts
        assert "would commit or abort these records" not in texts, "the id is fenced off and cannot end them"
        assert "new transactional.id" in next(step.text for step in steps if step.stage == "restore")


def test_an_id_that_went_on_is_not_said_to_run_nothing():
    one = finding("TXN013", {"rest_kind": "moved", "rest_state": "Ongoing", "rest_producer_id": 8, "rest_epoch": 0})
    told = " ".join([*(sure["because"] for sure in one["certainty"]), one["explanation"]])
    assert "no running transaction" not in told
    assert "producer 8, epoch 0 (Ongoing)" in told


def shown(one):
    """The document of a capture with only this finding."""
    document = json.loads((HERE / "documents" / "late_write.json").read_text("utf-8"))
    steps = [step | {"evidence": []} for step in one["steps"]]
    sure = [part | {"evidence": []} for part in one["certainty"]]
    told = one | {"steps": steps, "certainty": sure, "evidence": document["findings"][0]["evidence"][:1]}
    return document | {"findings": [told], "open_transactions": [], "incidents": []}


@pytest.mark.parametrize(("one", "word"), EVERY)
def test_every_format_shows_the_same_word(one, word):
    document = shown(one)
    if one["severity"] == "info":
        assert f"[1] {word} " in render(document, "text")
    else:
        text, page = render(document, "text"), render(document, "html")
        row = text[text.index(" ACTION ") :].splitlines()[1]
        assert re.search(f" {re.escape(word)}( [~?])? +(-|unknown|[0-9]+ rec)$", row)
        told = " ".join(text[text.index("\n[1]") :].split())
        assert " ".join(one["action"]["summary"].split()[:3]) in told
        assert f">{word}</td>" in page
        assert f">{word}</span>" in page
        told = render(document, "markdown").replace("\\", "")
        assert re.search(rf"\| {re.escape(word)}(;[^|]*)? \|", told)
    (line,) = [line for line in render(document, "concise").splitlines() if one["code"] in line]
    assert line.endswith(f", {word} [{one['id']}]")
    (written,) = json.loads(render(document, "json"))["findings"]
    assert written["action"]["word"] == word
