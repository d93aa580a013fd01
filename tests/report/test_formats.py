"""The list of formats, and the one outline that the readable ones show."""

import json
from pathlib import Path
from typing import get_args

import pytest

from analyzer.cli.printing import printing
from analyzer.errors import UsageError
from analyzer.report import formats
from analyzer.report.formats import FORMATS
from analyzer.report.formats.markdown import BLOCKS
from analyzer.report.formats.text import LINES
from analyzer.report.outline.build import outline
from analyzer.report.outline.parts import Part
from analyzer.report.rendering import render
from analyzer.report.sentences.inert import inert
from analyzer.report.sentences.times import Clock

DOCUMENTS = sorted((Path(__file__).parent / "documents").glob("*.json"))
OTHER_PAGES = {
    "__init__",
    "look",
    "page",
    "framing_table",
    "opened_table",
    "rescue_text",
    "story",
    "picture_files",
}


def flat(text):
    return " ".join(text.split())


def test_a_format_is_a_file_and_a_row_of_the_list():
    files = {path.stem for path in Path(formats.__file__).parent.glob("*.py")}
    assert files - OTHER_PAGES == FORMATS.keys()


def test_a_format_that_is_not_in_the_list_does_not_exist():
    with pytest.raises(UsageError, match="unknown format pdf") as told:
        printing("pdf", "UTC", None)
    assert told.value.wanted == "text, concise, json, markdown, html, postmortem"
    with pytest.raises(KeyError):
        render(json.loads(DOCUMENTS[0].read_text("utf-8")), "pdf")


@pytest.mark.parametrize("renderers", [LINES, BLOCKS], ids=["text", "markdown"])
def test_every_part_of_an_outline_has_a_form(renderers):
    assert set(renderers) == set(get_args(Part))


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_text_and_markdown_show_the_sections_of_the_outline_in_its_order(path):
    document = json.loads(path.read_text("utf-8"))
    sections = [section for section in outline(document, Clock()).sections if section.title]
    text, markdown = flat(render(document, "text", full=True)).lower(), render(document, "markdown")
    headings = [line.removeprefix("## ") for line in markdown.splitlines() if line.startswith("## ")]
    numbers = [f"{section.number}. " if section.number else "" for section in sections]
    assert headings == [number + inert(section.title) for number, section in zip(numbers, sections, strict=True)]
    place = -1
    for section in sections:
        title = flat(section.title if section.number is None else f"[{section.number}]").lower()
        assert text.find(title, place + 1) > place, title
        place = text.find(title, place + 1)


def test_a_clean_report_says_what_it_rests_on_in_both_forms():
    document = json.loads((Path(__file__).parent / "documents" / "clean.json").read_text("utf-8"))
    for form in ("text", "markdown"):
        report = render(document, form)
        assert "3 partitions judged" in report
        assert "0..27  LSO 27" in report
