"""Small expressions, each with what they return on the engine that the command line names, as one line of JSON."""

import atexit
import json
import shutil
import sys
import tempfile
from collections.abc import Callable

from pyspark.sql import DataFrame, SparkSession, Window, functions as F

from analyzer.config import Config, SparkConfig
from analyzer.kafka.hashing import routing_hash as expected_hash
from analyzer.lifecycles.routing.hashing import routing_hash
from analyzer.storage.engines.differences import engine_of
from analyzer.storage.engines.nullable import nullable
from analyzer.storage.session import build_session
from analyzer.storage.settings import Work
from analyzer.tables.json_rows import json_row, row_of
from analyzer.tables.unions import union_filled

IDS = ["", "a", "polygenelubricants", "Aa", "é", "日本語", "a😀b", "x\0y", "z" * 300, " ", "\n"]


def plain(value: object) -> object:
    """Return a row's value as lists and scalars."""
    return [plain(one) for one in value] if isinstance(value, list | tuple) else value


def told(frame: DataFrame) -> str:
    """Return the rows, in an order of their own."""
    return (
        str(sorted(([plain(one) for one in row] for row in frame.collect()), key=str))
        .replace("None", "null")
        .replace("True", "true")
        .replace("False", "false")
    )


def probes(spark: SparkSession) -> dict[str, Callable[[], str]]:
    """Return what each probe asks; a probe that fails says `fails`."""
    rows = spark.sql("SELECT * FROM VALUES (1, CAST(NULL AS INT), 'p'), (1, 2, 'q'), (1, 5, 'r') AS t(k, v, s)")
    one = rows.where("v = 2")
    tied = spark.sql("SELECT * FROM VALUES (0, 1, NULL, 'z'), (0, 1, 2, 'a'), (0, NULL, 9, 'q') AS t(k, u, v, s)")
    left = spark.sql("SELECT * FROM VALUES (1), (2) AS t(k)")
    flagged = F.struct("s", F.col("s").isNotNull().alias("flag"), F.lit(7).alias("n"))
    joined = left.join(
        spark.sql("SELECT * FROM VALUES (1, 'x') AS t(k, s)").select("k", flagged.alias("e")), "k", "left"
    )
    numbers = F.sequence(F.lit(0), F.lit(3))
    group = rows.groupBy("k")
    order = Window.partitionBy("k").orderBy("v")
    down = Window.partitionBy("k").orderBy(F.col("v").desc())
    ids = spark.createDataFrame([(text,) for text in IDS], "id string")
    holed = joined.withColumn("gap", F.lit(None).cast("string"))
    engine = engine_of(spark)
    structs = rows.select("k", F.when(F.col("v") > 0, F.struct("v", "s")).alias("e"))
    none = structs.where("k = 9")
    whole, parts = engine.settle_parts([structs.where("e IS NULL"), none, structs.where("e IS NOT NULL")])
    nothing, nothings = engine.settle_parts([none, none])
    return {
        "checkpoint of a null struct": lambda: told(joined.localCheckpoint().select("k", "e.s", "e.flag", "e.n")),
        "settled null struct": lambda: told(engine.settle(joined).select("k", "e.s", "e.flag", "e.n")),
        "settled if there are any": lambda: str(
            [(found := engine.settle_any(asked)) and told(found) for asked in (none, none.limit(0), structs.where("e.v > 2"))]
        ),
        "null struct after a join": lambda: told(joined.select("k", "e.s", "e.flag", F.col("e").isNull())),
        "to_json of a null": lambda: told(
            rows.where("v IS NULL").select(F.to_json(F.struct("k", "v"), {"ignoreNullFields": "false"}))
        ),
        "JSON rows": lambda: str([row_of(row[0], holed.schema) for row in holed.orderBy("k").select(json_row("*")).collect()]),
        "split into letters": lambda: told(one.select(F.split(F.lit("ab"), ""))),
        "hashes of ids": lambda: str(
            all(row.hash == expected_hash(row.id) for row in ids.select("id", routing_hash(F.col("id")).alias("hash")).collect())
        ),
        "first branch of a case": lambda: str(
            group.agg(F.when(F.count_distinct("v") == 1, 0).otherwise(F.max(F.col("v").cast("bigint"))).alias("c")).dtypes
        ),
        "union without a struct column": lambda: told(
            left.unionByName(joined, allowMissingColumns=True).localCheckpoint()
        ),
        "filled union": lambda: told(engine.settle(union_filled(left, joined))),
        "array_except of nullable and not": lambda: told(
            one.select(F.array_except(numbers, F.array("v").cast("array<int>")))
        ),
        "filter instead of array_except": lambda: told(
            one.select(F.filter(numbers, lambda n: ~F.array_contains(F.array("v"), n)))
        ),
        "array_sort of structs with nulls": lambda: told(group.agg(F.array_sort(F.collect_list(F.struct("v", "s"))))),
        "sort_array of structs with nulls": lambda: told(
            group.agg(*[F.sort_array(F.collect_list(F.struct("v", "s")), asc=up) for up in (True, False)])
        ),
        "min and max of structs": lambda: told(group.agg(F.min(F.struct("s", "v")), F.max(F.struct("s", "v")))),
        "min of structs with nulls": lambda: told(tied.groupBy("k").agg(F.min(F.struct("u", "v", "s")))),
        "max of structs with nulls": lambda: told(tied.groupBy("k").agg(F.max(F.struct("u", "v", "s")))),
        "max_by of structs with nulls": lambda: told(
            tied.groupBy("k").agg(F.max_by(F.struct("u", "v", "s"), F.struct("u", "v", "s")))
        ),
        "min and max of structs in whens": lambda: told(
            group.agg(F.min(F.when(F.col("v") > 1, F.struct("v", "s"))), F.max(F.when(F.col("v") > 9, F.struct("s"))))
        ),
        "max of structs in windows": lambda: told(
            rows.select("s", F.max(F.struct("v", "s")).over(Window.partitionBy("k")))
        ),
        "min_by over a struct with nulls": lambda: told(group.agg(F.min_by("s", F.struct("v")))),
        "min_by and max_by": lambda: told(
            group.agg(F.min_by("s", "v"), F.max_by("s", "v"), F.max_by("s", F.struct("v")), F.max_by("v", "s"))
        ),
        "array_contains beside a null": lambda: told(
            rows.where("v IS NULL").select(F.array_contains(F.array("v", F.lit(2)), 5))
        ),
        "percentile_approx": lambda: told(
            spark.sql("SELECT * FROM VALUES (1), (2) AS t(x)").agg(F.percentile_approx("x", 0.9))
        ),
        "order of nulls": lambda: told(
            rows.select("s", F.row_number().over(order).alias("up"), F.row_number().over(down).alias("down"))
        ),
        "frames of windows": lambda: told(
            rows.select(
                "s",
                F.sum("v").over(order.rowsBetween(Window.unboundedPreceding, -1)).alias("before"),
                F.last("v", ignorenulls=True).over(down.rowsBetween(Window.unboundedPreceding, 0)).alias("last"),
                F.count("*").over(down.rangeBetween(Window.unboundedPreceding, -1)).alias("above"),
                F.lag(F.struct("s")).over(order)["s"].alias("lag"),
            )
        ),
        "least, greatest, coalesce": lambda: told(
            rows.select(F.least("v", F.lit(3)), F.greatest("v", F.lit(3)), F.coalesce("v", F.lit(-1)))
        ),
        "arithmetic": lambda: told(
            rows.select(F.col("v") % 2, F.lit(-7) % 3, F.col("v") / 2, F.shiftright(F.lit(-8), 1), -F.col("v"))
        ),
        "casts": lambda: told(
            one.select(*[F.lit(text).try_cast("int") for text in ("x1", " 12 ", "12.7")], F.array("v").cast("array<string>"))
        ),
        "lists": lambda: told(
            one.select(
                F.get(F.array("v"), 3), F.slice(F.array("s", "s"), 1, 5), F.sequence(F.lit(1), F.lit(0)),
                F.concat_ws(", ", F.array("s", F.lit(None), F.lit("z"))), F.array_join(F.array("s", F.lit(None)), ", "),
                F.arrays_overlap(F.array("s"), F.array(F.lit("q"))), F.array_position(F.array("s"), "q"),
            )
        ),
        "sets skip nulls": lambda: told(group.agg(F.sort_array(F.collect_set("v")), F.size(F.collect_list("v")))),
        "counts": lambda: told(
            group.agg(F.count("v"), F.count_if(F.col("v") > 1), F.countDistinct("v"), F.sum("v"), F.max(F.col("v") > 2))
        ),
        "equal to null": lambda: told(rows.select("s", F.col("v").eqNullSafe(F.lit(None)), F.col("v") == F.lit(None))),
        "anti and semi joins": lambda: told(
            rows.select("v").join(one.select("v"), ["v"], "left_anti").unionByName(rows.select("v").join(one, ["v"], "left_semi"))
        ),
        "parts of a table": lambda: str([
            told(table.where("e.v > 2").select("k", "e.s")) for table in (whole, *parts, *nothings)
        ] + [told(whole), nothing, nothings[0].columns]),
        "filter on a struct read with a schema": lambda: told(read_with_schema(structs).where("e.v > 2").select("e.s")),
        "JSON paths": lambda: told(one.select(F.get_json_object(F.lit('{"a":{"__x":5}}'), "$.a.__x"))),
    }  # fmt: skip


def read_with_schema(rows: DataFrame) -> DataFrame:
    """Return the rows, written as Parquet and read with the schema that they have."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    written = nullable(rows)
    written.write.mode("append").parquet(folder)
    return rows.sparkSession.read.schema(written.schema).parquet(folder)


def main() -> None:
    """Print the answers of the engine that the command line names."""
    spark, _ = build_session(Config(spark=SparkConfig(engine=sys.argv[1], master="local[2]")), Work.BRIEF)
    answers = {}
    for name, ask in probes(spark).items():
        try:
            answers[name] = ask()
        except Exception:  # noqa: BLE001 - that it fails is the answer
            answers[name] = "fails"
    spark.stop()
    sys.stdout.write(json.dumps(answers) + "\n")


if __name__ == "__main__":
    main()
