"""Who was asked, and what was asked again: the heads of pasted tables beside their rows (RULES F 1)."""

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from analyzer.tables.unions import union_filled

_PLACE = ("capture", "topic", "partition")
_OF_LEADER = "asked = 'describe_producers' AND broker IS NULL"
_HEAD = "producer_id IS NULL"
_MOST_LINES = 1 << 40
_MARKED = f"{_OF_LEADER} AND first_offset IS NULL AND coordinator_epoch >= 0"
_PLACED = "topic IS NOT NULL AND partition IS NOT NULL"


def in_tables(answers: DataFrame, seen: DataFrame) -> DataFrame:
    """Return the answers, of describe-producers those of a leader where that was asked, too; `seen` are observations.

    With --broker-id the tool asks a replica: what that believes is neither open nor ended at the leader. find-hanging
    takes it to choose partitions, and most brokers that it names lead them.

    Adds `unshown`: below the row in its file the same was asked again, so that the last row about a producer id tells
    that the answer does not have it; and `leader_at`: the leader was asked no earlier, by the newest marker that its
    answer shows, epoch ms.
    """
    asked = F.when(F.col("observed") == "asked_hanging", "find_hanging").otherwise("describe_producers")
    heads = seen.where("observed IN ('asked_hanging', 'asked_producers')").select(
        *_PLACE, "path", "line", asked.alias("asked"), F.col("number").cast("int").alias("broker"),
        F.col("text").alias("question"), F.col("other_number").cast("int").alias("quoted"),
    )  # fmt: skip
    above = Window.partitionBy("capture", "path").orderBy("line").rowsBetween(Window.unboundedPreceding, 0)
    every = _in_turn(union_filled(answers, heads)).withColumn(
        "question", F.last("question", ignorenulls=True).over(above)
    )
    of_place, of_file = Window.partitionBy(*_PLACE), Window.partitionBy(*_PLACE, "path")
    of_question = Window.partitionBy("capture", "path", "question")
    rows = every.withColumns({
        "leader_asked": F.max(F.expr(_OF_LEADER)).over(of_place),
        "leader_at": F.max(F.expr(f"CASE WHEN {_MARKED} THEN last_ms END")).over(of_file),
        "asked_line": F.max(F.expr(f"CASE WHEN {_OF_LEADER} AND {_HEAD} THEN turn END")).over(of_file),
        "named_line": F.max(F.expr(f"CASE WHEN asked = 'find_hanging' AND {_HEAD} THEN turn END")).over(of_question),
    })  # fmt: skip
    told = F.when(F.expr(f"asked = 'find_hanging' AND {_PLACED}"), F.greatest("asked_line", "named_line"))
    later = F.coalesce(told, F.when(F.expr(_PLACED), F.col("asked_line")))
    of_replica = f"asked = 'describe_producers' AND broker IS NOT NULL AND leader_asked AND {_PLACED}"
    return (
        rows.where(f"NOT ({_HEAD}) AND NOT coalesce({of_replica}, false)")
        .withColumn("unshown", F.coalesce(later > F.col("turn"), F.lit(False)))
        .select(*answers.columns, "unshown", "leader_at", "turn")
    )


def _in_turn(rows: DataFrame) -> DataFrame:
    """Add `turn`, which grows from answer to answer within a file: quoted text is older than what is around it.

    Who answers a mail or a comment writes above or below what is quoted, never before it was written.
    """
    return rows.withColumn("turn", F.col("line") - F.coalesce("quoted", F.lit(0)) * _MOST_LINES)
