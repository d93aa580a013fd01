"""The coordinator's records that are the moments of a transaction: looked up for the few that are told of."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.coordinator.transactions import LIVE, TXN
from analyzer.lifecycles.few import with_few

MOMENTS = {
    "begun_ref": "state NOT LIKE 'Complete%'",
    "prepared_ref": "state LIKE 'Prepare%'",
    "completed_ref": "state LIKE 'Complete%'",
    "latest_ref": "state IS NOT NULL",
}
"""Where each moment's record stands, and which records may be it: the last for `latest_ref`, the first for the rest."""


def refs_of(txns: DataFrame, records: DataFrame, *names: str) -> DataFrame:
    """Return these MOMENTS of the few transactions `txns` by their TXN; null where a transaction has none."""
    theirs = with_few(records.where(LIVE), txns.select(*TXN).distinct(), TXN)
    record = F.struct("offset", "ref")
    found = {name: (F.max if name == "latest_ref" else F.min)(F.when(F.expr(MOMENTS[name]), record)) for name in names}
    rows = theirs.groupBy(*TXN).agg(*[one.alias(name) for name, one in found.items()])
    return rows.select(*TXN, *[F.col(f"{name}.ref").alias(name) for name in names])
