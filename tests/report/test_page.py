"""The page of `explain CODE`."""

from analyzer.report.formats.page import HEADINGS, Block
from analyzer.report.rendering import explain, read_page, render_page, validate_page

DOCSTRING = "late_thing: records came late.\n\n" + "\n\n".join(f"{heading}\n  text" for heading in HEADINGS) + "\n"


def test_a_page_has_its_name_and_severity_on_one_line():
    lines = render_page(DOCSTRING, "TXN002", "late_thing", "critical").splitlines()
    assert lines[0] == "late_thing (TXN002)" + " " * 53 + "critical"
    assert lines[1:5] == ["Records came late.", "", "How it looks", "  text"]
    assert validate_page(DOCSTRING, "TXN002", "late_thing") == []


def test_what_is_wrong_with_a_page_is_said():
    shuffled = DOCSTRING.replace("How sure", "How Sure")
    assert "wanted" in validate_page(shuffled, "TXN002", "late_thing")[0]
    empty = DOCSTRING.replace("Versions\n  text", "Versions")
    assert validate_page(empty, "TXN002", "late_thing") == ["section 'Versions' is empty"]
    wide = DOCSTRING.replace("  text", "  " + "x" * 79, 1)
    assert validate_page(wide, "TXN002", "late_thing")[0].startswith("81 columns")
    long = DOCSTRING + "  more\n" * 40
    assert validate_page(long, "TXN002", "late_thing")[0].startswith("69 lines")
    assert validate_page("no sentence\n", "TXN002", "late_thing")[0].startswith("the first line is no sentence")


def test_a_page_in_every_format_has_its_sections_in_their_order():
    page = read_page(DOCSTRING, "TXN002", "late_thing", "critical")
    assert [head for head, _ in page.sections] == list(HEADINGS)
    for form, pattern in (("markdown", "## {}\n"), ("html", "<h2>{}</h2>")):
        told = explain(page, form)
        places = [told.index(pattern.format(head)) for head in HEADINGS]
        assert places == sorted(places)


def test_aligned_lines_stay_aligned_and_paragraphs_flow():
    page = read_page(
        "it_is: Late.\n\nHow it looks\n  a paragraph of\n  two lines\n\n  18  data\n  19  C\n",
        "TXN002",
        "it_is",
        "info",
    )
    assert page.sections == (
        ("How it looks", (Block("a paragraph of two lines", False), Block("18  data\n19  C", True))),
    )
