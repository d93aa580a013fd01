"""`explain` with the id of a finding: that finding where a case is named, else the page of its kind, and how to see it."""

import json
from pathlib import Path

import pytest

from analyzer.report.rendering import render_finding

DOCUMENTS = sorted((Path(__file__).parent.parent / "report" / "documents").glob("*.json"))


def test_an_id_with_its_case_is_explained_itself(command, judged):
    case, document = judged
    for finding in document["findings"]:
        told = command("explain", finding["id"], "--case", case)
        assert told.code == 0
        assert finding["id"] in told.out
        assert " ".join(finding["headline"].split()[:4]) in " ".join(told.out.split())
    assert json.loads(command("explain", document["findings"][0]["id"], "--case", case, "--json").out)["evidence"]
    other = command("explain", "TXN002-000000000000", "--case", case)
    assert (other.code, other.out) == (2, "")
    assert f"no finding TXN002-000000000000 in {document['capture']['name']}." in other.err


def test_an_id_without_a_case_is_the_page_of_its_kind_and_says_how_to_see_it(command):
    told = command("explain", "TXN008-d3a9f0e1c2b3").out
    assert told.startswith("TXN008-d3a9f0e1c2b3 is one finding of a capture.")
    assert "txn-forensics explain TXN008-d3a9f0e1c2b3 --case CASE" in told
    assert told.endswith(command("explain", "TXN008").out)
    markdown = command("explain", "TXN008-d3a9f0e1c2b3", "--format", "markdown")
    assert markdown.out == command("explain", "TXN008", "--format", "markdown").out
    assert "--case CASE" in markdown.err


def test_an_id_of_no_kind_is_refused(command):
    assert "unknown code TXN999" in command("explain", "TXN999-d3a9f0e1c2b3").err


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_every_finding_of_every_document_can_be_explained(path):
    document = json.loads(path.read_text("utf-8"))
    for finding in document["findings"]:
        for form in ("text", "markdown", "json"):
            assert finding["id"] in (render_finding(document, finding["id"], form) or "")
    assert render_finding(document, "TXN000-0", "text") is None


@pytest.mark.parametrize("issue", ["KAFKA-20090", "kafka-14055", "FLINK-40626"])
def test_a_known_bug_has_a_page(command, issue):
    told = command("explain", issue).out
    assert told.startswith(issue.upper())
    assert all(f"\n{head}\n" in told for head in ("Releases", "What speaks for it", "What rules it out", "What to do"))
    assert json.loads(command("explain", issue, "--json").out)["issue"] == issue.upper()
    assert command("explain", issue, "--format", "markdown").out.startswith(f"# {issue.upper()}")


def test_the_page_of_a_finding_ends_with_its_known_bugs_and_how_it_does_not_happen_again(command):
    told = command("explain", "TXN007").out
    assert "KAFKA-14055, fixed in 3.0.2, 3.1.2, 3.2.1 and 3.3.0" in " ".join(told.split())
    assert told.index("Known bugs") < told.index("How it does not happen again")
    assert "KAFKA-14055" in json.loads(command("explain", "TXN007", "--json").out)["known_bugs"]
