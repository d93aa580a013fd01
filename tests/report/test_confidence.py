"""Reports of what is at least so certain: nothing else is shown, and nothing looks clean that is not."""

import json
from pathlib import Path

import jsonschema
import pytest
import typer

from analyzer.cli import printing
from analyzer.cli.judging.report import finish
from analyzer.report.rendering import at_least, render

HERE = Path(__file__).parent
SCHEMA = json.loads((HERE.parents[1] / "schemas" / "report.schema.json").read_text("utf-8"))


def read(name):
    return json.loads((HERE / "documents" / f"{name}.json").read_text("utf-8"))


def unsure(document):
    return {**document, "findings": [{**one, "confidence": "possible"} for one in document["findings"]]}


def test_what_is_less_certain_is_counted_and_not_shown():
    document = read("late_write")
    document["findings"][0]["confidence"] = "likely"
    shown = at_least(document, "certain")
    assert [one["confidence"] for one in shown["findings"]] == ["certain"] * len(shown["findings"])
    assert shown["omitted"]["less_certain"] == len(document["findings"]) - len(shown["findings"]) > 0
    jsonschema.Draft202012Validator(SCHEMA).validate(shown)
    assert at_least(document, "possible") == document


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_a_report_that_shows_no_finding_does_not_look_clean(form):
    shown = at_least(unsure(read("late_write")), "certain")
    assert shown["findings"] == []
    report = render(shown, form)
    assert "FINDINGS, and none of them is shown here." in report
    assert "less certain than asked for and not shown" in report
    assert "NOTHING HANGS" not in report


@pytest.mark.parametrize(
    ("verdict", "exit_zero", "code"),
    [("findings", False, 1), ("findings", True, 0), ("inconclusive", False, 3), ("inconclusive", True, 0),
     ("unusable", True, 2), ("clean", True, 0)],
)  # fmt: skip
def test_exit_zero_leaves_only_what_could_not_run(verdict, exit_zero, code, tmp_path):
    document = {**read("late_write"), "verdict": verdict}
    wanted = printing.printing("concise", "UTC", tmp_path / "report", "certain")
    with pytest.raises(typer.Exit) as left:
        finish([document], wanted, each=False, new_only=False, exit_zero=exit_zero)
    assert left.value.exit_code == code
