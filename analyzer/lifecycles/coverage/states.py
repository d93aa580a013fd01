"""Which partitions of __transaction_state a capture lacks, how far the others reach, and who has no such topic."""

from pyspark.sql import Column, DataFrame, functions as F

from analyzer.kafka.clocks import SKEW_MS
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles.coverage.note import worded

DEFAULT_COUNT = 50
"""`transaction.state.log.num.partitions`, unless the cluster sets it."""
MOST_PARTITIONS = 100_000
"""Partitions of one topic that are counted one by one; no cluster has so many."""


def state_coverage(
    captures: DataFrame,
    places: DataFrame,
    observations: DataFrame,
    newest: DataFrame,
    unmatched: DataFrame,
    proven: DataFrame,
) -> DataFrame:
    """Return for each capture the count of state partitions, those that are missing, and where the state files end.

    The count is that of capture.toml or pasted kafka-topics.sh output, otherwise the one that the ids prove (`proven`),
    otherwise the default or what files name, whichever is more (RULES B 8): the default is not told.

    `unmatched` are the markers newer than every state record (`beyond_records`) that no decision explains: if they are
    of two or more producers, the state files end at the newest record (state_horizon_ms). So they do if all partitions
    are here and one is a COMMIT, which only a coordinator writes. Otherwise they reach to the capture time and
    state_horizon_ms is null.
    """
    given = F.get_json_object("manifest", f"$.partition_counts.{STATE_TOPIC}").cast("int").alias("given")
    of_states = observations.where(F.col("topic") == STATE_TOPIC)
    counted = of_states.where(f"observed = 'partition_count' AND number BETWEEN 1 AND {MOST_PARTITIONS}")
    described = counted.groupBy("capture").agg(F.max("number").cast("int").alias("described"))
    opened = _opened_states(places).where("opened").groupBy("capture")
    dumped = opened.agg(F.array_sort(F.collect_set("partition")).alias("present"))
    here = places.select("capture", "topic", "partition")
    told = here.unionByName(of_states.where(f"partition < {MOST_PARTITIONS}").select("capture", "topic", "partition"))
    named = told.where(f"topic = '{STATE_TOPIC}'").groupBy("capture").agg((F.max("partition") + 1).alias("seen"))
    told_count = F.coalesce("given", "described", "inferred", "seen")
    count = F.coalesce("given", "described", "inferred", F.greatest("seen", F.lit(DEFAULT_COUNT)), F.lit(DEFAULT_COUNT))
    joined = captures.select("capture", given)
    for one in (described, dumped, named, proven):
        joined = joined.join(one, "capture", "left")
    told = joined.select(
        "capture",
        count.alias("state_count"),
        F.coalesce(told_count >= count, F.lit(False)).alias("state_count_told"),
        F.filter(F.sequence(F.lit(0), count - 1), _not_here).alias("missing_states"),
    ).join(_horizon(newest, unmatched), "capture", "left")
    old = (F.col("ahead") > 1) | (F.col("committed") & (F.size("missing_states") == 0))
    return told.withColumn("state_horizon_ms", F.when(old, F.col("newest_state_ms"))).drop("ahead", "committed")


def _not_here(number: Column) -> Column:
    return ~F.coalesce(F.array_contains("present", number), F.lit(False))


def unopened_states(places: DataFrame) -> DataFrame:
    """Return the state partitions whose records no dump here shows, only their batches: partition, path of one."""
    return _opened_states(places).where("NOT opened").select("capture", "partition", "path")


def _opened_states(places: DataFrame) -> DataFrame:
    """Return for each state partition whether a copy is here of which every segment's records are decoded, or none is.

    A dump without --transaction-log-decoder shows neither ids nor states: what it is of is as good as not here.
    """
    decoded = F.coalesce(F.col("decoder") == "transaction", F.lit(False)) | (F.col("section_batches") == 0)
    logs = places.where(f"kind = 'log' AND topic = '{STATE_TOPIC}'").withColumn("decoded", decoded)
    copy = ("capture", "partition", "replica")
    segments = logs.groupBy(*copy, "segment").agg(F.max("decoded").alias("decoded"), F.min("path").alias("path"))
    copies = segments.groupBy(*copy).agg(F.min("decoded").alias("decoded"), F.min("path").alias("path"))
    return copies.groupBy("capture", "partition").agg(F.max("decoded").alias("opened"), F.min("path").alias("path"))


def newest_records(known: DataFrame) -> DataFrame:
    """Return the time of each capture's newest coordinator record, newest_state_ms, of those of its partitions."""
    return known.groupBy("capture").agg(F.max("newest_ms").alias("newest_state_ms"))


def beyond_records(markers: DataFrame, newest: DataFrame) -> DataFrame:
    """Return the markers that are newer than every coordinator record of their capture."""
    return markers.join(newest, "capture").where("marker_ms > newest_state_ms").drop("newest_state_ms")


def _horizon(newest: DataFrame, unmatched: DataFrame) -> DataFrame:
    """Return the time of the newest record, of how many producers markers are `ahead` of it, and if one `committed`."""
    last = unmatched.groupBy("capture").agg(
        F.countDistinct("producer_id").alias("ahead"),
        F.max(F.when(F.col("marker") == "COMMIT", F.col("marker_ms"))).alias("commit_ms"),
    )
    committed = F.coalesce(F.col("commit_ms") > F.col("newest_state_ms") + SKEW_MS, F.lit(False))
    told = newest.join(last, "capture", "left").withColumn("committed", committed)
    return told.select("capture", "newest_state_ms", "ahead", "committed")


def state_topic_untold(logs: DataFrame, seen: DataFrame, topics: DataFrame, records: DataFrame) -> DataFrame:
    """Return the captures of which a file tells all topics, and not this one, with the file that tells (`never_told`).

    A coordinator creates it when the first producer with a transactional id looks for one. It is not there if the
    controllers' log, known as a whole, has no record of it, or if kafka-topics.sh described all topics without it.
    `logs`, `topics` and `records` are those of the controllers' log, `seen` the placed observations.
    """
    whole = logs.where("complete AND undecoded_records = 0").select("capture").distinct()
    known = topics.where(F.col("topic") == STATE_TOPIC).select("capture").distinct()
    first = records.groupBy("capture").agg(F.min("ref.path").alias("never_told"))
    by_controller = whole.join(known, "capture", "left_anti").join(first, "capture")
    told = by_controller.select("capture", "never_told").union(_all_described(seen))
    named = seen.where(F.col("topic") == STATE_TOPIC).select("capture").distinct()
    return told.join(named, "capture", "left_anti").groupBy("capture").agg(F.min("never_told").alias("never_told"))


def without_state_topic(
    untold: DataFrame, txns: DataFrame, places: DataFrame, records: DataFrame, answers: DataFrame
) -> DataFrame:
    """Return those captures whose cluster has no such topic: no transaction, id, file or record contradicts."""
    contradicted = (
        txns.select("capture")
        .union(places.where(F.col("topic") == STATE_TOPIC).select("capture"))
        .union(records.select("capture"))
        .union(answers.where("transactional_id IS NOT NULL OR first_offset IS NOT NULL").select("capture"))
    )
    return untold.join(contradicted.distinct(), "capture", "left_anti")


def _all_described(seen: DataFrame) -> DataFrame:
    """Return the captures of which a file has the answer of kafka-topics.sh or kcat about every topic."""
    asked = seen.where("observed = 'all_topics'").select("capture", "path", F.col("line").alias("asked_line"))
    answers = seen.where("observed = 'partition_count' AND line IS NOT NULL").select("capture", "path", "line")
    answered = asked.join(answers, ["capture", "path"]).where("line > asked_line")
    return answered.groupBy("capture").agg(F.min(worded("{path}:{asked_line}")).alias("never_told"))
