"""`sql`: a case that is none, a query that is none, SHOW TABLES and DESCRIBE; what is described is what a query returns."""

import contextlib
import json

import pytest

from analyzer.config import Config
from analyzer.pipeline.query import views
from analyzer.pipeline.sql.contents import queryable
from analyzer.pipeline.sql.faults import query_fault
from analyzer.storage.case import Case


@pytest.fixture(scope="module")
def case(lab, spark, tmp_path_factory):
    """A case of one capture."""
    import sys

    from analyzer.cli.border import run_at_border
    from analyzer.cli.commands import app

    folder = tmp_path_factory.mktemp("sql") / "case"
    before, sys.argv = (
        sys.argv,
        ["txn-forensics", "run", str(lab / "dev" / "in_flight" / "dumps"), "--case", str(folder)],
    )
    try:
        assert run_at_border(app) in {0, 1}
    finally:
        sys.argv = before
    return folder


@pytest.mark.parametrize("statement", ["SELECT * FROM findings", "SHOW TABLES", "DESCRIBE findings"])
def test_a_mistyped_case_is_refused_and_not_made(command, tmp_path, statement):
    outcome = command("sql", statement, "--case", tmp_path / "csae")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == (
        f"error: {tmp_path / 'csae'} holds no captures.\ndo: txn-forensics ingest PATH... --case FOLDER\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_vacuum_of_a_mistyped_case_is_refused_and_makes_none(command, tmp_path):
    outcome = command("vacuum", "--case", tmp_path / "csae")
    assert (outcome.code, outcome.out) == (2, "")
    assert "holds no captures" in outcome.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("statement", "found", "wanted"),
    [
        ("SELECT capturee FROM findings", "no column capturee in findings.", "one such as capture"),
        ("SELECT f.topc FROM findings f", "no column f.topc in findings.", "one such as topic"),
        ("SELECT * FROM finding", "no table finding.", "one such as findings"),
        ("SELEC * FROM findings", "syntax error at character 1: 'SELEC * FROM finding'.", "a statement of Spark SQL"),
        ("SELECT a,\n, b FROM findings", "syntax error at line 2, character 1: ', b FROM findings'", "Spark SQL"),
        ("SELECT * FROM findings ORDER", "syntax error", "a statement of Spark SQL"),
        ("SELECT 1; SELECT 2", "", "a"),
        ("SELECT nosuch(topic) FROM findings", "no function nosuch.", "a function of Spark SQL"),
        ("DESCRIBE finding", "no table finding.", "one such as findings"),
    ],
)
def test_a_query_that_cannot_run_says_what_is_wrong_in_it(command, case, statement, found, wanted):
    outcome = command("sql", statement, "--case", case)
    assert (outcome.code, outcome.out) == (2, "")
    assert f"error: {found}" in outcome.err
    assert f"wanted: {wanted}" in outcome.err or wanted in outcome.err
    assert "--debug" not in outcome.err


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (
            "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column, variable, or function parameter with name `f`.`nothing` cannot be resolved. Did you mean one of the following? [`f`.`detail`]. SQLSTATE: 42703; line 1 pos 7;\n'Project",
            "no column f.nothing in findings.",
        ),
        (
            'attribute ObjectName([Identifier("f"), Identifier("x")]) is missing from the schema',
            "no column f.x in findings.",
        ),
        ("[TABLE_OR_VIEW_NOT_FOUND] The table or view `spark`.`finding` cannot be found.", "no table spark.finding."),
        ("Table not found: [TABLE_OR_VIEW_NOT_FOUND] Table or view not found: finding", "no table finding."),
        (
            "\n[PARSE_SYNTAX_ERROR] Syntax error at or near 'f'. SQLSTATE: 42601 (line 1, pos 14)\n\n== SQL ==",
            "syntax error at character 15: 'findings f', after 'SELECT * FROM'.",
        ),
        ("[AMBIGUOUS_REFERENCE] Reference `topic` is ambiguous, could be: [`f`.`topic`]", "column topic is in several"),
        ('ambiguous attribute: ObjectName([Identifier("topic")])', "column topic is in several tables"),
        ("[DIVIDE_BY_ZERO] Division by zero. SQLSTATE: 22012\n== SQL ==", "the query cannot be run: Division by zero."),
    ],
)
def test_words_of_both_engines_are_understood(said, found):
    assert query_fault(said, "SELECT * FROM findings f").found.startswith(found)


def test_show_tables_says_what_is_in_each(command, case):
    rows = [
        json.loads(line) for line in command("sql", "show tables", "--case", case, "--format", "json").out.splitlines()
    ]
    told = {row["table"]: row for row in rows}
    assert told.keys() == queryable().keys()
    assert told["findings"]["kind"] == "results"
    assert told["partition_txns"]["kind"] == "computed"
    assert all(row["what is in it"] for row in rows)
    some = command("sql", "SHOW TABLES LIKE 'partition*'", "--case", case, "--format", "csv").out.splitlines()
    assert [line.split(",")[0] for line in some[1:]] == sorted(name for name in told if name.startswith("partition"))


@pytest.mark.parametrize(
    "form", ["DESCRIBE batches", "DESC batches;", "desc table Batches", "DESCRIBE TABLE `batches`"]
)
def test_describe_tells_columns_types_and_meanings(command, case, form):
    outcome = command("sql", form, "--case", case, "--format", "json")
    rows = [json.loads(line) for line in outcome.out.splitlines()]
    assert outcome.code == 0
    assert {"column": "producer_id", "type": "bigint"}.items() <= rows[
        [r["column"] for r in rows].index("producer_id")
    ].items()
    assert all(row["meaning"] for row in rows)


def test_what_is_described_is_what_a_query_returns(spark, case):
    with contextlib.ExitStack() as stack:
        known = views(Case(spark, str(case)), Config(), stack)
        assert known.keys() == queryable().keys()
        returned = {name: sorted(view().columns) for name, view in known.items()}
    assert returned == {name: sorted(one.name for one in columns) for name, columns in queryable().items()}


def test_names_of_tables_may_be_written_in_capitals(command, case):
    assert command("sql", "SELECT count(*) FROM FINDINGS", "--case", case).code == 0
