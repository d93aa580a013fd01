"""Gaps of a log: only logs in which one batch does not follow another are sorted, and none of theirs is missed."""

import itertools
import random

import pytest

from analyzer.lifecycles.logs.cleaning import first_data, gaps

LOG = "capture string, topic string, partition int, replica string"
REF = "struct<path:string,line:bigint,byte_offset:bigint,record:int>"
BATCHES = (
    f"{LOG}, segment bigint, position bigint, size bigint, base_offset bigint, last_offset bigint, count int, "
    f"producer_id bigint, is_control boolean, batch_ref {REF}, payload_bytes bigint, codec string"
)
WANTED = f"{LOG}, first_offset bigint, last_offset bigint"
SINCE = 20


def log(rng):
    """Batches of one to three offsets, some left out, some twice: (first, last)."""
    at, out = 0, []
    for _ in range(60):
        last = at + rng.randrange(3)
        if rng.random() > HOLES:
            out.append((at, last))
        if rng.random() < HOLES / 3:
            out.append((at, last))
        at = last + 1
    return out


HOLES = 0.02
"""Few enough that some logs have neither a hole nor a batch twice."""


def expected(batches):
    """Return the offsets at which a batch is missing before the next one, by reading in order."""
    there = sorted(one for one in batches if one[1] >= SINCE)
    return {before[1] + 1 for before, after in itertools.pairwise(there) if after[0] > before[1] + 1}


@pytest.fixture(scope="module")
def logs():
    rng = random.Random(4)
    return {f"topic-{number}": log(rng) for number in range(40)}


@pytest.fixture(scope="module")
def found(spark, logs):
    rows = [
        ("c", topic, 0, "1", 0, 80 * first, 80, first, last, 1, 7, False, ("log", first, first, None), None, "none")
        for topic, batches in logs.items()
        for first, last in batches
    ]
    rows.append(("c", "topic-0", 0, "1", 0, 10**6, 80, 10**6, 10**6, 0, 9, True, ("log", 1, 1, None), None, "none"))
    wanted = [("c", topic, 0, "1", SINCE, SINCE + 2) for topic in logs]
    out = {}
    batches, since = spark.createDataFrame(rows, BATCHES), first_data(spark.createDataFrame(wanted, WANTED))
    for row in gaps(since, batches).collect():
        out.setdefault(row.topic, []).append((row.gap_kind, row.gap_offset, row.gap_producer))
    return out


def test_every_gap_is_found(logs, found):
    whole = {topic for topic in logs if not expected(logs[topic])}
    assert 3 < len(whole) < len(logs) - 3
    for topic in set(logs) - {"topic-0"}:
        assert {offset for _, offset, _ in found.get(topic, [])} == expected(logs[topic])


def test_a_control_batch_without_its_record_is_a_gap_of_its_producer(found):
    assert ("emptied", 10**6, 9) in found["topic-0"]


@pytest.mark.parametrize(("position", "kind"), [(61 + 36 + 300, "hole"), (5_000, "unread")])
def test_record_lines_tell_no_size_but_how_far_a_batch_can_reach(spark, position, kind):
    """A batch of one record of 300 bytes at position 0, and the next one far behind it: there were others."""
    rows = [
        ("c", "flat", 0, "1", 0, 0, None, 30, 30, 1, 7, False, ("log", 1, 1, None), 300, "none"),
        ("c", "flat", 0, "1", 0, position, None, 40, 40, 1, 7, False, ("log", 2, 2, None), 300, "none"),
    ]
    batches = spark.createDataFrame(rows, BATCHES)
    since = first_data(spark.createDataFrame([("c", "flat", 0, "1", SINCE, SINCE)], WANTED))
    (row,) = gaps(since, batches).collect()
    assert (row["gap_offset"], row["gap_end"], row["gap_kind"]) == (31, 40, kind)
