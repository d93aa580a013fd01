"""A keyed topic that was expanded more than once: each expansion has its own counts, moment, thresholds and findings."""

import pytest
from judged_together import judged_together
from keyed_topics import KeyedTopic, by_count, some_keys

from analyzer.kafka.key_hashing import key_murmur2

KEYS = some_keys(80)
COUNTS = (4, 6, 12)
ERAS = (1_000, 60_000, 120_000)
SECOND_MS = 1_767_261_600_000 + ERAS[1]


def grown() -> KeyedTopic:
    topic = KeyedTopic()
    for count, at in zip(COUNTS, ERAS, strict=True):
        topic.write(KEYS, by_count(count), at)
    return topic


def moved(*counts: int) -> list[str]:
    """Keys that lie in another partition by each of these counts."""
    return [key for key in KEYS if len({key_murmur2(key.encode()) % count for count in counts}) == len(counts)]


def captures() -> dict:
    ends = grown().ends
    late = grown()
    late.write(KEYS, by_count(4), 180_000, "p7e0 s0")
    skipped = KeyedTopic()
    far = [key for key in moved(4, 6, 12) if by_count(4)(key) == 0]
    skipped.write(KEYS, by_count(4), ERAS[0])
    skipped.write([key for key in KEYS if key not in far], by_count(6), ERAS[1])
    skipped.write(KEYS, by_count(12), ERAS[2])
    read_up = dict(ends)
    return {
        "all read": grown().files(read_up),
        "given": grown().files(read_up, "expanded_at = 2026-01-01T10:01:30Z\n"),
        "new one first": grown().files({**read_up, 0: 0}),
        "by the first count": late.files(dict(late.ends)),
        "never written by the second": skipped.files({**skipped.ends, 0: 0}),
        "newest not held": grown().files(read_up, skip=range(9, 12)),
        "some not held": grown().files(read_up, skip=(0, 5, 7)),
    }


@judged_together
def documents():
    return captures()


def expansions(document: dict) -> list[tuple]:
    return [(one["old_count"], one["new_count"], one["how"]) for one in document["keyed_topics"]]


def found(document: dict, code: str) -> list[dict]:
    return [one for one in document["findings"] if one["code"] == code]


def test_both_expansions_are_found_and_accuse_nobody(documents):
    document = documents["all read"]
    assert expansions(document) == [(4, 6, "two"), (6, 12, "two")]
    assert document["findings"] == []
    assert [one["boundary_ms"] for one in document["keyed_topics"]] == [SECOND_MS, SECOND_MS + 60_000]


def test_each_expansion_has_its_thresholds(documents):
    rows = documents["all read"]["thresholds"]
    first, second = ([one for one in rows if one["expansion"] == name] for name in ("4 to 6", "6 to 12"))
    assert {one["prior_partition"] for one in first} == set(range(4))
    assert {one["prior_partition"] for one in second} == set(range(6))
    placed = {count: [sum(by_count(count)(key) == at for key in KEYS) for at in range(12)] for count in COUNTS}
    for row in first:
        assert row["time_offset"] == placed[4][row["prior_partition"]]
    for row in second:
        assert row["time_offset"] == sum(placed[count][row["prior_partition"]] for count in (4, 6))


def test_a_moment_that_is_given_is_that_of_the_expansion_after_it(documents):
    told = {one["new_count"]: one["boundary_from"] for one in documents["given"]["keyed_topics"]}
    assert told == {6: "first record by the new count", 12: "expanded_at"}


def test_a_group_that_has_read_no_old_record_is_behind_in_both(documents):
    document = documents["new one first"]
    below = found(document, "ORD003")
    assert {(one["partition"], one["key"]) for one in below} == {
        (0, "expanded from 4 to 6"), (0, "expanded from 6 to 12"),
    }  # fmt: skip
    broken = found(document, "ORD001")
    assert {one["key"] for one in broken} == {
        "from partition 0, expanded from 4 to 6", "from partition 0, expanded from 6 to 12",
    }  # fmt: skip
    causes = {one["id"]: one["key"] for one in below}
    assert all(one["key"].endswith(causes[one["folded_under"]]) for one in broken)
    assert len({one["id"] for one in document["findings"]}) == len(document["findings"])
    homes = {by_count(count)(key) for key in KEYS if by_count(4)(key) == 0 for count in (6, 12)} - {0}
    assert {one["partition"] for one in broken if one["key"].endswith("4 to 6")} == homes


def test_a_producer_on_the_first_count(documents):
    document = documents["by the first count"]
    stale = found(document, "ORD002")
    assert {one["producer_id"] for one in stale} == {7}
    assert {one["key"] for one in stale} == {"expanded from 4 to 6"}
    assert "kept using 4 partitions" in stale[0]["headline"]


def test_keys_that_skipped_a_count_are_out_of_order_where_they_went(documents):
    broken = found(documents["never written by the second"], "ORD001")
    far = {by_count(12)(key) for key in moved(4, 6, 12) if by_count(4)(key) == 0}
    assert far
    assert expansions(documents["never written by the second"]) == [(4, 6, "two"), (6, 12, "two")]
    assert far <= {one["partition"] for one in broken if one["key"].endswith("4 to 6")}


@pytest.mark.parametrize("name", ["newest not held", "some not held"])
def test_partitions_that_are_not_held_hide_no_count(documents, name):
    assert expansions(documents[name]) == [(4, 6, "two"), (6, 12, "two")]
    assert documents[name]["findings"] == []
