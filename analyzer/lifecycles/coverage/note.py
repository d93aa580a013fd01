"""One shape for every coverage note: rows that show a gap become rows of the stored table `coverage`."""

import string

from pyspark.sql import Column, DataFrame, functions as F

from analyzer.lifecycles.placing import LOG, at_line
from analyzer.tables import COVERAGE_KINDS

SHOWN = 10
"""Names that a note lists one by one."""


def file_line() -> Column:
    """Return the file of a row and its line, `path:line`; without the line where none is known."""
    return F.coalesce(at_line(), "path")


def worded(template: str, **values: Column) -> Column:
    """Return a sentence: a name between braces stands for that column, or for what `values` has under it.

    Null where one of them is.
    """
    pieces: list[Column | str] = []
    for text, name, _, _ in string.Formatter().parse(template):
        pieces += [F.lit(text)] if text else []
        pieces += [values.get(name, name)] if name else []
    return F.concat(*pieces)


def number_of(number: str, one: str, several: str | None = None) -> Column:
    """Return `1 marker` or `3 markers` for a column with a number; `several` where its plural takes more than an s."""
    return F.when(F.col(number) == 1, f"1 {one}").otherwise(worded(f"{{{number}}} {several or one + 's'}"))


def some_of(names: str, shown: int = SHOWN, more: str = " and {left} more") -> Column:
    """Return the first of the names in an array column, and how many more there are."""
    rest = F.when(F.size(names) > shown, worded(more, left=F.size(names) - shown)).otherwise("")
    return F.concat(F.array_join(F.slice(names, 1, shown).cast("array<string>"), ", "), rest)


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
