"""Data with an epoch that the coordinator never gave its producer id (RULES C 1, KIP-98)."""

from pyspark.sql import Column, DataFrame, functions as F

from analyzer.kafka.clocks import SKEW_MS
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles.coordinator.record_refs import refs_of
from analyzer.lifecycles.coordinator.transactions import TXN
from analyzer.lifecycles.placing import LOG, PRODUCER
from analyzer.lifecycles.producers.epochs import EPOCH
from analyzer.lifecycles.producers.tables import FOREIGN_EPOCHS
from analyzer.stages.few import with_few

OWNER = ["capture", "producer_id"]
CLIENT_CLOCK_MS = 1_000
"""A CreateTime alone shows that data is older than a coordinator's record only beyond this margin."""


def foreign_epochs(
    above: DataFrame,
    batches: DataFrame,
    coordinator: DataFrame,
    records: DataFrame,
    decisions: DataFrame,
    lags: DataFrame,
    moments: DataFrame,
) -> DataFrame:
    """Return rows of `foreign_epochs`: data above every epoch that coordinator and markers give its producer id.

    The coordinator records an epoch before any client learns it (`TransactionCoordinator.handleInitProducerId`,
    `endTransaction`). So only data older than the producer id's newest record counts: state files that end earlier
    prove nothing; `proof` says what shows that the data is older.

    `above` is the data that is `above_given`: usually there is none. Of decisions without a marker the last of each
    producer id in a log is `refused`.
    """
    theirs = with_few(coordinator, above.select(*OWNER).distinct(), OWNER)
    newest_begun_ms = F.max_by("begun_ms", F.struct("latest_ms", "begun_ms")).alias("newest_begun_ms")
    newest_txns = theirs.groupBy(*OWNER).agg(newest_begun_ms)
    joined = (
        _marked_after(_with_first(above, batches), batches)
        .join(newest_txns, OWNER, "left")
        .join(_refused(above, records, decisions), list(PRODUCER), "left")
        .join(lags, OWNER, "left")
        .join(one_reign(above, records, batches), OWNER, "left")
        .join(moments.select("capture", "spread_ms", "behind_ms", "state_horizon_ms", "captured_at"), "capture")
    )
    by_broker_ms = F.least(F.col("marked_ms") + F.col("behind_ms"), F.col("appended_ms") + F.col("behind_ms"))
    reached = F.col("state_horizon_ms").isNull() | (F.col("oldest_ms") <= F.col("state_horizon_ms"))
    return (
        joined.withColumns({"proof": _proof(by_broker_ms), "one_reign": F.coalesce("one_reign", F.lit(False))})
        .withColumn("before_ms", F.when(F.col("proof") == "broker_clock", by_broker_ms).otherwise(F.col("oldest_ms")))
        .where(F.col("proof").isNotNull() & reached)
        .select(*FOREIGN_EPOCHS.names)
    )


def _proof(by_broker_ms: Column) -> Column:
    """Return what shows that the data is older than the producer id's newest record, the first of these that holds.

    - `broker_clock`: its own LogAppendTime, or the time of a marker after it;
    - `marker_refused`: a transaction of a lower epoch is decided, names this partition and has no marker here;
    - `later_transaction`: the coordinator began a transaction of a lower epoch after the data's CreateTime;
    - `client_clock`: its CreateTime is older by more than CLIENT_CLOCK_MS.

    Neither of the last two proves anything where the `lags` of the producer id show that it gives its records other
    times, or tell nothing because no transaction of it has ended: its client's clock may be slow by any time.
    """
    newest_ms, lag_ms = F.col("newest.timestamp"), F.col("stamp_lag_ms")
    created_ms = F.when(lag_ms <= SKEW_MS, F.col("oldest_ms") + F.col("spread_ms") + 2 * lag_ms)
    return (
        F.when(by_broker_ms < newest_ms, "broker_clock")
        .when(F.col("refused").isNotNull() & (F.col("oldest_ms") < newest_ms), "marker_refused")
        .when(created_ms < F.col("newest_begun_ms"), "later_transaction")
        .when(created_ms + CLIENT_CLOCK_MS < newest_ms, "client_clock")
    )


def above_given(epochs: DataFrame, known: DataFrame, overruled: DataFrame) -> DataFrame:
    """Return the data whose epoch is above those of the producer id's coordinator records and markers in this log.

    `epochs` are `producer_epochs`. An epoch that records give which a newer leader epoch cut off (`overruled`) was
    given all the same.
    """
    given = epochs.where("is_control").groupBy(*PRODUCER).agg(F.max("producer_epoch").alias("marker_epoch"))
    return (
        epochs.where("NOT is_control AND producer_id >= 0 AND records > 0")
        .join(known, ["capture", "producer_id"])
        .where("producer_epoch > highest_epoch AND transactional_id IS NOT NULL")
        .join(given, list(PRODUCER), "left")
        .where("marker_epoch IS NULL OR producer_epoch > marker_epoch")
        .join(overruled.select("capture", "producer_id", "overruled_epoch"), ["capture", "producer_id"], "left")
        .where("overruled_epoch IS NULL OR producer_epoch > overruled_epoch")
    )


def _refused(above: DataFrame, records: DataFrame, decisions: DataFrame) -> DataFrame:
    """Return the last decision of each of these producer ids in a log whose marker is missing there: `refused`."""
    missing = decisions.where("marker_offset IS NULL AND state LIKE 'Prepare%'")
    waiting = with_few(missing, above.select(*PRODUCER).distinct(), PRODUCER)
    decided = waiting.join(refs_of(waiting, records, "prepared_ref"), list(TXN), "left")
    details = F.struct("decided_ms", "decision", "state", "decision_epoch", "prepared_ref")
    return decided.groupBy(*PRODUCER).agg(F.max_by(details, details).alias("refused"))


def _with_first(above: DataFrame, batches: DataFrame) -> DataFrame:
    """Add first: the first batch with records, as its offset and where it stands."""
    key = (*EPOCH, "filled_offset")
    sound = batches.where("NOT is_control AND coalesce(crc_valid, true)")
    begun = with_few(sound.withColumn("filled_offset", F.col("base_offset")), above.select(*key), key)
    row = F.struct(F.min("base_offset").alias("base_offset"), F.min("batch_ref").alias("batch_ref"))
    first = begun.groupBy(*key).agg(row.alias("first"))
    return above.join(first, list(key)).drop("filled_offset")


def _marked_after(above: DataFrame, batches: DataFrame) -> DataFrame:
    """Add marked_ms: the earliest time of a marker, of any producer, after the data."""
    bounds = above.select(*EPOCH, "transactional", F.col("last_offset").alias("to"))
    markers = batches.where("is_control AND max_timestamp >= 0")
    markers = markers.select(*LOG, F.col("base_offset").alias("marker_at"), F.col("max_timestamp").alias("marker_ms"))
    later = with_few(markers, bounds, LOG).where(F.col("marker_at") > F.col("to"))
    earliest = later.groupBy(*EPOCH, "transactional").agg(F.min("marker_ms").alias("marked_ms"))
    return above.join(earliest, [*EPOCH, "transactional"], "left")


def one_reign(above: DataFrame, records: DataFrame, batches: DataFrame) -> DataFrame:
    """Return the producer ids of `above` whose whole history one leader wrote: capture, producer_id, one_reign.

    From the log's start to its first record nothing is missing, and from there to its newest one all batches of the
    state partition have one leader epoch. A leader loses no record that it has answered for: what is lost is lost in
    an election or in a crash, and a new leader epoch begins at both.
    """
    theirs = with_few(records, above.select(*OWNER).distinct(), OWNER)
    whole = F.coalesce(F.col("hole") == 0, F.lit(False)).alias("whole")
    bounds = theirs.groupBy(*OWNER, F.col("state_partition").alias("partition")).agg(
        F.min_by(F.struct("offset", whole), "offset").alias("first"),
        F.max("offset").alias("newest"),
    )
    states = batches.where(F.col("topic") == STATE_TOPIC)
    states = states.select("capture", "partition", "base_offset", "last_offset", "partition_leader_epoch")
    between = states.join(F.broadcast(bounds), ["capture", "partition"])
    between = between.where("last_offset >= first.offset AND base_offset <= newest")
    epoch = F.col("partition_leader_epoch")
    one = (F.min(F.coalesce(epoch, F.lit(-1))) == F.max(epoch)) & F.min("first.whole") & (F.min(epoch) >= 0)
    each = between.groupBy(*OWNER, "partition").agg(F.coalesce(one, F.lit(False)).alias("one"))
    return each.groupBy(*OWNER).agg(F.min("one").alias("one_reign"))
