"""Open transactions of which answers of admin tools tell, and which nothing else here says anything of (RULES D 7)."""

from pyspark.sql import DataFrame, functions as F

from analyzer.kafka.timeouts import NO_TIMEOUT_MS
from analyzer.kafka.transaction_states import FOLLOWERS
from analyzer.lifecycles.coverage.note import file_line, note, some_of, worded
from analyzer.lifecycles.logs.authority import leading
from analyzer.tables.unions import union_all


def unseen_claims(
    answered: DataFrame, answers: DataFrame, records: DataFrame, opens: DataFrame, txns: DataFrame, seen: DataFrame
) -> DataFrame:
    """Return a note for each capture on the answers that no row of its document stands for.

    What is open in a partition that an answer names is judged by the answers (RULES F 1 to 4). What is left are
    partitions without a name, ids that their coordinator calls Ongoing while nothing shows where, and those whose
    state says nothing.
    """
    parts = (
        _nowhere(answers, opens, txns),
        _of_ids(answered, records, opens),
        _of_replicas(answered, answers, seen, opens, txns),
        _unknown(answers, records, opens),
    )
    entry = F.struct("path", "line", file_line().alias("place"), "said")
    folded = union_all(parts).groupBy("capture").agg(F.sort_array(F.collect_set(entry)).alias("entries"))
    one = folded.withColumn("count", F.size("entries")).withColumn("first", F.col("entries")[0])
    one = one.withColumn("places", F.array_distinct(F.transform("entries", lambda at: at["place"])))
    several = worded(
        "{count} lines of admin tools ({some}) tell of transactions; the first says that ", some=some_of("places")
    )
    who = F.when(F.col("count") == 1, worded("{first.place} says that ")).otherwise(several)
    text = worded("{who}{first.said}, and no file here shows it open or ended", who=who)
    fetch = "the newest segments of these partitions and __transaction_state, copied after the tool was asked"
    return note(one, "unseen_claim", text, fetch, number="count")


def _nowhere(answers: DataFrame, opens: DataFrame, txns: DataFrame) -> DataFrame:
    """Return what is open in a partition that no word of the paste names, unless a log here has it at that offset."""
    key = ["capture", "producer_id", "first_offset"]
    claimed = answers.where("first_offset IS NOT NULL AND (topic IS NULL OR partition IS NULL)")
    over = txns.where("marker_offset IS NOT NULL").select(*key)
    left = claimed.join(opens.select(*key).unionByName(over).distinct(), key, "left_anti")
    said = worded(
        "producer {producer_id} has a transaction open in a partition that it does not name since offset {first_offset}"
    )
    return left.select("capture", "path", "line", said.alias("said"))


def _of_replicas(
    answered: DataFrame, answers: DataFrame, seen: DataFrame, opens: DataFrame, txns: DataFrame
) -> DataFrame:
    """Return what a replica that --broker-id asked has open, and the leader's answer has not (RULES F 1, D 9).

    What such a question to the broker that leads is told is the leader's answer (RULES F 1 b).
    """
    key = ["capture", "topic", "partition", "producer_id", "first_offset"]
    told = answers.where("broker IS NOT NULL AND first_offset IS NOT NULL").join(leading(seen), key[:3], "left")
    known = answered.select(*key).unionByName(opens.select(*key)).unionByName(txns.select(*key)).distinct()
    said = worded(
        "broker {broker} has a transaction of producer {producer_id} open in {topic}-{partition} since offset "
        "{first_offset}, which the leader's answer has not: it hangs once that broker leads"
    )
    followers = told.where("topic IS NOT NULL AND partition IS NOT NULL AND (leads IS NULL OR broker <> leads)")
    left = followers.join(known, key, "left_anti")
    return left.select("capture", "path", "line", said.alias("said"))


def _of_ids(answered: DataFrame, records: DataFrame, opens: DataFrame) -> DataFrame:
    """Return the running transactions of ids of which no answer shows a partition, no record and no open data is here.

    A decided one is a finding by itself (RULES F 4).
    """
    claimed = answered.where("standing = 'running' AND first_offset IS NULL")
    recorded = records.select("capture", "transactional_id").distinct()
    opened = opens.select("capture", "producer_id").distinct()
    left = claimed.join(recorded, ["capture", "transactional_id"], "left_anti")
    left = left.join(opened, ["capture", "producer_id"], "left_anti")
    run_s, limit_s = ((F.col(ms) / 1000).cast("bigint") for ms in ("run_ms", "timeout_ms"))
    within = (F.col("run_ms") >= 0) & (F.col("run_ms") <= F.col("timeout_ms")) & (F.col("timeout_ms") < NO_TIMEOUT_MS)
    timed = worded(
        ", {run_s} s after it began; its timeout is {limit_s} s: then its coordinator ends it",
        run_s=run_s, limit_s=limit_s,
    )  # fmt: skip
    left = left.withColumn("run_ms", F.col("state_at") - F.col("started_ms"))
    said = worded(
        "the transaction of {transactional_id} (producer {producer_id}) is {state}{timed}",
        timed=F.when(within, timed).otherwise(""),
    )
    return left.select(
        "capture", F.col("state_ref.path").alias("path"), F.col("state_ref.line").alias("line"), said.alias("said")
    )


def _unknown(answers: DataFrame, records: DataFrame, opens: DataFrame) -> DataFrame:
    """Return the ids whose only answers are a state that tells nothing, if no record or open data is here (RULES F 2).

    Tools print Unknown for a state that came after them (`TransactionState.parse`).
    """
    of_ids = answers.where("state IS NOT NULL AND transactional_id IS NOT NULL")
    telling = F.col("state").isin(*FOLLOWERS)
    told = of_ids.where(telling).select("capture", "transactional_id")
    left = of_ids.where(~telling)
    for known in (told, records.select("capture", "transactional_id")):
        left = left.join(known.distinct(), ["capture", "transactional_id"], "left_anti")
    left = left.join(opens.select("capture", "producer_id").distinct(), ["capture", "producer_id"], "left_anti")
    older = F.when(F.col("state") == "Unknown", ": ask with kafka-transactions.sh of the brokers' own release")
    said = worded(
        "{transactional_id} (producer {producer_id}) is {state}, which tells neither that a transaction runs nor that "
        "it is over{older}",
        older=older.otherwise(""),
    )
    return left.select("capture", "path", "line", said.alias("said"))
