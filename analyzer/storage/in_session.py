"""What a case holds, as the room `reading` gives it, through the session of an open case."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame, functions as F

from analyzer.storage.case import Case
from analyzer.storage.reading.rows import Row, StoredRows
from analyzer.storage.reading.tables import COMPARED, Condition, Stored, filled, nothing_of
from analyzer.tables import TABLES


def rows_of_case(case: Case) -> StoredRows:
    """Return how to read an open case."""

    def read(name: str, where: Mapping[str, Sequence[object]], columns: Sequence[str] | None = None) -> list[Row]:
        rows = case.read(name)
        for column, values in where.items():
            rows = rows.where(rows[column].isin(*values))
        return [row.asDict(recursive=True) for row in rows.select(*(columns or TABLES[name].names)).collect()]

    return read


def tables_of_case(case: Case) -> Stored:
    """Return how to read an open case."""

    def read(name: str, where: Sequence[Condition] = (), columns: Sequence[str] | None = None) -> pa.Table:
        if any(not value for _, how, value in where if how == "in"):
            return nothing_of(TABLES[name], columns)
        rows: DataFrame = case.read(name)
        for one in where:
            rows = rows.where(_for_spark(*one))
        return filled(rows.select(*(columns or TABLES[name].names)).toArrow(), TABLES[name], columns)

    return read


def _for_spark(column: str, how: str, value: Any) -> Column:  # noqa: ANN401 - a value of any column
    field = F.col(column)
    nulls = {"is null": field.isNull, "is not null": field.isNotNull}
    condition: Column = nulls[how]() if how in nulls else COMPARED[how](field, value)
    return condition
