"""Where ids lie, on Spark: hashes of the JVM, a bounded sample that overlooks nothing, faults of a topic."""

import json

import pytest
from pyspark.sql import functions as F

from analyzer.kafka.hashing import routing_hash as plain_hash
from analyzer.lifecycles.routing.faults import located
from analyzer.lifecycles.routing.fit import fitted, grown
from analyzer.lifecycles.routing.hashing import routing_hash

STATE = (
    "struct<offset:bigint,timestamp:bigint,state:string,producer_id:bigint,producer_epoch:int,partitions:array<string>>"
)
HELD = f"capture string, topic string, id string, partition int, hash bigint, records bigint, alive boolean, last_record {STATE}"
BOUNDS = "capture string, topic string, seen int, partitions bigint, listed bigint, told int"
TOPIC = "__transaction_state"


def test_the_expression_is_the_jvms_hash(spark, lab):
    vectors = json.loads((lab / "vectors" / "hash_vectors.json").read_text("utf-8"))
    texts = [*vectors, "\U0010ffff", "a\U00010000b", "polygenelubricants"]
    rows = (
        spark.createDataFrame([(text,) for text in texts], "id string")
        .select("id", routing_hash(F.col("id")))
        .collect()
    )
    assert [tuple(row) for row in rows] == [(text, plain_hash(text)) for text in texts]


@pytest.fixture(scope="module")
def thousands(spark):
    """Three captures of 60,000 ids: by 50; three of them moved on to 150; two left behind by 50 among all by 150."""
    ids = spark.range(60_000).select(
        F.concat(F.lit("svc-"), "id").alias("id"), routing_hash(F.concat(F.lit("svc-"), "id")).alias("hash")
    )
    moves = (F.col("hash") % 50) != (F.col("hash") % 150)
    few = ids.where(moves).orderBy("hash").limit(3)
    parts = [
        ids.select(F.lit("calm").alias("capture"), "id", "hash", (F.col("hash") % 50).alias("partition")),
        ids.select(F.lit("begun").alias("capture"), "id", "hash", (F.col("hash") % 50).alias("partition")),
        few.select(F.lit("begun").alias("capture"), "id", "hash", (F.col("hash") % 150).alias("partition")),
        ids.select(F.lit("over").alias("capture"), "id", "hash", (F.col("hash") % 150).alias("partition")),
        few.limit(2).select(F.lit("over").alias("capture"), "id", "hash", (F.col("hash") % 50).alias("partition")),
    ]
    rows = parts[0]
    for part in parts[1:]:
        rows = rows.unionByName(part)
    return rows.select(
        "capture", F.lit(TOPIC).alias("topic"), "id", F.col("partition").cast("int").alias("partition"), "hash",
        F.lit(2).cast("bigint").alias("records"), F.lit(True).alias("alive"), F.lit(None).cast(STATE).alias("last_record"),
    ).persist()  # fmt: skip


def test_a_bounded_sample_overlooks_no_id(spark, thousands):
    seen = [
        ("calm", TOPIC, 49, 50, 50, None),
        ("begun", TOPIC, 149, 150, 150, None),
        ("over", TOPIC, 149, 150, 150, None),
    ]
    counts = fitted(thousands, spark.createDataFrame(seen, BOUNDS))
    got = {row.capture: row for row in counts.collect()}
    assert sorted(row.capture for row in grown(counts).collect()) == ["begun", "over"]
    assert (got["calm"].how, got["calm"].new_count, got["calm"].ids) == ("one", 50, 60_000)
    assert (got["begun"].how, got["begun"].old_count, got["begun"].new_count) == ("two", 50, 150)
    assert (got["over"].how, got["over"].old_count, got["over"].new_count) == ("two", 50, 150)
    misplaced = located(thousands, counts).where("misrouted").groupBy("capture").count()
    moving = thousands.where("capture = 'calm' AND hash % 50 <> hash % 150").count()
    assert {row.capture: row["count"] for row in misplaced.collect()} == {"begun": moving, "over": 2}


def test_one_count_everywhere_has_no_change(spark, thousands):
    bounds = spark.createDataFrame([("calm", TOPIC, 49, 50, 50, None)], BOUNDS)
    counts = fitted(thousands.where("capture = 'calm'"), bounds)
    assert grown(counts).isEmpty()
    assert [row.rivals for row in counts.collect()] == [[]]


def test_no_ids_give_no_counts(spark):
    assert fitted(spark.createDataFrame([], HELD), spark.createDataFrame([], BOUNDS)).isEmpty()
