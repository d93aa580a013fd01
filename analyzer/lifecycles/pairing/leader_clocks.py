"""The clocks of brokers that are apart, measured on pairs of markers and decisions (RULES A 15).

A marker is stamped by the broker that leads its partition, a decision and its completion by the one that coordinates.
Who that was no file has to tell: each leadership, a partition under one leader epoch, has a clock of its own here.
"""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import pyarrow as pa
from pyspark.sql import DataFrame, functions as F

from analyzer.kafka.clocks import SKEW_MS
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles.coordinator.transactions import TXN
from analyzer.lifecycles.declaring import LOG_COLUMNS
from analyzer.lifecycles.placing import PARTITION, PRODUCER_NO
from analyzer.stages.few import with_few
from analyzer.tables import Column, arrow_schema, ddl_of

MARKED = ("last_leader_epoch", "marker_leader_epoch")
Leadership = tuple[str, int, int]
"""Topic, partition and leader epoch."""
Bounds = tuple[int, int]
"""How far one clock is ahead of another at least, and at most, ms. Clocks that were set meanwhile turn them around."""
CLOCK = (
    *LOG_COLUMNS[:3],
    Column("epoch", "bigint", "leader epoch"),
    Column("ahead_ms", "bigint", "how far the clock of its leader is ahead of the one in common, ms"),
    Column("unsure_ms", "bigint", "give or take that much, ms"),
)


def captures_apart(clocks: DataFrame) -> DataFrame:
    """Return the captures of which the `common_clocks` show that no single clock set all times."""
    return clocks.where("apart").select("capture")


def coordinated(apart: DataFrame, txns: DataFrame, epochs: DataFrame) -> DataFrame:
    """Return under which leader epochs of its state partition each transaction was decided, and completed."""
    starts = (
        epochs.where(F.col("topic") == STATE_TOPIC)
        .groupBy("capture", F.col("partition").alias("state_partition"), "epoch")
        .agg(F.min("start_offset").alias("start_offset"))
    )
    made_at = F.coalesce("prepared_at", "latest_at")
    mine = with_few(txns.where("decision IS NOT NULL"), apart, ["capture"])
    led = mine.join(starts, ["capture", "state_partition"]).where("start_offset <= latest_at")
    return led.groupBy(*TXN).agg(
        F.max(F.when(F.col("start_offset") <= made_at, F.col("epoch"))).alias("decided_under"),
        F.max("epoch").alias("completed_under"),
    )


def measured_pairs(apart: DataFrame, matched: DataFrame, txns: DataFrame, led: DataFrame) -> DataFrame:
    """Return how far the clock of each leadership of a log is ahead of those of coordinators, by `matched` pairs.

    A marker is stamped after its decision and before its completion: at least least_ms, at most most_ms. `led` are the
    `coordinated` transactions; of those with an election between, nobody's clock set both times.
    """
    one = led.where("decided_under = completed_under").withColumnRenamed("decided_under", "led_under")
    stamps = txns.select(*PRODUCER_NO, "txn_no", F.col("marker_leader_epoch").cast("bigint").alias("epoch"))
    pairs = with_few(matched.where("completed_ms IS NOT NULL"), apart, ["capture"])
    told = pairs.join(one, list(TXN)).join(stamps, [*PRODUCER_NO, "txn_no"])
    return told.groupBy(*PARTITION, "epoch", "state_partition", "led_under").agg(
        F.max(F.col("marked_ms") - F.col("completed_ms")).alias("least_ms"),
        F.min(F.col("marked_ms") - F.col("decided_ms")).alias("most_ms"),
    )


def leader_clocks(measured: DataFrame) -> DataFrame:
    """Return how far each leadership's clock is ahead of one that they have in common, by `measured_pairs`.

    `unsure_ms`: give or take that much. What no pair connects with the others is not here.
    """
    return measured.coalesce(1).mapInArrow(_all_clocks, ddl_of(CLOCK))


def _all_clocks(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    captures: dict[str, dict[tuple[Leadership, Leadership], Bounds]] = defaultdict(dict)
    for batch in batches:
        for row in batch.to_pylist():
            log = (row["topic"], row["partition"], row["epoch"])
            coordinator = (STATE_TOPIC, row["state_partition"], row["led_under"])
            captures[row["capture"]][log, coordinator] = (row["least_ms"], row["most_ms"])
    names = [column.name for column in CLOCK]
    rows = [
        dict(zip(names, (capture, *key, *told), strict=True))
        for capture, known in captures.items()
        for key, told in clocks_of(known).items()
    ]
    yield pa.RecordBatch.from_pylist(rows, schema=arrow_schema(CLOCK))


def clocks_of(measured: Mapping[tuple[Leadership, Leadership], Bounds]) -> dict[Leadership, tuple[int, int]]:
    """Return ahead_ms and unsure_ms of each leadership, from the one with the surest measure on by the surest first.

    measured: of pairs of leaderships, how far the first's clock is ahead of the second's.
    """
    beside: dict[Leadership, list[tuple[int, Leadership, int]]] = defaultdict(list)
    for (log, coordinator), (least, most) in measured.items():
        ahead, unsure = (least + most) // 2, (abs(most - least) + 1) // 2
        beside[log].append((unsure, coordinator, -ahead))
        beside[coordinator].append((unsure, log, ahead))
    found: dict[Leadership, tuple[int, int]] = {}
    waiting = [(0, min(beside, key=lambda one: (min(beside[one]), one)), 0)] if beside else []
    while waiting:
        unsure, at, ahead = heapq.heappop(waiting)
        if at not in found:
            found[at] = (ahead, unsure)
            for more, other, by in beside[at]:
                heapq.heappush(waiting, (max(unsure, more), other, ahead + by))
    return found


def unmeasured(clocks: DataFrame, led: DataFrame, txns: DataFrame) -> DataFrame:
    """Return the captures with `leader_clocks` in which some leadership has none: it coordinated, or wrote markers."""
    coordinators = led.select(
        "capture", F.lit(STATE_TOPIC).alias("topic"), F.col("state_partition").alias("partition"),
        F.explode(F.array("decided_under", "completed_under")).alias("epoch"),
    )  # fmt: skip
    captures = clocks.select("capture").distinct()
    leaders = with_few(txns, captures, ["capture"]).select(
        *PARTITION, F.explode(F.array(*[F.col(name).cast("bigint") for name in MARKED])).alias("epoch")
    )
    every = coordinators.unionByName(leaders).where("epoch IS NOT NULL").distinct()
    return every.join(clocks, [*PARTITION, "epoch"], "left_anti").select("capture").distinct()


def clocks_apart(clocks: DataFrame, common: DataFrame, partly: DataFrame) -> DataFrame:
    """Return the `common_clocks` with what the `leader_clocks` show of the captures whose brokers' are apart.

    shift_ms: how far decisions move at most, to be compared with what any log says. In those of `partly` some
    clock is `unmeasured`, and may be as far away as where nothing is known.
    """
    state = F.col("topic") == STATE_TOPIC
    told = clocks.groupBy("capture").agg(
        (F.max("ahead_ms") - F.min("ahead_ms") + F.max("unsure_ms")).alias("apart_ms"),
        (F.max(F.when(state, F.col("ahead_ms"))) - F.min(F.when(~state, F.col("ahead_ms")))).alias("late_ms"),
        (F.max(F.when(~state, F.col("ahead_ms"))) - F.min(F.when(state, F.col("ahead_ms")))).alias("early_ms"),
    )
    least_ms = F.when(F.col("unmeasured"), F.lit(SKEW_MS)).otherwise(0)
    measured = F.col("apart_ms").isNotNull()
    return (
        common.join(told, "capture", "left")
        .join(partly.withColumn("unmeasured", F.lit(True)), "capture", "left")
        .withColumns({
            "shift_ms": F.coalesce("early_ms", "shift_ms"),
            "spread_ms": F.when(measured, F.greatest("apart_ms", least_ms)).otherwise(F.col("spread_ms")),
            "behind_ms": F.when(measured, F.greatest("late_ms", least_ms)).otherwise(F.col("behind_ms")),
        })
        .drop("apart_ms", "late_ms", "early_ms", "unmeasured")
    )  # fmt: skip


def shifted_decisions(clocks: DataFrame, led: DataFrame) -> DataFrame:
    """Return how far the decisions of captures that are apart move, by their coordinators' clocks: TXN, by_ms.

    unsure_ms: give or take that much. done_by_ms: how far their completion moves at most.
    """
    mine = clocks.where(F.col("topic") == STATE_TOPIC).withColumnRenamed("partition", "state_partition")
    key = ["capture", "state_partition"]
    first = mine.select(*key, F.col("epoch").alias("decided_under"), (-F.col("ahead_ms")).alias("by_ms"), "unsure_ms")
    latest_ms = (F.col("unsure_ms") - F.col("ahead_ms")).alias("done_by_ms")
    last = mine.select(*key, F.col("epoch").alias("completed_under"), latest_ms)
    return (
        led.join(first, [*key, "decided_under"], "left")
        .join(last, [*key, "completed_under"], "left")
        .select(*TXN, "by_ms", "unsure_ms", "done_by_ms")
    )


def shifted_markers(clocks: DataFrame, logs: DataFrame) -> DataFrame:
    """Return how far the markers of captures that are apart move, by the clocks of their leaders: marker_by_ms."""
    places = logs.select(*PARTITION, "log_no")
    return clocks.join(places, list(PARTITION)).select(
        "log_no", F.col("epoch").alias("marker_leader_epoch"), (-F.col("ahead_ms")).alias("marker_by_ms")
    )
