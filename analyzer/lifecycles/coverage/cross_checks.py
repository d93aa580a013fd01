"""Notes on files that contradict each other: index and log, snapshot and log, two replicas, marker and coordinator."""

from pyspark.sql import DataFrame, functions as F

from analyzer.lifecycles.coverage.note import note, number_of, some_of, worded
from analyzer.lifecycles.logs.authority import own_epochs
from analyzer.lifecycles.placing import LOG, PARTITION, PRODUCER_NO, partition_name, with_log
from analyzer.stages.few import with_few

SHOWN = 5
"""Partitions that a note names one by one."""


def at_risk(txns: DataFrame, logs: DataFrame) -> DataFrame:
    """Return aborted data whose marker has a delete horizon: the cleaner took it for a transaction without data."""
    dirty = logs.where("authority").select(*LOG, "cleaner_checkpoint")
    risky = txns.where("marker = 'ABORT' AND marker_horizon_ms IS NOT NULL AND records > 0").join(dirty, list(LOG))
    next_pass = risky.where("cleaner_checkpoint IS NULL OR last_offset >= cleaner_checkpoint")
    text = worded(
        "from {at} UTC on, the cleaner may remove the ABORT marker of producer {producer_id} at offset "
        "{marker_offset}, although its data {first_offset}..{last_offset} is still here (KAFKA-13727: brokers before "
        "2.8.2, 3.0.2, 3.1.1 and 3.2.0)",
        at=F.timestamp_millis("marker_horizon_ms").cast("string"),
    )
    fetch = "the version of the brokers; on a fixed version this is harmless"
    return note(next_pass, "cleaner_risk", text, fetch, number="marker_offset")


def tied(disputed: DataFrame, logs: DataFrame) -> DataFrame:
    """Return partitions whose leader is not known, and whose replicas differ in what is open (RULES A 16)."""
    brokers = F.array_sort(F.collect_set("replica"))
    held = disputed.groupBy(*PARTITION).agg(F.array_join(brokers, " or ").alias("holders"))
    copies = logs.where("tied").groupBy(*PARTITION).agg(F.array_join(brokers, ", ").alias("replicas"))
    text = worded(
        "the copies on brokers {replicas} have the same leader epoch but different open transactions, and nothing here "
        "says which of them leads: some are open only if broker {holders} does"
    )
    fetch = worded("kafka-topics.sh --describe --topic {topic}")
    return note(held.join(copies, list(PARTITION)), "tied_replicas", text, fetch)


def short_of_markers(opens: DataFrame, logs: DataFrame, txns: DataFrame, seen: DataFrame) -> DataFrame:
    """Return copies that end before markers of another one, and may lead all the same (RULES A 16 a).

    A leader whose epoch took those markers shows it in its leader-epoch-checkpoint alone until somebody writes. Where
    that file is here and names no newer epoch, the markers came from a leader that this copy follows, or is.
    `opens` are `broker_opens`, `seen` the placed observations.
    """
    short = (
        opens.where("tied AND NOT authority")
        .join(own_epochs(seen).select(*LOG, "checkpoint_epoch"), list(LOG), "left")
        .where("checkpoint_epoch IS NULL OR checkpoint_epoch < log_epoch")
    )
    ended = txns.join(logs.where("tied").select("log_no"), "log_no", "left_semi").where("marker_offset IS NOT NULL")
    same = [*PARTITION, "producer_id", "first_offset"]
    beyond = with_few(ended.select(*same, F.col("marker_offset").alias("ends_at")), short, same)
    beyond = beyond.where("ends_at >= log_end_offset")
    counted = beyond.groupBy(*LOG, "log_end_offset").agg(
        F.count_distinct("producer_id", "first_offset").alias("ended"), F.min("ends_at").alias("ends_at")
    )
    several = F.col("ended") > 1
    text = worded(
        "the copy on broker {replica} ends at offset {end}, before the {markers} that another copy has (the first at "
        "offset {ends_at}): it was copied earlier, or it leads by a newer epoch that took {them}",
        end=F.col("log_end_offset") - 1,
        markers=F.when(several, worded("markers of {ended} transactions")).otherwise("marker of a transaction"),
        them=F.when(several, "them").otherwise("it"),
    )
    fetch = worded(
        "leader-epoch-checkpoint of {topic}-{partition} on broker {replica}, or kafka-topics.sh --describe --topic "
        "{topic}"
    )
    return note(counted, "tied_replicas", text, fetch, number="ends_at")


def led_elsewhere(logs: DataFrame, held: DataFrame) -> DataFrame:
    """Return partitions that another broker leads, or may lead, whose copy is not here (RULES A 16).

    A copy that is known to be in sync has all that was acknowledged, and speaks for the leader.
    """
    judged = logs.where("authority AND has_log AND absent IS NOT NULL")
    unsure = judged.join(held.where("in_sync").select(*LOG), list(LOG), "left_anti")
    names = F.array_sort(F.collect_set(partition_name())).alias("names")
    together = unsure.groupBy("capture", "replica", "absent").agg(names)
    named = {"named": some_of("names", SHOWN), "brokers": F.array_join("absent", " or ")}
    text = worded(
        "{named} {are} judged by the copy of broker {replica}, which need not lead: nothing here rules out that broker "
        "{brokers} does, whose copy is not here",
        are=F.when(F.size("names") > 1, "are").otherwise("is"),
        **named,
    )
    fetch = worded(
        "kafka-topics.sh --describe, or leader-epoch-checkpoint and the .log segments on broker {brokers} of {named}",
        **named,
    )
    return note(together, "leader_not_here", text, fetch)


def emptied_entries(aborted: DataFrame, places: DataFrame) -> DataFrame:
    """Return the entries of a .txnindex whose segment is here and has no batch.

    The index of a segment lists the markers in it, also after the cleaner took the data (`CleanedTransactionMetadata`).
    """
    logs = places.where("kind = 'log' AND segment IS NOT NULL").groupBy(*LOG, "segment")
    empty = logs.agg(F.sum(F.coalesce("section_batches", F.lit(0))).alias("batches")).where("batches = 0")
    return aborted.join(empty, [*LOG, "segment"])


def emptied(entries: DataFrame) -> DataFrame:
    """Return a note for each segment without a batch of which an index lists markers: it was cut, or is of later."""
    counted = entries.groupBy(*LOG, "segment").agg(F.count("*").alias("ranges"), F.min("path").alias("index"))
    text = worded(
        "the segment {named} of {topic}-{partition} has no batch, and {index} lists {ranges} ABORT {markers} in it: "
        "its bytes are lost, or the cleaner emptied it between the copies of the two",
        named=F.lpad(F.col("segment").cast("string"), 20, "0"),
        markers=F.when(F.col("ranges") == 1, "marker").otherwise("markers"),
    )
    return note(counted, "emptied_segment", text, "the index and the segment, copied together", number="ranges")


def strange_ranges(aborted: DataFrame, emptied: DataFrame, txns: DataFrame, logs: DataFrame) -> DataFrame:
    """Return logs whose .txnindex lists aborted transactions that have no ABORT marker at that offset."""
    bounds = logs.select(*LOG, F.col("first_offset").alias("from"), "log_end_offset")
    markers = txns.where("marker_offset IS NOT NULL AND (marker IS NULL OR marker = 'ABORT')")
    markers = markers.select(*LOG, "producer_id", F.col("marker_offset").alias("last_offset"))
    told = aborted.join(emptied, [*LOG, "path"], "left_anti")
    listed = told.join(bounds, list(LOG)).where("last_offset >= from AND last_offset < log_end_offset")
    alone = listed.join(markers, [*LOG, "producer_id", "last_offset"], "left_anti")
    counted = alone.groupBy(*LOG).agg(F.count("*").alias("ranges"), F.min("last_offset").alias("first"))
    text = worded(
        "the .txnindex lists {ranges} aborted transactions whose ABORT marker is not in the log (the first at offset "
        "{first}): index and log were copied at different times, or one is damaged"
    )
    fetch = "the index and the segment, copied together"
    return note(counted, "index_differs", text, fetch, number="ranges")


def strange_snapshots(snapshots: DataFrame, txns: DataFrame, logs: DataFrame) -> DataFrame:
    """Return logs whose newest snapshot and batches disagree on what was open at the snapshot's offset."""
    every = logs.select("log_no", "snapshot_offset", F.col("first_offset").alias("from"))
    newest = every.where("snapshot_offset > from")
    believed = snapshots.join(newest.drop("from"), ["log_no", "snapshot_offset"])
    believed = believed.select(*PRODUCER_NO, "snapshot_offset", F.col("current_txn_first_offset").alias("believed"))
    spans = txns.select(*PRODUCER_NO, "first_offset", "marker_offset")
    at = with_few(spans, newest, ["log_no"]).where("first_offset < snapshot_offset AND first_offset >= from")
    # Of a producer id's transactions only the last one can be open.
    open_then = F.when(F.expr("marker_offset IS NULL OR marker_offset >= snapshot_offset"), F.col("first_offset"))
    shown = (
        at.groupBy(*PRODUCER_NO)
        .agg(F.max(open_then).alias("shown"))
        .join(believed, list(PRODUCER_NO))
        .where("NOT shown <=> believed AND (believed IS NULL OR shown IS NULL)")
    )
    odd = shown.join(_taken_since(shown, spans), list(PRODUCER_NO), "left_anti")
    counted = (
        with_log(odd, logs)
        .groupBy(*LOG)
        .agg(F.count("*").alias("producers"), F.min(F.coalesce("shown", "believed")).alias("first"))
    )
    text = worded(
        "the newest snapshot and the batches disagree on which transactions of {who} were open (the "
        "first at offset {first}): the cleaner or a truncation changed the log after the snapshot was taken",
        who=number_of("producers", "producer"),
    )
    fetch = "a snapshot and a segment, copied together; see marker_cleaned_away (TXN007)"
    return note(counted, "snapshot_differs", text, fetch, number="producers")


def _taken_since(shown: DataFrame, spans: DataFrame) -> DataFrame:
    """Return the producers whose transaction of the snapshot ended after it, and has no data here any more.

    The cleaner took that once the marker was there: what an abort left, or what newer records of its keys replaced.
    """
    gone = shown.where("shown IS NULL").select(*PRODUCER_NO, "snapshot_offset", "believed")
    covers = F.coalesce(F.col("marker_offset") > F.col("believed"), F.lit(True))
    told = with_few(spans, gone, PRODUCER_NO).groupBy(*PRODUCER_NO).agg(
        F.max(F.coalesce(F.col("marker_offset") >= F.col("snapshot_offset"), F.lit(False))).alias("ended"),
        F.max(F.coalesce((F.col("first_offset") <= F.col("believed")) & covers, F.lit(False))).alias("here"),
    )  # fmt: skip
    return told.where("ended AND NOT here").select(*PRODUCER_NO)


def strange_markers(reigns: DataFrame) -> DataFrame:
    """Return the coordinator epochs of markers that were no leader epoch of their state partition then (RULES E 6)."""
    deposed = F.col("coordinator_epoch") < F.col("expected_epoch")
    who = F.when(deposed, "a deposed coordinator or an administrator wrote them").otherwise(
        "no coordinator had that epoch yet, so somebody else wrote them"
    )
    text = worded(
        "{carry} coordinator epoch {coordinator_epoch} of __transaction_state-{state_partition}, whose "
        "leader epoch was {expected_epoch} then (the first at offset {first_marker.marker_offset} of "
        "{first_marker.topic}-{first_marker.partition}, producer {first_marker.producer_id}, {at} UTC): {who}",
        at=F.timestamp_millis("first_marker.marker_ms").cast("string"),
        who=who,
        carry=number_of("markers", "marker carries", "markers carry"),
    )
    fetch = "the brokers' logs of that time: who wrote WriteTxnMarkers requests"
    of_marker = {"topic": "first_marker.topic", "partition": "first_marker.partition"}
    return note(reigns.where("NOT consistent"), "strange_marker", text, fetch, number="markers", **of_marker)
