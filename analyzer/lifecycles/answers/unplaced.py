"""The partition of a pasted describe-producers table whose command was not copied: by other answers (RULES F 1 c)."""

from pyspark.sql import DataFrame, Window, functions as F

from analyzer.kafka.clocks import SKEW_MS
from analyzer.lifecycles.placing import at_line, named_partition, partition_name

_TABLE = ("capture", "path", "table")
_PLACE = ("topic", "partition")
_BARE = "asked = 'describe_producers' AND topic IS NULL AND producer_id IS NOT NULL"


def with_places(answers: DataFrame) -> DataFrame:
    """Return the answers; those of a table without a partition have the only one that it can be of, and `place_by`.

    It is the one of which find-hanging names the same transaction: producer id, epoch and start offset. Otherwise the
    one that describe lists, alone, for a transaction under way of that producer id and epoch, if what the table has
    open was written to since that began, no other table without a partition has another transaction of it open, and no
    answer here is about another partition. Rows one below the other are of one table; one whose rows point to two
    partitions stays without.
    """
    turn = F.row_number().over(Window.partitionBy("capture", "path").orderBy("line"))
    bare = answers.where(_BARE).withColumn("table", F.col("line") - turn)
    shown = ("producer_id", "producer_epoch", "first_offset", "last_ms")
    opened = bare.where("first_offset IS NOT NULL").select(*_TABLE, *shown)
    named, listed = _named(answers), _listed(answers)
    by_name = _only(opened.join(named, ["capture", "producer_id", "producer_epoch", "first_offset"]))
    alone = opened.groupBy("capture", "producer_id").agg(F.countDistinct("first_offset").alias("offsets"))
    once = opened.join(alone.where("offsets = 1"), ["capture", "producer_id"])
    within = once.join(listed, ["capture", "producer_id", "producer_epoch"]).where(f"last_ms >= started_ms - {SKEW_MS}")
    by_list = _only(within).join(by_name, list(_TABLE), "left_anti")
    told = by_name.unionByName(by_list).where("places = 1")
    placed = bare.drop(*_PLACE).join(told.drop("places"), list(_TABLE), "left")
    rest = answers.where(f"NOT coalesce({_BARE}, false)").withColumn("place_by", F.lit(None).cast("string"))
    return rest.unionByName(placed.select(*rest.columns))


def _named(answers: DataFrame) -> DataFrame:
    """Return what find-hanging names, with its place and where it says so."""
    return answers.where("asked = 'find_hanging' AND topic IS NOT NULL AND partition IS NOT NULL").select(
        "capture", "producer_id", "producer_epoch", "first_offset", *_PLACE, at_line().alias("place_by")
    )


def _listed(answers: DataFrame) -> DataFrame:
    """Return the transactions under way of which describe lists one partition, where no answer is of another one."""
    under_way = answers.where("asked = 'describe_transaction' AND (state = 'Ongoing' OR state LIKE 'Prepare%')")
    one = under_way.where("size(partitions) = 1").withColumn("place", F.col("partitions")[0])
    placed = answers.where("topic IS NOT NULL AND partition IS NOT NULL")
    spots = placed.select("capture", partition_name().alias("spot"))
    lists = answers.where("partitions IS NOT NULL").select("capture", F.explode("partitions").alias("spot"))
    alone = spots.unionByName(lists).groupBy("capture").agg(F.countDistinct("spot").alias("spots")).where("spots = 1")
    return one.join(alone, "capture").select(
        "capture", "producer_id", "producer_epoch", "started_ms", *named_partition("place"), at_line().alias("place_by")
    )


def _only(rows: DataFrame) -> DataFrame:
    """Return one row of each table: how many places its rows point to, the first of them, and by what."""
    return rows.groupBy(*_TABLE).agg(
        F.countDistinct(F.struct(*_PLACE)).alias("places"), F.min("topic").alias("topic"),
        F.min("partition").alias("partition"), F.min("place_by").alias("place_by"),
    )  # fmt: skip
