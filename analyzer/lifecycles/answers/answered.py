"""Joins pasted answers: what is open in a partition, with what its coordinator says of the id (RULES F 1 to F 4)."""

from pyspark.sql import DataFrame, functions as F

from analyzer.lifecycles.answers.ordering import NEWEST, in_order, marked_ms
from analyzer.lifecycles.answers.silent import led_beside
from analyzer.lifecycles.answers.standings import BELOW, asked_between, asked_ms, denied, raced, standing
from analyzer.lifecycles.answers.tables import ANSWERED
from analyzer.lifecycles.placing import at_line, named_partition, partition_name, ref
from analyzer.tables import NO_REPLICA
from analyzer.tables.unions import union_filled

PLACE = ("capture", "topic", "partition")
OPEN = (*PLACE, "producer_id")
STATE = ("transactional_id", "state", "coordinator", "timeout_ms", "started_ms", "partitions")


def answered(
    rows: DataFrame,
    opens: DataFrame,
    moments: DataFrame,
    txns: DataFrame,
    places: DataFrame,
    silent: DataFrame,
    every_one: DataFrame,
    unled: DataFrame,
) -> DataFrame:
    """Return rows of `answered`; what the files themselves show with its coordinator's records is left to them.

    So is what a log here shows ended: `txns` are those of partitions. The log is newer than the answer.

    standing: `hanging`, find-hanging asked broker and coordinator and names it; `running`, its coordinator has it
    Ongoing with this partition; `untimed`, Ongoing by an answer without its timeout and partitions, and older than any
    timeout by its last batch; `unlisted`, Ongoing without this partition; `prepared`, decided; `resting`, no
    transaction of the id runs; `moved`, the id went on with a higher epoch; `older`, one of these two, but an earlier
    answer has it Ongoing, and nothing tells that the leader was asked after the coordinator was done; `recent`, it was
    written to within 10 s of these answers; `aged`, older than any timeout and nobody asked its coordinator; `silent`,
    a coordinator that answers nobody may run it; `stuck`, a tool found the LSO there; `unshown`, the same was asked
    again, and it is not in the answer; `terminated`, its coordinator ran or ended it, and was told below to end it;
    `unknown` otherwise.
    """
    answers = dated(rows, places)
    told = _states(answers)
    shown = _with_states(_open(answers), told)
    told_only = _unseen(told, shown)
    every = (
        union_filled(shown, told_only)
        .join(moment(answers), "capture", "left")
        .join(moments.select("capture", "max_timeout_ms"), "capture", "left")
        .join(silent, "capture", "left")
        .join(every_one, "capture", "left")
        .join(unled.select(*PLACE, "unled_by"), list(PLACE), "left")
    )
    return _unexplained(every, opens, txns).withColumn("state_between", asked_between()).withColumns({
        "prepared_ms": F.when(F.col("state").startswith("Prepare"), F.col("state_ms")),
        "standing": standing(),
        "raced": raced(),
        "asked_ms": asked_ms(),
        "led_by": led_beside(),
        "denied": denied(),
        "replica": F.coalesce("seen_at", F.lit(NO_REPLICA)),
        "in_files": F.col("seen_at").isNotNull(),
    }).drop("answered_at").withColumnRenamed("asked_ms", "answered_at").select(*ANSWERED.names)  # fmt: skip


def _unexplained(rows: DataFrame, opens: DataFrame, txns: DataFrame) -> DataFrame:
    """Leave out what the files themselves show, with its coordinator's records or with its end; `seen_at` is added."""
    known = opens.where("authority").select(
        *OPEN, F.col("transactional_id").isNotNull().alias("explained"), F.col("replica").alias("seen_at")
    )
    over = txns.where("marker_offset IS NOT NULL").select(*OPEN, "first_offset").distinct()
    left = rows.join(over, [*OPEN, "first_offset"], "left_anti")
    return left.join(known, list(OPEN), "left").where("explained IS NULL OR NOT explained")


def _open(answers: DataFrame) -> DataFrame:
    """Return what is open by describe-producers or find-hanging, of several rows the last to be answered.

    A producer without an open transaction has a row, too: it says that an earlier one has ended. ended_ms is the time
    of that marker: what is open after it began no earlier, whatever the timestamps of its batches say.
    """
    told = answers.withColumn("hanging", F.col("asked") == "find_hanging")
    placed = told.where("topic IS NOT NULL AND partition IS NOT NULL")
    shown = in_order(placed, OPEN, F.coalesce("answered_ms", "last_ms"))
    row = F.struct(
        "told_at", F.col("turn").alias("open_turn"), "first_offset", "producer_epoch", "coordinator_epoch",
        "last_ms", "place_by", (F.col("asked") == "unstick_lso").alias("stuck"), "unshown", "leader_at", "follower",
        ref().alias("open_ref"),
    )  # fmt: skip
    newest = shown.groupBy(*OPEN).agg(F.max(row).alias("row"), F.max(marked_ms()).alias("ended_ms"))
    names = ("first_offset", "producer_epoch", "coordinator_epoch", "last_ms", "stuck", "unshown", "leader_at",
             "follower", "place_by", "open_ref", "open_turn")  # fmt: skip
    rows = newest.select(*OPEN, "ended_ms", *[F.col(f"row.{name}").alias(name) for name in names])
    return _with_span(rows.where("first_offset IS NOT NULL"), shown)


def _with_span(rows: DataFrame, shown: DataFrame) -> DataFrame:
    """Add between which moments the same transaction was open, and the row that shows it first (RULES F 7).

    What find-hanging named counts for that transaction alone, not for what the producer id opens later.
    """
    same = (*OPEN, "producer_epoch", "first_offset")
    hanging = F.when(F.col("hanging"), F.struct("told_at", "turn", "answered_ms", ref().alias("ref")))
    dated = F.when(F.col("answered_ms").isNotNull(), F.struct("answered_ms", ref().alias("ref")))
    spans = (
        shown.where("first_offset IS NOT NULL")
        .groupBy(*same)
        .agg(
            F.min(dated).alias("first"),
            F.max("answered_ms").alias("seen_to"),
            F.max("hanging").alias("asked_hanging"),
            F.max(hanging).alias("named"),
            F.min(F.when(F.col("hanging"), F.col("answered_ms"))).alias("hanging_from"),
        )
    )
    several = F.col("first.answered_ms") < F.col("seen_to")
    told = spans.select(
        *same, "asked_hanging", "hanging_from",
        F.col("named.answered_ms").alias("hanging_at"), F.col("named.ref").alias("hanging_ref"),
        F.col("named.turn").alias("hanging_turn"),
        F.when(several, F.col("first.answered_ms")).alias("seen_from"),
        F.when(several, F.col("seen_to")).alias("seen_to"),
        F.when(several, F.col("first.ref")).alias("first_ref"),
    )  # fmt: skip
    return rows.join(told, list(same), "left").withColumn("seen_ms", F.col("seen_to") - F.col("seen_from"))


def told_states(rows: DataFrame, places: DataFrame) -> DataFrame:
    """Return the newest state of each producer id by its coordinator: `told_id`, `coordinator_says`, `answered_by`.

    It tells of a log here only beside an answer of the partition's leader, which says what is open now.
    """
    told = _states(dated(rows, places))
    by = at_line("state_ref.path", "state_ref.line")
    return told.select(
        "capture", "producer_id", F.col("transactional_id").alias("told_id"), F.col("state").alias("coordinator_says"),
        by.alias("answered_by"),
    )  # fmt: skip


def _states(answers: DataFrame) -> DataFrame:
    """Return the newest state of each producer id by its coordinator.

    A list tells no epoch and no time, so what describe says wins over it; not if it stands above it in one file with
    another state. `ran` are the earlier answers that a transaction of the producer id runs: epoch and partitions.
    """
    stated = answers.where("state IS NOT NULL AND producer_id >= 0")
    named = stated.withColumn("described", F.col("asked") == "describe_transaction")
    told = in_order(named, ("capture", "producer_id"), F.col("answered_ms"))
    told = told.where(F.col("described") | F.col("state_above").isNull() | (F.col("state_above") != F.col("state")))
    row = F.struct(
        *NEWEST, F.coalesce("answered_ms", F.lit(0)).alias("at"),
        F.col("producer_epoch").alias("state_epoch"), "terminated", *STATE, ref().alias("state_ref"),
    )  # fmt: skip
    ran = F.when(F.col("state") == "Ongoing", F.struct("producer_epoch", "partitions"))
    newest = (
        told.groupBy("capture", "producer_id")
        .agg(F.max(row).alias("row"), F.collect_list(ran).alias("ran"))
        .select("capture", "producer_id", "ran", F.expr("nullif(row.at, 0)").alias("state_at"),
                F.col("row.turn").alias("state_turn"), "row.state_epoch", "row.terminated",
                *[f"row.{name}" for name in STATE], "row.state_ref")
    )  # fmt: skip
    same = ("capture", "producer_id", "state", "started_ms")
    spans = (
        named.where("described AND answered_ms IS NOT NULL AND started_ms IS NOT NULL")
        .groupBy(*same)
        .agg((F.max("answered_ms") - F.min("answered_ms")).alias("state_ms"))
    )
    return newest.join(spans, list(same), "left")


def _with_states(rows: DataFrame, told: DataFrame) -> DataFrame:
    both = rows.join(told, ["capture", "producer_id"], "left").withColumn("named", partition_name())
    this = "one -> one.producer_epoch = producer_epoch AND coalesce(array_contains(one.partitions, named), true)"
    return both.withColumns({
        "listed": F.when(F.col("partitions").isNotNull(), F.array_contains("partitions", F.col("named"))),
        "ran_before": F.expr(f"coalesce(exists(ran, {this}), false) AND NOT {BELOW}"),
    }).drop("named", "ran")  # fmt: skip


def _unseen(told: DataFrame, rows: DataFrame) -> DataFrame:
    """Return the transactions under way of which no answer shows a partition: in each that is listed, or in none.

    What is open in a partition that the coordinator does not list is another transaction, or ended there since.
    """
    of_it = rows.where("coalesce(listed, true)").select("capture", "producer_id").distinct()
    underway = told.where("state = 'Ongoing' OR state LIKE 'Prepare%'")
    placed = underway.join(of_it, ["capture", "producer_id"], "left_anti")
    placed = placed.withColumn("place", F.explode_outer("partitions"))
    topic, partition = named_partition("place")
    return placed.withColumns({
        "topic": topic,
        "partition": partition,
        "producer_epoch": F.col("state_epoch"),
        "listed": F.when(F.col("place").isNotNull(), F.lit(True)),
    }).drop("place")  # fmt: skip


def dated(rows: DataFrame, places: DataFrame) -> DataFrame:
    """Return the answers with their moments: as a row tells itself, else when collect.sh wrote its file."""
    written = places.where("copied_at IS NOT NULL").groupBy("capture", "path").agg(F.max("copied_at").alias("written"))
    both = rows.join(written, ["capture", "path"], "left")
    return both.withColumn("answered_ms", F.coalesce("answered_ms", "written"))


def moment(answers: DataFrame) -> DataFrame:
    """Return the newest moment of a capture's answers: by the tools' clocks, or a marker's (RULES F 1)."""
    at = F.greatest("answered_ms", F.when(F.col("asked") == "describe_producers", marked_ms()))
    return answers.groupBy("capture").agg(F.max(at).alias("answered_at"))
