"""Which counts explain keys: an expansion only where the keys prove one, silence where producers choose themselves."""

import random

import numpy as np
import pytest

from analyzer.kafka.key_hashing import key_crc32, key_murmur2
from analyzer.lifecycles.keyed.best_counts import Pairs
from analyzer.lifecycles.keyed.counts import infer


def pairs(keys, *rules, by=key_murmur2, before=None, after=None) -> Pairs:
    """Pairs of keys with where each rule (hash to partition) puts them."""
    rows = [(key, rule(by(key))) for rule in rules for key in keys]
    columns = [
        np.array(column, np.int64) for column in zip(*[(key_murmur2(k), key_crc32(k), p) for k, p in rows], strict=True)
    ]
    flags = [
        None if one is None else np.array([one[index] for index in range(len(rules)) for _ in keys])
        for one in (before, after)
    ]
    return Pairs(*columns, *flags)


def some(count: int, seed: int = 1) -> list[bytes]:
    chance = random.Random(seed)
    return [str(chance.random()).encode() for _ in range(count)]


@pytest.mark.parametrize(("old", "new"), [(2, 6), (4, 6), (4, 8), (3, 7), (8, 12), (10, 100)])
@pytest.mark.parametrize("by", [key_murmur2, key_crc32])
def test_two_counts_are_found_whichever_partitioner(old, new, by):
    found = infer(pairs(some(60), lambda h: h % old, lambda h: h % new, by=by), new, None)
    assert (found.how, found.counts, found.unexplained) == ("two", (old, new), 0)
    assert found.partitioner == by.__name__.removeprefix("key_")


def test_a_topic_that_was_never_expanded():
    found = infer(pairs(some(60), lambda h: h % 6), 6, None)
    assert (found.how, found.counts) == ("one", (6,))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("count", [5, 30, 300])
def test_partitions_chosen_otherwise_are_never_an_expansion(seed, count):
    chance = random.Random(seed)
    rules = (
        lambda _: chance.randrange(6),
        lambda _: 0,
        lambda h: 0 if chance.random() < 0.3 else h % 6,
        lambda h: h // 7 % 6,
    )
    for rule in rules:
        found = infer(pairs(some(count, seed), rule), 6, None)
        assert not found.expanded, found
        assert infer(pairs(some(count, seed), rule), 6, 6).how in ("unlike", "few", "one")


def test_a_few_strays_are_no_old_count():
    keys = some(500)
    stray = {key_murmur2(key) for key in keys[:4]}
    found = infer(pairs(keys, lambda h: h % 3 if h in stray else h % 6), 6, None)
    assert (found.how, found.counts) == ("one", (6,))


def test_nobody_follows_the_new_count_yet():
    for told in (None, 6):
        found = infer(pairs(some(60), lambda h: h % 4), 6, told)
        assert (found.how, found.counts) == ("unused", (4, 6))


@pytest.mark.parametrize(
    "counts", [(4, 6, 12), (3, 6, 12), (4, 8, 16), (4, 6, 8), (2, 5, 7), (3, 10, 100), (2, 4, 8, 16), (4, 6, 12, 30)]
)
@pytest.mark.parametrize("told", [False, True])
def test_a_topic_that_was_expanded_more_than_once(counts, told):
    rules = [lambda h, count=count: h % count for count in counts]
    for by in (key_murmur2, key_crc32):
        found = infer(pairs(some(150), *rules, by=by), counts[-1], counts[-1] if told else None)
        assert (found.how, found.counts, found.unexplained) == ("two", counts, 0)


def test_the_last_of_several_expansions_is_not_in_use_yet():
    for told in (None, 12):
        found = infer(pairs(some(150), lambda h: h % 4, lambda h: h % 6), 12, told)
        assert (found.how, found.counts) == ("unused", (4, 6, 12))


def test_a_moment_that_is_given_does_not_hide_another_expansion():
    rules = (lambda h: h % 4, lambda h: h % 6, lambda h: h % 12)
    for before in ((True, False, False), (True, True, False)):
        found = infer(pairs(some(150), *rules, before=before, after=[not one for one in before]), 12, None)
        assert found.counts == (4, 6, 12)


@pytest.mark.parametrize("seed", range(4))
def test_a_third_count_is_not_made_of_strays(seed):
    chance = random.Random(seed)
    stray = lambda h: chance.randrange(6) if chance.random() < 0.03 else h % 6  # noqa: E731
    found = infer(pairs(some(300, seed), lambda h: h % 4, stray), 6, None)
    assert found.counts == (4, 6)
    assert found.unexplained


def test_few_keys_tell_nothing():
    assert infer(pairs(some(3), lambda h: h % 4, lambda h: h % 6), 6, None).how == "few"


def test_one_partition_before_is_believed_only_where_the_moment_is_told():
    rules = (lambda _: 0, lambda h: h % 6)
    assert not infer(pairs(some(60), *rules), 6, None).expanded
    found = infer(pairs(some(60), *rules, before=(True, False), after=(False, True)), 6, None)
    assert (found.how, found.counts) == ("two", (1, 6))
