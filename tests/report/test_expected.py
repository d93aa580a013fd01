"""Whole reports of hand-written documents, letter by letter."""

import json
import re
from pathlib import Path

import pytest

from analyzer.report.rendering import render, render_line
from analyzer.report.sentences.cells import width
from tests.report.screens import rows_of

HERE = Path(__file__).parent
DOCUMENTS = sorted((HERE / "documents").glob("*.json"))
ANSI = re.compile("\x1b\\[[0-9;]*m")


def read(name):
    return json.loads((HERE / "documents" / f"{name}.json").read_text("utf-8"))


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
@pytest.mark.parametrize(("form", "suffix"), [("text", "txt"), ("markdown", "md"), ("concise", "concise")])
def test_a_report_is_what_it_was(path, form, suffix):
    expected = (HERE / "expected" / f"{path.stem}.{suffix}").read_text("utf-8")
    assert render(json.loads(path.read_text("utf-8")), form) == expected


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_the_whole_text_is_what_it_was(path):
    expected = (HERE / "expected" / f"{path.stem}.full.txt").read_text("utf-8")
    assert render(json.loads(path.read_text("utf-8")), "text", full=True) == expected


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
@pytest.mark.parametrize(("cells", "full"), [(80, False), (100, False), (140, False), (80, True), (140, True)])
def test_text_fits_a_page_and_colour_changes_no_letter(path, cells, full):
    document = json.loads(path.read_text("utf-8"))
    plain = render(document, "text", cells=cells, full=full)
    assert max(map(width, plain.splitlines())) <= cells
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]", plain)
    coloured = render(document, "text", color=True, cells=cells, full=full)
    assert ANSI.sub("", coloured) == plain
    assert coloured != plain


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_json_is_the_document_in_the_order_of_the_contract(path):
    document = json.loads(path.read_text("utf-8"))
    line = render_line(document)
    assert json.loads(line) == json.loads(render(document, "json")) == document
    assert line.isascii()
    assert line.isprintable()
    keys = list(json.loads(line))
    assert keys == [
        "version",
        "case",
        "capture",
        "verdict",
        "findings",
        "open_transactions",
        "partitions",
        "routing",
        "coverage",
        "detector_runs",
        "unparsed",
        "omitted",
    ]
    backwards = json.loads(line, object_pairs_hook=lambda pairs: dict(reversed(pairs)))
    assert render_line(backwards) == line


def test_a_lost_commit_stands_before_what_may_be_aborted():
    rows = rows_of(read("marker_lost"))
    assert [row["ACTION"] for row in rows] == ["do not abort yet"] * 2 + ["abort"]


def test_an_abort_is_never_the_first_command_of_what_must_be_saved():
    text = render(read("late_write"), "text", full=True)
    incident = text[text.index("[1] ") : text.index("[2] ")]
    order = ["stop every producer", "rescue --case", "describe-producers", "describe --", "abort --topic", "verify"]
    places = [incident.index(words) for words in order]
    assert places == sorted(places)


def test_no_line_of_a_command_has_a_comment_and_no_check_stands_with_an_abort():
    for path in DOCUMENTS:
        document = json.loads(path.read_text("utf-8"))
        for block in render(document, "text", full=True).split("\n\n"):
            commands = [line for line in block.splitlines() if re.match(r" +(kafka-|txn-|--|abort|describe)", line)]
            assert not any("#" in line for line in commands)
            assert not ("describe-producers" in block and " abort --topic" in block)


def test_a_command_with_a_control_character_is_not_printed():
    for form in ("text", "markdown"):
        report = render(read("hostile"), form, full=True)
        assert "shell cannot carry safely" in report
        assert "--transactional-id 'a" not in report


def test_five_incidents_stand_in_full_and_the_rest_on_a_line_with_the_id():
    document = read("thirty")
    text = render(document, "text", full=True)
    assert text.count("    evidence\n") == 5
    assert all(finding["id"] in text for finding in document["findings"])
    assert "  and 1200 more, not listed\n" in text


def test_a_capture_without_a_time_says_so():
    document = read("late_write")
    document["capture"] |= {"captured_at": None, "captured_at_source": None}
    assert render(document, "text").splitlines()[0].endswith("  taken at an unknown time")


def test_folded_findings_are_named_under_their_head_only():
    text = render(read("marker_lost"), "text", full=True)
    assert text.count("includes: ") == 3
    assert "[4]" not in text


def test_an_undecided_capture_ends_with_the_next_file_to_fetch():
    ending = " ".join(render(read("inconclusive"), "text").splitlines()[-2:])
    assert ending.endswith(
        "Undecided: 3. Next: dump __transaction_state-11 (settles payments-0, payments-1), then 1 more file."
    )


@pytest.mark.parametrize("folds", [[("a", "b"), ("b", "a")], [("a", "gone"), ("b", "a")]])
def test_a_fold_that_leads_nowhere_loses_no_finding(folds):
    document = read("late_write")
    two = document["findings"][:2]
    names = {"a": two[0]["id"], "b": two[1]["id"], "gone": "TXN001-000000000000"}
    for (one, under), finding in zip(folds, two, strict=True):
        assert finding["id"] == names[one]
        finding["folded_under"] = names[under]
    text = render({**document, "findings": two}, "text", full=True)
    assert all(finding["name"] in text for finding in two)


def test_each_partition_that_an_expansion_stops_has_a_row():
    document = read("expansion")
    held = [one for one in document["open_transactions"] if one["verdict"] == "orphaned"]
    assert len({one["partition"] for one in held}) > 2
    rows = [row for row in rows_of(document) if row["ACTION"] == "ask the owner"]
    lsos = {f"{one['topic']}-{one['partition']}": one["lso"] for one in document["partitions"] if one["authority"]}
    stuck = {f"{one['topic']}-{one['partition']}" for one in held}
    first = {f"{one['topic']}-{one['partition']}": one for one in sorted(held, key=lambda one: -one["first_offset"])}
    for place in stuck:
        (row,) = (row for row in rows if row["OPEN AT"].startswith(f"{place} "))
        assert row["OPEN AT"].partition("*")[0].split()[1].partition("..")[0] == str(lsos[place])
        assert row["ID"] == first[place]["transactional_id"]
        assert "its steps are in plan 1" in row["notes"]


def test_a_report_of_thousands_of_findings_stays_readable():
    document = read("thirty")
    one = document["findings"][0]
    many = [
        one | {"id": f"TXN002-{number:012x}", "partition": number, "first_offset": number} for number in range(5000)
    ]
    document |= {"findings": many, "open_transactions": [], "incidents": []}
    document["omitted"] = {"findings": 21_000, "open_transactions": 0}
    lines = render(document, "text").splitlines()
    assert len(lines) <= 400
    left_out = sum(int(number) for line in lines for number in re.findall(r"and (\d+) more, not listed", line))
    assert (
        left_out + sum(line.startswith("  [") for line in lines) + sum(line.startswith("[") for line in lines) == 26_000
    )


def test_folded_findings_of_one_kind_are_a_table_of_what_differs():
    document = read("expansion")
    folded = [one for one in document["findings"] if one["code"] == "RTE004"]
    for one in folded:
        one["headline"] = f"{one['id']} in words of its own, as many as nobody counts {'x ' * one['partition']}"
    lines = [line.split() for line in render(document, "text", full=True, cells=140).splitlines()]
    at = next(number for number, line in enumerate(lines) if line[:2] == ["FINDING", "ID"])
    assert lines[at] == ["FINDING", "ID", "PARTITION", "PRODUCER", "STATE", "OPEN"]
    rows = {line[0]: line for line in lines[at + 1 : at + 1 + len(folded)]}
    for one in folded:
        assert rows[one["id"]][1:3] == [one["transactional_id"], str(one["partition"])]
        assert rows[one["id"]][6] == one["columns"][0]["value"]
