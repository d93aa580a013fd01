"""Notes on what was not judged: partitions without a log, and logs whose start or end is not here (RULES D 7)."""

from pyspark.sql import Column, DataFrame, functions as F

from analyzer.kafka.clocks import COPYING_MS
from analyzer.kafka.timeouts import NO_TIMEOUT_MS
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles.coverage.note import note, some_of, worded
from analyzer.lifecycles.logs.replicas import OPEN_ENDS
from analyzer.lifecycles.placing import LOG, PARTITION, partition_name
from analyzer.tables.catalog import BEATEN, TOLD_MOMENTS

HOUR_MS = 3_600_000


def _is_log() -> Column:
    return F.coalesce(F.col("kind") == "log", F.lit(False)) & F.col("topic").isNotNull()


def without_logs(places: DataFrame) -> DataFrame:
    """Return the partitions of which only other files are here."""
    named = places.where("topic IS NOT NULL AND partition IS NOT NULL")
    per_partition = named.groupBy(*PARTITION).agg(
        F.max(_is_log()).alias("has_log"), F.array_sort(F.collect_set("file_kind")).alias("kinds")
    )
    told = F.array_join(F.array_remove("kinds", "other"), ", ")
    others = worded(", only other files of this partition ({told})", told=told)
    text = worded("no log of {topic}-{partition} is here{only}", only=F.when(told != "", others).otherwise(""))
    fetch = worded("the .log segments of {topic}-{partition}")
    return note(per_partition.where("NOT has_log"), "missing_log", text, fetch)


def without_data(captures: DataFrame, places: DataFrame) -> DataFrame:
    """Return the captures without the log of any data partition: they have the coordinator's records at most."""
    data = places.where(_is_log() & (F.col("topic") != STATE_TOPIC)).select("capture").distinct()
    text = F.lit("no log of a data partition is here, so hanging transactions cannot be seen")
    fetch = "the .log segments, or dumps of them, of the partitions where consumers are stuck"
    return note(captures.join(data, "capture", "left_anti"), "missing_data_logs", text, fetch)


def unfinished(places: DataFrame, logs: DataFrame, damage: DataFrame) -> DataFrame:
    """Return the judged logs whose last file is cut off, unless the high watermark says that all of the log is here."""
    last = logs.where("authority").select(*LOG, F.col("last_segment").alias("segment"), "log_end_offset",
                                          "high_watermark")  # fmt: skip
    broken = places.where(_is_log() & F.col("ending").isin(*OPEN_ENDS))
    broken = broken.select(*LOG, "segment", "path", (F.col("ending") == "excerpt").alias("excerpt"))
    cut = damage.where("damage = 'cut_tail'").select(*LOG, "segment", "path", F.lit(False).alias("excerpt"))
    files = broken.unionByName(cut).groupBy(*LOG, "segment")
    named = files.agg(F.min("path").alias("path"), F.min("excerpt").alias("excerpt"))
    unsure = named.join(last, [*LOG, "segment"]).where("high_watermark IS NULL OR high_watermark > log_end_offset")
    end = F.col("log_end_offset") - 1
    ends = F.when(end < 0, "no batch line of it").otherwise(worded("its last offset is {end}", end=end))
    excerpt = worded(
        "of the last file of {topic}-{partition} an excerpt is here, and {ends}: where the log ends, and its LSO, are "
        "not known",
        ends=ends,
    )
    file = worded(
        "the last file of {topic}-{partition} is cut off after offset {end}; anything after that was not judged",
        end=end,
    )
    text = F.when(F.col("excerpt"), excerpt).otherwise(file)
    fetch = worded("a new copy of the newest segment of {topic}-{partition}")
    return note(unsure, "unfinished_log", text, fetch, file="path", number="log_end_offset")


def short(logs: DataFrame) -> DataFrame:
    """Return the judged logs whose high watermark is above the last offset in the files."""
    short = logs.where("authority AND high_watermark > log_end_offset")
    text = worded(
        "the files end at offset {end}, but the high watermark is {high_watermark}", end=F.col("log_end_offset") - 1
    )
    fetch = worded("the newest segment of {topic}-{partition}, copied together with the checkpoint files")
    number = F.col("high_watermark") - F.col("log_end_offset")
    return note(short, "short_log", text, fetch, number=number)


def stated_too_early(captures: DataFrame, logs: DataFrame, txns: DataFrame) -> DataFrame:
    """Return the captures with open data of which brokers wrote files later than the moment that somebody stated.

    `captures` are the moments. What is over its timeout since that moment seems to run inside it (RULES A 15). Where an
    archive tells when files were copied, a later copy is no contradiction.
    """
    undated = F.col("copied_ms").isNull()
    newest = logs.groupBy("capture").agg(
        F.max(F.when(undated, F.col("newest_ms"))).alias("log_ms"), F.min(undated).alias("undated")
    )
    open_in = txns.where("marker_offset IS NULL").join(logs.where("authority").select("log_no"), "log_no", "left_semi")
    state_ms = F.when(F.col("undated"), F.col("newest_state_ms"))
    stated = captures.where(F.col("captured_at_source").isin(*TOLD_MOMENTS)).join(newest, "capture")
    stated = stated.withColumn("newest_ms", F.coalesce(F.greatest("log_ms", state_ms), "log_ms", state_ms))
    early = stated.where(F.col("newest_ms") - F.col("captured_at") > COPYING_MS)
    early = early.join(open_in.select("capture").distinct(), "capture", "left_semi")
    at, newest_at = (F.timestamp_millis(name).cast("string") for name in ("captured_at", "newest_ms"))
    text = worded(
        "the files were taken at {at} UTC, by the {captured_at_source}, but a broker wrote in them at {newest_at} UTC: "
        "that moment or a clock is wrong, and what is open may be over its timeout",
        at=at, newest_at=newest_at,
    )  # fmt: skip
    return note(early, "early_moment", text, "the moment when the files were copied, in UTC, as captured_at")


def stated_too_late(captures: DataFrame, told: DataFrame, stopped: DataFrame) -> DataFrame:
    """Return the captures whose controllers' log ends before the moment that somebody stated (RULES A 15).

    `captures` are the moments, `told` the captures as they were given, `stopped` those in which every broker was
    stopped: nobody went on.
    """
    given = told.select("capture", F.col("captured_at").alias("told_ms"), F.col("captured_at_source").alias("told_by"))
    beaten = captures.where(F.col("captured_at_source") == BEATEN).join(stopped, "capture", "left_anti")
    late = beaten.join(given, "capture")
    at, told_at = (F.timestamp_millis(name).cast("string") for name in ("captured_at", "told_ms"))
    text = worded(
        "the files were taken at {told_at} UTC, by the {told_by}, but the controllers' log in them ends at {at} UTC: "
        "their brokers were down or cut off since then, or that moment is wrong; nothing here tells what became of a "
        "transaction since",
        at=at, told_at=told_at,
    )  # fmt: skip
    fetch = "the log dirs of the brokers that lead now (kafka-topics.sh --describe names them)"
    return note(late, "late_moment", text, fetch)


def untold_moment(captures: DataFrame, opens: DataFrame) -> DataFrame:
    """Return the captures in which a decision waits for its marker, although nothing tells when the files were taken.

    The newest time in the files stands for that moment, so the decision looks young: whatever stops a coordinator also
    stops what would have been written after it (RULES A 6 a).
    """
    told = F.coalesce(F.col("captured_at_source").isin(*TOLD_MOMENTS), F.lit(False))
    guessed = captures.where(~told).select("capture")
    waiting = opens.where("authority AND judgement.kind = 'completing' AND lost.state LIKE 'Prepare%'")
    waiting = waiting.join(guessed, "capture")
    counted = waiting.groupBy("capture").agg(F.count("*").alias("waiting"))
    decisions = F.when(F.col("waiting") == 1, "decision that waits for its marker").otherwise(
        "decisions that wait for their markers"
    )
    text = worded(
        "nobody told when these files were taken, so {waiting} {decisions} may be older than the newest time in them "
        "says",
        decisions=decisions,
    )
    return note(counted, "untold_moment", text, "the moment when the files were copied, in UTC, as captured_at")


def waiting_marker(preparing: DataFrame, captures: DataFrame) -> DataFrame:
    """Return the partitions whose data waits for a decision's marker for longer than markers take, as the files stand.

    Up to a minute more than that the log may have been copied before its marker, and the state partition before the
    decision was complete, or nobody has written it: TXN006 needs that minute, unless the log is shown to lack it for
    so long (RULES A 11). `captures` are the moments.
    """
    told = preparing.where("first_offset IS NOT NULL AND NOT at_once").join(captures, "capture")
    bound = F.col("marker_bound_ms") + F.col("spread_ms")
    age = F.coalesce("state_horizon_ms", "captured_at") - F.col("decided_ms")
    shown = F.coalesce(F.col("log_reaches_ms") - F.col("decided_ms") >= bound, F.lit(False))
    doubtful = told.where((age >= bound) & (age < bound + COPYING_MS) & ~shown)
    first = F.min_by(F.struct("transactional_id", "decision", "decided_ms"), "decided_ms").alias("first")
    found = doubtful.groupBy(*PARTITION).agg(first).select(*PARTITION, "first.*")
    text = worded(
        "{decision} was decided for {transactional_id} at {at} UTC, longer ago than markers take here, and this copy "
        "of {topic}-{partition} may be from before its marker",
        at=F.timestamp_millis("decided_ms").cast("string"),
    )  # fmt: skip
    fetch = worded("a newer copy of {topic}-{partition}")
    return note(found, "waiting_marker", text, fetch)


def old(logs: DataFrame, decisions: DataFrame) -> DataFrame:
    """Return the judged logs that lack the newest markers of several producers, and show no moment so late.

    The coordinator counts those markers as written: the copy is older than the state files, unless the cleaner or
    retention took them.
    """
    judged = logs.where("authority AND newest_ms IS NOT NULL AND cleaner_checkpoint IS NULL").select(*LOG, "newest_ms")
    complete = decisions.where("marker_offset IS NULL AND completed_ms IS NOT NULL")
    later = complete.join(judged, list(LOG)).where("decided_ms > newest_ms")
    counted = later.groupBy(*LOG).agg(F.countDistinct("producer_id").alias("producers")).where("producers > 1")
    text = worded(
        "this copy of {topic}-{partition} lacks the newest markers of {producers} producers, which the coordinator "
        "counts as written: it is older than the state files"
    )
    fetch = worded("a newer copy of {topic}-{partition}")
    return note(counted, "old_copy", text, fetch, number="producers")


def running_unseen(unseen: DataFrame) -> DataFrame:
    """Return a note on each running transaction not over its timeout of which no data partition is here (RULES D 6)."""
    keys = ("capture", "transactional_id", "producer_id", "begun_ms", "captured_at", "endless")
    running = (
        unseen.withColumn("endless", F.coalesce(F.col("timeout_ms") == NO_TIMEOUT_MS, F.lit(False)))
        .where("endless OR reached_ms <= deadline_ms")
        .groupBy(*keys)
        .agg(F.array_sort(F.collect_set(partition_name())).alias("names"))
    )
    hours = F.floor((F.col("captured_at") - F.col("begun_ms")) / HOUR_MS).cast("string")
    endless = worded(
        "has been open for {hours} h without a timeout, which only its owner outside Kafka can end",
        hours=F.coalesce(hours, F.lit("unknown")),
    )
    text = worded(
        "a transaction of {transactional_id} (producer {producer_id}) {how}, in {some}",
        how=F.when(F.col("endless"), endless).otherwise("is running, inside its timeout"),
        some=some_of("names", more=", ..."),
    )
    return note(running, "running_unseen", text, "the .log segments of these partitions", number="producer_id")
