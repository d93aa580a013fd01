"""What the message format costs: the bytes that frame records, by topic, format and batch size (KIP-98)."""

from pyspark.sql import DataFrame, functions as F

from analyzer.lifecycles.placing import LOG
from analyzer.stages.few import with_few


def framing(batches: DataFrame, logs: DataFrame) -> DataFrame:
    """Return batches, records, bytes and framing_bytes by (topic, magic, state, records_per_batch) of the judged logs.

    Framing is the size of a batch without its keys and values; record headers count as framing. state is `measured`,
    `compressed` (framing and contents are compressed together) or `unknown` (the files have no sizes of keys and
    values); framing_bytes is null unless measured. Control batches and emptied batches are left out.
    """
    judged = logs.where("authority").select(*LOG)
    data = with_few(batches, judged, LOG).where("NOT is_control AND size IS NOT NULL AND count > 0")
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
