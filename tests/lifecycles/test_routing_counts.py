"""Which partition counts explain where ids lie: known clusters in, counts and their rivals out."""

import json
import random

import numpy as np
import pytest

from analyzer.kafka.hashing import java_hash, moved_share, partition_for, routing_hash
from analyzer.lifecycles.routing.counts import Counts, Known, infer


def inferred(pairs, known: Known) -> Counts:
    table = np.array(sorted(set(pairs)), dtype=np.int64).reshape(-1, 2)
    return infer(table[:, 0], table[:, 1], known)


def ids(number: int, seed: int = 1) -> list[int]:
    words = random.Random(seed)
    return [routing_hash(f"svc-{words.randrange(10**6)}") for _ in range(number)]


def test_hashes_are_the_jvms(lab):
    vectors = json.loads((lab / "vectors" / "hash_vectors.json").read_text("utf-8"))
    assert len(vectors) > 50
    for text, expected in vectors.items():
        assert java_hash(text) == expected["hash"]
        assert all(partition_for(text, int(n)) == value for n, value in expected.items() if n != "hash")
    assert routing_hash("polygenelubricants") == 0
    assert routing_hash("") == 0


@pytest.mark.parametrize(("old", "new", "share"), [(50, 150, 2 / 3), (10, 20, 0.5), (50, 60, 1 - 50 / 300), (5, 5, 0)])
def test_the_share_that_moves(old, new, share):
    assert moved_share(old, new) == pytest.approx(share)
    numbers = np.arange(old * new)
    assert (numbers % old != numbers % new).mean() == pytest.approx(share)


def test_one_count_explains_everything():
    counts = inferred([(h, h % 50) for h in ids(60)], Known(50))
    assert (counts.how, counts.new, counts.rivals, counts.confidence) == ("one", 50, (), "certain")


def test_some_partitions_of_a_topic_are_no_smaller_topic():
    pairs = [(h, h % 50) for h in ids(200) if h % 50 in {3, 4, 11, 30}]
    counts = inferred(pairs, Known(31))
    assert (counts.how, counts.new) == ("one", 50)


def test_few_ids_leave_rivals():
    counts = inferred([(h, h % 50) for h in ids(1)], Known(31))
    assert counts.how == "one"
    assert counts.confidence == "possible"
    assert counts.rivals


def test_partition_0_alone_is_no_topic_of_one_partition_where_a_larger_count_fits():
    known = Known(50, exact=True)
    counts = inferred([(h, 0) for h in ids(200) if h % 3 == 0], known)
    assert (counts.how, counts.old, counts.new, counts.rivals) == ("unused", 3, 50, ())
    assert (alone := inferred([(h, 0) for h in ids(200)], known)).old == 1, alone


def test_an_expanded_topic_that_nobody_follows_yet():
    pairs = [(h, h % 10) for h in ids(40)]
    known = inferred(pairs, Known(20, exact=True))
    assert (known.how, known.old, known.new, known.confidence) == ("unused", 10, 20, "certain")
    guessed = inferred(pairs, Known(17))
    assert (guessed.how, guessed.old, guessed.new, guessed.new_exact) == ("unused", 10, 17, False)
    assert guessed.confidence == "likely"


@pytest.mark.parametrize(("old", "new"), [(50, 150), (10, 20), (50, 60), (7, 100)])
def test_two_counts_are_found_without_being_told(old, new):
    some = ids(80)
    pairs = [(h, h % old) for h in some[:50]] + [(h, h % new) for h in some[40:]]
    counts = inferred(pairs, Known(1))
    assert (counts.how, counts.old, counts.new, counts.rivals) == ("two", old, new, ())
    assert counts.confidence == "certain"
    assert counts.unexplained == 0


def test_two_counts_of_few_ids_name_every_pair_that_fits():
    pairs = [(h, h % 50) for h in ids(8)] + [(h, h % 150) for h in ids(3, seed=9)]
    counts = inferred(pairs, Known(1))
    assert counts.confidence == "possible"
    assert (50, 150) in {(counts.old, counts.new), *counts.rivals}


def test_a_whole_set_of_folders_speaks_for_its_count_but_does_not_force_it():
    pairs = [(h, h % 50) for h in ids(40)] + [(h, h % 150) for h in ids(1, seed=9)]
    assert inferred(pairs, Known(150)).confidence == "possible"
    whole = inferred(pairs, Known(150, whole=True))
    assert (whole.old, whole.new, whole.confidence, whole.rivals) == (50, 150, "likely", ())
    first = [(h, at) for h, at in [(h, h % 50) for h in ids(200)] + [(h, h % 150) for h in ids(200, seed=9)] if at < 7]
    counts = inferred(first, Known(7, whole=True))
    assert (counts.how, counts.confidence) == ("one", "possible")  # 150 is a multiple of 50: all lie by 50 here


def test_one_id_in_a_thousand_elsewhere_is_seen():
    some = ids(1000)
    stray = next(h for h in some if h % 50 != h % 150)
    counts = inferred([(h, h % 150) for h in some] + [(stray, stray % 50)], Known(150, exact=True))
    assert (counts.how, counts.new, counts.old_only) == ("two", 150, 1)
    assert 50 in {counts.old, *(old for old, _ in counts.rivals)}
    assert counts.confidence == "possible"


def test_what_no_count_explains_is_not_forced_into_two():
    words = random.Random(5)
    counts = inferred([(h, words.randrange(50)) for h in ids(300)], Known(50))
    assert counts.how == "unexplained"


@pytest.mark.parametrize("triple", [(50, 75, 150), (50, 100, 150), (4, 6, 9), (4, 8, 16)])
@pytest.mark.parametrize("known", [Known(1), Known(150, exact=True)])
def test_a_topic_that_was_expanded_twice_needs_three_counts(triple, known):
    some, (older, old, new) = ids(150), triple
    bound = Known(new, exact=known.exact)
    pairs = (
        [(h, h % older) for h in some[:70]] + [(h, h % old) for h in some[40:110]] + [(h, h % new) for h in some[90:]]
    )
    counts = inferred(pairs, bound)
    assert (counts.how, counts.older, counts.old, counts.new) == ("three", *triple)
    assert (counts.confidence, counts.rivals, counts.unexplained, counts.new_exact) == ("certain", (), 0, True)


def test_expanded_twice_while_nobody_follows_the_newest_count():
    pairs = [(h, h % 50) for h in ids(40)] + [(h, h % 75) for h in ids(40, seed=9)]
    counts = inferred(pairs, Known(150, exact=True))
    assert (counts.how, counts.older, counts.old, counts.new, counts.new_only) == ("three", 50, 75, 150, 0)


@pytest.mark.parametrize("number", [5, 10, 20, 40])
def test_chance_is_no_third_count(number):
    for seed in range(20):
        words = random.Random(seed)
        pairs = [(h, h % 50) for h in ids(60)] + [(h, words.randrange(50)) for h in ids(number, seed + 99)]
        assert inferred(pairs, Known(50, exact=True)).how != "three"


def test_ids_that_one_count_explains_by_chance_accuse_nobody():
    pairs = [(h, h % 50) for h in ids(4)] + [(h, h % 150) for h in ids(2, seed=9)]
    counts = inferred(pairs, Known(1))
    assert counts.how == "one"
    assert counts.rivals


ONE_DIVISOR = 37 * 1009 * 1013
"""37 is its only divisor below 1,000 that is a count of partitions."""


def test_one_id_makes_no_count_certain_even_if_no_other_count_fits_it():
    pairs = [(ONE_DIVISOR * factor + 30 - factor, 30 - factor) for factor in range(1, 4)]
    for number, confidence in ((1, "likely"), (2, "likely"), (3, "certain")):
        counts = inferred(pairs[:number], Known(31))
        assert (counts.how, counts.new, counts.rivals) == ("one", 37, ())
        assert counts.confidence == confidence
    assert inferred(pairs[:1], Known(37, exact=True)).confidence == "certain"


def test_one_id_in_another_place_makes_no_old_count_certain():
    strays = [(ONE_DIVISOR * factor + 5, 5) for factor in range(1, 4)]
    placed = [(h, h % 150) for h in ids(60)]
    for number, confidence in ((1, "likely"), (3, "certain")):
        counts = inferred(placed + strays[:number], Known(150, exact=True))
        assert (counts.how, counts.old, counts.new, counts.rivals) == ("two", 37, 150, ())
        assert counts.confidence == confidence


def test_no_ids_say_nothing():
    assert inferred([], Known(50, exact=True)).how == "none"
