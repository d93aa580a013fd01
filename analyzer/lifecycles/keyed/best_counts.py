"""Which one, two or more partition counts explain most of the keys of a topic; whether that is believed is for others.

Plain numbers, no Spark.
"""

import dataclasses
import itertools
from typing import Literal

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Partitioner = Literal["murmur2", "crc32"]

TOLERATED = 0.02
"""If the counts leave a larger share of keys unexplained, no partitioner placed them."""
PLAUSIBLE = 64
"""More than two counts are looked for among these many that explain most keys beyond chance."""


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
class Found:
    """The counts that leave the fewest pairs unexplained, None if none does well; whether that is because some tie."""

    counts: tuple[int, ...] | None = None
    missed: int = 0
    tied: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class Search:
    """The keys of a topic by one partitioner: their hashes and places, partitions seen, and newest counts to try."""

    pairs: Pairs
    hashes: Numbers
    seen: int
    news: Numbers

    def explained(self, counts: Numbers) -> Flags:
        """Return which pairs (rows) each of these counts (columns) explains."""
        by_each: Flags = self.hashes[:, None] % counts[None, :] == self.pairs.partitions[:, None]
        return by_each


def best_one(search: Search) -> Found:
    """Return the count that leaves the fewest pairs unexplained."""
    missed = (~search.explained(search.news)).sum(axis=0)
    best = np.flatnonzero(missed == missed.min())
    return Found((int(search.news[best[0]]),), int(missed[best[0]])) if len(best) == 1 else Found()


def best_two(search: Search) -> Found:
    """Return the old and the new count that leave the fewest pairs unexplained.

    An old count of 1 is tried by itself, and only if the moment is given: it explains whatever lies in partition 0.
    """
    found = _pair(search, np.arange(2, search.news.max() + 1))
    if found.counts is None and not found.tied and search.pairs.before is not None:
        return _pair(search, np.ones(1, np.int64))
    return found


def _pair(search: Search, olds: Numbers) -> Found:
    """Return the best pair of these old counts and the new ones.

    Keys written before a given moment must lie by the old count, later ones by either.
    """
    pairs, news = search.pairs, search.news
    not_new = (~search.explained(news)).astype(np.float32)
    not_old = (~search.explained(olds)).astype(np.float32)
    if pairs.before is None or pairs.after is None:
        left = not_old.T @ not_new
    else:
        late = pairs.after & ~pairs.before
        left = not_old[pairs.before].sum(axis=0)[:, None] + not_old[late].T @ not_new[late]
    left[olds[:, None] >= news[None, :]] = np.inf
    fewest = left.min(initial=np.inf)
    best = np.argwhere(left == fewest)
    if not np.isfinite(fewest) or fewest > TOLERATED * len(search.hashes):
        return Found()
    if len(best) != 1:
        return Found(tied=True)
    return Found((int(olds[best[0][0]]), int(news[best[0][1]])), int(fewest))


def best_several(search: Search, length: int) -> Found:
    """Return the best counts of a topic that was expanded more than once.

    A given moment does not help here: it is that of one expansion, and nothing tells of which.
    """
    counts = _plausible(search)
    missing = (~search.explained(counts)).astype(np.float32)
    older = counts[:, None] < counts[None, :]
    best: tuple[int, ...] = ()
    fewest, ties = np.inf, 0
    for newer in itertools.combinations(range(len(counts)), length - 2):
        if counts[newer[-1]] not in search.news:
            continue
        own = missing[missing[:, list(newer)].all(axis=1)][:, : newer[0]]
        left = np.where(older[: newer[0], : newer[0]], own.T @ own, np.inf)
        least = left.min(initial=np.inf)
        if least <= fewest and np.isfinite(least):
            places = np.argwhere(left == least)
            ties = len(places) + (ties if least == fewest else 0)
            fewest, best = least, (*map(int, places[0]), *newer)
    if ties != 1 or fewest > TOLERATED * len(search.hashes):
        return Found(tied=ties > 1)
    return Found(tuple(int(counts[place]) for place in best), int(fewest))


def _plausible(search: Search) -> Numbers:
    """Return the counts, in order, that explain most pairs beyond chance, and the newest one if it is known."""
    counts = np.arange(2, search.news.max() + 1)
    chance = (search.pairs.partitions[:, None] < counts[None, :]).sum(axis=0) / counts
    beyond = search.explained(counts).sum(axis=0) - chance
    likely: Numbers = np.argsort(-beyond, kind="stable")[:PLAUSIBLE]
    known = search.news if len(search.news) == 1 else search.news[:0]
    return np.union1d(counts[likely], known)
