"""Dumps of one log that do not say whose they are: one ends before a marker that another has (RULES A 16 a)."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles.coverage.note import note
from analyzer.lifecycles.few import with_few
from analyzer.lifecycles.placing import LOG, partition_name, placed
from analyzer.tables import NO_REPLICA


def shown_again(places: DataFrame) -> DataFrame:
    """Return the places of segments that several dumps or files show, where none of them says whose it is.

    One that breaks off, or out of which lines were cut, does not show where its log ends.
    """
    unnamed = places.where((F.col("kind") == "log") & (F.col("replica") == NO_REPLICA) & F.col("partition").isNotNull())
    segment = [*LOG, "segment"]
    several = unnamed.groupBy(*segment).agg(F.count("*").alias("dumps")).where("dumps > 1").select(*segment)
    whole = unnamed.where("ending IS NULL OR ending NOT IN ('cut', 'died', 'excerpt')")
    return whole.join(several, segment, "left_semi")


def short_dumps(again: DataFrame, batches: DataFrame, txns: DataFrame) -> DataFrame:
    """Return a note for each log of which a dump ends inside a transaction that another one shows ended.

    They are of two moments or of two brokers, and one that never had the marker, or lost it, may lead. `again` are the
    places that are `shown_again`, `txns` are `partition_txns`.
    """
    ends = placed(batches, again).groupBy(*LOG, "segment", "path", "section").agg(F.max("last_offset").alias("end"))
    ended = txns.where("marker_offset IS NOT NULL AND first_offset IS NOT NULL").select(
        *LOG, "first_offset", "marker_offset"
    )
    short = with_few(ended, ends, LOG).where("first_offset >= segment AND first_offset <= end AND marker_offset > end")
    first = short.groupBy(*LOG).agg(F.min(F.struct("marker_offset", "end", "path")).alias("first"))
    text = F.concat(
        F.lit("a dump of "), partition_name(), F.lit(" in "), "first.path", F.lit(" ends at offset "), "first.end",
        F.lit(", before the marker at "), "first.marker_offset", F.lit(" that another one has: it was made earlier, or "
        "it is of another broker, which may lead and lack that marker"),
    )  # fmt: skip
    fetch = F.concat(
        F.lit("which broker each is of: put its files into a folder broker-<id>; who leads, kafka-topics.sh --describe "
        "--topic "), "topic",
    )  # fmt: skip
    return note(first, "short_dump", text, fetch, file="first.path", number="first.marker_offset")
