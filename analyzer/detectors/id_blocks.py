"""The block of a producer id, by the controllers' log: which broker was given it, and when (RULES E 7)."""

import dataclasses

from pyspark.sql import DataFrame, functions as F

from analyzer.detectors.model import Ref, Step, step_if
from analyzer.detectors.subject import OfProducer
from analyzer.kafka.clocks import SKEW_MS
from analyzer.tables.moments import moment

BLOCK = 1000
"""Producer ids in a block; blocks begin at its multiples (`ProducerIdsBlock`)."""


@dataclasses.dataclass(frozen=True)
class Given(OfProducer):
    """The part of an evidence that `with_block` fills: which broker was given the producer id's block, and when.

    All null without the controllers' log.
    """

    block_broker: int | None
    block_ms: int | None
    block_ref: Ref | None


def with_block(rows: DataFrame, blocks: DataFrame) -> DataFrame:
    """Add the columns of `Given`. `blocks` are rows of `producer_id_blocks`."""
    told = blocks.where("changed_ms IS NOT NULL").select(
        "capture", F.col("first_producer_id").alias("block_first"), F.col("broker").alias("block_broker"),
        F.col("changed_ms").alias("block_ms"), F.col("ref").alias("block_ref"),
    )  # fmt: skip
    first = F.col("producer_id") - F.pmod(F.col("producer_id"), F.lit(BLOCK))
    return rows.withColumn("block_first", first).join(told, ["capture", "block_first"], "left").drop("block_first")


def steps(e: Given, written_ms: int | None) -> tuple[Step, ...]:
    """Return who was given the producer id's block, and whether the data is older than that."""
    first = e.producer_id - e.producer_id % BLOCK
    text = f"producer ids {first} to {first + BLOCK - 1} were given to broker {e.block_broker} at {moment(e.block_ms)}"
    if written_ms is not None and written_ms + SKEW_MS < (e.block_ms or 0):
        text += ", after this data was written: no coordinator can have handed its producer id out then"
    return step_if(e.block_ms is not None, text, e.block_ref)
