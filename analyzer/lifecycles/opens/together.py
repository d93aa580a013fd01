"""All that is asked about the open transactions, in one table, with the judgement on each."""

import functools

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from analyzer.kafka.clocks import COPYING_MS
from analyzer.lifecycles.coordinator.record_refs import with_refs
from analyzer.lifecycles.judging.judgement import with_judgement
from analyzer.lifecycles.opens.tables import OPENS, TOLD
from analyzer.lifecycles.placing import PRODUCER_NO


def refs_of_opens(opens: DataFrame, refs: DataFrame) -> DataFrame:
    """Return, for each open transaction, where the records of the coordinator's transactions stand that it names."""
    told = with_refs(opens.select("capture", *PRODUCER_NO, *TOLD), refs, TOLD)
    return told.select(*PRODUCER_NO, *[f"{name}_refs" for name in TOLD])


def together(opens: DataFrame, *answers: DataFrame) -> DataFrame:
    """Return rows of `opens`: the open transactions with all `answers`, each by the log's number and producer_id.

    Where bytes are missing before the data, no decision is `lost`: its marker may be in there, and the data may have
    come late. unread_offset is then the first of both holes, or the log's end for what is over by a later answer.
    newest_state_ms is that of its own state partition where the files are shown to be of different moments.
    """
    key = list(PRODUCER_NO)
    first = opens.select(*key)
    rows = functools.reduce(lambda rows, answer: rows.join(answer, key, "left"), answers, first)
    unread = F.least("unread_offset", "hidden_offset", F.when(F.col("over"), F.col("log_end_offset")))
    told = opens.join(rows, key, "left").withColumns({"lost": _lost(), "unread_offset": unread, "gone": _gone()})
    own = F.when(_of_different_moments(), F.col("state_newest_ms")).otherwise(F.col("newest_state_ms"))
    return with_judgement(told.withColumn("newest_state_ms", own).select(*OPENS.names[:-1]))


def _of_different_moments() -> Column:
    """Return whether another producer id shows that files of the capture were copied at different moments (RULES A 5).

    In the last 60 s it wrote data of which its own state partition does not tell, or a decision of it was carried out
    by a marker that is not here.
    """
    written_ms = F.greatest(F.coalesce("first_batch.max_timestamp", "snapshot_ms"), "earlier_ms")
    untold = F.col("running").isNull() & (written_ms > F.coalesce("state_newest_ms", F.lit(0))) & _young(written_ms)
    unmarked = F.col("lost.completed_ms").isNotNull() & _young(F.col("lost.completed_ms"))
    of_capture = Window.partitionBy("capture")
    shows = F.when(untold | unmarked, F.col("producer_id"))
    first, last = F.min(shows).over(of_capture), F.max(shows).over(of_capture)
    return F.coalesce((first != F.col("producer_id")) | (last != F.col("producer_id")), F.lit(False))


def _young(ms: Column) -> Column:
    return F.col("captured_at") - ms < COPYING_MS


def _gone() -> Column:
    """Return why its first offset cannot be in the log, null where a batch here covers it, or it ended here."""
    covered = (F.col("gone") == "not in segment") & (F.col("pin_offset") == F.col("first_offset"))
    ended = F.col("last_offset").isNull() & F.col("own_offset").isNotNull()
    return F.when(~(F.coalesce(covered, F.lit(False)) | ended), F.col("gone"))


def _lost() -> Column:
    return F.when(~F.coalesce("hidden_before", F.lit(False)), F.col("lost"))
