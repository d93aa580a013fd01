"""Everything about routing, stage by stage: where ids lie, the counts that explain it, and what is wrong."""

import dataclasses
from typing import Annotated

from pyspark.sql import DataFrame

from analyzer.lifecycles.routing import tables


@dataclasses.dataclass(frozen=True, slots=True)
class Routing:
    """Where the ids of internal topics lie, the counts that explain it, and what is wrong with it."""

    held: Annotated[DataFrame, tables.HELD]
    located: Annotated[DataFrame, tables.LOCATED]
    counts: Annotated[DataFrame, tables.COUNTS]
    cutovers: Annotated[DataFrame, tables.CUTOVERS]
    misplaced: Annotated[DataFrame, tables.MISPLACED]
    splits: Annotated[DataFrame, tables.SPLITS]
