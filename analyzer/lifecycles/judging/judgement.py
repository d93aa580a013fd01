"""The judgement on each open transaction, as a column of `opens`: all questions asked in one pass over its rows."""

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame

from analyzer.lifecycles.judging.age import aged
from analyzer.lifecycles.judging.open_transaction import OpenTransaction, Part, parts_of
from analyzer.lifecycles.judging.questions import coordinator_told, unknown_id
from analyzer.lifecycles.judging.reaching import outlived
from analyzer.lifecycles.judging.standing import kind_of, pending_on, standing_of
from analyzer.tables import ARROW_TYPES

COLUMN = "judgement"


@dataclasses.dataclass(frozen=True, slots=True)
class Judgement:
    """What the questions say of one open transaction.

    kind: what the coordinator's records make of it (`kind_of`), None where they do not tell. standing: how it stands
    where no finding claims it. pending_on: what offsets committed in it wait for. has_data: the log here has its last
    batch. coordinator_told: the coordinator's files can say whether it runs. unknown_id: none of them, all whole, knows
    its producer id. written_ms: timestamp of its first batch. open_since_ms: since when at least, by a broker's clock.
    aged_by: whose clocks show that it is older than any timeout; open_for_ms: for how long at least by those.
    outlived: what shows that its epoch was raised before the data came.
    """

    kind: str | None
    standing: str
    pending_on: str
    has_data: bool
    coordinator_told: bool
    unknown_id: bool
    written_ms: int | None
    open_since_ms: int | None
    aged_by: str | None
    open_for_ms: int | None
    outlived: str | None


def judgement_of(t: OpenTransaction) -> Judgement:
    """Ask every question about one open transaction."""
    kind = kind_of(t)
    aged_by, open_for_ms = aged(t) or (None, None)
    return Judgement(
        kind=kind,
        standing=standing_of(t, kind),
        pending_on=pending_on(t, kind),
        has_data=t.has_data,
        coordinator_told=coordinator_told(t),
        unknown_id=unknown_id(t) and not t.over,
        written_ms=t.written_ms,
        open_since_ms=t.open_since_ms,
        aged_by=aged_by,
        open_for_ms=open_for_ms,
        outlived=outlived(t),
    )


_SQL: dict[object, str] = {bool: "boolean", str: "string", str | None: "string", int | None: "bigint"}
_TYPES = {field.name: _SQL[field.type] for field in dataclasses.fields(Judgement)}
_ARROW = pa.struct([(name, ARROW_TYPES[kind]) for name, kind in _TYPES.items()])
JUDGEMENT = f"struct<{','.join(f'{name}:{kind}' for name, kind in _TYPES.items())}>"
"""The type of the column."""


def with_judgement(opens: DataFrame) -> DataFrame:
    """Return the open transactions, each with the judgement on it."""
    columns = [*opens.dtypes, (COLUMN, JUDGEMENT)]
    return opens.mapInArrow(_judged_batches, ", ".join(f"`{name}` {kind}" for name, kind in columns))


def _judged_batches(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        told = [dataclasses.asdict(judgement_of(OpenTransaction.of(row))) for row in _asked(batch)]
        yield pa.RecordBatch.from_arrays([*batch.columns, pa.array(told, _ARROW)], names=[*batch.schema.names, COLUMN])


def _asked(batch: pa.RecordBatch) -> list[dict[str, Any]]:
    """Return the rows with no more than the questions need: most of a row are references."""
    columns = {name: _picked(batch.column(name), part) for name, part in parts_of(OpenTransaction).items()}
    rows: list[dict[str, Any]] = pa.RecordBatch.from_pydict(columns).to_pylist()
    return rows


def _picked(values: pa.Array, part: type[Part] | None) -> pa.Array:
    """Return the fields of a struct that are asked for; a plain value as it is."""
    if part is None:
        return values
    names = list(parts_of(part))
    arrays = [pc.struct_field(values, name) for name in names]
    return pa.StructArray.from_arrays(arrays, names=names, mask=values.is_null())
