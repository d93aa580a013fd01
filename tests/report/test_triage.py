"""The table of actions and the first sentences: who holds what back, what waits and what is discarded, how sure it is."""

import json
import re
from pathlib import Path

from analyzer.pipeline.detecting import DetectorRun
from analyzer.report.assembling.assemble import verdict
from analyzer.report.document.parts import Parts
from analyzer.report.outline.causes import cause_sentence
from analyzer.report.outline.verdict import verdict_sentences
from analyzer.report.rendering import render
from analyzer.report.triage.triage import triage
from tests.report.screens import rows_of

HERE = Path(__file__).parent


def read(name):
    return json.loads((HERE / "documents" / f"{name}.json").read_text("utf-8"))


def two_in_one_place():
    """A document in which what may be aborted holds the LSO, and what may not be stands after it."""
    document = read("late_write")
    late = next(one for one in document["findings"] if one["action"]["kind"] == "abort")
    saved = next(one for one in document["findings"] if one["action"]["kind"] == "save_then_abort")
    place = {"topic": late["topic"], "partition": late["partition"], "replica": late["replica"]}
    after = late["last_offset"] + 5
    saved |= place | {"first_offset": after, "last_offset": after, "strip": late["strip"], "waiting": late["waiting"]}
    return {**document, "findings": [late, saved], "open_transactions": []}, late, saved


def test_what_waits_stands_in_the_row_of_the_transaction_that_holds_the_stable_offset():
    document, late, saved = two_in_one_place()
    rows = {row["ID"]: row for row in rows_of(document)}
    held, other = rows[late["transactional_id"]], rows[saved["transactional_id"]]
    place = f"{late['topic']}-{late['partition']}"
    assert held["OPEN AT"].startswith(f"{place} {late['strip']['lso']}")
    assert held["OPEN AT"].endswith("*")
    assert (held["ACTION"], held["WAITING"]) == ("abort", f"{late['waiting']['records']} rec")
    assert other["OPEN AT"] == f"{place} {saved['first_offset']}"
    assert (other["ACTION"], other["WAITING"], other["SINCE"]) == ("do not abort yet", "-", "-")


def test_a_hang_after_an_open_transaction_that_still_runs_names_who_holds_the_stable_offset():
    document, late, _ = two_in_one_place()
    first = late["first_offset"] - 4
    runs = {
        "topic": late["topic"], "partition": late["partition"], "replica": late["replica"], "authority": True,
        "producer_id": 4711, "producer_epoch": 0, "transactional_id": "sink-0", "first_offset": first,
        "last_offset": first, "verdict": "in_flight",
    }  # fmt: skip
    rows = {row["ID"]: row for row in rows_of(document | {"open_transactions": [runs]})}
    told = rows[late["transactional_id"]]
    assert (told["WAITING"], told["SINCE"]) == ("-", "-")
    assert "*" not in told["OPEN AT"]
    assert f"the LSO is held by sink-0 at {first} (in_flight)" in told["notes"]


def test_what_an_abort_discards_is_told_apart_from_what_waits():
    document, late, _ = two_in_one_place()
    late["action"]["discards"] = 3
    (held,) = (row for row in rows_of(document) if row["ID"] == late["transactional_id"])
    assert (held["WAITING"], held["DISCARDS"]) == (f"{late['waiting']['records']} rec", "3 rec")


def test_offsets_are_not_what_waits():
    document = read("late_write")
    (told,) = (row for row in rows_of(document) if row["ACTION"].startswith("notify consumers"))
    silent = next(one for one in document["findings"] if one["action"]["kind"] == "none")
    assert told["OPEN AT"].endswith(f" {silent['first_offset']}..{silent['last_offset']}")
    assert [told[name] for name in ("WAITING", "SINCE", "DECIDED", "DISCARDS")] == ["-"] * 4


def test_a_row_on_the_page_links_each_transaction_that_it_counts():
    document, late, saved = two_in_one_place()
    saved["action"]["kind"] = "abort"
    page = render(document, "html")
    table = page[page.index('<table class="actions') : page.index("</table>")]
    assert f'href="#{late["id"]}"' in table
    assert f'href="#{saved["id"]}"' in table


def test_what_only_possibly_hangs_is_not_to_be_aborted_at_once_in_a_document_without_words_either():
    document, late, _ = two_in_one_place()
    late["certainty"] = [{"question": "it hangs", "answer": "possible", "because": "replicas disagree", "evidence": []}]
    del late["action"]["word"]
    (one,) = (one for one in triage(document).incidents if one.finding["id"] == late["id"])
    assert one.action == "check first"


def test_groups_that_are_known_to_wait_do_not_hide_the_other_consumers():
    document, late, _ = two_in_one_place()
    late["waiting"] = late["waiting"] | {"groups": ["agg"]}
    told = verdict_sentences(document, triage(document))
    assert any("isolation.level=read_committed" in sentence for sentence in told)
    assert any(sentence.endswith("shows: agg.") for sentence in told)


def test_a_cause_is_told_no_surer_than_the_finding():
    possible = [{"question": "why", "answer": "possible", "because": "x", "evidence": []}]
    assert cause_sentence({"cause": ["a"], "alternatives": [], "certainty": []}) == "Cause: a"
    assert cause_sentence({"cause": ["a"], "alternatives": [], "certainty": possible}) == "Possible cause: a"
    some = {"cause": ["a", "or b", "c"], "alternatives": [1], "certainty": []}
    assert cause_sentence(some) == "Possible causes: a, or b"
    assert cause_sentence({"cause": ["a", "b", "or c"], "alternatives": [2], "certainty": []}) == "Cause: a"
    assert cause_sentence({"cause": ["a", "or b is no alternative"], "alternatives": [], "certainty": []}) == "Cause: a"


def test_of_an_older_document_no_cause_is_surer_than_another():
    assert cause_sentence({"cause": ["a", "or b", "c"], "certainty": []}) == "Possible causes: a, or b, or c"
    assert cause_sentence({"cause": ["a"], "certainty": []}) == "Cause: a"


def test_what_a_command_needs_is_told_once_and_before_the_first_command():
    for form in ("text", "markdown", "html"):
        report = re.sub("<[^>]*>", "", render(read("late_write"), form))
        assert report.count("BOOTSTRAP=HOST:9092") == 1
        assert report.count("--consumer.config") == 1
        assert report.index("BOOTSTRAP=HOST:9092") < report.index("--bootstrap-server")
        assert report.index("--command-config") < report.index("--bootstrap-server")
    assert "BOOTSTRAP=" not in render(read("clean"), "text")


def test_a_check_that_failed_clears_nothing():
    """A detector that raised found nothing: the capture was clean, and no check had found an error."""
    partition = {"authority": True, "topic": "orders", "partition": 0}
    for status, told in (("ran", "clean"), ("skipped", "clean"), ("failed", "inconclusive")):
        run = DetectorRun("TXN001", "hanging_undecided", status, None, 0)
        assert verdict(Parts({"capture": "c"}, (run,), {}, partitions=[partition]), []) == told
    document = read("clean") | {"verdict": "inconclusive"}
    document["detector_runs"] = [{"code": "TXN001", "name": "hanging_undecided", "status": "failed", "findings": 0}]
    (told, *_) = verdict_sentences(document, triage(document))
    assert told.startswith("NO VERDICT: the check TXN001 failed")


def stuck_in_two():
    """A document in which one decision waits in two partitions of which no log is here: nothing open is known."""
    document = read("late_write")
    late = next(one for one in document["findings"] if one["action"]["kind"] == "abort")
    told = late | {
        "code": "TXN006", "headline": "COMMIT was decided 1 min ago", "label": "stuck in PrepareCommit", "strip": None,
        "waiting": None, "first_offset": None, "last_offset": None, "action": late["action"] | {"word": "bring back leader"},
    }  # fmt: skip
    found = [told | {"id": f"TXN006-{n}", "partition": n, "cause": [f"no leader of {n}"]} for n in (0, 1)]
    return document | {"findings": found, "open_transactions": []}


def test_what_is_told_in_the_same_words_is_one_cause_and_each_row_names_its_partition():
    document = stuck_in_two()
    (cause,) = triage(document).causes
    assert [one.finding["partition"] for one in cause.rows] == [0, 1]
    text = render(document, "text")
    topic = document["findings"][0]["topic"]
    assert "CAUSE A" not in text
    assert all(f"stuck in PrepareCommit ({topic}-{n})" in text for n in (0, 1))


def test_what_is_to_be_checked_is_not_said_to_need_no_action():
    document = stuck_in_two()
    for one in document["findings"]:
        one["severity"] = "info"
    assert "ALSO SEEN\n" in render(document, "text")
    for one in document["findings"]:
        one["action"] = one["action"] | {"word": "wait"}
    assert "ALSO SEEN, no action needed" in render(document, "text")
