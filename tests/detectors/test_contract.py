"""The contract of every detector: page, registration, evidence, empty input, words for the smallest evidence, ids."""

import dataclasses
import importlib
import json
import pkgutil
import re
import shlex
import types
import typing

import pytest
from pyspark.sql import types as T

import analyzer.detectors
from analyzer.detectors.cluster import Cluster
from analyzer.detectors.model import Ref
from analyzer.detectors.registry import ALL
from analyzer.detectors.running import findings
from analyzer.kafka.versions import brokers_of
from analyzer.lifecycles import ALL as ALL_STAGES
from analyzer.lifecycles.tables import DERIVED
from analyzer.report.rendering import validate_page
from analyzer.tables.moments import moment

HOSTILE_IDS = ("pay-1", "it's; rm -rf $HOME `id`", 'a"b\\c', "--help", "\n| offset: 1", "\u202eevil", "日本 🙂", "")
TOPIC = "a.b_c-1"


def by_code(detector) -> str:
    return detector.code


every_detector = pytest.mark.parametrize("detector", ALL, ids=by_code)


def allowed_types(field: dataclasses.Field) -> set[type]:
    """The types of a field without None."""
    union = isinstance(field.type, types.UnionType)
    return set(typing.get_args(field.type) if union else (field.type,)) - {type(None)}


def smallest(detector, transactional_id: str = "pay-1", way: int = 0, **given):
    """Evidence of one of its ways with everything that may be null being null."""
    kind = detector.ways[way].evidence
    values = {"str": "x", "int": 7, "bool": False}
    known = {"decision": "COMMIT", "marker": "COMMIT", "latest_state": "CompleteCommit", "marker_offset": 9}
    about = {"topic": TOPIC, "transactional_id": transactional_id} | known | given
    fields = {}
    for field in dataclasses.fields(kind):
        optional = type(None) in typing.get_args(field.type)
        default = None if optional else values[next(iter(allowed_types(field))).__name__]
        fields[field.name] = about.get(field.name, default)
    return kind(**fields)


def finding_of(detector, evidence) -> dict:
    way = next(number for number, one in enumerate(detector.ways) if one.evidence is type(evidence))
    row = {"capture": "c", "code": detector.code, "way": way, "evidence": json.dumps(dataclasses.asdict(evidence))}
    (finding,) = findings(ALL, [row], {"c": Cluster(brokers_of("3.5.2"))})
    return finding


def test_codes_and_names_are_unique():
    assert len({detector.code for detector in ALL}) == len({detector.name for detector in ALL}) == len(ALL)
    assert [detector.code for detector in ALL] == sorted(detector.code for detector in ALL)


def detector_modules() -> dict[str, types.ModuleType]:
    """The modules of the families that hold a detector, by their names."""
    found = pkgutil.walk_packages(analyzer.detectors.__path__, "analyzer.detectors.")
    modules = [importlib.import_module(one.name) for one in found]
    return {module.__name__: module for module in modules if hasattr(module, "DETECTOR")}


def test_only_damage_needs_no_facts():
    """What needs none is said to have run on every capture, also where it could have found nothing."""
    assert [one.code for one in ALL for way in one.ways if not way.needs] == ["LOG002"]


def test_no_detector_is_forgotten():
    assert sorted(module.DETECTOR.code for module in detector_modules().values()) == [one.code for one in ALL]


@every_detector
def test_a_detector_is_its_module(detector):
    home = detector.way.find.__module__
    assert detector_modules()[home].DETECTOR is detector
    assert (detector.way.explain.__module__, home.split(".")[-1]) == (home, detector.name)


@every_detector
def test_the_page_has_its_form(detector):
    assert validate_page(detector.page, detector.code, detector.name) == []


@every_detector
def test_evidence_is_plain_and_points_to_a_line(detector):
    fields = dataclasses.fields(detector.way.evidence)
    assert all(allowed_types(field) <= {int, str, bool, Ref} and len(allowed_types(field)) == 1 for field in fields)
    assert any(Ref in allowed_types(field) for field in fields)


@pytest.fixture(scope="module")
def empty_tables(over_nothing):
    """The derived tables of a case that holds nothing, each as its stage makes it."""
    return over_nothing(ALL_STAGES).tables(*DERIVED)


WAYS = [(one, number) for one in ALL for number in range(len(one.ways))]


@pytest.mark.parametrize(("detector", "number"), WAYS, ids=[f"{one.code}-{number}" for one, number in WAYS])
def test_empty_input_gives_exactly_the_fields_of_the_evidence(empty_tables, detector, number):
    way = detector.ways[number]
    if not {*way.reads, *way.beside} <= empty_tables.keys():
        pytest.skip("reads tables that the readers fill")
    rows = way.find(*[empty_tables[name] for name in (*way.reads, *way.beside)])
    spark_types = {int: (T.IntegerType, T.LongType), str: T.StringType, bool: T.BooleanType, Ref: T.StructType}
    assert rows.columns == ["capture", *[field.name for field in dataclasses.fields(way.evidence)]]
    for field in dataclasses.fields(way.evidence):
        (wanted,) = allowed_types(field)
        got = rows.schema[field.name].dataType
        assert isinstance(got, spark_types[wanted]), (field.name, got)
        if wanted is Ref:
            assert got.fieldNames() == [part.name for part in dataclasses.fields(Ref)]


@pytest.mark.parametrize("decision", ["COMMIT", "ABORT"])
@every_detector
def test_the_smallest_evidence_has_words_for_everything(detector, decision):
    words = detector.way.explain(smallest(detector, decision=decision, latest_decision=decision))
    assert words.headline
    assert words.label
    assert words.steps
    assert all(step.text for step in words.steps)
    assert words.cause
    assert words.refuted_by
    assert words.action.summary
    assert words.confidence in {"certain", "likely", "possible"}
    assert "None" not in " ".join([words.headline, words.label, words.action.summary, *(s.text for s in words.steps)])


@pytest.mark.parametrize("decision", ["COMMIT", "ABORT", None])
@every_detector
def test_one_record_is_committed_and_several_are(detector, decision):
    told = [
        detector.way.explain(smallest(detector, decision=decision, latest_decision=decision, records=count)).action
        for count in (1, 2)
    ]
    one, several = (re.findall(r"\d records? that the producer may believe \w+", action.summary) for action in told)
    assert set(one) <= {"1 record that the producer may believe is"}
    assert set(several) <= {"2 records that the producer may believe are"}


@every_detector
def test_a_cause_that_begins_with_or_is_known_as_an_alternative(detector):
    finding = finding_of(detector, smallest(detector))
    assert finding["alternatives"] == [place for place, one in enumerate(finding["cause"]) if one.startswith("or ")]


@pytest.mark.parametrize("transactional_id", HOSTILE_IDS)
@every_detector
def test_commands_carry_hostile_ids_as_one_word(detector, transactional_id):
    check = detector.way.explain(smallest(detector, transactional_id)).action.check
    if check is None or check.command is None:
        return
    assert check.command.isprintable()
    words = shlex.split(check.command)
    assert words[0] == check.tool
    assert check.subcommand is None or check.subcommand == words[3]
    for option, wanted in (("--topic", TOPIC), ("--transactional-id", transactional_id)):
        if option in words:
            assert words[words.index(option) + 1] == wanted


@pytest.mark.parametrize("forged", [moment(123), "2026-11-21T09:30:42.123Z"])
@every_detector
def test_no_id_passes_for_a_moment(detector, forged):
    finding, healthy = (finding_of(detector, smallest(detector, one)) for one in (forged, "pay-1"))
    assert finding["transactional_id"] in {forged, None}
    assert finding["headline"] == healthy["headline"].replace("pay-1", forged)
    shape = [(one["sentence"], one["ms"]) for one in healthy.get("moments", [])]
    assert [(one["sentence"], one["ms"]) for one in finding.get("moments", [])] == shape


@every_detector
def test_an_id_is_of_the_fault_not_of_where_it_was_read(detector):
    one = smallest(detector)
    ref = Ref("other/path.txt", 9, 99)
    fields = dataclasses.fields(one)
    names = {field.name for field in fields}
    other = {"replica": "9", "captured_at": 8, "records": 9}
    moved = dataclasses.replace(
        one,
        **{name: value for name, value in other.items() if name in names},
        **{field.name: ref for field in fields if Ref in allowed_types(field)},
    )
    elsewhere = dataclasses.replace(one, **({"partition": 8} if "partition" in names else {"topic": "elsewhere"}))
    assert finding_of(detector, one)["id"] == finding_of(detector, moved)["id"]
    assert finding_of(detector, one)["id"] != finding_of(detector, elsewhere)["id"]
