"""Transactions that admin tools call open and that no file here shows, open or ended (RULES D 7)."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.build import Lifecycles
from analyzer.lifecycles.coverage.missing import some_of
from analyzer.lifecycles.coverage.note import note
from analyzer.lifecycles.placing import PARTITION, partition_name

OF_PARTITION = ("active_producer", "hanging_candidate")
"""What describe-producers and find-hanging say of one partition; `number` is where the transaction begins."""
UNFINISHED = r"\b(Ongoing|Prepare\w+)\b"
"""The states in which list and describe show a transaction that is not over."""


def unseen_claims(lifecycles: Lifecycles) -> DataFrame:
    """Return a note for each capture on the lines of such tools.

    A log here may have the transaction open, or the marker that ended it since; of an id that list or describe calls
    unfinished, the coordinator's records may be here. What is left was another moment, or is in files not here.
    """
    seen = lifecycles.logs.observations.withColumnRenamed("other_number", "producer_id")
    left = _of_partitions(seen, lifecycles).unionByName(_of_ids(seen, lifecycles))
    place = F.concat("path", F.coalesce(F.concat(F.lit(":"), F.col("line").cast("string")), F.lit("")))
    entry = F.struct("path", "line", place.alias("place"), "said")
    folded = left.groupBy("capture").agg(F.sort_array(F.collect_list(entry)).alias("entries"))
    one = folded.withColumn("count", F.size("entries")).withColumn("first", F.col("entries")[0])
    one = one.withColumn("places", F.array_distinct(F.transform("entries", lambda at: at["place"])))
    text = F.concat(
        F.when(F.col("count") == 1, F.concat(F.col("first.place"), F.lit(" says that "))).otherwise(
            F.concat("count", F.lit(" lines of admin tools ("), some_of("places"), F.lit(") tell of transactions; "))
        ),
        F.when(F.col("count") > 1, F.lit("the first says that ")).otherwise(F.lit("")),
        "first.said", F.lit(", and no file here shows it open or ended"),
    )  # fmt: skip
    fetch = "the newest segments of these partitions and __transaction_state, copied after the tool was asked"
    return note(one, "unseen_claim", text, fetch, number="count")


def _of_partitions(seen: DataFrame, lifecycles: Lifecycles) -> DataFrame:
    """Return the open transactions of partitions that their log does not show; of an unknown partition, all."""
    claimed = seen.where(F.col("observed").isin(*OF_PARTITION) & F.col("number").isNotNull())
    key = [*PARTITION, "producer_id"]
    shown = lifecycles.matched.opens.select(*key).distinct()
    over = lifecycles.logs.txns.where("marker_offset IS NOT NULL AND first_offset IS NOT NULL").select(
        *key, F.col("first_offset").alias("number")
    )
    left = claimed.join(shown, key, "left_anti").join(over.distinct(), [*key, "number"], "left_anti")
    nowhere = F.col("topic").isNull() | F.col("partition").isNull()
    where = F.when(nowhere, F.lit("a partition that it does not name")).otherwise(partition_name())
    said = F.concat(
        F.lit("producer "), "producer_id", F.lit(" has a transaction open in "), where, F.lit(" since offset "),
        "number",
    )  # fmt: skip
    return left.select("capture", "path", "line", said.alias("said"))


def _of_ids(seen: DataFrame, lifecycles: Lifecycles) -> DataFrame:
    """Return the unfinished transactions of ids of which no record and no open data is here."""
    told = seen.where(F.col("observed") == "transaction").withColumn("state", F.regexp_extract("text", UNFINISHED, 1))
    claimed = told.where("state <> '' AND number IS NOT NULL")
    recorded = lifecycles.coordinator.records.select("capture", F.col("transactional_id").alias("name")).distinct()
    opened = lifecycles.matched.opens.select("capture", F.col("producer_id").alias("number")).distinct()
    left = claimed.join(recorded, ["capture", "name"], "left_anti").join(opened, ["capture", "number"], "left_anti")
    said = F.concat(F.lit("the transaction of "), "name", F.lit(" (producer "), "number", F.lit(") is "), "state")
    return left.select("capture", "path", "line", said.alias("said"))
