"""docs/sql.md and its notebook say what the program says: every statement is run, here and in DuckDB."""

import re

import nbformat
import pytest
from notebook import written
from opening import DUCKDB, SPARK
from picture import nearest
from questions import QUESTIONS
from sql_page import NOTEBOOK, PAGE, asked, page

from analyzer.config import Config
from analyzer.pipeline.query import query
from analyzer.storage.case import Case
from analyzer.tables import STORES, TABLES

SQL = re.compile(r"```sql\n(.*?)\n```\n\n```\n(.*?)\n```", re.DOTALL)


@pytest.fixture(scope="module")
def views(case):
    """The case in DuckDB, opened by the page's own lines."""
    shown: dict = {}
    exec(DUCKDB, shown)  # noqa: S102 - the page's text
    return shown["opened"](str(case))


def test_the_page_is_that_of_the_program(case):
    assert page(asked) == PAGE.read_text("utf-8"), "make sql writes it"


def test_every_statement_of_the_page_gives_the_answer_below_it(case):
    shown = SQL.findall(PAGE.read_text("utf-8"))
    assert len(shown) == len(QUESTIONS) == 12
    for statement, answer in shown:
        assert asked(statement).rstrip() == answer
        assert len(answer.splitlines()) > 1, "an answer without rows shows nothing"


def test_the_notebook_is_what_its_cells_say(case):
    assert written() == NOTEBOOK.read_text("utf-8"), "make sql writes it"
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    said = [one for cell in notebook.cells if cell.cell_type == "code" for one in cell.outputs]
    assert len(said) > 6
    assert not any(one.output_type == "error" for one in said)


@pytest.mark.parametrize("one", QUESTIONS, ids=lambda one: one.title)
def test_duckdb_gives_the_same_rows(one, case, spark, views):
    columns, rows = query(Case(spark, str(case)), one.sql, Config())
    told = views.sql(one.sql)
    assert told.columns == columns
    assert told.fetchall() == rows


def test_a_session_reads_a_table_by_the_lines_of_the_page(case, spark):
    shown: dict = {}
    exec(SPARK, shown)  # noqa: S102 - the page's text
    found = shown["table"](spark, str(case), "results", "findings").select("name", "topic", "partition").collect()
    assert sorted(row.topic for row in found) == ["audit", "orders", "orders", "payments"]
    assert SPARK in PAGE.read_text("utf-8")
    assert DUCKDB in PAGE.read_text("utf-8")


def test_the_picture_has_every_stored_table(case):
    drawn = PAGE.read_text("utf-8")
    assert all(f"  {table.name} {{\n" in drawn for tables in STORES.values() for table in tables)
    assert {one.name for one in nearest(TABLES["id_txn_logs"])} == {"log_txns", "id_txns"}
    assert {one.name for one in nearest(TABLES["batches"])} == {"sections"}


@pytest.mark.parametrize("table", STORES["lookups"], ids=lambda table: table.name)
def test_sql_returns_the_rows_of_a_table_of_look_ups(table, case, spark, command):
    """All that are stored: of the tables of this capture, only those that a controllers' log or holes make are empty."""
    columns, rows = query(Case(spark, str(case)), f"SELECT * FROM {table.name}", Config())  # noqa: S608
    assert columns == list(table.names)
    assert bool(rows) == (table.name not in {"log_holes", "cluster_events"})
    told = command("sql", f"SELECT count(*) AS n FROM {table.name}", "--case", case, "--format", "csv")  # noqa: S608
    assert told.out.split() == ["n", str(len(rows))]
