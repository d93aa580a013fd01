"""The section of the controllers' log: what changed around a finding, or that nothing did."""

import copy
import json
from pathlib import Path

from analyzer.report.rendering import render

DOCUMENT = json.loads((Path(__file__).parents[2] / "tests" / "report" / "documents" / "clean.json").read_text("utf-8"))
LOG = {
    "first_ms": 1_000_000,
    "last_ms": 9_000_000,
    "complete": True,
    "undecoded": 0,
    "markers": 3,
    "strange_markers": 0,
}
WINDOW = {
    "finding": "TXN015-0123456789ab",
    "since": 2_000_000,
    "until": 2_120_000,
    "covered": True,
    "events": [],
    "more": 0,
}


def told(**window) -> str:
    document = copy.deepcopy(DOCUMENT)
    document["controller"] = LOG | {"windows": [WINDOW | window]}
    return " ".join(render(document, "text", full=True).split())


def test_nothing_of_the_kind_is_said():
    assert "no election, restart, fencing, setting, feature or change of the quorum then" in told()
    assert "the log does not cover those minutes" in told(covered=False)


def test_events_are_told_in_words():
    events = [
        {"at": 2_060_000, "event": "unclean_election", "places": ["frail-0"], "broker": 3, "was": "-1"},
        {"at": 2_061_000, "event": "setting", "places": [], "subject": "broker producer.id.expiration.ms", "now": "1"},
    ]
    text = told(events=events)
    assert "unclean election: broker 3 leads frail-0" in text
    assert "setting broker producer.id.expiration.ms: nothing to 1" in text
