"""An id at the last producer epoch, and whose timeouts it stops: what a finding on overdue data says of it."""

import dataclasses
from collections.abc import Iterator

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors.causes import Cause
from analyzer.detectors.model import Ref, Step
from analyzer.detectors.subject import OfProducer
from analyzer.kafka.known_bugs.coordinator import LAST_EPOCH_STOPS_TIMEOUTS, ROLLOVER_FORGOTTEN
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.kafka.transaction_states import EXHAUSTED_FROM, LAST_EPOCH


@dataclasses.dataclass(frozen=True, slots=True)
class Overdue(OfProducer):
    """An id whose transaction is overdue, and what `with_exhausted` tells: an overdue id at the last epoch.

    That one, its partition of __transaction_state and its newest record are null where there is none.
    `same_coordinator`: one broker leads both partitions; None where the capture does not tell.
    """

    transactional_id: str
    state_partition: int
    exhausted_id: str | None
    exhausted_partition: int | None
    same_coordinator: bool | None
    exhausted_ref: Ref | None


def with_exhausted(rows: DataFrame, exhausted: DataFrame, elections: DataFrame) -> DataFrame:
    """Add the columns of `Overdue`: an overdue id at the last epoch that the same coordinator may have."""
    led = elections.where((F.col("topic") == STATE_TOPIC) & F.col("led_until_ms").isNull())
    leaders = led.select("capture", F.col("partition").alias("state_partition"), F.col("leader_id").alias("leader"))
    stuck = exhausted.join(leaders, ["capture", "state_partition"], "left").select(
        "capture", F.col("transactional_id").alias("exhausted_id"), F.col("leader").alias("exhausted_leader"),
        F.col("state_partition").alias("exhausted_partition"), F.col("deadline_ms").alias("exhausted_since"),
        F.col("ref").alias("exhausted_ref"),
    )  # fmt: skip
    own = ("capture", "topic", "partition", "replica", "state_partition", "transactional_id", "producer_id")
    asked = rows.select(*own, "reached_ms").join(leaders, ["capture", "state_partition"], "left")
    same = F.when(F.col("state_partition") == F.col("exhausted_partition"), F.lit(True)).otherwise(
        F.col("leader") == F.col("exhausted_leader")
    )
    pairs = asked.join(stuck, "capture").where("reached_ms > exhausted_since").withColumn("same_coordinator", same)
    found = ("exhausted_id", "exhausted_partition", "same_coordinator", "exhausted_ref")
    nearest = F.struct(F.col("same_coordinator").isNull(), "exhausted_since", "exhausted_id")
    one = (
        pairs.where(F.coalesce("same_coordinator", F.lit(True)))
        .groupBy(*own)
        .agg(F.min_by(F.struct(*found), nearest).alias("found"))
    )
    told = one.select(*own, *[F.col(f"found.{name}").alias(name) for name in found])
    return rows.join(told, list(own), "left")


def steps(e: Overdue) -> Iterator[Step]:
    """Yield that the id, or another one of its coordinator, is at the last epoch."""
    if e.exhausted_id == e.transactional_id and e.producer_epoch == LAST_EPOCH:
        yield Step(f"epoch {LAST_EPOCH} is the last one: the coordinator cannot raise it to fence the producer")
    elif e.exhausted_id is not None:
        where = f"{STATE_TOPIC}-{e.exhausted_partition}"
        same = "which has the same coordinator" if e.same_coordinator else "which may have the same coordinator"
        text = f"{e.exhausted_id} in {where}, {same}, is overdue too, at the last epoch, {LAST_EPOCH}"
        yield Step(text, e.exhausted_ref)


def causes(e: Overdue) -> Iterator[Cause]:
    """Yield that an id at the last epoch stops the check for timeouts, or that the id's epochs are used up."""
    if e.exhausted_id is not None:
        maybe = "" if e.same_coordinator else "perhaps "
        yield Cause(
            f"{maybe}the coordinator's check for timeouts fails at {e.exhausted_id}, whose epoch {LAST_EPOCH} cannot "
            f"be raised, and ends no overdue transaction of any id after it ({LAST_EPOCH_STOPS_TIMEOUTS.named()})",
            bug=LAST_EPOCH_STOPS_TIMEOUTS,
        )
    if e.producer_epoch >= EXHAUSTED_FROM:
        yield used_up(e.transactional_id)


def used_up(whose: str) -> Cause:
    """Return that a coordinator that moved forgot the new producer id of an id whose epochs are used up."""
    return Cause(
        f"the epochs of {whose} are used up, and a coordinator that moved forgot which producer id comes next "
        f"({ROLLOVER_FORGOTTEN.named()})",
        bug=ROLLOVER_FORGOTTEN,
    )
