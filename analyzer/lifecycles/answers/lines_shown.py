"""Which lines of logs a document holds where there are many: some of each kind, the first and the last ones."""

from pyspark.sql import DataFrame, functions as F

from analyzer.kafka.log_lines.of_metrics import AT_LSO, GROUP_LAG, STANDS
from analyzer.lifecycles.placing import PARTITION
from analyzer.stages.combining import first_of_each
from analyzer.stages.few import with_few

LOG_LINES = 50
"""Lines of logs that a document holds."""
_PLACE = ("capture", "path", "file_id", "line")


def lines_chosen(lines: DataFrame, logs: DataFrame) -> DataFrame:
    """Return where the lines stand that a document holds, and how many there are.

    A broker writes one kind for each start of a client: without a share for each kind, it would hide what is rare. A
    log may have millions of lines that count: only where each stands is sorted, not what it says. Where a table shows
    a group that lags, in a partition of which a log is here, that log tells what it waits for.
    """
    judged = logs.select(*PARTITION, F.lit(True).alias("judged")).distinct()
    of_table = F.col("says").isin(GROUP_LAG, STANDS, AT_LSO) & (F.col("source") == "tool")
    lines = lines.join(F.broadcast(judged), list(PARTITION), "left").where(~(of_table & F.col("judged").isNotNull()))
    order = ("logged_ms", "path", "line")
    spots = lines.select("capture", "says", "file_id", *order)
    totals = spots.groupBy("capture").agg(F.count("*").alias("total"))
    ends = (order, tuple(F.desc(name) for name in order))
    each = [first_of_each(spots, ("capture", "says"), end, LOG_LINES) for end in ends]
    nearest = each[0].unionByName(each[1]).groupBy(*_PLACE, "says", "logged_ms").agg(F.min("turn").alias("nth"))
    one = nearest.groupBy(*_PLACE).agg(F.min("nth").alias("nth"), F.min("logged_ms").alias("logged_ms"))
    few = first_of_each(one, ("capture",), ("nth", *order), LOG_LINES).select(*_PLACE)
    return few.join(F.broadcast(totals), "capture")


def lines_shown(chosen: DataFrame, lines: DataFrame) -> DataFrame:
    """Return what these lines say, as their files have it, and how many there are; one line may say several things."""
    shown = with_few(lines, chosen, ("file_id", "line"))
    return first_of_each(shown, ("capture",), ("logged_ms", "path", "line"), LOG_LINES)
