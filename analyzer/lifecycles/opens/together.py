"""All that is asked about the open transactions, in one table, with the judgement on each."""

import functools

from pyspark.sql import DataFrame, functions as F

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

    Where bytes are missing before the data, no decision is `lost`: its marker may be in there, and the data may
    have come late. unread_offset is then the first of both holes, or the log's end for what is over by a later
    answer or copy. gone is null where a batch here covers the first offset, or the transaction ended here.
    """
    key = list(PRODUCER_NO)
    first = opens.select(*key)
    rows = functools.reduce(lambda rows, answer: rows.join(answer, key, "left"), answers, first)
    over = F.when(F.col("over") | F.col("ahead_on").isNotNull(), F.lit(True))
    unread = F.least("unread_offset", "hidden_offset", F.when(over, F.col("log_end_offset")))
    lost = F.when(~F.coalesce("hidden_before", F.lit(False)), F.col("lost"))
    covered = (F.col("gone") == "not in segment") & (F.col("pin_offset") == F.col("first_offset"))
    ended = F.col("last_offset").isNull() & F.col("own_offset").isNotNull()
    gone = F.when(~(F.coalesce(covered, F.lit(False)) | ended), F.col("gone"))
    told = {"over": over, "lost": lost, "unread_offset": unread, "gone": gone}
    return with_judgement(opens.join(rows, key, "left").withColumns(told).select(*OPENS.names[:-1]))
