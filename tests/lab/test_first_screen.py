"""The first 40 lines of a report answer what is stuck, whose it is, why, what to do first, and how sure that is."""

import re

import pytest

from analyzer.report.rendering import render
from tests.report.screens import rows_of

ASKED = (
    "S8_marker_lost", "coordinator_expansion_after", "group_commit_hang", "late_write", "pid_hijack",
    "S14_prepare_stuck_down", "S5_kafka13727_2_after_pass1",
)  # fmt: skip
SCREEN, WHOLE = 40, 250


@pytest.fixture(params=ASKED)
def document(request, scenarios):
    return scenarios[request.param].document


@pytest.mark.parametrize("cells", [80, 100, 140])
def test_the_first_screen_answers_everything(document, cells):
    screen = render(document, "text", cells=cells).splitlines()[:SCREEN]
    told = "\n".join(screen)
    assert re.search(r"^CAUSE .*(certain|likely|possible)$", told, re.MULTILINE)
    assert re.search(r"^FIRST +\d+(\.\d+)?: ", told, re.MULTILINE)
    command = next(place for place, line in enumerate(screen) if line.startswith("FIRST"))
    if any(step["commands"] for one in document["findings"] for step in one["action"]["steps"]):
        assert any(re.match(r" +(txn-forensics|kafka-)", line) for line in screen[command:])
    assert re.search(r"^PREVENT ", told, re.MULTILINE)
    if "STUCK" in told:
        assert re.search(
            r"^BLOCKED .* since ", " ".join(told.split("\n")).replace("BLOCKED", "\nBLOCKED"), re.MULTILINE
        )
    assert told.index("\nCAUSE") < told.index("\nFIRST") < told.index("\n#")


def test_every_row_says_what_to_do_and_what_that_discards(document):
    incidents = [one for one in document["findings"] if one["severity"] != "info" and not one.get("folded_under")]
    rows = rows_of(document)
    assert rows
    words = {one["action"]["word"] for one in document["findings"]}
    for row in rows:
        assert set(row["ACTION"].rstrip(" ~?").split(", ")) <= words
        assert row["DISCARDS"] == "-" or row["DISCARDS"] == "unknown" or re.fullmatch(r"\d+ rec", row["DISCARDS"])
        assert row["DECIDED"] in {"COMMIT", "ABORT", "nothing", "unknown", "-"}
    assert len(rows) <= len(incidents) + len(document["open_transactions"])


def test_what_follows_the_first_screen_stays_short(document):
    lines = render(document, "text").splitlines()
    assert len(lines) <= WHOLE
    assert len(lines) < len(render(document, "text", full=True).splitlines())
