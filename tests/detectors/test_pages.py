"""The pages of docs/detectors: each example gives exactly the findings and verdicts that it announces."""

import pytest
from pages import examples, page_paths

from analyzer.detectors.registry import ALL

EXAMPLES = examples()
VERDICTS = "verdicts"


def ids(example) -> str:
    return example.name


def split(row: dict) -> tuple[str, dict]:
    """Topic-partition of an expectation, and the rest of it."""
    return row["partition"], {name: value for name, value in row.items() if name != "partition"}


def place_of(got: dict) -> str:
    """Topic-partition of a finding, or the topic that it is about as a whole."""
    return got["topic"] if got["partition"] is None else f"{got['topic']}-{got['partition']}"


def matches(expected: dict, got: dict) -> bool:
    where, rest = split(expected)
    return where == place_of(got) and all(
        got.get(name) == value for name, value in rest.items() if name not in {"evidence", "action"}
    )


@pytest.mark.parametrize("example", EXAMPLES, ids=ids)
def test_an_example_gives_its_findings_and_no_other(judged, example):
    document, expected = judged[example.name], example.expect.get("finding", [])
    got = [(f["code"], f"{f['topic']}-{f['partition']}", f["first_offset"]) for f in document["findings"]]
    assert len(document["findings"]) == len(expected), got
    for one in expected:
        hits = [finding for finding in document["findings"] if matches(one, finding)]
        assert len(hits) == 1, (one, document["findings"])
        if "evidence" in one:
            assert [f"{entry['file']}:{entry['line']}" for entry in hits[0]["evidence"]] == one["evidence"]
        if "action" in one:
            assert hits[0]["action"]["kind"] == one["action"]


@pytest.mark.parametrize("example", EXAMPLES, ids=ids)
def test_an_example_gives_its_open_transactions_and_verdicts(judged, example):
    got = [row for row in judged[example.name]["open_transactions"] if row["authority"]]
    expected = example.expect.get("open", [])
    assert len(got) == len(expected), got
    for one in expected:
        assert len([row for row in got if matches(one, row)]) == 1, (one, got)


@pytest.mark.parametrize("example", EXAMPLES, ids=ids)
def test_an_example_gives_its_verdict(judged, example):
    assert judged[example.name]["verdict"] == example.expect["verdict"]


@pytest.mark.parametrize("example", EXAMPLES, ids=ids)
def test_evidence_stands_in_its_file_at_its_line(judged, example):
    for finding in judged[example.name]["findings"]:
        assert finding["evidence"]
        for entry in finding["evidence"]:
            assert example.files[entry["file"]].splitlines()[entry["line"] - 1] == entry["text"]


@pytest.mark.parametrize("example", EXAMPLES, ids=ids)
def test_every_line_of_an_example_is_understood(judged, example):
    document = judged[example.name]
    assert document["unparsed"]["lines"] == 0
    noted = [note["kind"] for note in document["coverage"]["notes"] if note["kind"] in {"cut_dump", "shallow_dump"}]
    assert noted == example.expect.get("notes", [])


def test_every_detector_has_a_page_and_every_page_a_detector():
    assert [path.stem for path in page_paths()] == sorted([*(detector.name for detector in ALL), VERDICTS])


@pytest.mark.parametrize("detector", ALL, ids=lambda detector: detector.code)
def test_a_page_shows_the_fault_and_its_look_alikes(detector):
    mine = [example for example in EXAMPLES if example.name.startswith(f"{detector.name} - ")]
    with_it = [one for one in mine if detector.code in {f["code"] for f in one.expect.get("finding", [])}]
    assert with_it
    assert len(with_it) < len(mine)


def test_every_verdict_is_shown():
    shown = {row["verdict"] for example in EXAMPLES for row in example.expect.get("open", [])}
    words = {"in_flight", "completing", "undecided", "orphaned", "coordinator_forgot"}
    assert shown == {*words, *(detector.name for detector in ALL if detector.verdict)}
