"""The owner of an id: what capture.toml says, what names hint at, and what it changes in words and plan."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fill_page import dumps_of
from judged_together import judged_together
from writing import write

from analyzer.errors import ConfigError
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest

UUID = "3f2b8c1e-0d5a-4e62-9b71-5c0a7d1e9f44"
STREAMS = [f"agg-{UUID}-{thread}" for thread in (1, 2)]
FLINK = [f"sink-0-{number}" for number in (41, 42, 43)]


def files(ids, owners=""):
    """The files of a capture in which the first of these ids is overdue and the others are at rest."""
    told = f"[owners]\n{owners}\n" if owners else ""
    texts = {"capture.toml": f"captured_at = 2026-01-01T10:10:00Z\n[partition_counts]\n__transaction_state = 1\n{told}"}
    states = [f"0 state {ids[0]} p7e0 Ongoing orders-0 @100 t60000"]
    states += [f"{at} state {one} p{7 + at}e0 Empty @{100 + at}" for at, one in enumerate(ids[1:], 1)]
    return texts | dumps_of({"__transaction_state-0": "\n".join(states), "orders-0": "0..1 data p7e0 s0 @200"})


CAPTURES = {
    "streams": files(STREAMS),
    "flink": files(FLINK),
    "nobody": files(["sink-0-41"]),
    "told flink": files(["sink-0-41"], '"sink-*" = "flink"'),
    "told streams": files(["pay-1"], '"pay-*" = "streams"'),
}


@judged_together
def documents():
    return CAPTURES


@pytest.fixture(scope="module")
def overdue(documents):
    found = {}
    for name, document in documents.items():
        (found[name],) = document["findings"]
    return found


def safe(finding):
    (answer,) = [one for one in finding["certainty"] if one["question"] == "an abort is safe"]
    return answer["answer"]


def test_a_hint_is_told_with_its_ground_and_leaves_the_answer_to_the_owner(overdue):
    for name, kind in (("streams", "streams"), ("flink", "flink")):
        owner = overdue[name]["owner"]
        assert (owner["kind"], owner["certain"]) == (kind, False)
        assert safe(overdue[name]) == "ask"
        assert any(owner["ground"] in one["because"] for one in overdue[name]["certainty"])
        assert any(owner["first"] in text for text in overdue[name]["action"]["steps"][0]["answers"])
    assert overdue["nobody"]["owner"] is None


def test_what_capture_toml_says_is_certain(overdue):
    assert safe(overdue["told flink"]) == "no"
    assert safe(overdue["told streams"]) == "yes"
    first = overdue["told flink"]["action"]["steps"][0]["text"]
    assert "restart the job from its last checkpoint or savepoint" in first


def test_a_bug_of_the_client_is_named_where_its_owner_is_known(overdue):
    issues = {name: {bug["issue"] for bug in finding["known_bugs"]} for name, finding in overdue.items()}
    assert "FLINK-40626" in issues["flink"] & issues["told flink"]
    assert "KAFKA-19690" in issues["streams"] & issues["told streams"]
    assert not {"FLINK-40626", "KAFKA-19690"} & issues["nobody"]


def test_an_owner_that_is_no_client_is_refused(tmp_path):
    folder = write(files(["pay-1"], '"pay-*" = "cobol"'), tmp_path / "capture")
    with pytest.raises(ConfigError, match="owners") as raised:
        scan_capture(CaptureRequest((str(folder),), "capture"))
    assert "flink" in str(raised.value.wanted)
