"""Rows that the driver holds: Spark's planner sees them, and computes on the driver what a projection makes of them."""

from typing import Any

from pyspark.sql import DataFrame, SparkSession


def has_driver(spark: SparkSession) -> bool:
    """Return whether this process has the driver of the session: behind Spark Connect it does not."""
    return hasattr(spark, "_jsparkSession")


def driver_rows(rows: DataFrame) -> DataFrame | None:
    """Compute the rows and return them in one partition, None if there are none. They never leave the JVM."""
    computed: Any = rows._jdf.collectAsList()  # noqa: SLF001 - through Python they would be converted four times
    return _held(rows, computed)


def first_rows(rows: DataFrame, most: int) -> tuple[DataFrame | None, bool]:
    """Return settled rows as rows of the driver, None if there are none; and whether there are no more than `most`."""
    computed: Any = rows.limit(most + 1)._jdf.collectAsList()  # noqa: SLF001 - as in driver_rows
    return (None, False) if computed.size() > most else (_held(rows, computed), True)


def no_rows(rows: DataFrame) -> DataFrame:
    """Return no rows of the shape of these: the planner drops everything that depends on them."""
    return _of(rows, [])


def nothing_of(spark: SparkSession, ddl: str) -> DataFrame:
    """Return no rows of this schema."""
    jvm: Any = spark._jvm  # noqa: SLF001
    return _made(spark, [], jvm.org.apache.spark.sql.types.StructType.fromDDL(ddl))


def _held(rows: DataFrame, values: Any) -> DataFrame | None:  # noqa: ANN401 - py4j has no types
    return None if values.isEmpty() else _of(rows, values).coalesce(1)


def _of(rows: DataFrame, values: Any) -> DataFrame:  # noqa: ANN401 - py4j has no types
    return _made(rows.sparkSession, values, rows._jdf.schema())  # noqa: SLF001


def _made(session: SparkSession, values: Any, schema: Any) -> DataFrame:  # noqa: ANN401 - py4j has no types
    spark: Any = session
    return DataFrame(spark._jsparkSession.createDataFrame(values, schema), spark)  # noqa: SLF001
