"""One shape for every coverage note: rows that show a gap become rows of the stored table `coverage`."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.placing import LOG
from analyzer.tables import COVERAGE_KINDS


def file_line() -> Column:
    """Return the file of a row and its line, `path:line`; without the line where none is known."""
    return F.concat("path", F.coalesce(F.concat(F.lit(":"), F.col("line").cast("string")), F.lit("")))


def note(
    rows: DataFrame, kind: str, text: Column, fetch: Column | str | None = None, **columns: str | Column
) -> DataFrame:
    """Return the rows in the shape of the table. The log's key is taken from them; what is not given is null.

    Raises ValueError for a kind that `COVERAGE_KINDS` does not have.
    """
    if kind not in COVERAGE_KINDS:
        raise ValueError(f"{kind} is no kind of coverage note")
    shape = {"topic": "string", "partition": "int", "replica": "string", "file": "string", "number": "bigint"}
    known = set(rows.columns)
    of_log = {name: F.col(name) for name in LOG if name in known}
    given = of_log | {name: F.col(value) if isinstance(value, str) else value for name, value in columns.items()}
    return rows.select(
        "capture",
        F.lit(kind).alias("kind"),
        *[given.get(name, F.lit(None)).cast(type_).alias(name) for name, type_ in shape.items()],
        text.alias("note"),
        (fetch if isinstance(fetch, Column) else F.lit(fetch)).cast("string").alias("fetch"),
    )
