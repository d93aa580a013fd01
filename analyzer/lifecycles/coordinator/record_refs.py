"""The coordinator's records that are the moments of a transaction: looked up for the few that are told of."""

from collections.abc import Sequence

from pyspark.sql import DataFrame, functions as F

from analyzer.lifecycles.coordinator.transactions import ID, LIVE, TXN
from analyzer.stages.few import with_few

REFS = {
    "begun_ref": "state NOT LIKE 'Complete%'",
    "prepared_ref": "state LIKE 'Prepare%'",
    "completed_ref": "state LIKE 'Complete%'",
    "latest_ref": "state IS NOT NULL",
}
"""The place of each moment's record, and which records may be it: the last for `latest_ref`, the first for the rest."""


def refs_of(txns: DataFrame, records: DataFrame, *names: str) -> DataFrame:
    """Return the named REFS of a few transactions, a row for each TXN; null where it has no such record."""
    theirs = with_few(records.where(LIVE), txns.select(*TXN).distinct(), TXN)
    record = F.struct("offset", "ref")
    found = {name: (F.max if name == "latest_ref" else F.min)(F.when(F.expr(REFS[name]), record)) for name in names}
    rows = theirs.groupBy(*TXN).agg(*[one.alias(name) for name, one in found.items()])
    return rows.select(*TXN, *[F.col(f"{name}.ref").alias(name) for name in names])


def with_ref_at(rows: DataFrame, offset: str, records: DataFrame, name: str) -> DataFrame:
    """Add, as `name`, where the id's record at the offset in this column stands."""
    told = records.select(*ID, F.col("offset").alias(offset), F.col("ref").alias(name))
    return rows.join(told, [*ID, offset], "left")


def refs_told(rows: DataFrame, records: DataFrame, names: Sequence[str]) -> DataFrame:
    """Return the REFS of every transaction that a struct of these names tells of in one of the few rows."""
    key = TXN[1:]
    told = F.explode(F.array(*[F.struct(*[F.col(name)[part].alias(part) for part in key]) for name in names]))
    asked = rows.select("capture", told.alias("txn")).select("capture", "txn.*").where("coordinator_txn IS NOT NULL")
    return refs_of(asked, records, *REFS)


def with_refs(rows: DataFrame, refs: DataFrame, names: Sequence[str]) -> DataFrame:
    """Add to the few rows, for each struct of these names, the REFS of its transaction as `<name>_refs`."""
    key = TXN[1:]
    for name in names:
        own = {f"{name}_{part}": part for part in key}
        keys = [F.col(part).alias(to) for to, part in own.items()]
        theirs = refs.select("capture", *keys, F.struct(*REFS).alias(f"{name}_refs"))
        named = rows.withColumns({to: F.col(name)[part] for to, part in own.items()})
        rows = named.join(theirs, ["capture", *own], "left").drop(*own)
    return rows
