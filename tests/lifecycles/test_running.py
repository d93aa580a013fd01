"""What a run computes: the tables that are asked for, what these need, and nothing where there is nothing."""

import dataclasses

import pytest
from given_tables import run_with
from pyspark.sql import functions as F

from analyzer.config import Config, LimitsConfig
from analyzer.lifecycles.declaring import derived
from analyzer.pipeline.amounts.holding import Holding
from analyzer.pipeline.amounts.one_task_or_many import Amount
from analyzer.pipeline.amounts.shares import Share
from analyzer.pipeline.amounts.sizes import whole
from analyzer.stages.combining import added_up
from analyzer.stages.inputs import Inputs
from analyzer.stages.profiling import Profile
from analyzer.stages.running import Run
from analyzer.stages.stage import Kept, Stage, rows_of
from analyzer.storage.engines.differences import engine_of
from analyzer.tables import Column
from analyzer.tables.shapes import BrokenDeclaration

COUNTED = derived(
    "counted", ("name",), "A name.", Column("name", "string", "a name"), Column("n", "bigint", "how many")
)


@pytest.fixture(params=[1, 2], ids=["in turn", "side by side"])
def hold(spark, request):
    return dataclasses.replace(Holding(engine_of(spark), Amount.FEW), at_once=request.param)


@pytest.fixture
def names(spark):
    return spark.createDataFrame([("a", 1), ("b", 2), ("a", 3)], "name string, id bigint")


def counted(rows, *_):
    return rows.groupBy("name").agg(F.count("*").alias("n"))


def none_of(rows, *_):
    return rows.where("id < 0")


class Made:
    """Notes which stages have run."""

    def __init__(self):
        self.names = []

    def stage(self, name, make, *tables, **more):
        def noted(*rows):
            self.names.append(name)
            return make(*rows)

        return Stage(name, noted, *tables, **more)


def test_only_what_is_asked_for_is_made_and_once(hold, names):
    made = Made()
    stages = [
        made.stage("kept", rows_of, ("names",)),
        made.stage("counts", counted, ("kept",)),
        made.stage("others", counted, ("kept",)),
        made.stage("unasked", counted, ("others",)),
    ]
    run = run_with(hold, stages, names=names)
    assert sorted(tuple(row) for row in run["counts"].collect()) == [("a", 2), ("b", 1)]
    assert sorted(run.tables("counts", "others")) == ["counts", "others"]
    assert sorted(made.names) == ["counts", "kept", "others"]
    assert not run.is_here("unasked")


def test_without_rows_to_read_nothing_is_made_and_nothing_beside_it(hold, names):
    made = Made()
    stages = [
        made.stage("none", none_of, ("names",)),
        made.stage("beside", rows_of, ("names",)),
        Stage(COUNTED, counted, ("none",), ("beside",)),
        made.stage("after", counted, ("private",)),
        made.stage("private", none_of, ("none",), ("beside",)),
    ]
    run = run_with(hold, stages, names=names)
    assert run.with_rows("counted", "after") == {}
    assert run["counted"].collect() == []
    assert run["counted"].columns == ["name", "n"]
    assert made.names == ["none"]


def test_an_empty_private_table_has_its_columns_where_another_needs_it(hold, names):
    made = Made()
    stages = [
        made.stage("none", none_of, ("names",)),
        made.stage("empty", counted, ("none",)),
        made.stage("joined", lambda rows, few: rows.join(few, "name", "left"), ("names",), ("empty",)),
    ]
    run = run_with(hold, stages, names=names)
    assert [row.n for row in run["joined"].collect()] == [None] * 3
    assert run.is_empty("empty")


def test_one_of_several_tables_with_rows_is_enough(hold, names):
    stages = [Stage("none", none_of, ("names",)), Stage("both", lambda a, b: a.unionByName(b), ("none", "names"))]
    assert run_with(hold, stages, names=names)["both"].count() == 3


def test_another_table_is_taken_where_nothing_is_to_be_changed(hold, names):
    changed = Stage(
        "names_now", lambda few, rows: rows.join(few, "id", "left_anti"), ("gone",), ("names",), otherwise="names"
    )
    gone = Stage("gone", none_of, ("names",))
    run = run_with(hold, [gone, changed], names=names)
    assert run["names_now"] is names
    some = dataclasses.replace(gone, make=lambda rows: rows.where("id = 2"))
    assert run_with(hold, [some, changed], names=names)["names_now"].count() == 2


def test_a_stage_that_breaks_its_declaration_is_named_with_the_difference(hold, names):
    def other(rows):
        return counted(rows).select(F.col("n").cast("int").alias("n"), F.lit(1).alias("more"))

    with pytest.raises(BrokenDeclaration) as broken:
        run_with(hold, [Stage(COUNTED, other, ("names",))], names=names)["counted"]
    for part in ("counted", "n is int, declared bigint", "name is missing", "more is not declared"):
        assert part in str(broken.value)


def test_a_table_that_is_passed_on_is_held_against_the_declaration_too(hold, names):
    stages = [Stage("none", none_of, ("names",)), Stage(COUNTED, counted, ("none",), otherwise="names")]
    with pytest.raises(BrokenDeclaration, match="id is not declared"):
        run_with(hold, stages, names=names)["counted"]


def test_the_error_of_a_stage_is_raised(hold, names):
    def fails(_):
        raise ValueError("this one")

    stages = [Stage("fails", fails, ("names",)), Stage("works", counted, ("names",))]
    with pytest.raises(ValueError, match="this one"):
        run_with(hold, stages, names=names).tables("works", "fails")


def test_a_stage_gets_its_settings_after_its_tables(hold, names):
    first = Stage(
        "first", lambda rows, most: rows.orderBy("id").limit(most), ("names",), settings=("limits.fetch_files",)
    )
    inputs = Inputs(lambda _: names, names, names, names, hold)
    run = Run([first], inputs, Config(limits=LimitsConfig(fetch_files=2)))
    assert run["first"].count() == 2


@pytest.mark.parametrize("kept", [Kept.SETTLED, Kept.PLAN])
def test_shares_are_combined(spark, names, kept):
    """Each share makes its own table; what several made of one name is added up."""
    shares = {**whole(), "log_no": Share.several("log_no", {1: 10, 2: 10, 3: 10}, 10)}
    hold = Holding(engine_of(spark), Amount.MANY, shares=shares)
    rows = names.withColumnRenamed("id", "log_no")
    apart = Stage("apart", counted, ("rows",), kept=kept, shared_by="log_no")
    together = dataclasses.replace(apart, makes="together", combine=lambda parts: added_up(parts, ("name",)))
    run = run_with(hold, [apart, together], rows=rows)
    assert sorted(tuple(row) for row in run["apart"].collect()) == [("a", 1), ("a", 1), ("b", 1)]
    assert sorted(tuple(row) for row in run["together"].collect()) == [("a", 2), ("b", 1)]


def test_a_table_is_narrowed_to_what_a_few_rows_ask_for(spark, names):
    hold = Holding(engine_of(spark), Amount.MANY)
    few = Stage("few", lambda rows: rows.where("id = 2"), ("names",))
    theirs = Stage("theirs", rows_of, ("names",), narrowed={"names": ("few", "name")})
    run = run_with(hold, [few, theirs], names=names)
    assert [row.name for row in run["theirs"].collect()] == ["b"]


def test_a_private_table_is_let_go_once_it_was_taken(hold, names):
    stages = [
        Stage("kept", rows_of, ("names",)),
        Stage("counts", counted, ("kept",)),
        Stage("first", lambda rows: rows.limit(1), ("kept",)),
    ]
    run = run_with(hold, stages, names=names)
    assert run["counts"].count() == 2
    assert run.is_here("kept")
    assert run["first"].count() == 1
    assert not run.is_here("kept")
    assert run["kept"].count() == 3


def test_facts_are_read_in_place_where_that_is_as_fast(hold, names):
    stages = [
        Stage("more", lambda rows: rows.where("id = 3"), ("names",), kept=Kept.PLAN),
        Stage("all", lambda a, b: a.unionByName(b), ("names", "more"), kept=Kept.FACTS),
    ]
    assert run_with(hold, stages, names=names)["all"].count() == 4


def test_a_profile_notes_what_each_stage_costs_and_changes_nothing(hold, names):
    stages = [
        Stage("kept", rows_of, ("names",)),
        Stage("as_planned", rows_of, ("kept",), kept=Kept.PLAN),
        Stage("counts", counted, ("as_planned",)),
        Stage("none", none_of, ("kept",)),
        Stage("after_none", counted, ("none",)),
    ]
    profile = Profile()
    inputs = Inputs(lambda _: names, captures=names, places=names, unread=names, hold=hold)
    run = Run(stages, inputs, Config(), profile)
    run.give("names", names)
    assert sorted(tuple(row) for row in run["counts"].collect()) == [("a", 2), ("b", 1)]
    assert run.with_rows("after_none") == {}
    costs = {one.table: one for one in profile.costs}
    assert {name: (one.rows_in, one.rows_out) for name, one in costs.items()} == {
        "kept": (None, 3), "as_planned": (3, None), "counts": (None, 2), "none": (3, 0),
    }  # fmt: skip
    assert all(one.plan_nodes > 0 for one in costs.values())
    head, *rows, total = profile.lines()
    assert [line.split()[0] for line in (head, total)] == ["table", "4"]
    assert {line.split()[0] for line in rows} == set(costs)
