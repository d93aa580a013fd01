"""The moment that a person states may be wrong: an hour of another time zone, the day before. Files contradict it."""

import re
import shutil
from pathlib import Path

import pytest
from judged_together import judged_together

SCENARIO, CLEAN = "in_flight", "normal_mix"
STATED = re.compile(r"captured_at = (\d+)")


@judged_together
def documents(lab, root) -> dict[str, Path]:
    folders = {}
    for scenario in (SCENARIO, CLEAN):
        for name, less_ms in (("as it was", 0), ("an hour early", 3_600_000)):
            folders[f"{scenario} {name}"] = folder = root / scenario / name.replace(" ", "_")
            shutil.copytree(lab / "dev" / scenario / "logdir", folder)
            toml = folder / "capture.toml"
            text = toml.read_text()
            toml.chmod(0o644)
            toml.write_text(STATED.sub(lambda found, less=less_ms: f"captured_at = {int(found[1]) - less}", text))
    return folders


def early(document):
    return [note for note in document["coverage"]["notes"] if note["kind"] == "early_moment"]


@pytest.mark.parametrize("scenario", [SCENARIO, CLEAN])
def test_a_moment_that_is_right_is_not_doubted(documents, scenario):
    assert early(documents[f"{scenario} as it was"]) == []


def test_a_moment_before_what_brokers_wrote_is_doubted_where_something_is_open(documents):
    """What is over its timeout since that moment would be running inside it."""
    (note,) = early(documents[f"{SCENARIO} an hour early"])
    assert "capture.toml" in note["note"]
    assert "that moment or a clock is wrong" in note["note"]
    overdue = [f for f in documents[f"{SCENARIO} as it was"]["findings"] if f["code"] == "TXN001"]
    assert overdue
    assert documents[f"{SCENARIO} an hour early"]["verdict"] != "clean"


def test_where_nothing_is_open_the_moment_does_not_matter(documents):
    assert early(documents[f"{CLEAN} an hour early"]) == []
    assert documents[f"{CLEAN} an hour early"]["verdict"] == documents[f"{CLEAN} as it was"]["verdict"]
