"""From simulated histories to the captures that the suite judges: which form each has, and what must come out."""

import dataclasses
import random
from collections.abc import Iterator

import faults
from histories import History, faulty, legal
from writing import (
    Files,
    apart,
    compacted,
    followed,
    older,
    overlapping,
    plain,
    replicated,
    segmented,
    shuffled,
    stopped,
    without_a_state_partition,
)

LEGAL, FAULTY, PARTIAL = 24, 4, 12
FORMS = {"shuffled": shuffled, "overlapping": overlapping, "segmented": segmented}
EVENTS_MS = ((0, 300), (0, 5_000), (0, 3_600_000), (300,))
"""How long ago the events were, ms, of which clients write records: one of these for each client of a history."""
AHEAD_MS = (-2_000, -500, -50, 50, 500, 2_000)
APART_MS = {10: "all", 450: "less"}
"""How far the clocks of three brokers are from the right time at most, and what still shows then."""


@dataclasses.dataclass(frozen=True, slots=True)
class Simulated:
    """A capture: its name, what happened, its files, and how much of the truth they still show.

    `shows` is all, or less: then nothing may be found that did not happen, and an open transaction may be undecided.
    """

    name: str
    history: History
    files: Files
    shows: str = "all"


def simulated() -> Iterator[Simulated]:
    """Yield every simulated capture."""
    yield from _legal()
    yield from _partial()
    for fault in faults.ALL:
        for seed in range(FAULTY):
            history = faulty(fault, seed)
            yield Simulated(history.name, history, stopped(history, plain(history)))
        for form, files in FORMS.items():
            history = faulty(fault, 0)
            yield Simulated(f"{history.name}-{form}", history, stopped(history, files(history)))


def _legal() -> Iterator[Simulated]:
    for seed in range(LEGAL):
        history = legal(seed)
        yield Simulated(f"legal-{seed}", history, plain(history))
        yield Simulated(f"followed-{seed}", history, followed(history))
        ahead_ms = AHEAD_MS[seed % len(AHEAD_MS)]
        history = legal(seed, (0, ahead_ms), apart=True)
        yield Simulated(f"clock-{ahead_ms}-{seed}", history, plain(history))
        for most_ms, shows in APART_MS.items():
            history = legal(seed, _clocks(seed, most_ms))
            files = replicated if seed % 2 else plain
            yield Simulated(f"brokers-{most_ms}-{seed}", history, files(history), shows)


def _partial() -> Iterator[Simulated]:
    for seed in range(PARTIAL):
        history = legal(seed, calm=True)
        yield Simulated(f"compacted-{seed}", history, compacted(history), "less")
        yield Simulated(f"no-state-{seed}", history, without_a_state_partition(history), "less")
        for by_ms in (30, 300, 3_000):
            yield Simulated(f"older-states-{by_ms}-{seed}", history, older(history, by_ms, states=True), "less")
            yield Simulated(f"older-data-{by_ms}-{seed}", history, older(history, by_ms, states=False), "less")
    for seed in range(PARTIAL * 2):
        history = legal(seed, _clocks(seed, 150))
        yield Simulated(f"compacted-brokers-{seed}", history, compacted(history), "less")
        for most_ms in (300, 3_000):
            history = legal(seed, calm=True)
            yield Simulated(f"apart-{most_ms}-{seed}", history, apart(history, most_ms), "less")
            history = legal(seed, calm=True, events=EVENTS_MS[seed % len(EVENTS_MS)])
            yield Simulated(f"events-{most_ms}-{seed}", history, apart(history, most_ms), "less")


def _clocks(seed: int, most_ms: int) -> tuple[int, ...]:
    rng = random.Random(f"clocks {seed} {most_ms}")
    return tuple(rng.randint(-most_ms, most_ms) for _ in range(3))
