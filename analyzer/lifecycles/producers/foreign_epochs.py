"""From what producer ids wrote to data whose epoch their coordinator never gave (RULES C 1, KIP-98)."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.inputs import Step
from analyzer.lifecycles.placing import LOG, PRODUCER
from analyzer.lifecycles.producers.epochs import EPOCH

CLIENT_CLOCK_MS = 1_000
"""A client's CreateTime must be this much older than a coordinator's record, to show by itself that it is older."""


def foreign_epochs(
    epochs: DataFrame,
    known: DataFrame,
    batches: DataFrame,
    coordinator: DataFrame,
    decisions: DataFrame,
    moments: DataFrame,
    settle: Step,
) -> DataFrame:
    """Return data whose epoch is above all that the coordinator and this log's markers give its producer id.

    The coordinator writes an epoch down before any client hears of it (`TransactionCoordinator.handleInitProducerId`,
    `endTransaction`), so only data older than the producer id's newest record counts: state files that end earlier
    prove nothing. `proof` says what shows that it is older, the first that holds:

    - `broker_clock`: its own LogAppendTime, or the time of a marker behind it;
    - `marker_refused`: a transaction of a lower epoch is decided, names this partition and has no marker here;
    - `later_transaction`: the coordinator began a transaction of a lower epoch after the data's CreateTime;
    - `client_clock`: its CreateTime is older by more than CLIENT_CLOCK_MS.

    Rows are those of `producer_epochs` with transactional_id, highest_epoch, newest (record), newest_txn, proof,
    before_ms and `refused` (the decision whose marker is missing). `settle` computes a stage (see `Hold`): mostly
    there is no such data.
    """
    given = epochs.where("is_control").groupBy(*PRODUCER).agg(F.max("producer_epoch").alias("marker_epoch"))
    above = settle(
        epochs.where("NOT is_control AND producer_id >= 0 AND records > 0")
        .join(known, ["capture", "producer_id"])
        .where("producer_epoch > highest_epoch AND transactional_id IS NOT NULL")
        .join(given, list(PRODUCER), "left")
        .where("marker_epoch IS NULL OR producer_epoch > marker_epoch")
    )
    joined = (
        _marked_behind(above, batches)
        .join(_newest(coordinator), ["capture", "producer_id"], "left")
        .join(_refused(decisions), list(PRODUCER), "left")
        .join(moments.select("capture", "spread_ms", "behind_ms", "state_horizon_ms", "captured_at"), "capture")
    )
    newest_ms = F.col("newest.timestamp")
    by_broker_ms = F.least(F.col("marked_ms") + F.col("behind_ms"), F.col("appended_ms") + F.col("behind_ms"))
    proof = (
        F.when(by_broker_ms < newest_ms, "broker_clock")
        .when(F.col("refused").isNotNull() & (F.col("oldest_ms") < newest_ms), "marker_refused")
        .when(F.col("oldest_ms") + F.col("spread_ms") < F.col("newest_txn.begun_ms"), "later_transaction")
        .when(F.col("oldest_ms") + F.col("spread_ms") + CLIENT_CLOCK_MS < newest_ms, "client_clock")
    )
    reached = F.col("state_horizon_ms").isNull() | (F.col("oldest_ms") <= F.col("state_horizon_ms"))
    return (
        joined.withColumn("proof", proof)
        .withColumn("before_ms", F.when(F.col("proof") == "broker_clock", by_broker_ms).otherwise(F.col("oldest_ms")))
        .where(F.col("proof").isNotNull() & reached)
    )


def _marked_behind(above: DataFrame, batches: DataFrame) -> DataFrame:
    """Add marked_ms: the earliest time of a marker of any producer that lies behind the data."""
    bounds = above.select(*EPOCH, "transactional", F.col("last_offset").alias("to"))
    markers = batches.where("is_control AND max_timestamp >= 0").select(
        *LOG, F.col("base_offset").alias("marker_at"), F.col("max_timestamp").alias("marker_ms")
    )
    behind = markers.join(F.broadcast(bounds), list(LOG)).where(F.col("marker_at") > F.col("to"))
    earliest = behind.groupBy(*EPOCH, "transactional").agg(F.min("marker_ms").alias("marked_ms"))
    return above.join(earliest, [*EPOCH, "transactional"], "left")


def _newest(coordinator: DataFrame) -> DataFrame:
    """Return each producer id's newest coordinator transaction."""
    details = F.struct(F.col("latest.timestamp").alias("at_ms"), "begun_ms", "state", "last_epoch", "latest")
    return coordinator.groupBy("capture", "producer_id").agg(F.max_by(details, details).alias("newest_txn"))


def _refused(decisions: DataFrame) -> DataFrame:
    """Return each producer id's decision that is still being delivered and has no marker in this log."""
    waiting = decisions.where("marker_offset IS NULL AND state LIKE 'Prepare%'")
    details = F.struct("decided_ms", "decision", "state", "last_epoch", "prepared")
    return waiting.groupBy(*PRODUCER).agg(F.max_by(details, details).alias("refused"))
