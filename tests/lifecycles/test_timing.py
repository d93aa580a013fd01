"""By when an offset was appended: what later offsets of its log show (RULES A 7)."""

from analyzer.lifecycles.matching.timing import appended_by

DECISIONS = "log_no int, marked_from bigint, decided_ms bigint"
STAMPED = "timestamp_type = 'LogAppendTime' AND NOT is_control AND count > 0 AS stamped"
BATCHES = (
    "capture string, log_no int, base_offset bigint, count bigint, is_control boolean, timestamp_type string, "
    "max_timestamp bigint"
)


def test_the_earliest_of_later_offsets_counts_in_the_same_log(spark):
    targets = spark.createDataFrame(
        [("first", 1, 10), ("next", 1, 30), ("last", 1, 60), ("unknown", 1, None), ("alone", 2, 5)],
        "name string, log_no int, first_offset bigint",
    )
    decisions = spark.createDataFrame(
        [(1, 10, 1), (1, 20, 200), (1, 40, 250), (1, None, 2), (2, 5, 3), (3, 90, 4)], DECISIONS
    )
    batches = spark.createDataFrame(
        [
            ("c", 1, 50, 1, False, "LogAppendTime", 140), ("c", 1, 55, 1, True, "LogAppendTime", 5),
            ("c", 1, 56, 1, False, "CreateTime", 6), ("c", 1, 57, 0, False, "LogAppendTime", 7),
        ],
        BATCHES,
    ).selectExpr("*", STAMPED)  # fmt: skip
    clocks = spark.createDataFrame([("c", 100)], "capture string, behind_ms bigint")
    rows = appended_by(targets, decisions, batches, clocks).collect()
    found = {row.name: row.appended_by_ms for row in rows}
    assert found == {"first": 200, "next": 240, "last": None, "unknown": None, "alone": None}
