"""The one home of who leads each partition, how that is known, and which copy is read for it (RULES A 1, A 16)."""

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.lifecycles.placing import LOG, PARTITION, PRODUCER, ref
from analyzer.tables import NO_REPLICA

PASTED = "kafka-topics.sh --describe or kcat -L names it"
CONTROLLERS = "the controllers' log names it"
LOGGED = "a broker's log names it for the newest leader epoch here"
NEWEST = "no other copy here knows its leader epoch"
OPEN = (*PRODUCER, "first_offset")
NONE = "none"
"""The leader of a partition that has none."""


def leaders(seen: DataFrame) -> DataFrame:
    """Return the leader of each partition by pasted kafka-topics.sh output or the controllers' log: PARTITION, leader.

    With named_epoch (null for pasted output) and named_by, PASTED or CONTROLLERS. Pastes of several moments that name
    different leaders name none. `seen` are the placed observations; `with_controller` has put in what was not pasted.
    """
    named = seen.where("observed = 'partition_leader' AND number >= 0")
    one = F.when(F.count_distinct("number") == 1, F.max(F.col("number").cast("string")))
    told = named.groupBy(*PARTITION).agg(one.alias("leader"), F.max("other_number").alias("named_epoch"))
    by = F.when(F.col("named_epoch").isNull(), PASTED).otherwise(CONTROLLERS)
    return told.where("leader IS NOT NULL").withColumn("named_by", by)


def logged_leaders(seen: DataFrame) -> DataFrame:
    """Return who leads the newest leader epoch that brokers' logs name: PARTITION, logged_leader, logged_epoch.

    Such a line is of its moment: a later epoch may have another leader. An epoch has one leader, so lines that name two
    for it are of different clusters, and name none.
    """
    lines = seen.where("observed = 'leader_logged'")
    of_epoch = lines.groupBy(*PARTITION, F.col("other_number").alias("logged_epoch")).agg(
        F.when(F.count_distinct("number") == 1, F.max(F.col("number").cast("string"))).alias("logged_leader")
    )
    newest = F.max(F.struct("logged_epoch", "logged_leader")).alias("told")
    return of_epoch.groupBy(*PARTITION).agg(newest).select(*PARTITION, "told.*")


def in_sync(seen: DataFrame) -> DataFrame:
    """Return PARTITION, leader (`none` for none), replicas and isr, arrays of broker ids as the tool prints them.

    Pastes of several moments that differ tell nothing. `seen` are the placed observations, of which those of the
    controllers' log are in the same form.
    """
    named = seen.where("observed = 'partition_leader' AND partition IS NOT NULL")
    leader = F.coalesce(F.col("number").cast("string"), F.lit(NONE))
    told = named.select(*PARTITION, F.struct(leader.alias("leader"), _listed("Replicas"), _listed("Isr")).alias("told"))
    one = told.groupBy(*PARTITION).agg(F.count_distinct("told").alias("words"), F.max("told").alias("told"))
    return one.where("words = 1").select(*PARTITION, "told.*")


def _listed(word: str) -> Column:
    """Return the broker ids after a word, null where the line does not have it."""
    ids = F.regexp_extract("text", rf"(?:^|\s){word}: ([0-9,]*)", 1)
    return F.when(ids != "", F.split(ids, ",")).alias(word.lower())


def holders(seen: DataFrame) -> DataFrame:
    """Return the brokers that hold a copy of each partition: LOG, in_sync, checkpoint_epoch; null where nothing tells.

    By kafka-topics.sh or the controllers' log, by kafka-log-dirs.sh, and by the checkpoint files of a broker, which
    name its partitions.
    checkpoint_epoch: see `own_epochs`.
    """
    told = in_sync(seen).withColumn("replica", F.explode("replicas"))
    printed = told.select(*LOG, F.array_contains("isr", F.col("replica")).alias("in_sync"))
    files = checkpoints(seen).where("high_watermark IS NOT NULL").withColumn("in_sync", F.lit(None).cast("boolean"))
    asked = seen.where("observed = 'replica_held'")
    asked = asked.select(*PARTITION, F.col("name").alias("replica"), F.lit(None).cast("boolean").alias("in_sync"))
    every = printed.unionByName(files.select(*LOG, "in_sync")).unionByName(asked.select(*LOG, "in_sync"))
    each = every.groupBy(*LOG).agg(F.max("in_sync").alias("in_sync"))
    return each.join(own_epochs(seen).select(*LOG, "checkpoint_epoch"), list(LOG), "left")


def together(held: DataFrame) -> DataFrame:
    """Return the `holders` of each partition as one list."""
    return held.groupBy(*PARTITION).agg(F.collect_list(F.struct("replica", "checkpoint_epoch")).alias("holders"))


def epoch_entries(seen: DataFrame) -> DataFrame:
    """Return the entries of each partition folder's leader-epoch-checkpoint: LOG, epoch, start_offset, epoch_ref."""
    own = seen.where("observed = 'leader_epoch' AND log_topic IS NOT NULL")
    return own.select(
        "capture", F.col("log_topic").alias("topic"), F.col("log_partition").alias("partition"), "replica",
        F.col("other_number").alias("epoch"), F.col("number").alias("start_offset"), "path", ref().alias("epoch_ref"),
    )  # fmt: skip


def own_epochs(seen: DataFrame) -> DataFrame:
    """Return the last epoch of each partition folder's leader-epoch-checkpoint, and where the first and last begin.

    A broker cuts that file off at the log start (`LeaderEpochFileCache.truncateFromStart`), and where it truncates the
    log: an epoch begins at an offset that the log had reached (epoch_end).
    """
    return (
        epoch_entries(seen)
        .groupBy(*LOG)
        .agg(
            F.max("epoch").alias("checkpoint_epoch"),
            F.min("start_offset").alias("epoch_start"),
            F.max("start_offset").alias("epoch_end"),
        )
    )


def checkpoints(seen: DataFrame) -> DataFrame:
    """Return what the checkpoint files of a log directory say of each partition."""
    named = seen.where("topic IS NOT NULL AND partition IS NOT NULL")
    kinds = ("log_start", "high_watermark", "cleaner_checkpoint")
    newest = [F.max(F.when(F.col("observed") == kind, F.col("number"))).alias(kind) for kind in kinds]
    return named.groupBy(*LOG).agg(*newest)


def in_time(own_epoch: Column) -> Column:
    """Return whether no copy knows a leader epoch after that of the leader by the controllers' log (RULES E 3)."""
    newest = F.max(own_epoch).over(Window.partitionBy(*PARTITION))
    return F.coalesce(newest <= F.col("named_epoch"), F.lit(True))


def in_order(named: Column, epoch: str, end: str) -> list[Column]:
    """Return the order in which copies of a partition are preferred: the named leader, then the newest and longest."""
    return [named.desc(), F.col(epoch).desc_nulls_last(), F.col(end).desc_nulls_last(), F.col("replica").asc()]


def newest_epoch() -> Column:
    """Return whether no other copy of the partition knows a newer leader epoch than this one (RULES A 1)."""
    return F.col("log_epoch") == F.max("log_epoch").over(Window.partitionBy(*PARTITION))


def as_judged(logs: DataFrame) -> DataFrame:
    """Return the copies that serve as well as the judged one: of the same leader epoch and the same end."""
    standing = [*PARTITION, "log_epoch", "log_end_offset"]
    return logs.join(logs.where("authority").select(*standing), standing, "left_semi")


def elsewhere() -> Column:
    """Return the brokers that may lead a partition and whose copies are not here, null for none.

    That is the named leader; where none is named, the one that a broker's log names for the newest leader epoch here or
    a later one, else every other holder of a copy whose own files do not show an older epoch than the newest one here.
    Rows are copies with has_log, leader, logged_leader, logged_epoch, log_epoch and the list holders.
    """
    copies = Window.partitionBy(*PARTITION)
    here = F.collect_set(F.when(F.col("has_log"), F.col("replica"))).over(copies)
    newest = F.max("log_epoch").over(copies)
    others = F.filter(
        F.coalesce("holders", F.array().cast("array<struct<replica:string,checkpoint_epoch:bigint>>")),
        lambda one: F.coalesce(one["checkpoint_epoch"] >= newest, F.lit(True)),
    )
    unknown = F.array_contains(here, F.col("logged_leader")) | F.array_contains(here, F.lit(NO_REPLICA))
    logged = F.col("logged_leader").isNotNull() & (F.col("logged_epoch") >= newest) & ~unknown
    may_lead = (
        F.when(F.col("leader").isNotNull(), F.array("leader"))
        .when(logged, F.array("logged_leader"))
        .otherwise(F.transform(others, lambda one: one["replica"]))
    )
    away = F.array_except(may_lead, here)
    return F.when(F.size(away) > 0, F.array_sort(away))


def with_standing(logs: DataFrame) -> DataFrame:
    """Add to all copies authority, which is judged, and what is known of who leads: led_by and tied.

    `logs` have named_leader, named_by, logged_leader, logged_epoch and absent. led_by: why this copy's broker is taken
    for the leader, null where nothing tells or a copy that is not here may lead. tied: nothing here ranks it below the
    others: no leader is named, and no copy knows a newer leader epoch. A log that ends lower ranks lower only among
    files of one moment, so it has the same claim, and is judged later (RULES A 16).
    """
    copies = Window.partitionBy(*PARTITION)
    some_named = F.max("named_leader").over(copies)
    newest = F.col("has_log") & (F.col("log_epoch") == F.max(F.when(F.col("has_log"), F.col("log_epoch"))).over(copies))
    claims = F.coalesce(newest, ~F.col("has_log")) & ~some_named
    logged = claims & (F.col("logged_epoch") == F.col("log_epoch")) & (F.col("logged_leader") == F.col("replica"))
    known = logs.withColumn("logged", F.coalesce(logged, F.lit(False)))
    some_logged = F.max("logged").over(copies)
    told = known.withColumn("claims", claims & (F.col("logged") | ~some_logged))
    told = told.withColumn("claimants", F.sum(F.col("claims").cast("int")).over(copies))
    leads = F.col("named_leader") | F.col("logged")
    order = [F.col("has_log").desc(), *in_order(leads, "log_epoch", "log_end_offset")]
    several = F.count("*").over(copies) > 1
    alone = (F.col("claimants") == 1) & F.col("claims") & several & (F.col("log_epoch") >= 0)
    alone = F.when(alone & F.col("absent").isNull(), F.when(F.col("logged"), LOGGED).otherwise(NEWEST))
    return (
        told.withColumn("authority", F.row_number().over(copies.orderBy(*order)) == 1)
        .withColumn("led_by", F.when(F.col("named_leader"), F.col("named_by")).otherwise(alone))
        .withColumn("tied", F.col("claims") & (F.col("claimants") > 1))
        .drop("claims", "claimants", "named_by", "logged", "logged_leader", "logged_epoch")
    )


def disputed(opens: DataFrame, logs: DataFrame, txns: DataFrame) -> DataFrame:
    """Return rows of `disputed`: of `tied` copies, what is open in one and, at the same offsets, not in another.

    `opens` are `broker_opens`. The other copy has to reach beyond the first offset and to begin at or before it, or
    have a producer snapshot that would know of it. Where it has the marker at an offset that this copy does not have
    yet, both agree.
    """
    theirs = logs.where("tied").select(
        *PARTITION, F.col("replica").alias("other"), F.col("log_end_offset").alias("other_end"),
        F.col("first_offset").alias("other_begin"), F.col("snapshot_offset").alias("other_snapshot"),
    )  # fmt: skip
    own = opens.where("tied").select(*OPEN, "log_end_offset")
    sees = (F.col("other_begin") <= F.col("first_offset")) | (F.col("other_snapshot") > F.col("first_offset"))
    asked = (
        own.join(theirs, list(PARTITION))
        .where((F.col("other") != F.col("replica")) & (F.col("first_offset") < F.col("other_end")))
        .where(F.coalesce(sees, F.lit(False)))
    )
    same = [*PARTITION, "other", "producer_id", "first_offset"]
    held = opens.select(*OPEN).withColumnRenamed("replica", "other")
    ended = txns.where("marker_offset IS NOT NULL AND first_offset IS NOT NULL")
    ended = ended.select(*PARTITION, F.col("replica").alias("other"), "producer_id", "first_offset", "marker_offset")
    missing = asked.join(held, same, "left_anti").join(ended, same, "left")
    later = F.coalesce(F.col("marker_offset") >= F.col("log_end_offset"), F.lit(False))
    return missing.where(~later).groupBy(*OPEN).agg(F.array_sort(F.collect_set("other")).alias("not_open_on"))


def leading(seen: DataFrame) -> DataFrame:
    """Return the leader of each partition by `kafka-topics.sh --describe`, where all pastes name the same (RULES A 1).

    Columns: capture, topic, partition and `leads`, the broker.
    """
    told = seen.where("observed = 'partition_leader' AND number IS NOT NULL").groupBy(*PARTITION)
    every = told.agg(F.min("number").cast("int").alias("leads"), F.max("number").cast("int").alias("other"))
    return every.where("leads = other").drop("other")
