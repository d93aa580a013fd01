"""The runbook after an expansion of __transaction_state: its checks, restarts and sums."""

import json
import re
from pathlib import Path

from analyzer.report.actions.plan import plan


def expansion(word=None, **led):
    """The plan for the document of an expansion with state partitions 0, 1, ... led by these brokers, by the counts of their ids.

    `word`: that of the finding's action; documents of older versions have none.
    """
    document = json.loads((Path(__file__).parent / "documents" / "expansion.json").read_text("utf-8"))
    brokers = list(led.items())
    bounds = [
        {"topic": "__transaction_state", "partition": number, "replica": broker.removeprefix("b"), "authority": True}
        for number, (broker, _) in enumerate(brokers)
    ]
    places = [
        {"partition": number, "by_new_only": int(count == "new"), "by_old_only": int(count == "old")}
        for number, (_, count) in enumerate(brokers)
    ]
    others = [one for one in document["partitions"] if one["topic"] != "__transaction_state"]
    routing = {**document["routing"], "topics": [{"topic": "__transaction_state", "id_places": places}]}
    document |= {"partitions": [*others, *bounds], "routing": routing}
    for one in document["findings"]:
        if one["code"] == "RTE004" and one["action"]["kind"] == "abort":
            one["action"]["discards"] = 2
    head = next(one for one in document["findings"] if one["code"] == "RTE003")
    head["action"]["word"] = word
    return plan(head, document)


def test_the_runbook_tells_every_answer_of_every_check_and_what_must_hold_before_an_abort():
    steps = expansion(b0="new")
    checks = [step for step in steps if step.stage == "check"]
    assert checks
    assert all(any("no such row" in answer for answer in step.answers) for step in checks)
    assert all(any("another start offset" in answer for answer in step.answers) for step in checks)
    aborts = [step for step in steps if " abort " in str(step.commands)]
    assert len(aborts) == len(checks)
    assert all(
        re.match(r"only if step \d+ matched, step 3 is done and every broker uses the new count: ", one.text)
        for one in aborts
    )


def test_the_runbook_restarts_only_brokers_that_may_use_the_old_count():
    none = next(step for step in expansion(b0="new", b1="new") if step.text.startswith("restart no broker"))
    assert none.stage == "look"
    some = [step for step in expansion(b0="new", b1="old") if "restart every broker that may still use" in step.text]
    assert [step.stage for step in some] == ["act"]


def test_the_runbook_restarts_brokers_where_the_finding_says_that_a_restart_still_moves_ids():
    def told(word):
        steps = expansion(word, b0="new", b1="old")
        return {
            "restarts": any("restart every broker" in step.text for step in steps),
            "freezes": "no restart of a broker yet" in steps[0].text,
        }

    assert told("do not restart yet") == {"restarts": True, "freezes": True}
    assert told("end the orphans") == {"restarts": False, "freezes": False}


def test_the_runbook_sums_what_its_aborts_discard_and_names_what_it_leaves():
    steps = expansion(b0="new")
    save = next(step for step in steps if step.stage == "save")
    assert f"keep a copy of the {2 * len(save.commands)} records that" in save.text
    assert any("ask their owners first. Nothing was decided" in answer for answer in save.answers)
    idle = next(step for step in steps if "more orphaned state" in step.text)
    assert "PrepareCommit of order-svc-42" in idle.answers
    assert "RTE004: records that are left" in steps[-1].answers[0]
    assert not any("must be gone" in step.text for step in steps)
