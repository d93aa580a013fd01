"""Who was asked, and what was asked again: the heads of pasted tables beside their rows (RULES F 1)."""

from pyspark.sql import DataFrame, Window, functions as F

from analyzer.lifecycles.logs.authority import leading
from analyzer.tables.unions import union_filled

_PLACE = ("capture", "topic", "partition")
_OF_LEADER = "asked = 'describe_producers' AND (broker IS NULL OR coalesce(broker = leads, false))"
_HEAD = "producer_id IS NULL"
_MOST_LINES = 1 << 40
_MARKED = f"{_OF_LEADER} AND first_offset IS NULL AND coordinator_epoch >= 0"
_PLACED = "topic IS NOT NULL AND partition IS NOT NULL"
_OF_OTHER = "broker <> leads AND NOT coalesce(leader_shows, false)"


def in_tables(answers: DataFrame, seen: DataFrame) -> DataFrame:
    """Return the answers, of a partition those of its leader where that was asked, too; `seen` are observations.

    With --broker-id the tools ask a replica: what that believes is neither open nor ended at the leader. Of
    find-hanging, whose question names no leader, an answer is a replica's where another broker is known to lead; it
    stays where the leader's answer shows the same open, because it asked the coordinators, too.

    Adds `unshown`: below the row in its file the same was asked again, so that the last row about a producer id tells
    that the answer does not have it, or an abort was answered that nothing is open from that offset; `terminated`:
    below a coordinator's answer in its file it was told to end what the id runs, and printed no error; `leader_at`: the
    leader was asked no earlier, by the newest marker that its answer shows, epoch ms; and `follower`: the broker that
    answered where another one leads, null for the leader's answer and where nothing tells who leads.
    """
    heads = _heads(seen)
    above = Window.partitionBy("capture", "path").orderBy("line").rowsBetween(Window.unboundedPreceding, 0)
    question = F.last("question", ignorenulls=True).over(above)
    every = _in_turn(union_filled(answers, heads)).withColumn("question", question)
    led = every.join(leading(seen), list(_PLACE), "left")
    of_place, of_file = Window.partitionBy(*_PLACE), Window.partitionBy(*_PLACE, "path")
    of_question = Window.partitionBy("capture", "path", "question")
    of_offset = Window.partitionBy(*_PLACE, "path", "first_offset")
    of_producer = Window.partitionBy(*_PLACE, "path", F.coalesce("producer_id", "ended_of"))
    of_open = Window.partitionBy(*_PLACE, "producer_id", "first_offset")
    of_id = Window.partitionBy("capture", "path", "transactional_id")
    rows = led.withColumns({
        "leader_asked": F.max(F.expr(_OF_LEADER)).over(of_place),
        "leader_shows": F.max(F.expr(f"{_OF_LEADER} AND first_offset IS NOT NULL")).over(of_open),
        "leader_at": F.max(F.expr(f"CASE WHEN {_MARKED} THEN last_ms END")).over(of_file),
        "asked_line": F.max(F.expr(f"CASE WHEN {_OF_LEADER} AND {_HEAD} THEN turn END")).over(of_file),
        "named_line": F.max(F.expr(f"CASE WHEN asked = 'find_hanging' AND {_HEAD} THEN turn END")).over(of_question),
        "gone_line": F.max(F.expr("CASE WHEN asked = 'not_open' THEN turn END")).over(of_offset),
        "terminated_line": F.max(F.expr("CASE WHEN asked = 'terminated' THEN turn END")).over(of_id),
        "ended_line": F.max(F.expr("CASE WHEN ended_of IS NOT NULL THEN turn END")).over(of_producer),
    })  # fmt: skip
    told = F.when(F.expr(f"asked = 'find_hanging' AND {_PLACED}"), F.greatest("asked_line", "named_line"))
    again = F.coalesce(told, F.when(F.expr(_PLACED), F.col("asked_line")))
    ended = "CASE WHEN first_offset IS NOT NULL THEN greatest(gone_line, ended_line) END"
    later = F.greatest(again, F.expr(f"CASE WHEN {_PLACED} THEN {ended} END"))
    produced = f"asked = 'describe_producers' AND NOT ({_OF_LEADER}) AND {_PLACED}"
    named = f"asked = 'find_hanging' AND {_OF_OTHER}"
    of_replica = f"leader_asked AND (({produced}) OR ({named}))"
    return (
        rows.where(f"NOT ({_HEAD}) AND NOT coalesce({of_replica}, false)")
        .withColumn("unshown", F.coalesce(later > F.col("turn"), F.lit(False)))
        .withColumn("terminated", F.coalesce(F.expr("state IS NOT NULL AND terminated_line > turn"), F.lit(False)))
        .withColumn("follower", F.when(F.expr(_OF_OTHER), F.col("broker")))
        .select(*answers.columns, "unshown", "terminated", "leader_at", "follower", "turn")
    )


def _heads(seen: DataFrame) -> DataFrame:
    """Return the heads of tables, and what was ended, as rows of `answers` without a producer id.

    Adds `question`, null for what was ended: what find-hanging was asked, the same for the same question; and
    `ended_of`, the producer id that an abort names instead of an offset.
    """
    abort, terminated = F.col("observed") == "not_open", F.col("observed") == "terminated"
    head = ~(abort | terminated)
    asked = F.when(~head, F.col("observed")).when(F.col("observed") == "asked_hanging", "find_hanging")
    return seen.where("observed IN ('asked_hanging', 'asked_producers', 'not_open', 'terminated')").select(
        *_PLACE, "path", "line", asked.otherwise("describe_producers").alias("asked"),
        F.when(head, F.col("number").cast("int")).alias("broker"),
        F.when(terminated, F.col("name")).alias("transactional_id"),
        F.when(abort, F.col("number")).alias("first_offset"),
        F.when(abort, F.col("name").try_cast("bigint")).alias("ended_of"),
        F.when(head, F.col("text")).alias("question"), F.col("other_number").cast("int").alias("quoted"),
    )  # fmt: skip


def _in_turn(rows: DataFrame) -> DataFrame:
    """Add `turn`, which grows from answer to answer within a file: quoted text is older than what is around it.

    Who answers a mail or a comment writes above or below what is quoted, never before it was written.
    """
    return rows.withColumn("turn", F.col("line") - F.coalesce("quoted", F.lit(0)) * _MOST_LINES)
