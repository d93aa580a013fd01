"""House rules over the tables: schemas/ is what the tables say and has all that documents query, a column's name means one type."""

import re
from pathlib import Path

from pyspark.sql import SparkSession

from analyzer.lifecycles.ddl import ddl_files
from analyzer.lifecycles.tables import DERIVED
from analyzer.tables import TABLES

ROOT = Path(__file__).parent.parent.parent
SCHEMAS = ROOT / "schemas"


def test_the_schema_files_are_what_the_tables_say() -> None:
    written = {path.name: path.read_text(encoding="utf-8") for path in SCHEMAS.glob("*.ddl")}
    assert written == ddl_files(), "stale: run make schemas"


def test_a_column_name_means_one_type_everywhere() -> None:
    types: dict[str, set[str]] = {}
    for table in TABLES.values():
        for column in table.columns:
            types.setdefault(column.name, set()).add(column.type)
    assert {name: found for name, found in types.items() if len(found) > 1} == {}


def test_every_table_has_a_key_of_its_own_columns_and_a_meaning_for_each() -> None:
    for table in TABLES.values():
        assert table.key, table.name
        assert set(table.key) <= set(table.names), table.name
        assert len(set(table.names)) == len(table.names), table.name
        assert table.meaning, table.name
        assert all(column.meaning for column in table.columns), table.name


def test_every_table_that_a_document_queries_has_its_schema_file() -> None:
    asked: dict[str, set[str]] = {}
    for document in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "schedules").glob("*.sql")):
        text = document.read_text(encoding="utf-8")
        own = set(re.findall(r"\b(\w+) AS \(", text))
        statements = re.findall(r"sql \"(.*?)\"", text, re.DOTALL) if document.suffix == ".md" else [text]
        for statement in statements:
            for name in set(re.findall(r"\b(?:FROM|JOIN|DESCRIBE)\s+(\w+)", statement)) - own:
                asked.setdefault(name, set()).add(document.name)
    assert "partition_txns" in asked, "README's own example is not found"
    assert {name: found for name, found in asked.items() if not (SCHEMAS / f"{name}.ddl").exists()} == {}


def test_spark_reads_the_schema_files(spark: SparkSession) -> None:
    for table in (*TABLES.values(), *DERIVED.values()):
        statement = table.create_statement().rstrip().rstrip(";")
        name = f"house_{table.name}"
        spark.sql(
            statement.replace(f"CREATE TABLE {table.name} (", f"CREATE TEMPORARY VIEW {name} (", 1) + " USING json"
        )
        assert {field.name: field.dataType.simpleString() for field in spark.table(name).schema} == {
            column.name: column.type for column in table.columns
        }
        spark.catalog.dropTempView(name)
