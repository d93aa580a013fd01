"""Documents drawn from the schema itself, with hostile strings: every report of them fits, is inert and loses nothing."""

import html.parser
import json
import re
from pathlib import Path

import jsonschema
from hypothesis import HealthCheck, Phase, given, settings, strategies as st
from markdown_it import MarkdownIt

from analyzer.report.rendering import render, render_line
from analyzer.report.sentences.cells import width

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas" / "report.schema.json").read_text("utf-8"))
NASTY = [
    "\u202e",
    "\x1b[31m",
    "\x85",
    "\u2028",
    "\ufeff",
    "|",
    "`",
    "```",
    "<b>",
    "&lt;",
    "](u)",
    "![x",
    "@root",
    "://",
    "#1",
]
NASTY += [
    "\n",
    "\r\n",
    "\t",
    "\udc80",
    "\u9280\u884c",
    "e\u0301",
    "'",
    '"',
    "$(id)",
    "\\",
    "www.",
    "-",
    "1.",
    " ",
    "\u00a0",
    "*",
    "~~",
]
TEXT = st.lists(st.sampled_from(NASTY) | st.text(max_size=8), max_size=8).map("".join)
NUMBERS = st.integers(-1, 50) | st.integers(-(1 << 63), (1 << 63) - 1)
MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def drawn(schema):
    """Return a strategy for the values that a part of the schema allows."""
    if "anyOf" in schema and "properties" not in schema:
        return st.one_of(*map(drawn, schema["anyOf"]))
    if "$ref" in schema:
        return st.deferred(lambda: drawn(SCHEMA["$defs"][schema["$ref"].rsplit("/", 1)[1]]))
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return st.one_of(*(_of_kind(kind, schema) for kind in kinds))


def _of_kind(kind, schema):
    if kind == "string":
        return st.from_regex(schema["pattern"].replace("$", r"\Z")) if "pattern" in schema else TEXT
    if kind == "integer":
        return NUMBERS.map(lambda number: _within(number, schema))
    if kind == "array":
        return st.lists(drawn(schema["items"]), min_size=schema.get("minItems", 0), max_size=3)
    if kind == "object":
        fields = {key: drawn(value) for key, value in schema["properties"].items()}
        required = {key: fields[key] for key in schema["required"]}
        optional = {key: value for key, value in fields.items() if key not in required}
        whole = st.fixed_dictionaries(required, optional=optional)
        return whole if "anyOf" not in schema else whole.map(_placed)
    return {"boolean": st.booleans(), "null": st.none()}[kind]


def _within(number, schema):
    """Return the number that is nearest to it between the schema's bounds."""
    least = max(number, schema.get("minimum", number))
    return min(least, schema.get("maximum", least))


def _placed(evidence):
    """Give evidence the place that it must have."""
    return evidence if "line" in evidence or "position" in evidence else {**evidence, "line": 1}


DOCUMENTS = drawn(SCHEMA)
LIMITS = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a document shrinks for minutes
)


@LIMITS
@given(DOCUMENTS, st.sampled_from([80, 100, 140]), st.sampled_from([False, True]))
def test_text_is_as_wide_as_the_terminal_and_harmless(document, cells, full):
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    plain = render(document, "text", full=full, cells=cells)
    assert max(width(line) for line in plain.split("\n")) <= cells, plain
    assert not re.search(
        r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]", plain
    )
    assert re.sub("\x1b\\[[0-9;]*m", "", render(document, "text", full=full, cells=cells, color=True)) == plain


@LIMITS
@given(DOCUMENTS)
def test_json_loses_nothing(document):
    line = render_line(document)
    assert "\n" not in line
    assert line.isascii()
    assert json.loads(line) == json.loads(render(document, "json")) == document


@LIMITS
@given(DOCUMENTS)
def test_markdown_is_inert(document):
    report = render(document, "markdown")
    assert not re.search(
        r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]", report
    )
    tokens = MARKDOWN.parse(report)
    inline = [child for token in tokens for child in token.children or []]
    kinds = {token.type for token in [*tokens, *inline]}
    blocks = [token.content.strip() for token in tokens if token.type == "html_block"]
    ours = re.compile(r"<details><summary>(Evidence|Elsewhere): \d+</summary>|</details>")
    assert all(ours.fullmatch(block) for block in blocks), blocks
    assert not kinds & {"html_inline", "link_open", "image", "em_open", "s_open", "hr", "code_block"}, report
    live = re.compile(r"@|://|www\.|#\d", re.IGNORECASE)
    assert not [child.content for child in inline if child.type == "text" and live.search(child.content)]
    tags = [token for token in tokens if token.type == "heading_open"]
    assert sum(token.tag == "h1" for token in tags) == 1
    assert all(token.tag in {"h1", "h2"} for token in tags)


class Tags(html.parser.HTMLParser):
    """Collects the tags of a page, and its words."""

    def __init__(self):
        super().__init__()
        self.tags, self.words = set(), []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        assert not [name for name, _ in attrs if name.startswith("on") or name == "style"]

    def handle_data(self, data):
        self.words.append(data)


@LIMITS
@given(DOCUMENTS)
def test_html_is_inert(document):
    report = render(document, "html")
    assert not re.search(
        r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]", report
    )
    page = Tags()
    page.feed(report)
    assert not page.tags & {"img", "iframe", "object", "embed", "base", "video", "audio", "foreignobject", "i", "u"}
    assert report.count("<script>") == report.count("</script>") == 1
    assert not re.search("nan|inf", " ".join(re.findall(r' (?:x|y|width|points|d)="[^"]*"', report)))
