"""Whether the copy of a state partition that is judged is that of its leader at the capture's moment (RULES A 15)."""

from pyspark.sql import Column, DataFrame, Window, functions as F

from analyzer.kafka.topics import METADATA_TOPIC, OFFSETS_TOPIC, STATE_TOPIC
from analyzer.lifecycles.logs.authority import PASTED
from analyzer.lifecycles.placing import LOG, PARTITION

REPLICAS = 3
"""`transaction.state.log.replication.factor`, unless the cluster sets it."""


def state_leaders(logs: DataFrame, held: DataFrame, stopped: DataFrame) -> DataFrame:
    """Return of each state partition leader_here and lived_ms, with capture and state_partition.

    leader_here: pasted output names the broker of the judged copy as the leader, or all replicas are here; where
    nothing tells who holds one, that is as many copies as the default. lived_ms: up to when that broker, or any of
    several of which none is known to lead, has records that brokers stamped, epoch ms; null where nothing shows that it
    leads or is in sync: a follower's copy may lag, and a broker that was down knows nothing of what its successor
    wrote. Where the brokers of all copies were stopped, nobody leads afterwards: leader_here is false then, and
    lived_ms tells how long they ran. `held` are the `holders` of copies, `stopped` the `stopped_brokers`.
    """
    copies = Window.partitionBy(*PARTITION)
    here = logs.where((F.col("topic") == STATE_TOPIC) & F.col("has_log"))
    known = (
        here.join(held.select(*LOG, "in_sync"), list(LOG), "left")
        .join(_lived(logs), ["capture", "replica"], "left")
        .join(stopped.select("capture", "replica", F.lit(True).alias("stopped")), ["capture", "replica"], "left")
        .withColumn("halted", F.min(_known("stopped")).over(copies))
        .withColumn("copies", F.count("*").over(copies))
        .withColumn("any_lived", F.max("lived").over(copies))
        .join(_everywhere(here, held), list(PARTITION), "left")
        .join(_unreplicated(here), "capture", "left")
    )
    among = (F.col("copies") > 1) & F.col("absent").isNull()
    own = F.col("led_by").isNotNull() | _known("in_sync") | _known("alone")
    enough = F.col("absent").isNull() & (F.col("copies") >= REPLICAS)
    sure = _known(F.col("led_by") == PASTED) | _known(F.coalesce("every", enough))
    lived = F.when(own, F.col("lived")).when(among | (sure & F.col("halted")), F.col("any_lived"))
    return known.where("authority").select(
        "capture",
        F.col("partition").alias("state_partition"),
        (sure & ~F.col("halted")).alias("leader_here"),
        lived.alias("lived_ms"),
    )


def _lived(logs: DataFrame) -> DataFrame:
    """Return up to when the logs of each broker have times that brokers set; internal topics have no others."""
    internal = F.when(F.col("topic").isin(STATE_TOPIC, OFFSETS_TOPIC, METADATA_TOPIC), F.col("reaches_ms"))
    newest = F.max(F.greatest("newest_ms", internal)).alias("lived")
    return logs.where("has_log").groupBy("capture", "replica").agg(newest)


def _everywhere(here: DataFrame, held: DataFrame) -> DataFrame:
    """Return whether every replica that the controllers or an admin tool name has a copy here."""
    named = held.where((F.col("topic") == STATE_TOPIC) & F.col("in_sync").isNotNull())
    told = named.join(here.select(*LOG).withColumn("here", F.lit(True)), list(LOG), "left")
    return told.groupBy(*PARTITION).agg(F.min(_known("here")).alias("every"))


def _unreplicated(here: DataFrame) -> DataFrame:
    """Return the captures whose state partitions are all here, on several brokers, each of them once: one replica."""
    each = here.groupBy("capture", "partition").agg(F.count("*").alias("copies"), F.min("replica").alias("replica"))
    whole = each.groupBy("capture").agg(
        F.max("copies").alias("most"), F.countDistinct("replica").alias("brokers"), F.count("*").alias("partitions"),
        F.max("partition").alias("last"),
    )  # fmt: skip
    return whole.where("most = 1 AND brokers > 1 AND partitions = last + 1").select(
        "capture", F.lit(True).alias("alone")
    )


def _known(told: Column | str) -> Column:
    return F.coalesce(told, F.lit(False))
