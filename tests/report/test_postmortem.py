"""The draft of a post-mortem: what happened, to whom, why, whether it is over, what changes; nothing that is not known."""

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from analyzer.detectors.registry import ALL
from analyzer.report.comparison import compare
from analyzer.report.postmortem.plain_words import PLAIN
from analyzer.report.rendering import pictures_beside, render

HERE = Path(__file__).parent
DOCUMENTS = sorted((HERE / "documents").glob("*.json"))
HEADINGS = ["Summary", "Impact", "Timeline", "Root cause", "What was done", "What is not known", "Action items",
            "Appendix: evidence"]  # fmt: skip
JARGON = re.compile(r"marker|coordinator|producer|LSO|offset|epoch|broker|__\w+", re.IGNORECASE)


def read(name):
    return json.loads((HERE / "documents" / f"{name}.json").read_text("utf-8"))


def told(document, **more):
    return render(document, "postmortem", **more)


def section(text, name):
    return text.partition(f"\n## {name}\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_every_draft_has_the_headings_of_public_templates(path):
    text = told(json.loads(path.read_text("utf-8")))
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == HEADINGS
    assert text.startswith("# Post-mortem: ")
    assert "| Status | " in text
    for blank in ("Severity (decided)", "Authors, reviewers"):
        assert f"| {blank} | (fill in) |" in text
    assert "| (fill in) | detected: by whom or which alert |  |" in text


def test_each_finding_has_a_sentence_that_needs_no_knowledge_of_kafka():
    assert PLAIN.keys() == {one.code for one in ALL}
    sentences = {code: text for code, text in PLAIN.items() if code != "TXN001"}
    assert {code: text for code, text in sentences.items() if JARGON.search(text)} == {}


def test_a_reader_of_the_draft_learns_what_whom_and_whether_it_is_over():
    text = told(read("late_write"))
    summary = " ".join(section(text, "Summary").split())
    assert "3 partitions have had such an unfinished transaction, the first since 2026-11-21 09:30:42" in summary
    assert "Messages arrived after their transaction had already ended" in summary
    assert "1 transaction must not be ended by hand" in summary
    assert "Is it over? Not over when the files were taken" in summary
    assert "| payments-1 | 2026-11-21 09:30:42" in section(text, "Impact")
    assert "Lost: no confirmed record is known to be lost." in section(text, "Impact")
    assert "KAFKA-12671" in section(text, "Root cause")


def test_nothing_is_called_a_trigger_that_no_finding_names():
    document = read("late_write")
    events = [{"at": 1795253442000, "event": "restarted", "places": [], "broker": 0},
              {"at": 1795253442001, "event": "election", "places": ["orders-0"], "broker": 0}]  # fmt: skip
    window = {"finding": "x", "since": 0, "until": 1, "covered": True, "events": events, "more": 0}
    document["controller"] = {"complete": True, "undecoded": 0, "markers": 0, "strange_markers": 0, "windows": [window]}
    text = told(document)
    assert "broker 0 restarted | controllers' log" in section(text, "Timeline")
    assert "**Trigger:** these files date none" in section(text, "Root cause")


def test_an_election_is_the_trigger_of_markers_that_it_cut_off():
    document = read("marker_lost")
    place = next(f"{one['topic']}-{one['partition']}" for one in document["findings"] if one["code"] == "TXN008")
    event = {"at": 1795252750000, "event": "unclean_election", "places": [place], "broker": 2}
    window = {"finding": "x", "since": 0, "until": 1, "covered": True, "events": [event], "more": 0}
    document["controller"] = {"complete": True, "undecoded": 0, "markers": 0, "strange_markers": 0, "windows": [window]}
    cause = section(told(document), "Root cause")
    assert (
        f"**Trigger:** 2026-11-21 09:19:10.000 UTC, unclean election: broker 2 leads {place} (controllers' log)."
        in cause
    )


def test_what_a_later_capture_shows_is_what_was_done():
    before = read("late_write")
    after = {**before, "findings": [], "open_transactions": [], "verdict": "clean"}
    after["capture"] = {**before["capture"], "name": "after", "captured_at": before["capture"]["captured_at"] + 600_000}
    after["partitions"] = [
        {**one, "lso": one["log_end_offset"], "blocked_records": 0, "blocked_bytes": 0} for one in before["partitions"]
    ]
    text = told(before, later=compare(before, after))
    assert "| Status | over: nothing of it is left at 2026-11-21 09:55:55.780 UTC |" in text
    assert "| orders-0 | free again | 18 -> " in section(text, "What was done")
    assert "later files were taken" in section(text, "Timeline")
    still = told(before, later=compare(before, {**before, "capture": after["capture"]}))
    assert "| Status | not over at 2026-11-21 09:55:55.780 UTC: records still wait in 3 partitions |" in still


def test_action_items_repair_prevent_and_detect():
    document = read("late_write")
    document["findings"][0]["prevention"] = ["upgrade | to 4.0", "upgrade | to 4.0"]
    rows = section(told(document), "Action items").strip().splitlines()[2:]
    kinds = [row.split(" | ")[1] for row in rows]
    assert kinds == sorted(kinds, key=["repair", "prevent", "detect"].index)
    assert set(kinds) == {"repair", "prevent", "detect"}
    assert sum("upgrade \\| to 4.0" in row for row in rows) == 1
    assert all(row.endswith("| (fill in) | (fill in) |") for row in rows)


def test_foreign_names_stay_inert():
    text = told(read("hostile"))
    outside = re.sub(r"```.*?```|(`+)[^`].*?\1", "", text, flags=re.DOTALL)
    assert not re.search(r"(?<!\\)<\w", outside)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]", text)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_pictures_are_files_that_the_draft_shows(path):
    document = json.loads(path.read_text("utf-8"))
    pictures = pictures_beside(document, "beside")
    text = told(document, beside="beside")
    assert re.findall(r"^!\[\S+\]\((\S+)\)$", text, re.MULTILINE) == list(pictures)
    for picture in pictures.values():
        root = ET.fromstring(picture)  # noqa: S314 - our own file
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.find("{http://www.w3.org/2000/svg}style") is not None
    assert not re.search(r"^!\[", told(document), re.MULTILINE)
