"""From batches to what frames their records, by topic, message format and records a batch (KIP-98)."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.placing import LOG


def framing(batches: DataFrame, logs: DataFrame) -> DataFrame:
    """Return per (topic, magic, state, records a batch) of the judged logs: batches, records, size and framing bytes.

    state: measured; compressed (framing and contents are compressed together); unknown (no sizes of keys and values in
    the files). Framing is the batch's size without keys and values; record headers count as framing. Control batches
    and those that the cleaner emptied are left out. framing_bytes is null unless measured.
    """
    judged = logs.where("authority").select(*LOG)
    data = batches.join(F.broadcast(judged), list(LOG)).where("NOT is_control AND size IS NOT NULL AND count > 0")
    state = (
        F.when(F.coalesce("codec", F.lit("none")) != "none", "compressed")
        .when(F.col("payload_bytes").isNull(), "unknown")
        .otherwise("measured")
    )
    return (
        data.withColumn("state", state)
        .groupBy("topic", "magic", "state", F.col("count").alias("records_per_batch"))
        .agg(
            F.count("*").alias("batches"),
            F.sum("count").alias("records"),
            F.sum("size").alias("bytes"),
            F.sum(F.when(F.col("state") == "measured", F.col("size") - F.col("payload_bytes"))).alias("framing_bytes"),
        )
    )
