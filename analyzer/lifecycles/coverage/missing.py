"""Partitions that some file names and of which no log is here (RULES D 7)."""

from pyspark.sql import Column, DataFrame, functions as F

from analyzer.kafka.log_lines.of_metrics import SILENT_RECORD, UNDECODED_RECORD
from analyzer.kafka.topics import METADATA_TOPIC, STATE_TOPIC
from analyzer.lifecycles.coverage.note import file_line, note, some_of, worded
from analyzer.lifecycles.coverage.states import MOST_PARTITIONS, unopened_states
from analyzer.lifecycles.placing import PARTITION, named_partition, partition_name
from analyzer.tables import NO_REPLICA
from analyzer.tables.unions import union_all

CHECKPOINTS = ("high_watermark", "recovery_point", "log_start", "cleaner_checkpoint")
"""What the checkpoint files of a log dir say, the most telling first: any number above 0 is an offset that existed."""


def partitions_without_log(
    seen: DataFrame,
    answers: DataFrame,
    log_lines: DataFrame,
    positions: DataFrame,
    registrations: DataFrame,
    places: DataFrame,
    unread: DataFrame,
    topics: DataFrame,
) -> DataFrame:
    """Return the partitions without a log that files name: capture, topic, partition, broker, told, rank, holds, empty.

    A partition is empty by a high watermark of 0 if nothing says that it holds (`holds`) a record. `broker` is where
    to fetch it: its leader, otherwise a broker whose checkpoint names it. `told` is the file that names it, with the
    line. Segments that are listed as left on a broker have a note of their own; so have partitions of which files are
    here, and what a controller deleted does not count. `seen` are observations, `answers` those of admin tools and
    `log_lines` those of brokers and clients, all placed, `positions` those of groups, `registrations` the lists of
    transactions, `unread` the listed segments, `topics` those of the controllers' log.
    """
    parts = (
        _observed(seen), _counted(seen), _held(seen), _answered(answers), _logged(log_lines),
        _positions(positions), _listed(registrations),
    )  # fmt: skip
    named = union_all(parts).where(F.col("topic") != METADATA_TOPIC)
    here = places.where("topic IS NOT NULL AND partition IS NOT NULL").select(*PARTITION)
    known = here.unionByName(unread.select(*PARTITION)).distinct()
    there = topics.where("removed_offset IS NULL").select("capture", "topic")
    gone = topics.where("removed_offset IS NOT NULL").join(there, ["capture", "topic"], "left_anti")
    alone = named.join(known, list(PARTITION), "left_anti").join(gone, ["capture", "topic"], "left_anti")
    best = F.struct("rank", "path", "line")
    return alone.groupBy(*PARTITION).agg(
        F.coalesce(F.min("leader"), F.max_by("replica", "number")).alias("broker"),
        F.min_by("told", best).alias("told"),
        F.min("rank").alias("rank"),
        F.coalesce(F.max("holds"), F.lit(False)).alias("holds"),
        F.coalesce(F.max("mark") == 0, F.lit(False)).alias("empty"),
    )  # fmt: skip


def missing_partitions(lacking: DataFrame) -> DataFrame:
    """Return a note for each broker on the partitions, not those of the coordinator, that may hold something."""
    may_hold = lacking.where((F.col("topic") != STATE_TOPIC) & (F.col("holds") | ~F.col("empty")))
    entry = F.struct("topic", "partition", partition_name().alias("name"), "told")
    folded = may_hold.groupBy("capture", "broker").agg(F.sort_array(F.collect_list(entry)).alias("entries"))
    one = folded.withColumn("first", F.col("entries")[0]).withColumn("count", F.size("entries")).withColumn(
        "names", F.transform("entries", lambda at: at["name"])
    )  # fmt: skip
    alone = F.col("count") == 1
    some = some_of("names")
    several = worded(
        "no log of {count} partitions is here, but files here name them: {some} (the first in {first.told})", some=some
    )
    text = F.when(alone, worded("no log of {first.name} is here, but {first.told} names it")).otherwise(several)
    of = worded("the .log segments of {some}", some=some)
    fetch = F.when(F.col("broker").isNull(), of).otherwise(worded("{of} from broker {broker}", of=of))
    return note(
        one, "missing_partition", text, fetch, replica="broker", number="count",
        topic=F.when(alone, F.col("first.topic")), partition=F.when(alone, F.col("first.partition")),
    )  # fmt: skip


def held_states(lacking: DataFrame, places: DataFrame) -> DataFrame:
    """Return of each capture the partitions of __transaction_state that hold records and are not here: `held`.

    With `held_told`, the file that names the first of them. Those of which no record is decoded are not here either.
    """
    named = lacking.where((F.col("topic") == STATE_TOPIC) & F.col("holds")).select("capture", "partition", "told")
    held = named.union(unopened_states(places))
    first = F.struct("partition", "told")
    return held.groupBy("capture").agg(
        F.collect_set("partition").alias("held"), F.min(first)["told"].alias("held_told")
    )  # fmt: skip


def _observed(seen: DataFrame) -> DataFrame:
    """Return what checkpoints, kafka-topics.sh and the controllers' log say of single partitions."""
    kinds = [*CHECKPOINTS, "partition_leader"]
    of_checkpoint = F.col("observed").isin(*CHECKPOINTS)
    rank = F.array_position(F.array(*map(F.lit, kinds)), F.col("observed"))
    number = F.when(of_checkpoint, F.col("number"))
    named = seen.where(F.col("observed").isin(*kinds) & F.col("topic").isNotNull() & F.col("partition").isNotNull())
    leader = F.when((F.col("observed") == "partition_leader") & (F.col("number") >= 0), F.col("number"))
    return named.select(
        *PARTITION,
        F.when(of_checkpoint & (F.col("replica") != NO_REPLICA), F.col("replica")).alias("replica"),
        leader.cast("string").alias("leader"),
        rank.cast("int").alias("rank"),
        F.coalesce(number, F.lit(0)).cast("bigint").alias("number"),
        F.when(F.col("observed") == "high_watermark", F.col("number")).cast("bigint").alias("mark"),
        (number > 0).alias("holds"),
        *_teller(),
    )


def _held(seen: DataFrame) -> DataFrame:
    """Return the partitions of which kafka-log-dirs.sh names a replica; the largest one that lacks nothing is wanted.

    What no replica has a byte of is empty, if none lacks anything up to its high watermark.
    """
    whole = F.coalesce(F.col("other_number") <= 0, F.lit(True))
    nothing = whole & (F.col("number") == 0)
    return seen.where("observed = 'replica_held'").select(
        *PARTITION, F.col("name").alias("replica"), F.lit(None).cast("string").alias("leader"), F.lit(18).alias("rank"),
        F.when(whole, F.coalesce("number", F.lit(0))).otherwise(F.lit(-1)).cast("bigint").alias("number"),
        F.when(nothing, F.lit(0)).otherwise(F.lit(1)).cast("bigint").alias("mark"),
        (F.col("number") > 0).alias("holds"), *_teller(),
    )  # fmt: skip


def _teller() -> list[Column]:
    """Return the file that tells, its line, and both as text."""
    return [F.col("path"), F.col("line").cast("bigint").alias("line"), file_line().alias("told")]


def _counted(seen: DataFrame) -> DataFrame:
    """Return the partitions of topics of which the number is told."""
    sane = F.col("topic").isNotNull() & F.col("number").between(1, MOST_PARTITIONS)
    counted = seen.where((F.col("observed") == "partition_count") & sane)
    every = F.explode(F.sequence(F.lit(0), F.col("number").cast("int") - 1)).alias("partition")
    rows = counted.select("capture", "topic", every, "path", "line")
    return _told(rows, rank=20, holds=F.lit(False), told=_teller())


def _answered(answers: DataFrame) -> DataFrame:
    """Return the partitions that producers have written to or begun in, as brokers and coordinators answered."""
    place = F.explode("partitions").alias("place")
    each = answers.select("capture", "path", "line", place)
    listed = each.select("capture", *named_partition("place"), "path", "line")
    rows = answers.select(*PARTITION, "path", "line").unionByName(listed)
    named = rows.where("topic <> '' AND partition IS NOT NULL")
    return _told(named, rank=19, holds=F.lit(True), told=_teller())


def _logged(lines: DataFrame) -> DataFrame:
    """Return the partitions of which lines of logs speak: something was there if of a record, or an offset above 0."""
    rows = lines.where("topic IS NOT NULL AND partition IS NOT NULL")
    of_record = F.col("says").isin(SILENT_RECORD, UNDECODED_RECORD)
    return _told(rows, rank=23, holds=F.coalesce((F.col("offset") > 0) | of_record, F.lit(False)), told=_teller())


def _positions(positions: DataFrame) -> DataFrame:
    """Return the partitions in which groups have a position: commits, or a table of kafka-consumer-groups.sh."""
    rows = positions.select(
        *PARTITION, "position", F.col("position_ref.path").alias("path"), F.col("position_ref.line").alias("line")
    )
    return _told(rows, rank=21, holds=F.coalesce(F.col("position") > 0, F.lit(False)), told=_teller())


def _listed(registrations: DataFrame) -> DataFrame:
    """Return the partitions on the lists of transactions: of finished ones too, whose markers may not be there."""
    rows = registrations.where("topic IS NOT NULL AND partition IS NOT NULL").groupBy(*PARTITION).agg(
        F.max(F.struct("registered_at", "state_partition")).alias("last")
    )  # fmt: skip
    told = worded(f"the record of {STATE_TOPIC}-{{last.state_partition}} at offset {{last.registered_at}}")
    where = [F.lit("").alias("path"), F.col("last.registered_at").cast("bigint").alias("line"), told.alias("told")]
    return _told(rows, rank=22, holds=F.lit(True), told=where)


def _told(rows: DataFrame, *, rank: int, holds: Column, told: list[Column]) -> DataFrame:
    nothing = F.lit(None)
    return rows.select(
        *PARTITION, nothing.cast("string").alias("replica"), nothing.cast("string").alias("leader"),
        F.lit(rank).cast("int").alias("rank"), F.lit(0).cast("bigint").alias("number"),
        nothing.cast("bigint").alias("mark"), holds.alias("holds"), *told,
    )  # fmt: skip
