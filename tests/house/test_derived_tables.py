"""House rules over the derived tables: each is declared, each stage gives what its declaration says, detectors read no other."""

from collections import defaultdict

import pytest
from pyspark.sql import DataFrame, SparkSession

from analyzer.config import Config
from analyzer.detectors import ALL
from analyzer.lifecycles import Lifecycles, build
from analyzer.lifecycles.groups.build import Groups, build_groups
from analyzer.lifecycles.keyed.build import Keyed, build_keyed
from analyzer.lifecycles.tables import DERIVED, held, paths
from analyzer.pipeline.ingest import ingest
from analyzer.pipeline.workbench import workbench
from analyzer.scan import CaptureRequest, scan_capture
from analyzer.storage.case import Case
from analyzer.tables import TABLES

BUILDS = (Lifecycles, Groups, Keyed)


@pytest.fixture(scope="module")
def real(lab, spark: SparkSession, tmp_path_factory) -> dict[str, DataFrame]:
    """The derived tables of small real captures: a late write, an expansion of state partitions, one of a keyed topic."""
    names = ["late_write", "coordinator_expansion_mid", "data_expansion"]
    forms = dict.fromkeys(names, "dumps") | {"data_expansion": "logdir"}
    captures = [scan_capture(CaptureRequest((str(lab / "dev" / name / forms[name]),), name)) for name in names]
    case = Case(spark, str(tmp_path_factory.mktemp("derived") / "case"))
    ingest(case, captures)
    with workbench(case, names) as bench:
        lifecycles = build(bench, Config().verdicts)
        groups = build_groups(bench, lifecycles, 10)
        return held(lifecycles, groups, build_keyed(bench, lifecycles, groups))


@pytest.mark.parametrize("name", sorted(DERIVED))
def test_a_stage_gives_what_its_declaration_says(real, name):
    given = {field.name: field.dataType.simpleString() for field in real[name].schema}
    assert given == {column.name: column.type for column in DERIVED[name].columns}


def test_every_table_is_held_by_one_build():
    holders = [name for kind in BUILDS for name in paths(kind)]
    assert sorted(holders) == sorted(DERIVED)


def test_a_derived_table_has_a_name_of_its_own():
    assert not DERIVED.keys() & TABLES.keys()


@pytest.mark.parametrize("detector", ALL, ids=lambda detector: detector.code)
def test_a_detector_reads_declared_tables(detector):
    assert set(detector.reads) | set(detector.beside) <= DERIVED.keys()


@pytest.mark.parametrize("name", sorted(DERIVED))
def test_a_declaration_says_what_it_means(name):
    table = DERIVED[name]
    assert table.name == name
    assert table.meaning.endswith(".")
    assert set(table.key) <= set(table.names)
    assert len(set(table.names)) == len(table.names)
    assert all(column.meaning for column in table.columns)


def test_a_column_name_means_one_type_everywhere():
    types: dict[str, set[str]] = defaultdict(set)
    for table in (*TABLES.values(), *DERIVED.values()):
        for column in table.columns:
            types[column.name].add(column.type)
    assert not {name for name, found in types.items() if len(found) > 1}
