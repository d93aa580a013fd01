"""The moment that a capture is judged at, and when an offset was appended at the latest (RULES A 7, A 15)."""

from pyspark.sql import DataFrame, Window, functions as F

from analyzer.kafka.clocks import COPYING_MS
from analyzer.kafka.settings import LONGEST_TIMEOUT
from analyzer.kafka.timeouts import LONGEST_TIMEOUT_MS, NO_TIMEOUT_MS
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.kafka.versions import TWO_PHASE_COMMIT
from analyzer.lifecycles.coverage.states import state_coverage
from analyzer.lifecycles.logs.authority import as_judged
from analyzer.lifecycles.placing import PARTITION, PRODUCER_NO
from analyzer.lifecycles.released import are_since
from analyzer.lifecycles.routing.fit import sure_counts
from analyzer.stages.few import with_few
from analyzer.tables.catalog import BEATEN, TOLD_MOMENTS
from analyzer.tables.unions import union_filled


def judged_at(captures: DataFrame, logs: DataFrame, known: DataFrame, reach: DataFrame) -> DataFrame:
    """Return per capture the moment to judge at, epoch ms, and where it comes from.

    Flag or capture.toml, else the newest timestamp that a broker set: of markers, of data that it stamped
    (`logs.newest_ms`), of records of __transaction_state (`known_records`). Where files were collected at several
    times, it is the moment of the oldest judged copy of a state partition: nothing here knows what the coordinator did
    since. A broker that is up has the controllers' newest records, of which there are two a second: where that log
    (`reach`, the `quorum_reach`) shows that pace and ends earlier than what was told, its brokers were down or cut off
    since, and it is the end of that log, or the newest timestamp.
    """
    times = logs.select("capture", "newest_ms").unionByName(known.select("capture", "newest_ms"))
    stated = (
        captures.select("capture", "captured_at", "captured_at_source")
        .join(times.groupBy("capture").agg(F.max("newest_ms").alias("newest_ms")), "capture", "left")
        .join(_states_taken(logs), "capture", "left")
        .select(
            "capture",
            F.when(F.col("captured_at_source") == "capture.toml", F.coalesce("states_taken_ms", "captured_at"))
            .otherwise(F.coalesce("captured_at", "newest_ms"))
            .alias("captured_at"),
            F.when(F.col("captured_at").isNotNull(), F.col("captured_at_source"))
            .when(F.col("newest_ms").isNotNull(), "newest broker timestamp in the files")
            .alias("captured_at_source"),
            "newest_ms",
        )
        .join(reach.where(F.col("pace_ms") < COPYING_MS).select("capture", "last_ms"), "capture", "left")
    )
    known_until = F.greatest("last_ms", "newest_ms")
    beaten = F.col("captured_at_source").isin(*TOLD_MOMENTS) & F.col("last_ms").isNotNull()
    beaten = F.coalesce(beaten & (known_until < F.col("captured_at") - COPYING_MS), F.lit(False))
    return stated.select(
        "capture",
        F.when(beaten, known_until).otherwise(F.col("captured_at")).alias("captured_at"),
        F.when(beaten, F.lit(BEATEN)).otherwise(F.col("captured_at_source")).alias("captured_at_source"),
    )


def _states_taken(logs: DataFrame) -> DataFrame:
    """Return per capture the moment of its oldest judged copy of a state partition, null if one has no moment.

    A copy with the same records as the judged one serves as well.
    """
    states = logs.where(F.col("topic") == STATE_TOPIC)
    newest = as_judged(states).groupBy(*PARTITION).agg(F.max("taken_ms").alias("taken_ms"))
    untold = F.max(F.col("taken_ms").isNull())
    return newest.groupBy("capture").agg(F.when(~untold, F.min("taken_ms")).alias("states_taken_ms"))


def longest_timeouts(captures: DataFrame, seen: DataFrame) -> DataFrame:
    """Return per capture the longest timeout that clients may ask for, and whether the capture says so (RULES D 4).

    It is what capture.toml or the configurations of brokers say; where kafka-configs.sh (`seen`, the placed
    observations) tells of a broker with a longer one, that. Null where the longest is none: no age proves anything.
    two_phase_possible: the brokers may know transactions without a timeout, which no setting bounds (KIP-939, 4.1).
    """
    told = F.get_json_object("manifest", "$.timeouts.transaction_max_timeout_ms").cast("bigint")
    asked = (
        seen.where((F.col("observed") == "setting") & (F.col("name") == LONGEST_TIMEOUT))
        .groupBy("capture")
        .agg(F.max(F.regexp_extract("text", r"(\d{1,18})$", 1).try_cast("bigint")).alias("asked_ms"))
    )
    longest_ms = F.greatest(F.coalesce(told, F.lit(LONGEST_TIMEOUT_MS)), "asked_ms")
    return captures.join(asked, "capture", "left").select(
        "capture",
        F.when(longest_ms < NO_TIMEOUT_MS, longest_ms).alias("max_timeout_ms"),
        told.isNotNull().alias("max_timeout_told"),
        F.coalesce(are_since(TWO_PHASE_COMMIT), F.lit(True)).alias("two_phase_possible"),
    )


def appended_by(
    targets: DataFrame, decisions: DataFrame, batches: DataFrame, clocks: DataFrame, measured: DataFrame
) -> DataFrame:
    """Add `appended_by_ms` to settled rows with a first_offset: that offset was appended by then (RULES A 7, U).

    The earliest of a time that a broker set at this or a later offset, and of the decision of a transaction that begins
    at a later one: its producer had that batch acknowledged before it asked for the decision (of later batches that is
    not sure: one may come in the gap before the marker). Markers do not serve: their timestamp is taken before they are
    appended. `targets` have log_no and first_offset; `clocks` has behind_ms of each capture, which a time of another
    broker needs to be one of the coordinator's, and untold_ms, which that of another coordinator needs whose clock no
    pair with this log has `measured` (`measured_logs`).
    """
    own, known = clocks.select("capture", "behind_ms", "untold_ms"), measured.withColumn("known", F.lit(True))
    told = with_few(decisions.where("marked_from IS NOT NULL"), own, ["capture"])
    later_ms = F.when(F.col("known").isNull(), F.col("untold_ms")).otherwise(0)
    decided = told.join(F.broadcast(known), ["log_no", "state_partition"], "left").select(
        "log_no", F.col("marked_from").alias("offset"), (F.col("decided_ms") + later_ms).alias("by_ms")
    )
    stamped = with_few(batches.where("stamped"), own, ["capture"]).select(
        "log_no",
        (F.col("base_offset") + 1).alias("offset"),  # of its own batch, too
        (F.col("max_timestamp") + F.col("behind_ms")).alias("by_ms"),
    )
    witnesses = decided.unionByName(stamped)
    later = Window.partitionBy("log_no").orderBy(F.col("offset").desc()).rangeBetween(Window.unboundedPreceding, -1)
    asked = targets.select("log_no", F.col("first_offset").alias("offset")).distinct()
    lowest = asked.groupBy("log_no").agg(F.min("offset").alias("lowest"))
    above = with_few(witnesses, lowest, ["log_no"]).where("offset > lowest").drop("lowest")
    merged = union_filled(above, asked.withColumn("asked", F.lit(True)))
    told = merged.withColumn("appended_by_ms", F.min("by_ms").over(later)).where("asked")
    answers = told.select("log_no", F.col("offset").alias("first_offset"), "appended_by_ms")
    return targets.join(answers, ["log_no", "first_offset"], "left")


def moments(
    captures: DataFrame,
    judged: DataFrame,
    clocks: DataFrame,
    places: DataFrame,
    seen: DataFrame,
    newest: DataFrame,
    beyond: DataFrame,
    decisions: DataFrame,
    counts: DataFrame,
) -> DataFrame:
    """Return rows of `moments`: when each capture is judged, how its clocks stand, how far its state files reach.

    `judged` is `judged_at`; `newest` and `beyond` are the newest state records and the markers beyond them; `counts`
    are the partition counts that ids prove.
    """
    marker = [*PRODUCER_NO, "marker_offset"]
    unmatched = beyond.join(decisions.select(*marker), marker, "left_anti")
    states = state_coverage(captures, places, seen, newest, unmatched, sure_counts(counts, STATE_TOPIC))
    timeouts = longest_timeouts(captures, seen)
    stand = clocks.drop("apart", "untold_ms")
    return judged.join(stand, "capture", "left").join(states, "capture", "left").join(timeouts, "capture")
