"""The schema of the document: it takes what the reports show, rejects what is broken, and says what the types say."""

import copy
import json
from pathlib import Path
from typing import get_args, get_type_hints, is_typeddict

import jsonschema
import pytest

from analyzer.report.document import keyed_rows as keyed, routed as routing, types
from analyzer.report.document.types import Document

HERE = Path(__file__).parent
SCHEMA = json.loads((HERE.parents[1] / "schemas" / "report.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
DOCUMENTS = sorted((HERE / "documents").glob("*.json"))


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_the_documents_are_valid(path):
    VALIDATOR.check_schema(SCHEMA)
    VALIDATOR.validate(json.loads(path.read_text("utf-8")))


def _without_version(document):
    del document["version"]


def _unknown_action(document):
    document["findings"][0]["action"]["kind"] = "delete"


def _no_evidence(document):
    document["findings"][0]["evidence"] = []


def _evidence_without_place(document):
    document["findings"][0]["evidence"][0].pop("line")


def _unknown_key(document):
    document["findings"][0]["colour"] = "red"


def _offset_as_text(document):
    document["open_transactions"][0]["first_offset"] = "18"


def _bad_id(document):
    document["findings"][0]["id"] = "TXN002"


@pytest.mark.parametrize(
    "breaks",
    [
        _without_version,
        _unknown_action,
        _no_evidence,
        _evidence_without_place,
        _unknown_key,
        _offset_as_text,
        _bad_id,
    ],
)
def test_a_broken_document_is_rejected(breaks):
    document = json.loads((HERE / "documents" / "late_write.json").read_text("utf-8"))
    broken = copy.deepcopy(document)
    breaks(broken)
    assert VALIDATOR.is_valid(document)
    assert not VALIDATOR.is_valid(broken)


def test_the_types_and_the_schema_name_the_same_keys():
    seen = []
    _compare(Document, SCHEMA, seen)
    declared = {name for file in (types, keyed, routing) for name, value in vars(file).items() if is_typeddict(value)}
    assert {shape.__name__ for shape in seen} >= declared


def _compare(shape, schema, seen):
    """Compare a TypedDict with the object of the schema, and everything inside both."""
    seen.append(shape)
    hints = get_type_hints(shape)
    assert list(hints) == list(schema["properties"]), shape
    assert set(schema["required"]) == shape.__required_keys__, shape
    for key, hint in hints.items():
        _compare_inner(hint, schema["properties"][key], seen)


def _compare_inner(hint, schema, seen):
    """Go down to the objects of a property."""
    if "anyOf" in schema and "properties" not in schema:
        schema = next(one for one in schema["anyOf"] if "$ref" in one)
    if "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    if is_typeddict(hint):
        _compare(hint, schema, seen)
    for inner in get_args(hint):
        _compare_inner(inner, schema.get("items", schema), seen)
