"""The clocks of brokers, as pairs of markers and decisions measure them (RULES A 15)."""

from analyzer.lifecycles.pairing.leader_clocks import clocks_of, leader_clocks

A, B = ("orders", 0, 0), ("orders", 1, 4)
FIRST, SECOND = ("__transaction_state", 0, 7), ("__transaction_state", 3, 0)


def test_each_clock_is_told_from_the_others_by_the_surest_measures():
    measured = {(A, FIRST): (90, 110), (B, FIRST): (-600, 0), (A, SECOND): (-2, 2), (B, SECOND): (-210, -190)}
    assert clocks_of(measured) == {A: (0, 2), SECOND: (0, 0), FIRST: (-100, 10), B: (-200, 10)} or clocks_of(
        measured
    ) == {A: (0, 0), SECOND: (0, 2), FIRST: (-100, 10), B: (-200, 10)}


def test_what_no_pair_connects_has_no_clock():
    assert set(clocks_of({(A, FIRST): (0, 10), (B, SECOND): (0, 100)})) == {A, FIRST}


def test_a_clock_that_was_set_meanwhile_is_unsure_by_as_much():
    assert clocks_of({(A, FIRST): (300, -100)})[FIRST] in {(-100, 200), (0, 0)}
    assert {unsure for _, unsure in clocks_of({(A, FIRST): (300, -100)}).values()} == {0, 200}


def test_nothing_measured_gives_no_clock(spark):
    shape = "capture string, topic string, partition int, epoch bigint, state_partition int, led_under bigint, "
    empty = spark.createDataFrame([], shape + "least_ms bigint, most_ms bigint")
    assert leader_clocks(empty).collect() == []


def test_captures_are_measured_one_by_one(spark):
    shape = "capture string, topic string, partition int, epoch bigint, state_partition int, led_under bigint, "
    rows = [("a", "orders", 0, 0, 0, 7, 90, 110), ("b", "orders", 0, 0, 0, 7, -60, -40)]
    found = leader_clocks(spark.createDataFrame(rows, shape + "least_ms bigint, most_ms bigint")).collect()
    ahead = {(row.capture, row.topic): row.ahead_ms for row in found}
    assert ahead["a", "orders"] - ahead["a", "__transaction_state"] == 100
    assert ahead["b", "orders"] - ahead["b", "__transaction_state"] == -50
