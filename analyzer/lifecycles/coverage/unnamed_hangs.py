"""Answers that tell less than they seem to: those of find-hanging that name nothing, and dates (RULES F 1 d, F 1 e)."""

from pyspark.sql import DataFrame, Window, functions as F

from analyzer.lifecycles.coverage.note import note, worded
from analyzer.tables import NO_EVIDENCE

_HEADS = "observed IN ('asked_hanging', 'asked_producers')"


def nothing_hangs(seen: DataFrame, answers: DataFrame, unparsed: DataFrame) -> DataFrame:
    """Return a note for each capture in whose last answer of find-hanging no row stands, nor a line that is not read.

    A text is judged by its own last answer to the same question: what is quoted in it is older.
    """
    below = Window.partitionBy("capture", "path").orderBy("line")
    heads = seen.where(_HEADS).select(
        "capture", "path", "line", "observed", F.col("text").alias("question"), F.lead("line").over(below).alias("end"),
        F.coalesce("other_number", F.lit(0)).alias("quoted"),
    )  # fmt: skip
    of_question = Window.partitionBy("capture", "question").orderBy("quoted", F.desc("line"))
    asked = heads.where("observed = 'asked_hanging'").withColumn("nth", F.row_number().over(of_question))
    rows = answers.where("asked = 'find_hanging'").select("capture", "path", F.col("line").alias("at"))
    strange = unparsed.where(F.col("reason") != NO_EVIDENCE).select("capture", "path", F.col("line").alias("at"))
    inside = (F.col("at") > F.col("line")) & (F.col("end").isNull() | (F.col("at") < F.col("end")))
    empty = asked.where("nth = 1").join(
        rows.unionByName(strange).withColumnsRenamed({"capture": "of", "path": "in"}),
        (F.col("capture") == F.col("of")) & (F.col("path") == F.col("in")) & inside, "left_anti",
    )  # fmt: skip
    first = F.min(F.struct("path", "line", "question")).alias("first")
    told = empty.groupBy("capture").agg(first)
    text = worded(
        "{first.question} named nothing ({first.path}:{first.line}): of what it asked about, nothing was open for "
        "longer than its limit, 15 min by default, but what a coordinator runs; what is younger, or on other brokers, "
        "it does not tell"
    )
    fetch = (
        "the answer of kafka-transactions.sh describe-producers for the partition where consumers wait; its "
        "CurrentTransactionStartOffset is None where nothing is open"
    )
    return note(told, "nothing_named", text, fetch, file="first.path", number="first.line")


def undated(seen: DataFrame) -> DataFrame:
    """Return a note for each capture with a date above an answer, whose zone is not known."""
    first = F.min(F.struct("path", "line", "text")).alias("first")
    told = seen.where("observed = 'undated'").groupBy("capture").agg(first)
    text = worded(
        "the date of {first.path}:{first.line} ({first.text}) dates no answer: it tells no offset from UTC, and names "
        "as CET, CST or IST stand for several zones"
    )
    fetch = "the same answer again, asked after date -u"
    return note(told, "undated_answer", text, fetch, file="first.path", number="first.line")
