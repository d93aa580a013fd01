"""Whether the id of open data had no transaction then: after one marker, before its last transaction began."""

from pyspark.sql import DataFrame, functions as F

from analyzer.lifecycles.placing import PRODUCER_NO


def idle_of(opens: DataFrame, above: DataFrame, txns: DataFrame) -> DataFrame:
    """Return `idle_until_ms`: when the id's last transaction began, where the id was idle before (RULES D 2 c).

    Idle since the marker before the data, of the same epoch: no log here holds a marker of the producer id from
    between. That marker must not have raised the epoch, as the data that it ended in any log shows: with
    transaction.version 2 its epoch is that of the next transaction's data (KIP-890). A marker of this log was not cut
    off either: batches of the data's own leader epoch follow from after that begin, and a truncation would have taken
    them, too. No row where that does not hold, or the id's last transaction is not complete.
    """
    markers = txns.where("marker_offset IS NOT NULL").select(
        "capture", *PRODUCER_NO, F.col("txn_no").alias("ended_no"), "marker_epoch", F.col("marker_ms").alias("other_ms")
    )
    later = opens.join(above.select(*PRODUCER_NO, "same_epoch_ms"), list(PRODUCER_NO))
    asked = later.where(
        "marker_ms < latest_txn.begun_ms AND latest_txn.state LIKE 'Complete%' AND same_epoch_ms >= latest_txn.begun_ms"
    ).join(markers.drop("capture", "other_ms"), [*PRODUCER_NO, "ended_no"])
    raised = txns.where("marker_offset IS NOT NULL AND highest_data_epoch < marker_epoch")
    asked = asked.where("producer_epoch = marker_epoch AND highest_data_epoch = marker_epoch").join(
        raised.select("capture", "producer_id", "marker_epoch").distinct(),
        ["capture", "producer_id", "marker_epoch"], "left_anti",
    ).select("capture", *PRODUCER_NO, "marker_ms", F.col("latest_txn.begun_ms").alias("idle_until_ms"))  # fmt: skip
    theirs = markers.select("capture", "producer_id", "other_ms")
    busy = asked.join(theirs, ["capture", "producer_id"]).where("other_ms > marker_ms AND other_ms < idle_until_ms")
    idle = asked.join(busy.select(*PRODUCER_NO).distinct(), list(PRODUCER_NO), "left_anti")
    return idle.select(*PRODUCER_NO, "idle_until_ms")
