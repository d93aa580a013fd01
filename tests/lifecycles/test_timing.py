"""By when an offset was appended: what later offsets of its log show (RULES A 7)."""

from analyzer.lifecycles.matching.timing import appended_by

DECISIONS = "log_no int, marked_from bigint, decided_ms bigint, state_partition int, capture string"
STAMPED = "timestamp_type = 'LogAppendTime' AND NOT is_control AND count > 0 AS stamped"
BATCHES = (
    "capture string, log_no int, base_offset bigint, count bigint, is_control boolean, timestamp_type string, "
    "max_timestamp bigint"
)


def test_the_earliest_of_later_offsets_counts_in_the_same_log(spark):
    targets = spark.createDataFrame(
        [("first", 1, 10), ("next", 1, 30), ("last", 1, 60), ("unknown", 1, None), ("alone", 2, 5), ("other", 4, 1)],
        "name string, log_no int, first_offset bigint",
    )
    decisions = spark.createDataFrame(
        [
            (1, 10, 1, 7, "c"), (1, 20, 200, 7, "c"), (1, 20, 190, 8, "c"), (1, 40, 250, 7, "c"),
            (1, None, 2, 7, "c"), (2, 5, 3, 7, "c"), (3, 90, 4, 7, "c"), (4, 9, 300, 8, "c"), (4, 9, 900, 7, "c"),
        ],
        DECISIONS,
    )  # fmt: skip
    measured = spark.createDataFrame([(1, 7), (2, 7), (3, 7), (4, 7)], "log_no int, state_partition int")
    batches = spark.createDataFrame(
        [
            ("c", 1, 50, 1, False, "LogAppendTime", 140), ("c", 1, 55, 1, True, "LogAppendTime", 5),
            ("c", 1, 56, 1, False, "CreateTime", 6), ("c", 1, 57, 0, False, "LogAppendTime", 7),
        ],
        BATCHES,
    ).selectExpr("*", STAMPED)  # fmt: skip
    clocks = spark.createDataFrame([("c", 100, 500)], "capture string, behind_ms bigint, untold_ms bigint")
    rows = appended_by(targets, decisions, batches, clocks, measured).collect()
    found = {row.name: row.appended_by_ms for row in rows}
    assert found == {"first": 200, "next": 240, "last": None, "unknown": None, "alone": None, "other": 800}
