"""Copies without a batch in common under one leader epoch: of a topic that was deleted and made again (RULES A 13)."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "detectors"))

from fill_page import dumps_of
from judged_captures import taken_at
from judged_together import judged_together

COPIES = {
    "two topics": ("0..1 plain @100\n2 plain @200", "0 plain @5000\n1..2 plain @5100"),
    "two topics, one cleaned": ("4 plain @100", "0 plain @5000\n1..2 plain @5100\n4 plain @5200"),
    "one begin": ("0..1 plain @100\n2 plain @200", "0..1 plain @100\n2 plain @300"),
    "two leaders": ("0..1 plain @100", "0..1 plain l1 @300"),
    "equal": ("0..1 plain @100", "0..1 plain @100"),
}
FOUND = {
    "two topics": [("likely", "check first")],
    "two topics, one cleaned": [("likely", "check first")],
    "one begin": [("certain", "copy files first")],
    "two leaders": [("certain", "copy files first")],
    "equal": [],
}


@judged_together
def documents():
    return {
        name: taken_at("10:02:40") | dumps_of({"broker-1/orders-0": one, "broker-2/orders-0": other})
        for name, (one, other) in COPIES.items()
    }


@pytest.mark.parametrize("name", COPIES)
def test_what_differs_from_the_begin_is_another_topic(documents, name):
    found = [one for one in documents[name]["findings"] if one["code"] == "LOG001"]
    assert [(one["confidence"], one["action"]["word"]) for one in found] == FOUND[name]
