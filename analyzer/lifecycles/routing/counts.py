"""The partition counts that explain where the ids of a topic lie: plain numbers, no Spark (RULES B 1 to 3).

The input is distinct (hash, partition) pairs: an id with a million records proves no more than an id with one. Source
of the arithmetic: TransactionStateManager.partitionFor, GroupMetadataManager.partitionFor; of the fault: KAFKA-20029,
KIP-1268.
"""

import dataclasses
from typing import Literal

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]
Confidence = Literal["certain", "likely", "possible"]

LARGEST = 1_000
"""Counts up to this one, or up to twice the lower bound, are tried: internal topics have 50 partitions by default."""
DEFAULT_COUNT = 50
"""`transaction.state.log.num.partitions` and `offsets.topic.num.partitions`."""
ENOUGH = 3
"""A count that nothing else tells is certain from so many ids on that it explains and the other count does not."""
TOLERATED = 0.02
"""Two counts that leave a larger share of the ids unexplained explain nothing."""
BITS = 10.0
"""How far from chance the ids that only the first two of three counts explain have to be, beyond the search."""
TRIED = 3
"""New counts that are tried with two older ones where nothing tells the new one: those that explain the most ids."""
SHOWN = 20
"""Rival counts that are listed; few ids can leave hundreds."""


@dataclasses.dataclass(frozen=True, slots=True)
class Known:
    """What is known of a topic's count without its ids.

    `bound`: the highest partition seen anywhere, plus 1. `exact`: the topic has exactly that many, by kafka-topics.sh,
    by capture.toml, or by checkpoint files that name all of them. `whole`: all partitions up to the bound were seen.
    That makes larger counts unlikely, but a copy of the first ten folders looks the same.
    """

    bound: int
    exact: bool = False
    whole: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class Counts:
    """Which counts explain where the ids lie.

    how: `none` (no ids), `one` (`new` explains all), `unused` (`old` explains all, but the topic has more
    partitions), `two` (some ids lie by `old`, some by `new`), `three` (some also by `older`, the count before `old`),
    `unexplained`. new_exact: false if `new` is a lower bound. rivals: other counts (`one`), or other pairs (old, new)
    or triples, that explain as much. pairs, old_only, new_only and unexplained count the input: all, those that only
    earlier counts explain, those that only the new one explains, and those that none explains.
    """

    how: Literal["none", "one", "unused", "two", "three", "unexplained"]
    old: int | None = None
    new: int | None = None
    new_exact: bool = True
    confidence: Confidence = "possible"
    rivals: tuple[tuple[int, ...], ...] = ()
    pairs: int = 0
    old_only: int = 0
    new_only: int = 0
    unexplained: int = 0
    older: int | None = None

    @property
    def news(self) -> tuple[int, ...]:
        """Every new count that explains the ids as well as `new` does, `new` first."""
        rest = sorted({rival[-1] for rival in self.rivals} - {self.new})
        return () if self.new is None else (self.new, *rest)


def infer(hashes: Numbers, partitions: Numbers, known: Known) -> Counts:
    """Return the counts that explain these pairs (RULES B 1 to 3)."""
    if not len(hashes):
        return Counts("none")
    bound = max(known.bound, int(partitions.max()) + 1)
    exact = known.exact and bound == known.bound
    largest = max(LARGEST, 2 * bound)
    fits = _fits(hashes, partitions, int(partitions.max()) + 1, largest)
    above = [count for count in fits if count >= bound]
    if above and (not exact or above[0] == bound):
        return _one(above, len(hashes), exact=exact)
    below = [count for count in fits if count < bound]
    if below:
        more = [count for count in below if count > 1]  # one partition alone would explain all of partition 0
        return _unused(more or below, bound, len(hashes), exact=exact)
    return _two(hashes, partitions, bound, largest, known if exact else dataclasses.replace(known, exact=False))


def _fits(hashes: Numbers, partitions: Numbers, lowest: int, largest: int) -> list[int]:
    """Return the counts that explain all of the input."""
    counts = np.arange(lowest, largest + 1)
    for start in range(0, len(hashes), 256):  # a few pairs rule out nearly all counts
        if not len(counts):
            break
        part = slice(start, start + 256)
        explains = (hashes[part, None] % counts[None, :] == partitions[part, None]).all(axis=0)
        counts = counts[explains]
    return [int(count) for count in counts]


def _one(fits: list[int], pairs: int, *, exact: bool) -> Counts:
    """Return the smallest fit: certain if the topic's count is known, or if no other count fits several ids."""
    alone: Confidence = "certain" if pairs >= ENOUGH else "likely"
    sure: Confidence = "certain" if exact else alone if len(fits) == 1 else "possible"
    rivals = () if exact else tuple((fits[0], count) for count in fits[1 : SHOWN + 1])
    return Counts("one", None, fits[0], confidence=sure, rivals=rivals, pairs=pairs)


def _unused(fits: list[int], bound: int, pairs: int, *, exact: bool) -> Counts:
    """Return the count of a topic that was expanded without anybody using the new count yet: all fits are smaller."""
    best = _preferred([(count, bound) for count in fits])
    rivals = tuple((count, bound) for count in fits if count != best[0])[:SHOWN]
    sure: Confidence = "possible" if rivals else "certain" if exact and pairs >= ENOUGH else "likely"
    return Counts("unused", best[0], bound, exact, sure, rivals, pairs, old_only=pairs)


def _two(hashes: Numbers, partitions: Numbers, bound: int, largest: int, known: Known) -> Counts:
    """Return the counts old < new that leave the fewest ids unexplained; old = 1 would explain all of partition 0."""
    counts = np.arange(2, largest + 1)
    small, at = hashes.astype(np.int32), partitions.astype(np.int32)
    misses = (small[:, None] % counts[None, :].astype(np.int32) != at[:, None]).astype(np.float32)
    first_new = bound - 2
    news = slice(first_new, first_new + 1) if known.exact else slice(first_new, None)
    left = misses.T @ misses[:, news]  # pairs that neither of two counts explains
    left[counts[:, None] >= counts[None, news]] = np.inf
    fewest = left.min(initial=np.inf)
    if fewest > TOLERATED * len(hashes):
        nothing = Counts("unexplained", new=bound if known.exact else None, pairs=len(hashes), unexplained=len(hashes))
        return _three(hashes, partitions, counts, bound, known) or nothing
    olds, those = np.nonzero(left == fewest)
    pairs = [(int(counts[old]), int(counts[news][new])) for old, new in zip(olds, those, strict=True)]
    if known.whole and any(new == bound for _, new in pairs):
        pairs = [pair for pair in pairs if pair[1] == bound]
    old, new = _preferred(pairs)
    by_old, by_new = hashes % old == partitions, hashes % new == partitions
    old_only, new_only = int((by_old & ~by_new).sum()), int((by_new & ~by_old).sum())
    enough = old_only >= ENOUGH and (known.exact or new_only >= ENOUGH)
    sure: Confidence = "possible" if len(pairs) > 1 else "certain" if enough else "likely"
    rivals = tuple(pair for pair in pairs if pair != (old, new))[:SHOWN]
    return Counts(
        "two", old, new, confidence=sure, rivals=rivals, pairs=len(hashes), old_only=old_only, new_only=new_only,
        unexplained=int(fewest),
    )  # fmt: skip


def _three(hashes: Numbers, partitions: Numbers, counts: Numbers, bound: int, known: Known) -> Counts | None:
    """Return the counts older < old < new of a topic that was expanded twice, None where chance explains as much.

    Each of the older ones has to explain ids that no other one does.
    """
    fits = hashes[:, None] % counts[None, :] == partitions[:, None]
    most = [int(counts[at]) for at in np.argsort(-fits.sum(axis=0), kind="stable") if counts[at] > bound][:TRIED]
    found = [
        triple
        for new in ([bound] if known.exact or known.whole else [bound, *most])
        for triple in _older(fits, counts, new)
    ]
    fewest = min((left for left, _ in found), default=len(hashes))
    triples = [triple for left, triple in found if left == fewest]
    if not triples or fewest > TOLERATED * len(hashes):
        return None
    older, old, new = min(triples, key=lambda one: (DEFAULT_COUNT not in one[:2], one[1] % one[0] != 0, one[::-1]))
    by_new, before = fits[:, new - 2], fits[:, older - 2] | fits[:, old - 2]
    new_only = int((by_new & ~before).sum())
    sure: Confidence = "possible" if len(triples) > 1 else "certain" if known.exact or new_only >= ENOUGH else "likely"
    return Counts(
        "three", old, new, new_exact=known.exact or new_only >= ENOUGH, confidence=sure,
        rivals=tuple(triple for triple in triples if triple != (older, old, new))[:SHOWN], pairs=len(hashes),
        old_only=int((before & ~by_new).sum()), new_only=new_only, unexplained=fewest, older=older,
    )  # fmt: skip


def _older(fits: npt.NDArray[np.bool_], counts: Numbers, new: int) -> list[tuple[int, tuple[int, int, int]]]:
    """Return the pairs of smaller counts that leave the fewest of the ids which `new` does not explain, and how many.

    Not those that chance may have found: by the bits of the ids that they explain, less those of the search.
    """
    rest = fits[~fits[:, new - 2], : new - 2]
    missed = (~rest).astype(np.float32)
    left = missed.T @ missed
    left[np.tril_indices(len(left))] = np.inf
    fewest = left.min(initial=np.inf)
    search = 2 * np.log2(len(counts))
    out = []
    for one, two in np.argwhere(left == fewest)[: SHOWN + 1] if np.isfinite(fewest) else ():
        older, old = int(counts[one]), int(counts[two])
        alone = min((rest[:, one] & ~rest[:, two]).sum(), (rest[:, two] & ~rest[:, one]).sum())
        bits = (len(rest) - fewest) * -np.log2(min(1.0, 1 / older + 1 / old)) - search
        if alone >= ENOUGH and bits >= BITS:
            out.append((int(fewest), (older, old, new)))
    return out


def _preferred(pairs: list[tuple[int, int]]) -> tuple[int, int]:
    """Return the pair to name first: from Kafka's default count, otherwise to a multiple, otherwise the smallest."""
    return min(pairs, key=lambda pair: (pair[0] != DEFAULT_COUNT, pair[1] % pair[0] != 0, pair[1], pair[0]))
