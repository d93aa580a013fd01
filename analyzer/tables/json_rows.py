"""Rows as JSON texts, so that rows of several shapes come to the driver in one job, and the texts as rows again."""

import json
from typing import Any

from pyspark.sql import Column, functions as F
from pyspark.sql.types import ArrayType, DataType, StructType


def json_row(*columns: str) -> Column:
    """Return these columns (`*`: all) as a JSON object; what is null is left out."""
    return F.to_json(F.struct(*columns), {"ignoreNullFields": "true"})


def row_of(text: str, shape: StructType) -> dict[str, Any]:
    """Return the row of this shape that a text of `json_row` holds, with None for what was left out."""
    whole: dict[str, Any] = _whole(json.loads(text), shape)
    return whole


def _whole(value: Any, shape: DataType) -> Any:  # noqa: ANN401 - a JSON value
    """Return the value with every field of its structs."""
    if isinstance(shape, StructType) and value is not None:
        return {field.name: _whole(value.get(field.name), field.dataType) for field in shape.fields}
    if isinstance(shape, ArrayType) and value is not None:
        return [_whole(item, shape.elementType) for item in value]
    return value
