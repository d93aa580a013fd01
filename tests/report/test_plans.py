"""Plans: check before act, the form that the brokers take, positions instead of records, and hostile names."""

import dataclasses
import json
import re
import shlex
import sys
from pathlib import Path

import jsonschema
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from plans import VERSIONS, document_of, plans
from test_contract import finding_of, smallest

from analyzer.detectors.registry import ALL
from analyzer.kafka import admin_tools
from analyzer.kafka.topics import OFFSETS_TOPIC
from analyzer.report.actions.plan import plan, with_plans
from analyzer.report.actions.reached import reached
from analyzer.report.actions.steps import steps_of
from analyzer.report.rendering import render, render_rows

HOSTILE = (
    "it's; rm -rf $HOME `id`", 'a"b\\c', "--help", "-h", "=ls", "~root", "a b", "*", "!!", "#x", "", "%1", "@file",
    "\u65e5\u672c \U0001f642", "$(id)", "a&b|c>d<e", "{a,b}", "x" * 300,
)  # fmt: skip
UNCARRIED = ("a\nb", "a\x1b[1m", "\u202eevil", "a\u200bb", "a\x00b", "a\rb")


def written(**named):
    return [
        (one, command.text) for one in plans(**named) for step in one.steps for command in step.commands if command.text
    ]


EVERY = list(plans())
SCHEMA = json.loads((Path(__file__).parents[2] / "schemas" / "report.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(
    {"$defs": SCHEMA["$defs"], "type": "array", "items": {"$ref": "#/$defs/plan_step"}}
)


def test_there_are_plans_for_every_kind_of_action():
    assert {one.kind for one in EVERY} == {"abort", "save_then_abort", "wait", "fetch", "none"}


@pytest.mark.parametrize("one", EVERY, ids=lambda one: f"{one.code}-{one.kind}-{one.topic}-{one.version}")
def test_a_check_comes_before_every_abort(one):
    stages = [step.stage for step in one.steps]
    aborts = [
        number for number, step in enumerate(one.steps) if any(" abort " in (c.text or "") for c in step.commands)
    ]
    assert all("check" in stages[:number] for number in aborts)
    assert all(one.steps[number].stage == "act" for number in aborts)
    assert all(step.expect for step in one.steps if step.stage == "act" and " abort " in str(step.commands))
    for number in aborts:
        told = one.steps[number].text.removeprefix("last resort, ")
        named = re.match(r"only if steps? ([\d, and]+?)(?: both| all)? matched", told)
        checks = [int(digits) for digits in re.findall(r"\d+", named[1])]
        assert all(one.steps[check - 1].stage == "check" for check in checks)
        between = [step.stage for step in one.steps[checks[0] - 1 : number]]
        assert between == ["check"] * len(checks), "the checks that count come after every deed, and all count"


@pytest.mark.parametrize("one", EVERY, ids=lambda one: f"{one.code}-{one.kind}-{one.topic}-{one.version}")
def test_a_check_says_what_every_other_answer_means(one):
    for step in one.steps:
        texts = " ".join(command.text for command in step.commands)
        told = " ".join(step.answers)
        if step.stage == "check" and "describe-producers" in texts:
            assert "no such row" in told
            assert "another start offset" in told
        if "describe --transactional-id" in texts and step.stage == "check":
            assert "TransactionState" in step.expect
            assert "TransactionalIdNotFoundException" in told
            assert "in TopicPartitions" in f"{told} {step.expect}"
            assert all(state in f"{told} {step.expect}" for state in ("Empty", "CompleteAbort"))
        assert "\0" not in f"{step.text}{told}{step.expect}"


@pytest.mark.parametrize(
    "one", [one for one in EVERY if one.kind == "save_then_abort"], ids=lambda one: f"{one.code}-{one.topic}"
)
def test_what_must_be_saved_is_a_condition_of_the_abort(one):
    aborts = [step for step in one.steps if " abort " in str(step.commands)]
    saves = [number for number, step in enumerate(one.steps, 1) if step.stage == "save"]
    assert aborts
    for step in aborts:
        condition = step.text.partition(": abort it")[0]
        records = f"the owner of the records accepts what step {saves[-1]} saved" in condition
        groups = f"of step {saves[-1]} are noted" in condition and "owner of the groups agrees" in condition
        assert records or groups
    offsets = one.finding["topic"] == OFFSETS_TOPIC
    stopped = [number for number, step in enumerate(one.steps) if "--state" in str(step.commands)]
    if offsets and aborts:
        assert stopped
        assert stopped[0] < one.steps.index(aborts[0])
        assert f"step {stopped[0] + 1} found no member" in aborts[0].text
        note = one.steps[saves[-1] - 1]
        assert any("pending 9" in answer for answer in note.answers)


@pytest.mark.parametrize("one", EVERY, ids=lambda one: f"{one.code}-{one.kind}-{one.topic}-{one.version}")
def test_the_version_decides_the_form(one):
    texts = [command for step in one.steps for command in step.commands]
    by_offset = [command for command in texts if " --start-offset " in command.text]
    by_values = [command for command in texts if " --producer-id " in command.text]
    asks = [command for command in texts if "describe-producers" in command.text]
    forced = [command for command in texts if "forceTerminateTransaction" in command.text]
    if one.version == "before 2.8":
        assert not by_offset
        assert not asks
    if one.version in {"3.x", "3.9", "4.x", "4.2"}:
        assert not by_values
        assert not any(command.only.startswith("brokers") for command in texts)
    if one.version == "unknown":
        assert len(by_offset) == len(by_values)
        assert all(command.only for command in (*by_offset, *by_values))
    assert not forced or one.version in {"4.x", "4.2", "unknown"}
    assert all("--producer-epoch 3 --coordinator-epoch 5" in command.text for command in by_values)
    printing = [command.text for command in texts if command.text.startswith("kafka-console-consumer.sh ")]
    new = ["--formatter-property" in text for text in printing]
    assert not printing or set(new) == {"4.2": {True}, "unknown": {True, False}}.get(one.version, {False})


@pytest.mark.parametrize(
    "one", [one for one in EVERY if one.topic == "offsets"], ids=lambda one: f"{one.code}-{one.kind}"
)
def test_positions_are_never_produced_again(one):
    if one.finding["topic"] != OFFSETS_TOPIC:
        return
    texts = [command.text for step in one.steps for command in step.commands]
    assert not any(words in text for text in texts for words in ("rescue", "console-consumer"))
    assert not any("records.jsonl" in step.text for step in one.steps)
    resets = [text for text in texts if "--reset-offsets" in text]
    dry = [number for number, text in enumerate(resets) if text.endswith("--dry-run")]
    assert dry == list(range(len(dry)))
    assert [text.replace("--execute", "--dry-run") for text in resets[len(dry) :]] == resets[: len(dry)]
    assert all("clicks:0 --to-offset 9" in text for text in resets), "a group that is past the position keeps its own"
    assert bool(resets) == (one.kind == "save_then_abort")


@pytest.mark.parametrize(
    "one", [one for one in EVERY if one.topic == "offsets" and one.kind == "abort"], ids=lambda one: one.code
)
def test_consumers_without_a_position_stand_still_while_an_abort_frees_their_partition(one):
    document = document_of(one.finding, "3.5.2", "agg")
    for position in document["pending_positions"]:
        position["committed"] = None
    steps = plan(one.finding, document)
    stopped = next(number for number, step in enumerate(steps, 1) if "--state" in str(step.commands))
    abort = next(number for number, step in enumerate(steps, 1) if " abort " in str(step.commands))
    assert stopped < abort
    assert f"step {stopped} found no member" in steps[abort - 1].text
    assert any("no committed position for clicks-0, clicks-1" in answer for answer in steps[stopped - 1].answers)
    assert steps[-1].stage == "restore"
    assert steps[stopped - 1].text.endswith(f"keep them stopped until step {len(steps)}")
    assert "Set where to begin instead (agg: clicks-0, clicks-1)" in steps[-1].text


ENDS = {(one.code, one.topic): one.finding for one in EVERY if one.kind in {"abort", "save_then_abort"}}


@pytest.mark.parametrize("finding", ENDS.values(), ids=lambda one: f"{one['code']}-{one['topic']}")
def test_what_ends_a_transaction_says_how_sure_it_is_that_it_hangs_why_and_that_an_abort_is_safe(finding):
    parts = finding["certainty"]
    assert [one["question"] for one in parts] == ["it hangs", "why", "an abort is safe"]
    assert {one["answer"] for one in parts[:2]} <= {"certain", "likely", "possible"}
    assert parts[2]["answer"] in ({"yes", "ask"} if finding["action"]["kind"] == "abort" else {"no"})
    assert all(one["because"] for one in parts)


def orphan(state):
    known = {"topic": "__transaction_state", "partition": 4, "state": state, "served": False, "open_count": 2}
    detector = next(one for one in ALL if one.code == "RTE004")
    finding = finding_of(
        detector, smallest(detector, "pay-1", **known, open_topic="orders", open_partition=4, open_first=70)
    )
    document = document_of(finding, "3.9.1", "agg")
    other = document["open_transactions"][0] | {"producer_id": 99, "first_offset": 90, "last_offset": 91}
    return finding, document | {"open_transactions": [*document["open_transactions"], other]}


@pytest.mark.parametrize(
    ("state", "kind", "stages"),
    [
        ("Ongoing", "abort", ["look", "stop", "save", "check", "act", "verify"]),
        ("PrepareAbort", "abort", ["stop", "save", "look", "act", "check", "act", "verify"]),
        ("PrepareCommit", "save_then_abort", ["stop", "save", "look", "act", "check", "act", "verify", "restore"]),
    ],
)
def test_a_decided_orphan_has_its_markers_sent_again_before_anything_is_aborted(state, kind, stages):
    finding, document = orphan(state)
    steps = plan(finding, {**document, "open_transactions": document["open_transactions"][:1]})
    assert (finding["action"]["kind"], [one.stage for one in steps]) == (kind, stages)
    assert not any(
        "forceTerminate" in c.text or "describe --transactional-id" in c.text for s in steps for c in s.commands
    )
    texts = " ".join(one.text for one in steps)
    assert ("sends the COMMIT markers again" in texts) == (state == "PrepareCommit")
    assert ("last resort" in steps[-3].text) == (state == "PrepareCommit")


def late_write(**row):
    detector = next(one for one in ALL if one.code == "TXN002")
    finding = finding_of(detector, smallest(detector, "pay-1", first_offset=70, last_offset=72))
    document = document_of(finding, "3.9.1", "agg")
    return finding, document | {"open_transactions": [document["open_transactions"][0] | row]}


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("CompleteCommit", "TransactionState CompleteCommit; "),
        ("CompleteAbort", "TransactionState CompleteAbort; "),
        ("Empty", "TransactionState Empty; "),
        ("Ongoing", "whatever the TransactionState"),
        ("tombstone", "TransactionalIdNotFoundException"),
    ],
)
def test_the_coordinator_is_expected_to_say_what_its_newest_record_says(state, expected):
    finding, document = late_write(id_state=state)
    step = next(one for one in plan(finding, document) if "describe --transactional-id" in str(one.commands))
    assert expected in step.expect
    told = with_plans({**document, "findings": [finding]})["findings"][0]["action"]
    assert told["state"] == state


def test_data_that_has_left_the_log_leaves_the_stable_offset_at_its_start():
    finding, document = late_write()
    bounds = {"topic": finding["topic"], "partition": finding["partition"], "authority": True, "log_start_offset": 605,
              "log_end_offset": 640}  # fmt: skip
    other = document["open_transactions"][0] | {"producer_id": 99, "first_offset": 104, "transactional_id": "pay-9"}
    both = {**document, "partitions": [bounds], "open_transactions": [*document["open_transactions"], other]}
    verified = [one.text for one in plan(finding, both) if one.stage == "verify"]
    assert verified[0].endswith("stays at 605, the start of the log: a transaction of pay-9 is still open from 104")
    verified = [one.text for one in plan(finding, {**document, "partitions": [bounds]}) if one.stage == "verify"]
    assert verified[0].endswith("moves from 605 to the high watermark (641 or later)")


def test_what_runs_is_not_expected_to_be_there_after_the_producers_were_stopped():
    finding, document = late_write()
    other = document["open_transactions"][0] | {"producer_id": 99, "first_offset": 90, "verdict": "in_flight"}
    both = {**document, "open_transactions": [*document["open_transactions"], other]}
    (verified,) = (one.text for one in plan(finding, both) if one.stage == "verify")
    assert "moves to 90, or further if the transaction of pay-1 that was running there has ended" in verified


def test_what_the_coordinator_can_end_is_looked_at_again_before_an_abort_by_hand():
    detector = next(one for one in ALL if one.code == "TXN001")
    finding = finding_of(detector, smallest(detector, "pay-1", first_offset=70, last_offset=72, state_sound=True))
    steps = plan(finding, document_of(finding, "3.9.1", "agg"))
    stages = [step.stage for step in steps if step.stage in {"check", "act"}]
    assert stages == ["check", "check", "act", "check", "act"]
    assert "Ongoing" in next(step.expect for step in steps if "--transactional-id" in str(step.commands))
    assert steps[5].stage == "check"
    told = "last resort, only if step 6 matched, the owner's answer in step 1 allows it and its producer is stopped: "
    assert steps[6].text.startswith(told)


def test_a_step_knows_what_the_steps_before_it_have_ended():
    finding, document = orphan("Ongoing")
    first, second = (one.text for one in plan(finding, document) if one.stage == "verify")
    assert "moves to 90, where a transaction of pay-1 is open" in first
    assert "moves on" in second


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_id_is_one_word(name):
    found = 0
    for _, text in written(owner=name, group=name):
        assert text.isprintable()
        words = shlex.split(text)
        for option in ("--transactional-id", "--transactionalId", "--group"):
            given = [word for word in words if word == option or word.startswith(f"{option}=")]
            for word in given:
                value = word.partition("=")[2] if "=" in word else words[words.index(word) + 1]
                assert value == name
                found += 1
    assert found


@pytest.mark.parametrize("names", [{}, {"owner": UNCARRIED[0], "group": UNCARRIED[1]}], ids=["plain", "not carried"])
def test_a_document_has_the_whole_plan(names):
    for one in plans(**names):
        document = document_of(one.finding, VERSIONS[one.version], names.get("group", "agg"))
        (finding,) = with_plans(document)["findings"]
        VALIDATOR.validate(finding["action"]["steps"])
        assert list(map(_without_order, steps_of(finding))) == list(map(_without_order, one.steps))


def _without_order(step):
    """What cannot be carried stands behind the commands that can."""
    return dataclasses.replace(step, commands=tuple(sorted(step.commands, key=lambda one: one.text is None)))


@pytest.mark.parametrize(
    ("steps", "said"),
    [([{"stage": "look", "text": "wait for the moon", "commands": [], "answers": []}], "1 wait for the moon"),
     (None, "No steps")],
    ids=["of another program", "of an older program"],
)  # fmt: skip
def test_a_report_prints_the_plan_of_its_document_and_makes_none(steps, said):
    document = json.loads((Path(__file__).parent / "documents" / "late_write.json").read_text("utf-8"))
    for one in document["findings"]:
        one["action"]["steps"] = steps
    for row in ("1", "2", "3"):
        told = render_rows(document, [row], "plan", "text")
        assert said in told
        assert "$BOOTSTRAP" not in told
    assert "$BOOTSTRAP" not in render(document, "text", full=True)


def test_a_command_of_a_plan_goes_the_way_of_its_document():
    document = json.loads((Path(__file__).parent / "documents" / "late_write.json").read_text("utf-8"))
    document["reach"] = {"bootstrap": "h:9092", "source": "options"}
    told = render_rows(reached(document), ["1"], "plan", "text")
    assert "--bootstrap-server h:9092" in told
    assert "$BOOTSTRAP" not in told


def test_bytes_that_are_no_text_are_not_passed():
    assert admin_tools.describe_id("\udc80") is None


@pytest.mark.parametrize("name", UNCARRIED)
def test_a_name_that_a_shell_cannot_carry_gets_no_command(name):
    for _, text in written(owner=name, group=name):
        assert text.isprintable()
        assert not any(option in text for option in ("--transactional-id", "--transactionalId", "--group"))


@pytest.mark.parametrize("name", [*(one for one in HOSTILE if not one.startswith("-")), *UNCARRIED, ".", ".."])
def test_what_cannot_be_a_topic_gets_no_command(name):
    assert admin_tools.place(name, 0) is None
    assert not [text for one, text in written(data=name) if one.topic == "data" and "--topic" in text and "rescue" not in text
                and one.finding["topic"] == name]  # fmt: skip
