"""Rows that the driver holds as a table of the session."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema


def frame_of(session: SparkSession, rows: Sequence[dict[str, Any]], schema: pa.Schema) -> DataFrame:
    """Return the rows as a table of this schema, also where there are none: Spark Connect infers nothing from those."""
    if not rows:
        return session.createDataFrame([], from_arrow_schema(schema))
    return session.createDataFrame(pa.Table.from_pylist(list(rows), schema=schema))
