"""What is wrong with the coordinator's transactions by themselves: stuck in Prepare, forgotten, states out of order."""

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.kafka.clocks import SKEW_MS
from analyzer.kafka.settings import ID_EXPIRES_MS
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.kafka.transaction_states import FOLLOWERS
from analyzer.lifecycles.coordinator.copies import PARTITION as STATE_PARTITION
from analyzer.lifecycles.coordinator.record_refs import refs_of
from analyzer.lifecycles.coordinator.tables import FORBIDDEN_ORDERS
from analyzer.lifecycles.coordinator.transactions import ID, TXN, TXN_OF_ID
from analyzer.lifecycles.logs.replicas import with_data
from analyzer.lifecycles.placing import LOG, PARTITION, PRODUCER, PRODUCER_NO, partition_name
from analyzer.stages.few import with_few
from analyzer.tables import NO_REPLICA
from analyzer.tables.unions import union_filled


def stuck(coordinator: DataFrame, records: DataFrame) -> DataFrame:
    """Return the coordinator transactions of ids whose newest record is PrepareCommit or PrepareAbort."""
    newest = records.groupBy(*ID).agg(F.max("offset").alias("newest"))
    return coordinator.join(newest, list(ID)).where("state LIKE 'Prepare%' AND latest_at = newest").drop("newest")


def preparing(
    stuck: DataFrame,
    records: DataFrame,
    registered: DataFrame,
    decisions: DataFrame,
    logs: DataFrame,
    opens: DataFrame,
    holes: DataFrame,
    stopped: DataFrame,
    ahead: DataFrame,
    unled: DataFrame,
) -> DataFrame:
    """Return rows of `preparing`, one for each place that lacks the marker of a stuck transaction.

    A place is a partition of the transaction whose log is here to its end, without a matched marker, and without
    one in another copy that goes on beyond it (`ahead`, the `markers_ahead`). Where nothing is open and the log
    does not begin at 0, the marker may have been deleted with what is below its start. If no such log is left, the
    place is the state partition itself; of a capture without any data partition, every one on the list. The data
    columns are null where nothing is open. `holes` are what copies of logs lack (`holes_of_logs`), `stopped` the
    `stopped_brokers`: what lies on one of them, with the state partition, was copied at the same moment. Where
    it has the controllers' log, that tells when it stopped: the decision may be of that moment. `unled` are the
    `unled_since`.
    """
    here = _listed(
        stuck.select(*TXN, "producer_id", "decision", "decided_ms"), registered, decisions, logs, opens, ahead
    )
    known = stuck.select(
        *TXN, "producer_id", F.col("decision_epoch").alias("producer_epoch"), "state", "decision", "decided_ms",
        F.col("prepared_at").alias("decision_offset"),
    )  # fmt: skip
    refs = refs_of(stuck, records, "prepared_ref").withColumnRenamed("prepared_ref", "decision_ref")
    lacking = _lacking(here, unled)
    data = opens.select(
        *PRODUCER, "first_offset", "last_offset", "records", F.col("first_batch.batch_ref").alias("first_ref"),
        "horizon_ms",
    )  # fmt: skip
    base = _with_overtaken(known, logs, holes).join(refs, list(TXN), "left").join(_summary(here), list(TXN))
    at_state = base.where("lacking = 0").select(
        "*", F.lit(STATE_TOPIC).alias("topic"), F.col("state_partition").alias("partition"), F.lit("-").alias("replica")
    )
    ended = stopped.where("NOT in_quorum").select("capture", "replica", "stopped_states")
    open_there = base.join(lacking, list(TXN)).join(data, list(PRODUCER), "left")
    places = open_there.join(ended, ["capture", "replica"], "left")
    at_once = F.coalesce(F.array_contains("stopped_states", F.col("state_partition")), F.lit(False))
    return union_filled(places.withColumn("at_once", at_once).drop("stopped_states"), at_state)


def _summary(here: DataFrame) -> DataFrame:
    """Return which partitions of each transaction have its marker and which are not here, and how many logs lack it."""
    return here.groupBy(*TXN).agg(
        F.array_sort(F.collect_set(F.when(F.col("marked"), F.col("name")))).alias("delivered"),
        F.array_sort(F.collect_set(F.when(F.col("replica").isNull(), F.col("name")))).alias("absent"),
        F.count(F.when(F.col("lacks"), 1)).alias("lacking"),
        F.max("marked_ms").alias("delivered_ms"),
    )


def _lacking(here: DataFrame, unled: DataFrame) -> DataFrame:
    """Return the logs that lack a marker, up to when that is shown: while nobody led a partition, no copy got one."""
    told = here.where("lacks").join(F.broadcast(unled), list(PARTITION), "left")
    unled_ms = F.when(F.col("unled_ms") + SKEW_MS <= F.col("decided_ms"), F.col("unled_until_ms"))
    return told.select(
        *TXN, "topic", "partition", F.coalesce("replica", F.lit(NO_REPLICA)).alias("replica"),
        F.greatest("log_reaches_ms", unled_ms).alias("log_reaches_ms"),
    )  # fmt: skip


def _with_overtaken(known: DataFrame, logs: DataFrame, holes: DataFrame) -> DataFrame:
    """Add `overtaken`: the judged copy of the state partition has a hole above the decision, or lacks its end.

    And `state_mark`: up to where the high watermarks of its copies say that it is replicated; null for none here. One
    below the start of its log is older than that (RULES A 2 a).
    """
    judged = logs.where((F.col("topic") == STATE_TOPIC) & F.col("authority")).select(*LOG)
    lacking = holes.join(judged, list(LOG)).groupBy("capture", F.col("partition").alias("state_partition")).agg(
        F.max("gap_end").alias("hole_end"), F.max(F.col("gap_end").isNull()).alias("open_ended")
    )  # fmt: skip
    overtaken = F.coalesce(F.col("open_ended") | (F.col("hole_end") > F.col("decision_offset")), F.lit(False))
    marks = logs.where((F.col("topic") == STATE_TOPIC) & (F.col("high_watermark") >= F.col("log_start_offset")))
    mark = marks.groupBy("capture", F.col("partition").alias("state_partition")).agg(
        F.max("high_watermark").alias("state_mark")
    )
    both = known.join(lacking, list(STATE_PARTITION), "left").join(mark, list(STATE_PARTITION), "left")
    told = both.withColumn("overtaken", overtaken)
    return told.drop("hole_end", "open_ended")


def _listed(
    stuck: DataFrame,
    registered: DataFrame,
    decisions: DataFrame,
    logs: DataFrame,
    opens: DataFrame,
    ahead: DataFrame,
) -> DataFrame:
    """Return every partition on the lists of these transactions, with each judged copy that is here to its end.

    replica is null where there is none; marked, marked_ms: of the matched marker there, or of one of `ahead` that
    is of its type and time; lacks: it should be there. A file without a batch is no copy: only a high watermark
    tells that the log has none. Where the cleaner was, only data that waits tells: the marker may have been there,
    and gone with what it ended.
    """
    asked = F.broadcast(stuck)
    has_end = "(log_end_offset > 0 OR high_watermark IS NOT NULL)"
    judged = logs.where(f"authority AND has_log AND NOT tail_missing AND {has_end}").select(
        *LOG, "log_no", F.greatest("newest_ms", "shown_ms").alias("log_reaches_ms"),
        ((F.col("log_start_offset") == 0) & (F.coalesce("cleaner_checkpoint", F.lit(0)) == 0)).alias("untouched"),
    )  # fmt: skip
    waits = opens.select(*PRODUCER, F.lit(True).alias("waits")).distinct()
    theirs = decisions.where("marker_offset IS NOT NULL").join(asked, list(TXN), "left_semi")
    later = (F.coalesce("ahead_marker", "decision") == F.col("decision")) & (
        F.col("ahead_ms") + SKEW_MS >= F.col("decided_ms")
    )
    since = F.coalesce(later, F.lit(False))
    without, shown = F.col("has_data").isNull(), F.col("waits").isNotNull() | F.col("untouched")
    marked = theirs.select(*LOG, *TXN_OF_ID, F.lit(True).alias("marked"), "marked_ms")
    return (
        registered.join(asked, list(TXN))
        .join(judged, ["capture", "topic", "partition"], "left")
        .join(marked, [*LOG, *TXN_OF_ID], "left")
        .join(ahead, list(PRODUCER_NO), "left")
        .withColumn("marked", F.when(F.col("marked") | since, F.lit(True)))
        .withColumn("marked_ms", F.coalesce("marked_ms", F.when(since, F.col("ahead_ms"))))
        .join(waits, list(PRODUCER), "left")
        .join(with_data(logs).withColumn("has_data", F.lit(True)), "capture", "left")
        .withColumn("name", partition_name())
        .withColumn("lacks", F.col("marked").isNull() & F.when(F.col("replica").isNull(), without).otherwise(shown))
    )


LAST_EPOCH = 32_766
"""At this epoch the coordinator gives the id a new producer id (`TransactionMetadata.isEpochExhausted`)."""


def odd_ids(numbered: DataFrame) -> DataFrame:
    """Return the ids with a record that `forbidden_orders` may tell of: few, if any."""
    return numbered.where(_forgets() | _is_forbidden()).select(*ID).distinct()


def forbidden_orders(odd: DataFrame, numbered: DataFrame) -> DataFrame:
    """Return rows of `forbidden_orders`: records that may not follow the id's record before.

    Their state may not (RULES A 14), or they give the id a new producer id while a transaction of the one before was
    under way (RULES D 8): none is missing between the two, the epoch was not exhausted, and the id had not expired.
    `odd`: see `odd_ids`.
    """
    order = Window.partitionBy(*ID).orderBy("offset")
    told = with_few(numbered, odd, ID).withColumns({
        "before_ref": F.lag("ref").over(order), "before_ms": F.lag("timestamp").over(order),
        "before_state": F.col("previous.state"), "before_producer_id": F.col("previous.producer_id"),
        "before_epoch": F.col("previous.producer_epoch"), "forgets": _forgets(),
    })  # fmt: skip
    unexpired = F.col("timestamp") - F.col("before_ms") < ID_EXPIRES_MS
    return told.where(_is_forbidden() | (F.col("forgets") & unexpired)).select(*FORBIDDEN_ORDERS.names)


def _forgets() -> Column:
    under_way = F.col("previous.state").isin("Ongoing", "PrepareCommit", "PrepareAbort")
    anew = F.col("state").isin("Empty", "Ongoing") & (F.col("producer_id") != F.col("previous.producer_id"))
    fresh = F.col("previous.producer_epoch") < LAST_EPOCH
    return F.coalesce(F.col("preceded") & under_way & anew & fresh, F.lit(False))


def _is_forbidden() -> Column:
    legal = F.lit(False)
    for before, after in FOLLOWERS.items():
        legal = legal | ((F.col("previous.state") == before) & F.col("state").isin(*sorted(after)))
    known = F.col("previous.state").isin(*FOLLOWERS) & F.col("state").isin(*FOLLOWERS)
    return F.col("preceded") & known & ~legal & ~_forgets()
