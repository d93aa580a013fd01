"""Notes on what was read and belongs to no known partition: it is judged with nothing."""

from pyspark.sql import DataFrame, functions as F

from analyzer.kafka.admin_tools import TRANSACTIONS
from analyzer.kafka.topics import STATE_TOPIC
from analyzer.lifecycles.coverage.note import note, number_of, some_of, worded
from analyzer.lifecycles.placing import placed
from analyzer.stages.combining import first_of_each

DESCRIBE = f"{TRANSACTIONS} describe --transactional-id"
_PLAIN = r"^[A-Za-z0-9._][A-Za-z0-9._-]*$"
FILE = ("capture", "path")
OPENS_SHOWN = 3
"""How many open transactions, or ids, of a file a note names."""


def unplaced_logs(places: DataFrame) -> DataFrame:
    """Return the places of batches that belong to no known partition: nothing is judged by them."""
    return places.where("kind = 'log' AND topic IS NULL AND section_batches > 0")


def unplaced_batches(lost: DataFrame, batches: DataFrame) -> DataFrame:
    """Return a note for each file with `unplaced_logs`, which says what is open by its own lines (RULES D 7)."""
    counted = lost.groupBy("capture", "path").agg(
        F.sum("section_batches").alias("batches"), F.min(F.col("last_line").isNull()).alias("raw")
    )
    told = counted.join(_open_in(lost, batches), ["capture", "path"], "left")
    one = "batch belongs to no known partition and is not judged"
    belong = number_of("batches", one, "batches belong to no known partition and are not judged")
    why = F.when(F.col("raw"), "no folder and no name tells it").otherwise("no Dumping line names it")
    opens = worded("by itself, it leaves open: {shown}", shown=some_of("told", OPENS_SHOWN))
    own = F.when(F.col("told").isNull(), "by itself, no transaction is open in it").otherwise(opens)
    fetch = F.when(
        F.col("raw"),
        "the file in a folder <topic>-<partition>, as in its log dir, or named <topic>-<partition>_<its name>",
    ).otherwise(
        "the same dump with its line, or write that above it: Dumping /<log.dir>/<topic>-<partition>/<segment>.log"
    )
    text = worded("{belong}: {why}; {own}", belong=belong, why=why, own=own)
    return note(told, "unplaced_dump", text, fetch, file="path", number="batches")


def _open_in(lost: DataFrame, batches: DataFrame) -> DataFrame:
    """Return capture, path and told: the transactions that no marker below ends in a file, each in words."""
    own = placed(batches.where("producer_id >= 0 AND is_transactional"), lost)
    log = ["capture", "path", "section", "producer_id"]
    ends = own.where("is_control").groupBy(*log).agg(F.max("base_offset").alias("ended_at"))
    data = own.where("NOT is_control").join(ends, log, "left").where("ended_at IS NULL OR base_offset > ended_at")
    opens = data.groupBy(*log).agg(F.min(F.struct("base_offset", "producer_epoch")).alias("first"))
    words = worded("producer {producer_id}, epoch {first.producer_epoch}, from offset {first.base_offset}")
    one = F.struct(F.col("first.base_offset").alias("at"), words.alias("words")).alias("one")
    rows = opens.select("capture", "path", one)
    listed = F.array_sort(F.collect_list("one"))
    return rows.groupBy("capture", "path").agg(F.transform(listed, lambda one: one["words"]).alias("told"))


def dumped_aside(places: DataFrame) -> DataFrame:
    """Return a note for each file with dumps of folders that are no replicas: what is in them is judged nowhere."""
    aside = places.where("kind = 'set_aside' AND section_batches > 0").groupBy("capture", "path")
    told = F.lit("dumps of folders that are no replicas (-delete, -stray, -future) stand in it; they are not judged")
    return note(aside.agg(F.sum("section_batches").alias("batches")), "set_aside", told, file="path", number="batches")


def unplaced_states(states: DataFrame, places: DataFrame) -> DataFrame:
    """Return a note for each file with records of __transaction_state of which it does not tell the partition.

    The formatter of the console consumer prints none. What the last record of an id says there is told: its
    coordinator is the one to ask.
    """
    unplaced = places.where("topic IS NULL AND NOT coalesce(kind = 'set_aside', false)")
    lost = unplaced.select("capture", "path", "file_id", "section")
    records = states.withColumn("section", F.coalesce("section", F.lit(0)))
    found = F.broadcast(lost).join(records, ["file_id", "section"])
    counted = found.groupBy(*FILE).agg(F.count("*").alias("records"))
    told = counted.join(_last_states(found), list(FILE), "left")
    one = f"record of {STATE_TOPIC} does not tell its partition and is not judged"
    text = number_of("records", one, f"records of {STATE_TOPIC} do not tell their partition and are not judged")
    left = F.when(F.col("ids") > OPENS_SHOWN, worded(" and {n} more", n=F.col("ids") - OPENS_SHOWN)).otherwise("")
    says = worded("; the last one here {says}{left}", says=F.array_join("says", ", "), left=left)
    every = (
        f"the same for each partition (--partition <n> --offset earliest), its output in a folder {STATE_TOPIC}-<n>, "
        f"or the output of kcl consume {STATE_TOPIC}, which tells it"
    )
    now = worded("what its coordinator says now: {asked}; or ", asked=F.array_join("asked", " and "))
    asked = F.when(F.size("asked") > 0, now)
    return note(
        told, "unplaced_dump", F.concat(text, F.coalesce(says, F.lit(""))),
        F.concat(F.coalesce(asked, F.lit("")), F.lit(every)), file="path", number="records",
    )  # fmt: skip


def _last_states(found: DataFrame) -> DataFrame:
    """Return for each file what the last records of its ids say, what is under way first, and the commands to ask."""
    where = [F.col(name).desc() for name in ("section", "line", "byte_offset", "offset")]
    newest = first_of_each(found, [*FILE, "transactional_id"], where, 1).where("NOT tombstone").drop("turn")
    ids = newest.withColumn("over", F.expr("state NOT IN ('Ongoing', 'PrepareCommit', 'PrepareAbort')"))
    places = F.array_join("partitions", ", ")
    says = worded(
        "of {transactional_id} says {state}{of}", of=F.when(places == "", "").otherwise(F.concat(F.lit(" of "), places))
    )
    # a name that a shell would take apart is told, and its command left to the reader
    command = F.when(F.col("transactional_id").rlike(_PLAIN), F.concat(F.lit(f"{DESCRIBE} "), "transactional_id"))
    shown = first_of_each(ids, FILE, ("over", "transactional_id"), OPENS_SHOWN)
    one = F.struct("turn", says.alias("says"), command.alias("asked"))
    listed = shown.groupBy(*FILE).agg(F.sort_array(F.collect_list(one)).alias("shown"))
    return listed.join(ids.groupBy(*FILE).agg(F.count("*").alias("ids")), list(FILE)).select(
        *FILE, "ids", F.transform("shown", lambda one: one["says"]).alias("says"),
        F.filter(F.transform("shown", lambda one: one["asked"]), lambda asked: asked.isNotNull()).alias("asked"),
    )  # fmt: skip


def scattered_ids(counts: DataFrame) -> DataFrame:
    """Return a note for each internal topic whose ids lie where neither one partition count nor three put them."""
    text = worded(
        "{unexplained} ids of {topic} are in partitions where no partition count puts them, nor two or three: which "
        "state a broker reads is not known"
    )
    ask = worded("kafka-topics.sh --describe --topic {topic}, and which partition each of its files is of")
    return note(counts.where("how = 'unexplained'"), "scattered_ids", text, ask, number="unexplained")
