"""A run of stages over a case that holds nothing, which asks every stage all the same."""

from collections.abc import Iterable
from types import SimpleNamespace

from pyspark.sql import DataFrame, SparkSession

from analyzer.config import Config
from analyzer.lifecycles.controller.topic_ids import OTHER_TOPICS
from analyzer.lifecycles.placing import capture_sections, unread_segments
from analyzer.pipeline.pictures import DATED, PINNED, TARGETS
from analyzer.stages.inputs import Inputs
from analyzer.stages.running import Run
from analyzer.stages.stage import Stage
from analyzer.tables import TABLES, Table
from analyzer.tables.frames import frame_of
from analyzer.tables.shapes import hold_to


def run_over_nothing(spark: SparkSession, stages: Iterable[Stage]) -> Run:
    """A run of these stages, none of which is told that its tables are empty; each is held to its declaration."""

    def read(name: str) -> DataFrame:
        return spark.createDataFrame([], TABLES[name].ddl)

    def emptied(rows: DataFrame, table: Table | None = None) -> DataFrame:
        if table is not None:
            hold_to(table, rows)
        return spark.createDataFrame([], rows.schema)

    hold = SimpleNamespace(
        settle=emptied,
        keep=emptied,
        planned=emptied,
        nothing=lambda table: spark.createDataFrame([], table.ddl),
        emptied=emptied,
        at_once=1,
        is_empty=lambda _: False,
        keep_with_facts=lambda facts, computed, table: emptied(facts.unionByName(computed), table),
        narrowing=lambda *_: lambda rows: rows,
        by_shares=lambda _, step, table: emptied(step(lambda rows: rows), table),
        in_shares=lambda _, step, table: emptied(step(lambda rows: rows), table),
    )
    hold.over = lambda _: hold
    places = capture_sections(read("capture_files"), read("sections"))
    unread = unread_segments(read("capture_files"), places)
    out = Run(stages, Inputs(read, read("captures"), places, unread, hold), Config())
    out.give("files_of_captures", read("capture_files"))
    for name, schema in {
        "other_topics": OTHER_TOPICS,
        "finding_places": TARGETS,
        "dated_findings": DATED,
        "stuck_logs": PINNED,
    }.items():
        out.give(name, frame_of(spark, [], schema))
    return out
