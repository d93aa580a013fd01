"""The partitioner and the partition counts that explain where the keys of a topic lie (RULES C 6).

Plain numbers, no Spark. Nothing may be said of a topic whose producers choose partitions themselves: an expansion is
believed only if exactly one pair of counts explains the keys, and far better than chance would.
"""

import dataclasses
import math
from typing import Literal

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Partitioner = Literal["murmur2", "crc32"]
How = Literal["one", "unused", "two", "unlike", "few"]

LARGEST = 1_000
"""Counts up to this one, or up to twice the lower bound, are tried; if the files tell the count, only that one."""
TOLERATED = 0.02
"""If the counts leave a larger share of keys unexplained, no partitioner placed them."""
ENOUGH_BITS = 10.0
"""How much better than chance the counts must explain the keys, after the price of the search."""
SEARCHED = 4096
"""How many combinations of partitioner and old count the search is taken to have tried for each new count."""


@dataclasses.dataclass(frozen=True, slots=True)
class Pairs:
    """Distinct keys and where they lie; `before` and `after`: written before the given moment, or at or after it."""

    murmur2: Numbers
    crc32: Numbers
    partitions: Numbers
    before: Flags | None = None
    after: Flags | None = None

    def hashes(self, partitioner: Partitioner) -> Numbers:
        """Return what the partitioner takes modulo the count."""
        return self.murmur2 if partitioner == "murmur2" else self.crc32


@dataclasses.dataclass(frozen=True, slots=True)
class KeyCounts:
    """What explains where the keys of a topic lie.

    how: `one` (`new` explains all), `unused` (`old` explains all, but the topic has `new` partitions), `two` (some by
    `old`, some by `new`), `unlike` (no partitioner known here), `few` (too few keys to tell). bits: how much better
    than chance.
    """

    how: How
    partitioner: Partitioner | None = None
    old: int | None = None
    new: int | None = None
    bits: float = 0.0
    pairs: int = 0
    unexplained: int = 0

    @property
    def expanded(self) -> bool:
        """Whether both the old and the new count are known."""
        return self.how in ("two", "unused")


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
    """Return what this partitioner explains, or None if that is not believed."""
    hashes, places = pairs.hashes(name), pairs.partitions
    lowest = max(bound, int(places.max(initial=-1)) + 1, 2)
    news = [max(told, lowest)] if told else list(range(lowest, max(LARGEST, 2 * lowest) + 1))
    one = _one(hashes, places, news)
    two, tied = _two(pairs, hashes, np.arange(2, max(news) + 1), news)
    if two is None and not tied and pairs.before is not None:
        two, tied = _two(pairs, hashes, np.ones(1, np.int64), news)
    if two is not None and (one is None or two[2] < one[1]) and _believed(pairs, hashes, two, lowest, len(news)):
        old, new, missed = two
        bits = _strength(pairs, hashes, two, lowest)
        how: How = "two" if (hashes % new == places)[hashes % old != hashes % new].any() else "unused"
        return KeyCounts(how, name, old, new, bits, len(places), missed)
    if one is not None and one[1] <= TOLERATED * len(places):
        bits = (len(places) - one[1]) * math.log2(lowest) - math.log2(one[0] * SEARCHED)
        return KeyCounts("one", name, None, one[0], bits, len(places), one[1]) if bits >= ENOUGH_BITS else None
    return KeyCounts("few", pairs=len(places)) if tied else None


def _one(hashes: Numbers, places: Numbers, news: list[int]) -> tuple[int, int] | None:
    """Return the count that leaves the fewest keys unexplained, and how many; None if several counts tie."""
    missed = {new: int((hashes % new != places).sum()) for new in news}
    fewest = min(missed.values(), default=0)
    best = [new for new, count in missed.items() if count == fewest]
    return (best[0], fewest) if len(best) == 1 else None


def _two(pairs: Pairs, hashes: Numbers, olds: Numbers, news: list[int]) -> tuple[tuple[int, int, int] | None, bool]:
    """Return (old, new, keys that neither explains), or None, and whether it is None because several pairs tie.

    Keys written before a given moment must lie by the old count, later ones by either. The caller tries an old count of
    1 by itself, and only if the moment is given: it explains whatever lies in partition 0.
    """
    counts = np.asarray(news)
    by_old = hashes[:, None] % olds[None, :] == pairs.partitions[:, None]
    by_new = hashes[:, None] % counts[None, :] == pairs.partitions[:, None]
    neither = (~by_old).astype(np.float32)
    if pairs.before is None or pairs.after is None:
        left = neither.T @ (~by_new).astype(np.float32)
    else:
        lone, late = neither[pairs.before], pairs.after & ~pairs.before
        left = lone.sum(axis=0)[:, None] + neither[late].T @ (~by_new[late]).astype(np.float32)
    left[olds[:, None] >= counts[None, :]] = np.inf
    fewest = left.min(initial=np.inf)
    best = np.argwhere(left == fewest)
    if not np.isfinite(fewest) or fewest > TOLERATED * len(hashes):
        return None, False
    if len(best) != 1:
        return None, True
    return (int(olds[best[0][0]]), int(counts[best[0][1]]), int(fewest)), False


def _believed(pairs: Pairs, hashes: Numbers, two: tuple[int, int, int], seen: int, tried: int) -> bool:
    """Return whether the pair and each of its counts are far from chance: a few stray keys always fit some count."""
    old, new, _ = two
    if _strength(pairs, hashes, two, seen) < ENOUGH_BITS:
        return False
    by_old, by_new = hashes % old == pairs.partitions, hashes % new == pairs.partitions
    new_stands = bool(by_old.all()) or _alone(~by_old, by_new, seen, tried) >= ENOUGH_BITS
    before = 0 if pairs.before is None else int(pairs.before.sum())
    told = before * math.log2(seen) - math.log2(new) >= ENOUGH_BITS
    return new_stands and (told or _alone(~by_new, by_old, seen, new) >= ENOUGH_BITS)


def _alone(strays: Flags, explained: Flags, seen: int, tried: int) -> float:
    """Return how many bits better than chance one count explains the keys that the other does not."""
    count, hit = int(strays.sum()), int((strays & explained).sum())
    return hit * math.log2(seen) - math.log2(math.comb(count, hit)) - math.log2(tried)


def _strength(pairs: Pairs, hashes: Numbers, two: tuple[int, int, int], seen: int) -> float:
    """Return how many bits better than chance the pair explains the keys, less the price of the search.

    Chance is any of the partitions that were seen, so a larger count that was not seen explains no key better.
    """
    old, new, _ = two
    by_old, by_new = hashes % old, hashes % new
    choices = np.where(by_old == by_new, 1, 2)
    explained = (by_old == pairs.partitions) | (by_new == pairs.partitions)
    gain = np.log2(seen / choices)[explained].sum()
    return float(gain) - math.log2(new * SEARCHED)
