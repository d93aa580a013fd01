"""Which stages can run now: the walk from the tables that are asked for, past those that are known to be empty."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from analyzer.stages.stage import Stage, planned, rows_of


class Known(Protocol):
    """What a run knows of its tables so far."""

    def is_here(self, name: str) -> bool:
        """Whether the table was made or given."""

    def is_empty(self, name: str) -> bool:
        """Whether the table is known to have no rows, made or not."""

    def leave_out(self, stage: Stage) -> None:
        """Note that a stage is not run, since its table has no rows."""


def stored(name: str) -> Stage:
    """Return what stands for a stored table, which no stage makes: it reads nothing."""
    return planned(name, rows_of, ())


class Walk:
    """One walk over stages; afterwards `ready` are those to start now: their inputs are all here, and there is room."""

    def __init__(self, stages: Mapping[str, Stage], known: Known, busy: Collection[Stage], at_once: int = 1) -> None:
        """Walk over these stages, of which some are busy; at most `at_once` run side by side, one large one of them."""
        self._stages, self._known = stages, known
        self._busy = {stage.name for stage in busy}
        self._room, self._room_for_large = at_once - len(busy), not any(stage.is_large for stage in busy)
        self._met: set[tuple[str, bool]] = set()
        self.ready: list[Stage] = []

    def reached(self, names: Sequence[str], *, wanted: bool = True) -> bool:
        """Return whether all of these tables are there; unless they are `wanted`, to know that they are empty will do.

        What is missing on the way to them is added to `ready`. A walk that has found enough ends, with False.
        """
        every = True
        for name in names:
            every = self._one(name, wanted=wanted) and every  # each of them, also after one that is missing
            if not self._room:
                return False
        return every

    def _one(self, name: str, *, wanted: bool) -> bool:
        if self._known.is_here(name) or (not wanted and self._known.is_empty(name)):
            return True
        if name in self._busy or (name, wanted) in self._met:
            return False
        self._met.add((name, wanted))
        stage = self._stages.get(name) or stored(name)
        if not self.reached(stage.reads, wanted=False):
            return False
        if stage.reads and all(map(self._known.is_empty, stage.reads)):
            if stage.otherwise is not None:
                return self.reached([stage.otherwise]) and self._is_ready(stage)
            if stage.declared is not None or not wanted:
                self._known.leave_out(stage)
                return True
        few = [name for name, _ in stage.narrowed.values()]
        return self.reached([*stage.reads, *stage.beside, *few]) and self._is_ready(stage)

    def _is_ready(self, stage: Stage) -> bool:
        """Note that a stage can run, and return that its table is not there yet."""
        if stage not in self.ready and (self._room_for_large or not stage.is_large):
            self.ready.append(stage)
            self._room -= 1
            self._room_for_large = self._room_for_large and not stage.is_large
        return False
