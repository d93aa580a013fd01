"""Whether a group may read on in the new home of keys: by its position, stale records, and the moment if any tells it."""

import pytest
from judged_together import judged_together
from keyed_topics import KeyedTopic, by_count, some_keys

from analyzer.report.rendering import render

KEYS = some_keys(80)
MOVED = [key for key in KEYS if by_count(4)(key) != by_count(8)(key)]


def expanded() -> KeyedTopic:
    topic = KeyedTopic()
    topic.write(KEYS, by_count(4), 1_000)
    topic.write(KEYS, by_count(8), 60_000)
    return topic


def stale(*, read: bool) -> dict:
    """A producer went on by the old count; the group has read all up to the expansion, or all."""
    topic = expanded()
    before = {one: topic.ends[one] for one in range(4)}
    topic.write(MOVED, by_count(4), 70_000, "p7e0 s0")
    return topic.files(topic.ends if read else {**topic.ends, **before})


def stray(*, read: bool) -> dict:
    """One key lies where no count puts it, so that no record tells the moment; the group has read nothing old, or all."""
    topic = expanded()
    topic.write(["odd"], lambda key: (by_count(8)(key) + 1) % 8, 60_001)
    return topic.files(topic.ends if read else {one: 0 if one < 4 else end for one, end in topic.ends.items()})


@judged_together
def documents():
    return {
        "stale": stale(read=False), "stale, read": stale(read=True), "stray": stray(read=False),
        "stray, read": stray(read=True),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "may_read", "said"),
    [
        ("stale", False, "wait: shop"),
        ("stale, read", True, "may read"),
        ("stray", None, "not known: shop"),
        ("stray, read", True, "may read"),
    ],
)
def test_a_group_may_read_on_once_it_has_read_what_the_old_count_put_there(documents, name, may_read, said):
    """Stale records count, too (RULES C 8); where nothing tells the moment, the end of the log does."""
    document = documents[name]
    old = [one for one in document["thresholds"] if one["new_partition"] >= 4]
    assert {one.get("may_read") for row in old for one in row["groups"]} == {may_read}
    assert said in render(document, "text", full=True)
    assert "<html" in render(document, "html")


def test_a_moment_that_no_record_tells_is_said_to_be_untold(documents):
    assert "expanded_at in capture.toml" in " ".join(render(documents["stray"], "text", full=True).split())
