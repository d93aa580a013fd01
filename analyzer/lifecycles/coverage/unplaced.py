"""Notes on what was read and belongs to no known partition: it is judged with nothing."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles.coverage.note import note


def unplaced_batches(places: DataFrame) -> DataFrame:
    """Return a note for each file with batches that belong to no known partition: they are judged with nothing."""
    lost = places.where("kind = 'log' AND topic IS NULL AND section_batches > 0")
    counted = lost.groupBy("capture", "path").agg(
        F.sum("section_batches").alias("batches"), F.min(F.col("last_line").isNull()).alias("raw")
    )
    belong = F.when(F.col("batches") == 1, " batch belongs to no known partition and is not judged: ").otherwise(
        " batches belong to no known partition and are not judged: "
    )
    why = F.when(F.col("raw"), "no folder names it").otherwise("no Dumping line names it")
    fetch = F.when(F.col("raw"), "the file in a folder <topic>-<partition>, as in its log dir").otherwise(
        "the same dump with its line: Dumping /<log.dir>/<topic>-<partition>/<segment>.log"
    )
    return note(counted, "unplaced_dump", F.concat("batches", belong, why), fetch, file="path", number="batches")


def unplaced_states(states: DataFrame, places: DataFrame) -> DataFrame:
    """Return a note for each file with records of __transaction_state of which it does not tell the partition.

    The formatter of the console consumer prints none.
    """
    lost = places.where("topic IS NULL").select("capture", "path", "file_id", "section")
    records = states.select("file_id", F.coalesce("section", F.lit(0)).alias("section"))
    counted = F.broadcast(lost).join(records, ["file_id", "section"]).groupBy("capture", "path").agg(
        F.count("*").alias("records")
    )  # fmt: skip
    belong = F.when(F.col("records") == 1, f" record of {STATE_TOPIC} does not tell its partition and is not judged")
    several = F.lit(f" records of {STATE_TOPIC} do not tell their partition and are not judged")
    text = F.concat("records", F.coalesce(belong, several))
    fetch = (
        f"the same for each partition (--partition <n> --offset earliest), its output in a folder {STATE_TOPIC}-<n>, "
        f"or the output of kcl consume {STATE_TOPIC}, which tells it"
    )
    return note(counted, "unplaced_dump", text, fetch, file="path", number="records")


def scattered_ids(counts: DataFrame) -> DataFrame:
    """Return a note for each internal topic whose ids lie where neither one partition count nor three put them."""
    text = F.concat(
        "unexplained", F.lit(" ids of "), "topic",
        F.lit(" are in partitions where no partition count puts them, nor two or three: which state a broker reads "),
        F.lit("is not known"),
    )  # fmt: skip
    ask = F.concat(
        F.lit("kafka-topics.sh --describe --topic "), "topic", F.lit(", and which partition each of its files is of")
    )
    return note(counts.where("how = 'unexplained'"), "scattered_ids", text, ask, number="unexplained")
