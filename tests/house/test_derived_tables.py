"""House rules over the derived tables: each is declared, each stage gives what its declaration says, detectors read no other."""

import dataclasses
import graphlib
import json
from collections import defaultdict
from importlib import resources

import pytest
from pyspark.sql import SparkSession

from analyzer import stages
from analyzer.config import Config
from analyzer.detectors.registry import ALL
from analyzer.lifecycles.tables import DERIVED
from analyzer.pipeline.ingest import ingest
from analyzer.pipeline.reported import STAGES
from analyzer.pipeline.workbench import workbench
from analyzer.scan.capture import scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.stages.private import FILE
from analyzer.stages.running import Run
from analyzer.stages.stage import Kept
from analyzer.storage.case import Case
from analyzer.tables import TABLES
from analyzer.tables.shapes import shape_of

GIVEN = {"captures", "places", "unread_segments", "files_of_captures", "other_topics"}
"""What an analysis has before any stage runs."""
OF_FINDINGS = {"finding_places", "dated_findings", "stuck_logs"}
"""What it knows once the findings are there."""
CAPTURES = {
    "coordinator_expansion_mid": "dev/coordinator_expansion_mid/dumps",
    "concurrent_group_producers": "dev/concurrent_group_producers/dumps",
    "data_expansion": "dev/data_expansion/logdir",
    "slipped": "dev/S8c_slipped_after_lost_marker/logdir",
    "quorum": "metadata/3.9.1/logdir",
}
RARE = {
    "answered", "damage", "disputed", "ended_earlier", "exhausted_ids", "foreign_epochs", "forbidden_orders",
    "placed_answers", "placed_log_lines", "preparing", "rescuable", "sequence_gaps", "served_by", "settled_waits",
    "shared_producer_ids", "slips", "strayed", "truncated",
    "unlisted_aborts", "unseen",
}  # fmt: skip
"""What none of these captures has; detectors of these are shown on captures of their own."""


@pytest.fixture(scope="module")
def rows(lab, spark: SparkSession, tmp_path_factory) -> set[str]:
    """The derived tables that have rows in small real captures. A stage that breaks its declaration raises here."""
    captures = [scan_capture(CaptureRequest((str(lab / path),), name)) for name, path in CAPTURES.items()]
    case = Case(spark, str(tmp_path_factory.mktemp("derived") / "case"))
    ingest(case, captures)
    with workbench(case, list(CAPTURES)) as bench:
        return {name for name, made in Run(STAGES, bench, Config()).with_rows(*DERIVED).items() if not made.isEmpty()}


def test_real_captures_have_rows_of_nearly_every_table(rows):
    assert DERIVED.keys() - rows == RARE


@pytest.fixture(scope="module")
def ran(over_nothing) -> set[str]:
    """The stages that ran over a case that holds nothing: nobody told them that their tables are empty."""
    out = set()

    def noted(stage):
        def make(*tables):
            out.add(stage.name)
            return stage.make(*tables)

        return dataclasses.replace(stage, make=make)

    over_nothing([noted(stage) for stage in STAGES]).tables(*[stage.name for stage in STAGES])
    return out


@pytest.mark.parametrize(
    "stage", [stage for stage in STAGES if stage.kept is not Kept.FACTS], ids=lambda stage: stage.name
)
def test_a_stage_gives_what_its_declaration_says_also_of_nothing(ran, stage):
    """The run holds every table against its declaration, so that a stage that ran gives what it declares."""
    assert stage.name in ran


def test_every_derived_table_has_one_stage():
    assert sorted(stage.name for stage in STAGES if stage.declared) == sorted(DERIVED.keys() - GIVEN)
    assert len({stage.name for stage in STAGES}) == len(STAGES)
    assert all(stage.declared is DERIVED[stage.name] for stage in STAGES if stage.declared)


def test_the_columns_of_every_private_table_are_written_down():
    """A run holds what a stage gives against them (above, on Spark); `make stages` asks Sail."""
    written = json.loads(resources.files(stages).joinpath(FILE).read_text(encoding="utf-8"))
    assert written.keys() == {stage.name for stage in STAGES if stage.declared is None} | GIVEN - {"captures"}


@pytest.mark.parametrize("table", [*TABLES.values(), *DERIVED.values()], ids=lambda table: table.name)
def test_the_types_of_a_table_are_those_that_an_engine_reads_from_its_ddl(spark, table):
    assert shape_of(table) == spark.createDataFrame([], table.ddl).schema


def test_a_private_table_has_a_name_of_its_own():
    private = {stage.name for stage in STAGES if stage.declared is None}
    assert not private & (TABLES.keys() | DERIVED.keys() | GIVEN | OF_FINDINGS)


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.name)
def test_a_stage_takes_tables_that_are_there(stage):
    made = {one.name for one in STAGES}
    assert set(stage.inputs) <= made | GIVEN | OF_FINDINGS | TABLES.keys()
    assert stage.reads
    assert stage.narrowed.keys() <= {*stage.reads, *stage.beside}
    assert stage.combine is None or stage.shared_by


def test_stages_stand_after_what_they_take_in_some_order():
    graphlib.TopologicalSorter({stage.name: stage.inputs for stage in STAGES}).prepare()


def test_a_derived_table_has_a_name_of_its_own():
    assert not DERIVED.keys() & TABLES.keys()


@pytest.mark.parametrize("detector", ALL, ids=lambda detector: detector.code)
def test_a_detector_reads_declared_tables(detector):
    assert {name for way in detector.ways for name in (*way.reads, *way.beside)} <= DERIVED.keys()


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
