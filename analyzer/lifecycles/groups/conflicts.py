"""Where two producers take turns committing the position of one group (RULES C 4, KIP-447)."""

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.kafka.timeouts import NO_TIMEOUT_MS
from analyzer.kafka.topics import OFFSETS_TOPIC
from analyzer.lifecycles.groups.commits import OFFSETS_LOG, POSITION
from analyzer.stages.few import with_few
from analyzer.tables.unions import among

TOLD = ("offset", "identity", "decided_last", "ref", "producer_id", "committed_offset", "rebalances", "untold",
        "transactional_id", "decision", "again")  # fmt: skip
"""What is told of the commit that another one is compared with; the offset comes first, and no two have the same."""
_END = 2**63 - 1
"""Stands for the offset from which an undecided commit will count: after any other."""


def _counting(commits: DataFrame, known: DataFrame, opens: DataFrame) -> DataFrame:
    """Return the transactional commits of the judged logs that count, with the transactional id of their producer id.

    `known` has these ids. `opens` are the open transactions: of one that hangs or lost its marker, commits that were
    never decided are left aside.
    """
    named = commits.where("is_transactional AND NOT tombstone")
    named = named.join(known.select("capture", "producer_id", "transactional_id"), ["capture", "producer_id"], "left")
    inside = F.coalesce(F.col("offset") >= F.col("open_from"), F.lit(False))
    told = named.join(_running(opens), [*OFFSETS_LOG, "producer_id"], "left")
    return told.where(F.col("decided_at").isNotNull() | inside)


def committers(commits: DataFrame, known: DataFrame, opens: DataFrame) -> DataFrame:
    """Return one row per position and producer id that committed it, with `identity` and `contested`.

    identity: the transactional id, otherwise the producer id. Two producer ids of one transactional id count as two if
    their commits interleave. contested: several producer ids or epochs committed the position.
    """
    ranges = (
        _counting(commits, known, opens)
        .groupBy(*POSITION, "transactional_id", "producer_id")
        .agg(
            F.min("offset").alias("from"),
            F.max("offset").alias("to"),
            (F.min("producer_epoch") < F.max("producer_epoch")).alias("epochs"),
        )
    )
    order = Window.partitionBy(*POSITION, "transactional_id").orderBy("from", "producer_id")
    latest_before = F.max("to").over(order.rowsBetween(Window.unboundedPreceding, -1))
    crossing = F.coalesce(latest_before > F.col("from"), F.lit(False))
    position = Window.partitionBy(*POSITION)
    producer = F.col("producer_id").cast("string")
    identity = (
        F.when(F.col("transactional_id").isNull(), F.concat(F.lit("producer "), producer))
        .when(F.col("split"), F.concat_ws(" as producer ", "transactional_id", producer))
        .otherwise(F.col("transactional_id"))
    )
    return (
        ranges.withColumn("crossing", crossing)
        .withColumn("split", F.max("crossing").over(Window.partitionBy(*POSITION, "transactional_id")))
        .withColumn("contested", (F.count("*").over(position) > 1) | F.max("epochs").over(position))
        .select(*POSITION, "producer_id", "contested", identity.alias("identity"))
    )


def group_turns(
    commits: DataFrame, committers: DataFrame, generations: DataFrame, known: DataFrame, opens: DataFrame
) -> DataFrame:
    """Return the commits that count of contested positions, each compared with the commit before it.

    Added to the columns of a commit and its identity:

    - overlaps: when this commit was appended, one of another identity (`overlap`) was undecided, and that producer
      was not gone: its commit counts in the end, or it commits the position again without another rebalance;
    - interleaves: it overlaps, and these are surely two producers: both have transactional ids, or that one commits
      again;
    - switched: the commit that was decided before this one (`previous`) is of another identity;
    - unexplained: it switched, and no rebalance lies between the two;
    - stale_epoch: a higher epoch of the same producer id committed before (`higher`), and the marker that decides this
      commit has one as high: with a lower one the coordinator gave that epoch again, as after losing records of the id;
    - returned: it switched, and the identity had committed before;
    - went_back: the commit sets the position back.
    """
    contested = committers.where("contested").select(*POSITION, "producer_id", "identity")
    counting = _counting(commits, known, opens)
    rows = _with_rebalances(with_few(counting, contested, (*POSITION, "producer_id")), generations)
    other = _differs("previous")
    still_undecided = F.col("overlap.decided_last") > F.col("offset")
    no_rebalance = F.col("previous.rebalances") == F.col("rebalances")
    both = _differs("overlap") & _told_between("overlap") & still_undecided
    again = F.coalesce(F.col("overlap.again") == F.struct("rebalances", "untold"), F.lit(False))
    counts = F.coalesce(F.col("overlap.decision") == "COMMIT", F.lit(False))
    named = F.col("overlap.transactional_id").isNotNull() & F.col("transactional_id").isNotNull()
    highest = F.col("higher.producer_epoch")
    fenced = (F.col("producer_epoch") < highest) & (F.col("marker_epoch") >= highest)
    went_back = F.col("committed_offset") < F.col("previous.committed_offset")
    own = Window.partitionBy(*POSITION, "identity").orderBy("decided_last", "offset")
    return (
        _with_others(rows)
        .withColumn("overlaps", both & (again | counts))
        .withColumn("interleaves", F.col("overlaps") & (again | named))
        .withColumn("switched", other)
        .withColumn("unexplained", other & _told_between("previous") & no_rebalance)
        .withColumn("returned", other & (F.row_number().over(own) > 1))
        .withColumn("stale_epoch", F.coalesce(fenced, F.lit(False)))
        .withColumn("went_back", F.coalesce(went_back, F.lit(False)))
    )


def _with_others(rows: DataFrame) -> DataFrame:
    """Add the commits that each one is compared with: `overlap`, `previous`, `higher`, and `again` of its identity."""
    logged = Window.partitionBy(*POSITION).orderBy("offset")
    decided = Window.partitionBy(*POSITION).orderBy("decided_last", "offset")
    of_identity = Window.partitionBy(*POSITION, "identity").orderBy("offset")
    before = Window.partitionBy(*POSITION, "producer_id").orderBy("offset").rowsBetween(Window.unboundedPreceding, -1)
    told = F.struct(*TOLD)
    return (
        rows.withColumn("decided_last", F.coalesce("decided_at", F.lit(_END)))
        .withColumn("untold", F.col("offset") - F.col("told"))
        .withColumn("again", F.lead(F.struct("rebalances", "untold")).over(of_identity))
        .withColumn("overlap", F.lag(told).over(logged))
        .withColumn("previous", F.lag(told).over(decided))
        .withColumn("higher", F.max(F.struct("producer_epoch", *TOLD)).over(before))
    )


def _differs(name: str) -> Column:
    return F.coalesce(F.col(f"{name}.identity") != F.col("identity"), F.lit(False))


def _told_between(name: str) -> Column:
    """Return whether the dump explains every offset between this commit and that one, so that no marker is missing."""
    return F.col(f"{name}.untold") == F.col("untold")


def _running(opens: DataFrame) -> DataFrame:
    """Return the open transactions of __consumer_offsets that are Ongoing and not over their timeout."""
    endless = F.col("running.timeout_ms") == NO_TIMEOUT_MS
    in_time = endless | (F.col("captured_at") <= F.col("running.deadline_ms"))
    running = opens.where((F.col("topic") == OFFSETS_TOPIC) & in_time)
    return running.select(
        "capture", F.col("partition").alias("offsets_partition"), "replica", "producer_id",
        F.col("first_offset").alias("open_from"),
    )  # fmt: skip


def _with_rebalances(commits: DataFrame, generations: DataFrame) -> DataFrame:
    """Add `rebalances`: how many group metadata records of the group lie before the commit."""
    order = Window.partitionBy(*OFFSETS_LOG, "group").orderBy("offset").rowsBetween(Window.unboundedPreceding, 0)
    each = generations.groupBy(*OFFSETS_LOG, "group", "offset").agg(F.max("generation").alias("generation"))
    return among(commits, each, rebalances=F.count("generation").over(order)).drop("generation")


def conflicts(turns: DataFrame, committers: DataFrame) -> DataFrame:
    """Return rows of `group_conflicts`: the positions that two producers commit in turns (RULES C 4, KIP-447).

    It is certain if commits of two producers interleave while undecided, or if a lower epoch commits after a higher
    one. It is likely if commits overlap of producers that may be one, or if an identity comes back after another one
    and nothing explains at least two of the switches.
    """
    told = ("overlaps", "interleaves", "switched", "unexplained", "stale_epoch", "went_back")
    counts = [F.count_if(name).alias(name) for name in told]
    counted = turns.groupBy(*POSITION).agg(
        *counts, F.count_if(F.col("unexplained") & F.col("returned")).alias("returns"), F.count("*").alias("commits")
    )
    named = counted.withColumnsRenamed({"switched": "switches", "stale_epoch": "stale_epochs"})
    odd = named.where("overlaps > 0 OR stale_epochs > 0 OR (unexplained >= 2 AND returns > 0)")
    examples = with_few(turns, odd.select(*POSITION), POSITION).groupBy(*POSITION).agg(
        F.array_sort(F.collect_set("identity")).alias("identities"),
        F.coalesce(
            F.min(F.when(F.col("interleaves"), _turn("overlap"))), F.min(F.when(F.col("overlaps"), _turn("overlap")))
        ).alias("overlap"),
        F.min(F.when(F.col("unexplained"), _turn("previous"))).alias("switch"),
        F.min(F.when(F.col("stale_epoch"), _turn("higher"))).alias("stale"),
    )  # fmt: skip
    partitions = F.countDistinct("partition").alias("input_partitions")
    style = committers.groupBy("capture", "group", "identity").agg(partitions)
    each = F.sort_array(F.collect_list(F.struct("identity", "input_partitions"))).alias("styles")
    return odd.join(examples, list(POSITION)).join(style.groupBy("capture", "group").agg(each), ["capture", "group"])


def _turn(before: str) -> Column:
    """Return a pair of commits: this one, and the one before under `before_*`."""
    told, decided = ("offset", "identity", "ref", "committed_offset"), F.col(f"{before}.decided_last")
    return F.struct(
        *told, "decided_at",
        *[F.col(f"{before}.{name}").alias(f"before_{name}") for name in told],
        F.when(decided < F.lit(_END), decided).alias("before_decided_at"),
        (F.col(f"{before}.rebalances") != F.col("rebalances")).alias("rebalanced"),
    )  # fmt: skip
