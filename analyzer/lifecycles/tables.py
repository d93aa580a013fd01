"""Every derived table, and where a build holds it: what detectors read and `sql` queries, by one name."""

import dataclasses
import operator
import typing
from collections.abc import Mapping
from typing import Annotated, Any

from pyspark.sql import DataFrame

from analyzer.lifecycles.answers import tables as answers
from analyzer.lifecycles.controller import tables as controller
from analyzer.lifecycles.coordinator import tables as coordinator
from analyzer.lifecycles.groups import tables as groups
from analyzer.lifecycles.keyed import tables as keyed
from analyzer.lifecycles.leadership import tables as leadership
from analyzer.lifecycles.logs import tables as logs
from analyzer.lifecycles.matching import tables as matching
from analyzer.lifecycles.producers import tables as producers
from analyzer.lifecycles.routing import tables as routing
from analyzer.tables import Table

DERIVED: Mapping[str, Table] = {
    table.name: table
    for room in (controller, leadership, logs, coordinator, routing, matching, producers, groups, keyed, answers)
    for table in room.TABLES
}
"""What stages hand each other and detectors read, by name."""


def paths(kind: type) -> dict[str, str]:
    """Return where this kind of build holds its tables: the path of attributes to each, by the table's name.

    A field is annotated with its table, `batches: Annotated[DataFrame, LOG_BATCHES]`; without one its own name is the
    table's. A field that is a build itself gives the tables of that one. Raises KeyError for a table that is not in
    `DERIVED`.
    """
    out: dict[str, str] = {}
    hints = typing.get_type_hints(kind, include_extras=True)
    for field in dataclasses.fields(kind):
        hint = hints[field.name]
        if dataclasses.is_dataclass(hint):
            out |= {name: f"{field.name}.{path}" for name, path in paths(typing.cast("type", hint)).items()}
        else:
            declared = hint.__metadata__[0].name if typing.get_origin(hint) is Annotated else field.name
            out[DERIVED[declared].name] = field.name
    return out


def held(*builds: Any) -> dict[str, DataFrame]:  # noqa: ANN401 - any dataclass of tables
    """Return every table of these builds by its name."""
    return {name: operator.attrgetter(path)(build) for build in builds for name, path in paths(type(build)).items()}
