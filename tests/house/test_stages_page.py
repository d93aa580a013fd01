"""docs/stages.md says what the stages are, and so does the command that prints them."""

from collections import Counter

from stages_page import PAGE, page
from typer.testing import CliRunner

from analyzer.cli.commands import app
from analyzer.pipeline.reported import ROOMS, STAGES


def test_the_page_is_what_make_stages_writes():
    assert PAGE.read_text(encoding="utf-8") == page()


def test_the_command_prints_every_room_and_stage():
    shown = CliRunner().invoke(app, ["detectors", "--stages"])
    assert shown.exit_code == 0
    lines = shown.stdout.splitlines()
    assert set(ROOMS) <= set(lines)
    named = {line.split(" <- ")[0].strip(" ()") for line in lines if " <- " in line}
    assert named == {stage.name for stage in STAGES}


def test_each_table_is_made_by_one_stage():
    counts = Counter(stage.name for stage in STAGES)
    assert [name for name, number in counts.items() if number > 1] == []
