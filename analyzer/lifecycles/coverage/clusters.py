"""Which file names which cluster, what is said where they name several (RULES D 11), and where it is not Kafka's."""

from pyspark.sql import Column, DataFrame, functions as F

from analyzer.lifecycles.coverage.note import note, some_of, worded
from analyzer.lifecycles.placing import partition_name

_BOOTSTRAP = r"--bootstrap-server[= ]+['\"]?([^\s'\"]+)"
_OWN = "lower(brokers) RLIKE '^(localhost|127[.]0[.]0[.]1)(:|$)' OR brokers LIKE '%$%' OR brokers LIKE '%<%'"
"""Brokers that are another machine's under the same name, or that nobody filled in."""


def named_clusters(seen: DataFrame) -> DataFrame:
    """Return the ids of clusters by the file that names them: capture, path, cluster.

    A program that writes of two in its own log is a client of both, and its log tells nothing of the other files.
    """
    told = seen.where("observed = 'cluster_id' AND text IS NOT NULL")
    of_client = told.groupBy("capture", "path").agg(
        F.count_distinct(F.when(F.col("name") == "client", F.col("text"))).alias("clusters")
    )
    told = told.join(of_client, ["capture", "path"]).where("name IS NULL OR clusters = 1")
    return told.select("capture", "path", F.col("text").alias("cluster")).distinct()


def several_clusters(named: DataFrame) -> DataFrame:
    """Return a note for each capture whose files name more than one cluster."""
    by_id = named.groupBy("capture", "cluster").agg(F.min("path").alias("first"))
    entry = worded("{cluster} ({first})")
    every = by_id.groupBy("capture").agg(F.sort_array(F.collect_list(entry)).alias("names"))
    several = every.where(F.size("names") > 1).withColumn("count", F.size("names"))
    text = worded(
        "these files are of {count} clusters: {every}; what is of one does not judge what is of another",
        every=F.array_join("names", ", "),
    )
    return note(several, "two_clusters", text, "a run for each cluster, with its files alone", number="count")


def of_pulsar(seen: DataFrame) -> DataFrame:
    """Return a note for each capture of which a line is of Kafka on Pulsar: it has Kafka's words, not its files."""
    first = F.min(F.struct("path", "line")).alias("first")
    told = seen.where("observed = 'pulsar'").groupBy("capture").agg(first)
    text = worded(
        "the brokers are Pulsar's (KoP), by {first.path}:{first.line}: their logs are no files of Kafka's, and they "
        "answer kafka-transactions.sh as far as KoP knows its questions: an error there is no sign that nothing is open"
    )
    return note(told, "other_brokers", text, file="first.path", number="first.line")


def failed_log_dirs(seen: DataFrame) -> DataFrame:
    """Return a note for each broker that kafka-log-dirs.sh says cannot use a log dir: it leads nothing there."""
    first = F.min(F.struct("path", "line", "text")).alias("first")
    told = seen.where("observed = 'log_dir_failed'").groupBy("capture", F.col("name").alias("broker")).agg(first)
    text = worded(
        "broker {broker} cannot use a log dir, by {first.path}:{first.line} ({first.text}): it neither leads nor "
        "follows with the copies there, and no answer of that broker tells of them"
    )
    fetch = worded("the files of that log dir of broker {broker}, as they are on the disk")
    return note(told, "log_dir_failed", text, fetch, replica="broker", file="first.path", number="first.line")


def several_addresses(seen: DataFrame) -> DataFrame:
    """Return a note for each capture whose pasted commands ask brokers of several addresses (RULES D 11).

    Nothing tells whether they are one cluster: what one answers ends, for this program, what another one has open.
    Lists that share an address are of one.
    """
    brokers = F.regexp_extract("text", _BOOTSTRAP, 1).alias("brokers")
    ways = seen.where("observed = 'way'").select("capture", brokers).where(f"brokers <> '' AND NOT ({_OWN})")
    lists = ways.groupBy("capture").agg(F.sort_array(F.collect_set("brokers")).alias("lists"))
    none = F.expr("cast(array() AS array<array<string>>)")
    every = lists.withColumn(
        "names", F.transform(F.aggregate("lists", none, _joined), lambda one: F.array_join(one, ","))
    )
    several = every.where(F.size("names") > 1).withColumn("count", F.size("names"))
    text = worded(
        "the commands here ask {count} addresses, {every}, and are judged as of one cluster: if they are not, what one "
        "of them answered ends nothing of another",
        every=some_of("names"),
    )
    return note(several, "several_addresses", text, "a run for each cluster, with its answers alone", number="count")


def _joined(clusters: Column, brokers: Column) -> Column:
    """Return these clusters, each an array of its addresses, with those of one more list of `--bootstrap-server`."""
    more = F.split(F.lower(brokers), ",")
    others = F.filter(clusters, lambda one: ~F.arrays_overlap(one, more))
    same = F.flatten(F.filter(clusters, lambda one: F.arrays_overlap(one, more)))
    return F.concat(others, F.array(F.array_distinct(F.concat(same, more))))


def leaderless(unled: DataFrame) -> DataFrame:
    """Return a note for each capture of which a paste shows partitions without a leader (RULES F 9)."""
    entry = F.struct("topic", "partition", partition_name().alias("name"), "unled_by", "held_by", "may_lead")
    told = unled.where("unled_ms IS NULL").groupBy("capture").agg(F.sort_array(F.collect_list(entry)).alias("entries"))
    rows = told.withColumns({
        "one": F.col("entries")[0],
        "count": F.size("entries"),
        "names": F.transform("entries", lambda at: at["name"]),
    })  # fmt: skip
    alone = F.col("count") == 1
    some, topics = some_of("names"), F.array_distinct(F.transform("entries", lambda at: at["topic"]))
    text = worded(
        "{some} {has} no leader ({first}{one.unled_by}): nobody reads or writes there, nobody answers for it, and no "
        "marker is written to it",
        some=some,
        has=F.when(alone, "has").otherwise("have"),
        first=F.when(alone, "").otherwise("the first in "),
    )
    may_lead = worded(" (broker {may})", may=F.regexp_replace("one.may_lead", ",", " or "))
    held = worded(" (broker {held})", held=F.regexp_replace("one.held_by", ",", " or "))
    which = F.when(alone, F.coalesce(may_lead, held, F.lit(""))).otherwise("")
    fetch = worded("a leader for {some} first{which}; then the answers of describe-producers", some=some, which=which)
    return note(
        rows, "no_leader", text, fetch, number="count",
        topic=F.when(F.size(topics) == 1, F.col("one.topic")), partition=F.when(alone, F.col("one.partition")),
    )  # fmt: skip
