"""Lookups by value: what a join with the few would drop is left out, and nothing else."""

import pytest

from analyzer.pipeline.amounts import holding
from analyzer.pipeline.amounts.holding import Holding
from analyzer.pipeline.amounts.one_task_or_many import Amount
from analyzer.storage.engines.differences import engine_of

ROWS = [(1, "a"), (2, "b"), (2, None), (3, "c"), (None, "a")]


@pytest.fixture(scope="module")
def engine(spark):
    return engine_of(spark)


def narrowed(spark, engine, few, column="id", amount=Amount.MANY):
    rows = spark.createDataFrame(ROWS, "id bigint, name string")
    values = spark.createDataFrame([(value,) for value in few], f"{column} {dict(rows.dtypes)[column]}")
    step = Holding(engine, amount).narrowing(values, column)
    return sorted((tuple(row) for row in step(rows).collect()), key=str)


def kept(*wanted):
    return sorted(wanted, key=str)


def test_rows_without_one_of_the_values_are_left_out(spark, engine):
    assert narrowed(spark, engine, [2, 2, 4, None]) == kept((2, "b"), (2, None))
    assert narrowed(spark, engine, ["a", "c"], "name") == kept((1, "a"), (3, "c"), (None, "a"))


def test_no_value_leaves_nothing(spark, engine):
    assert narrowed(spark, engine, []) == []
    assert narrowed(spark, engine, [None]) == []


def test_of_too_many_values_everything_stays(spark, engine, monkeypatch):
    monkeypatch.setattr(holding, "MOST_VALUES", 2)
    assert narrowed(spark, engine, [2, 3]) == kept((2, "b"), (2, None), (3, "c"))
    assert narrowed(spark, engine, [1, 2, 4]) == kept(*ROWS)


@pytest.mark.parametrize("amount", [Amount.TINY, Amount.FEW])
def test_where_there_is_little_no_value_is_asked_for(spark, engine, amount):
    assert narrowed(spark, engine, [2], amount=amount) == kept(*ROWS)
