"""The HTML report as a text: well formed, every finding in it once, no foreign string as markup. Browsers: tests/browser."""

import copy
import html.parser
import json
import re
from pathlib import Path

import pytest

from analyzer.report.pictures.offsets import strip_picture
from analyzer.report.rendering import read_page, render
from analyzer.report.sentences.strip import edges

DOCUMENTS = sorted((Path(__file__).parent / "documents").glob("*.json"))
VOID = {"meta", "link", "input", "br"}
PAGE = read_page(
    "It hangs.\n\nHow it looks\n  18  data  <- late\n\nWhy it happens\n  A delay.\n", "TXN002", "late", "info"
)


class Reader(html.parser.HTMLParser):
    """Collects ids, links, tags and text, and fails on tags that do not match."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.tags, self.attributes, self.words = [], [], [], set(), set(), []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.ids += [value for name, value in attrs if name == "id"]
        self.links += [value for name, value in attrs if name in {"href", "src"}]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] not in (["script"], ["style"]):
            self.words.append(data)


def read(document, **how):
    reader = Reader()
    reader.feed(render(document, "html", **how))
    assert reader.open == []
    return reader


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_the_page_is_well_formed_and_has_every_finding_once(path):
    document = json.loads(path.read_text("utf-8"))
    page = read(document)
    assert len(set(page.ids)) == len(page.ids)
    assert {finding["id"] for finding in document["findings"]} <= set(page.ids)
    assert {link[1:] for link in page.links if link.startswith("#")} <= set(page.ids)
    assert all(link.startswith(("#", "data:,")) for link in page.links)
    assert not {name for name in page.attributes if name.startswith("on") or name == "style"}
    assert page.tags <= {
        "html", "head", "meta", "nav", "title", "link", "style", "body", "main", "header", "h1", "h2", "h3", "h4", "p", "ul",
        "li", "bdi", "section", "div", "table", "thead", "tbody", "tr", "th", "td", "a", "form", "label", "input",
        "output", "article", "span", "b", "pre", "code", "button", "details", "summary", "figure", "figcaption", "br",
        "footer", "script", "svg", "desc", "rect", "line", "text", "polyline", "polygon", "circle", "path",
    }  # fmt: skip


def test_foreign_strings_are_text_and_their_control_characters_are_visible():
    document = json.loads((Path(__file__).parent / "documents" / "late_write.json").read_text("utf-8"))
    evil = "</script><img src=x onerror=pwned()>\u202e\x1b[31m\"'"
    hostile = copy.deepcopy(document)
    for finding in hostile["findings"]:
        finding |= {"transactional_id": evil, "topic": evil, "headline": evil, "refuted_by": evil}
        finding["evidence"][0] |= {"file": evil, "text": evil}
    hostile["capture"]["name"] = evil
    page = read(hostile)
    assert page.tags == read(document).tags
    assert not re.search(
        "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]", render(hostile, "html")
    )
    assert "<img src=x onerror=pwned()>\\u202e\\x1b[31m\"'" in "".join(page.words)


def test_the_page_of_a_finding_is_in_the_file():
    document = json.loads((Path(__file__).parent / "documents" / "late_write.json").read_text("utf-8"))
    page = read(document, pages={"TXN002": PAGE})
    assert "explain-TXN002" in page.ids
    assert "18  data  <- late" in page.words
    assert "A delay." in page.words
    assert "#explain-TXN002" in page.links
    assert "#explain-TXN003" not in page.links


def test_a_page_with_too_many_findings_says_what_it_leaves_out():
    document = json.loads((Path(__file__).parent / "documents" / "late_write.json").read_text("utf-8"))
    one = document["findings"][0]
    many = [
        {**one, "id": f"TXN002-{number:012x}", "folded_under": None, "headline": "x" * 3000} for number in range(4000)
    ]
    page = render({**document, "findings": many}, "html")
    assert len(page) < 10_000_000
    shown = len(re.findall(r'id="TXN002-', page))
    assert 300 < shown < 4000
    omitted = (document.get("omitted") or {"findings": 0})["findings"]
    assert f"{4000 - shown + omitted} findings not shown here" in page


def test_partitions_of_the_coordinators_topic_in_which_nothing_waits_are_folded():
    document = json.loads((Path(__file__).parent / "documents" / "late_write.json").read_text("utf-8"))
    quiet = next(one for one in document["partitions"] if not one["blocked_records"])
    states = [quiet | {"topic": "__transaction_state", "partition": number} for number in range(50)]
    page = render({**document, "partitions": [*document["partitions"], *states]}, "html")
    before, folded, after = page.partition("<summary>50 partitions of __transaction_state, in which nothing waits")
    assert folded
    assert "<bdi>__transaction_state-7</bdi>" not in before
    assert "<bdi>__transaction_state-7</bdi>" in after
    assert "<bdi>payments-1</bdi>" in before


def test_leader_epochs_of_one_replica_share_a_label():
    document = json.loads((Path(__file__).parent / "documents" / "late_write.json").read_text("utf-8"))
    strip = next(one["strip"] for one in document["findings"] if one["action"]["kind"] == "abort")
    (first, second, *_) = edges(strip)
    replica = strip["rows"][0]["replica"]
    picture = str(strip_picture(strip, {replica: {second: 6, first: 3}}))
    assert re.findall(r">(epoch [^<]*)<", picture) == [f"epoch 3 from {first}, epoch 6 from {second}"]
