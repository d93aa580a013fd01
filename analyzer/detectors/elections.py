"""The election that a leader epoch began with, by the controllers' log: what several findings tell of it."""

import dataclasses

from pyspark.sql import Column, DataFrame, functions as F

from analyzer.detectors.conditions import PARTITION
from analyzer.detectors.model import Ref, Step, step_if
from analyzer.detectors.subject import OfPartition
from analyzer.kafka.clocks import SKEW_MS
from analyzer.tables.moments import moment


@dataclasses.dataclass(frozen=True)
class Elected:
    """The part of an evidence that `with_election` fills; all null without the controllers' log.

    `elected_isr`: who was in sync or eligible before.
    """

    elected_ms: int | None
    elected_broker: int | None
    elected_unclean: bool | None
    elected_isr: str | None
    elected_ref: Ref | None


def with_election(rows: DataFrame, elections: DataFrame, leader_epoch: Column) -> DataFrame:
    """Add the columns of `Elected`: the election of this leader epoch. `elections` are the derived table's rows."""
    eligible = F.concat(
        F.coalesce("previous_isr", F.array().cast("array<int>")),
        F.coalesce("previous_elr", F.array().cast("array<int>")),
    )
    isr = F.concat_ws(", ", F.transform(eligible, lambda one: one.cast("string")))
    told = elections.select(
        *PARTITION, F.col("leader_epoch").alias("elected_epoch"), F.col("changed_ms").alias("elected_ms"),
        F.col("leader_id").alias("elected_broker"), F.col("unclean").alias("elected_unclean"),
        F.nullif(isr, F.lit("")).alias("elected_isr"), F.col("ref").alias("elected_ref"),
    )  # fmt: skip
    return (
        rows.withColumn("elected_epoch", leader_epoch.cast("int"))
        .join(told, [*PARTITION, "elected_epoch"], "left")
        .drop("elected_epoch")
    )


@dataclasses.dataclass(frozen=True)
class Unled(OfPartition):
    """The part of an evidence that `with_unled` fills: from when to when nobody led, and the record of the end.

    All null where the partition may have had a leader.
    """

    unled_ms: int | None
    led_again_ms: int | None
    unled_ref: Ref | None


def with_unled(rows: DataFrame, elections: DataFrame) -> DataFrame:
    """Add the columns of `Unled`: from `decided_ms` to `completed_ms` the partition had no leader (RULES A 6 c).

    Before an unclean election by more than clocks can be apart: that one may have taken the marker.
    """
    apart = F.when(F.coalesce("unclean", F.lit(False)), SKEW_MS).otherwise(0)
    gaps = elections.where("leaderless_ms IS NOT NULL").select(
        *PARTITION, (F.col("leaderless_ms") + apart).alias("unled_from"), F.col("leaderless_ms").alias("unled_ms"),
        (F.col("changed_ms") - apart).alias("unled_to"), F.col("changed_ms").alias("led_again_ms"),
        F.col("ref").alias("unled_ref"),
    )  # fmt: skip
    inside = (F.col("decided_ms") >= F.col("unled_from")) & (F.col("completed_ms") <= F.col("unled_to"))
    same = [F.col(f"told.{name}") == F.col(f"gaps.{name}") for name in PARTITION]
    joined = rows.alias("told").join(gaps.alias("gaps"), [*same, inside], "left")
    return joined.select("told.*", "gaps.unled_ms", "gaps.led_again_ms", "gaps.unled_ref")


def unled_steps(e: Unled) -> tuple[Step, ...]:
    """Return how long the partition had no leader while its transaction was completed."""
    told = f"{e.place} had no leader from {moment(e.unled_ms)} to {moment(e.led_again_ms)}"
    return step_if(e.unled_ms is not None, f"{told}: nobody took a marker then", e.unled_ref)


def steps(e: Elected) -> tuple[Step, ...]:
    """Return who became leader when, and whether the election was unclean."""
    before = f"; brokers in sync or eligible to lead before: {e.elected_isr}" if e.elected_isr else ""
    kind = "by an unclean election" if e.elected_unclean else "by a clean election"
    told = f"broker {e.elected_broker} became leader {kind} at {moment(e.elected_ms)}{before}"
    return step_if(e.elected_ref, told, e.elected_ref)


def after(e: Elected, moment_ms: int) -> bool:
    """Return whether an unclean election at or after this moment is known."""
    return bool(e.elected_unclean) and e.elected_ms is not None and e.elected_ms >= moment_ms


def is_clean(e: Elected) -> bool:
    """Return whether the election is known and was clean."""
    return e.elected_ref is not None and not e.elected_unclean
