"""Whether an open transaction that no record tells of is older than any timeout, and by whose clocks (RULES D 4)."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from analyzer.detectors import conditions
from analyzer.kafka.clocks import COPYING_MS


def aged(opens: DataFrame) -> DataFrame:
    """Return the rows of `opens` that are over age, with `aged_by` and `open_for_ms`.

    aged_by: whose clocks show it, in the order of their worth. `brokers`: a time that a broker set after it;
    `producers`: two others at later offsets; `pace`: its own, and as many offsets after it take longer than any timeout
    at ten times the pace of those here; `own`: its producer's alone. open_for_ms: for how long at least, by that.
    """
    limit = F.col("max_timeout_ms") + COPYING_MS
    now_ms = F.least("captured_at", "copied_ms")
    by_broker = now_ms - conditions.open_since_ms()
    by_own = now_ms - F.coalesce("last_batch.max_timestamp", "snapshot_ms")
    own = F.coalesce(by_own > limit, F.lit(False)) & conditions.open_since_ms().isNull()
    proofs = {
        "brokers": (F.coalesce(by_broker > limit, F.lit(False)), by_broker),
        "producers": (F.coalesce(F.col("others_ms") > limit, F.lit(False)), F.col("others_ms")),
        "pace": (own & F.coalesce(F.col("paced_ms") > limit, F.lit(False)), by_own),
        "own": (own, by_own),
    }
    told = F.col("transactional_id").isNotNull() | conditions.unknown_id()
    aged_by = _first({name: (proof, F.lit(name)) for name, (proof, _) in proofs.items()})
    judged = _here(opens).where(~told).withColumns({"aged_by": aged_by, "open_for_ms": _first(proofs)})
    return judged.where("aged_by IS NOT NULL")


def _here(opens: DataFrame) -> DataFrame:
    """Return what is open in a log that is here, also where only its newest snapshot still shows it (RULES D 5).

    Where the data is proven to be gone, that is another finding (RULES A 9).
    """
    carried = opens.where("authority AND has_log AND NOT disputed AND unread_offset IS NULL AND gone IS NULL")
    return conditions.judged(opens).unionByName(carried.where(~conditions.has_data()))


def _first(proofs: dict[str, tuple[Column, Column]]) -> Column:
    """Return the value of the first proof that holds, null for none."""
    return F.coalesce(*[F.when(proof, value) for proof, value in proofs.values()])
