"""The partitioner and the partition counts that explain where the keys of a topic lie (RULES C 6).

Plain numbers, no Spark. Nothing may be said of a topic whose producers choose partitions themselves: an expansion is
believed only if exactly one pair of counts explains the keys, and far better than chance would; several expansions
only if that holds of exactly one series of counts.
"""

import dataclasses
import math
from typing import Literal

import numpy as np

from analyzer.lifecycles.keyed import best_counts
from analyzer.lifecycles.keyed.best_counts import Flags, Found, Pairs, Partitioner, Search

How = Literal["one", "unused", "two", "unlike", "few"]

LARGEST = 1_000
"""Counts up to this one, or up to twice the lower bound, are tried; if the files tell the count, only that one."""
ENOUGH_BITS = 10.0
"""How much better than chance the counts must explain the keys, after the price of the search."""
SEARCHED = 4096
"""How many combinations of partitioner and old count the search is taken to have tried for each new count."""
LONGEST = 4
"""So many counts at most explain the keys of one topic."""


@dataclasses.dataclass(frozen=True, slots=True)
class KeyCounts:
    """What explains where the keys of a topic lie.

    counts: in the order in which they were in use. how: `one` (one explains all), `unused` (nothing lies by the newest
    one, which the topic has), `two` (keys lie by all of them, two or more), `unlike` (no partitioner known here),
    `few` (too few keys to tell). bits: how much better than chance.
    """

    how: How
    partitioner: Partitioner | None = None
    counts: tuple[int, ...] = ()
    bits: float = 0.0
    pairs: int = 0
    unexplained: int = 0

    @property
    def expanded(self) -> bool:
        """Whether both an old and a new count are known."""
        return len(self.counts) > 1


def infer(pairs: Pairs, bound: int, told: int | None) -> KeyCounts:
    """Return the counts that explain these keys (RULES C 6, KIP-253), by the partitioner that explains them best.

    `bound` is the highest partition seen plus 1; `told` is the topic's count if the files tell it.
    """
    total = len(pairs.partitions)
    found = [_of_partitioner(pairs, name, bound, told) for name in ("murmur2", "crc32")]
    known = [one for one in found if one is not None and one.how != "few"]
    if not known and told is None:
        alone = infer(pairs, bound, bound)
        known = [alone] if alone.how == "unused" else []
    if known:
        return max(known, key=lambda one: one.bits)
    if any(found):
        return KeyCounts("few", pairs=total, unexplained=total)
    enough = total * math.log2(max(told or bound, 2)) - math.log2(max(told or bound, 2) * SEARCHED) >= 2 * ENOUGH_BITS
    return KeyCounts("unlike" if enough else "few", pairs=total, unexplained=total)


def _of_partitioner(pairs: Pairs, name: Partitioner, bound: int, told: int | None) -> KeyCounts | None:
    """Return what this partitioner explains, or None if that is not believed.

    The fewest counts that explain all are taken; one more is, if it explains more and is believed by itself.
    """
    lowest = max(bound, int(pairs.partitions.max(initial=-1)) + 1, 2)
    news = [max(told, lowest)] if told else list(range(lowest, max(LARGEST, 2 * lowest) + 1))
    search = Search(pairs, pairs.hashes(name), lowest, np.asarray(news))
    total = len(pairs.partitions)
    best = best_counts.best_one(search)
    two = best_counts.best_two(search)
    if _better(search, two, best):
        best = two
    for length in range(3, LONGEST + 1):
        if two.tied or (best.counts and not best.missed):
            break
        more = best_counts.best_several(search, length)
        best = more if _better(search, more, best) else best
    counts, missed = best.counts, best.missed
    if counts is not None and len(counts) > 1:
        by_newest = search.explained(np.array(counts))
        how: How = "two" if (by_newest[:, -1] & ~by_newest[:, :-1].any(axis=1)).any() else "unused"
        return KeyCounts(how, name, counts, _strength(search, counts), total, missed)
    if counts is not None and missed <= best_counts.TOLERATED * total:
        bits = (total - missed) * math.log2(lowest) - math.log2(counts[0] * SEARCHED)
        return KeyCounts("one", name, counts, bits, total, missed) if bits >= ENOUGH_BITS else None
    return KeyCounts("few", pairs=total) if two.tied else None


def _better(search: Search, more: Found, best: Found) -> bool:
    """Return whether these counts explain more pairs than fewer counts do, and are believed."""
    if more.counts is None or (best.counts is not None and more.missed >= best.missed):
        return False
    return _believed(search, more.counts)


def _believed(search: Search, counts: tuple[int, ...]) -> bool:
    """Return whether the counts and each of them are far from chance: a few stray keys always fit some count."""
    if _strength(search, counts) < ENOUGH_BITS:
        return False
    by_each = search.explained(np.array(counts))
    several = len(counts[1:]) > 1  # then nothing tells of which expansion a given moment is
    before = 0 if several or search.pairs.before is None else int(search.pairs.before.sum())
    for place in range(len(counts)):
        strays: Flags = np.logical_not(np.delete(by_each, place, axis=1).any(axis=1))
        newest = place == len(counts) - 1
        if newest and not strays.any():
            continue
        told = not newest and before * math.log2(search.seen) - math.log2(counts[-1]) >= ENOUGH_BITS
        tried = len(search.news) if newest else counts[-1]
        if not told and _alone(strays, by_each[:, place], search.seen, tried) < ENOUGH_BITS:
            return False
    return True


def _alone(strays: Flags, explained: Flags, seen: int, tried: int) -> float:
    """Return how many bits better than chance one count explains the keys that the others do not."""
    count, hit = int(strays.sum()), int((strays & explained).sum())
    return hit * math.log2(seen) - math.log2(math.comb(count, hit)) - math.log2(tried)


def _strength(search: Search, counts: tuple[int, ...]) -> float:
    """Return how many bits better than chance the counts explain the keys, less the price of the search.

    Chance is any of the partitions that were seen, so a larger count that was not seen explains no key better.
    """
    places = np.sort(search.hashes[:, None] % np.array(counts)[None, :], axis=1)
    choices = 1 + (np.diff(places, axis=1) != 0).sum(axis=1)
    explained = (places == search.pairs.partitions[:, None]).any(axis=1)
    gain = np.log2(search.seen / choices)[explained].sum()
    return float(gain) - math.log2(counts[-1]) - math.log2(SEARCHED) * (len(counts) - 1)
