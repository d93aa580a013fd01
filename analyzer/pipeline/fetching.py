"""What to collect or read next of a capture: the plan of its unread segments, in the order in which to take them."""

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from analyzer.detectors.verdicts import open_rows
from analyzer.lifecycles.collecting.plan import plan
from analyzer.lifecycles.collecting.wanted import wanted_partitions
from analyzer.lifecycles.coordinator.build import Coordinator
from analyzer.lifecycles.inputs import Inputs
from analyzer.lifecycles.logs.build import Logs
from analyzer.lifecycles.matching.build import Matched


def planned(inputs: Inputs, logs: Logs, coordinator: Coordinator, matched: Matched) -> DataFrame:
    """Return every row of the plan."""
    wanted = wanted_partitions(
        open_rows(matched.opens), coordinator.txns, coordinator.registrations, matched.moments, logs.epochs
    )
    return plan(inputs.unread, wanted, logs.places, logs.observations)


def to_fetch(inputs: Inputs, logs: Logs, coordinator: Coordinator, matched: Matched, most: int) -> DataFrame:
    """Return the plan's rows of each capture: the smallest partition of each step first, at most so many.

    `total` counts them all.
    """
    rows = planned(inputs, logs, coordinator, matched)
    together = Window.partitionBy("capture", "step", "topic", "partition")
    order = Window.partitionBy("capture").orderBy(
        "step", "partition_bytes", "topic", "partition", "replica", "segment"
    )  # fmt: skip
    ranked = rows.withColumn("partition_bytes", F.coalesce(F.sum("bytes").over(together), F.lit(0)))
    ranked = ranked.withColumn("turn", F.row_number().over(order))
    counted = ranked.withColumn("total", F.count("*").over(Window.partitionBy("capture")))
    return counted.drop("partition_bytes").where(F.col("turn") <= most)
