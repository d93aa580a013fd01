"""Runs stages: from the tables that are asked for back to the stored ones, and nothing that these do not need."""

import operator
import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from pyspark.sql import DataFrame

from analyzer.config import Config
from analyzer.stages.inputs import Hold, Inputs, Step
from analyzer.stages.profiling import Profile
from analyzer.stages.ready import Walk
from analyzer.stages.stage import Kept, Stage
from analyzer.tables.shapes import hold_to

Make = Callable[[Step], DataFrame]
"""Makes a table of one share of a stage's `reads`, which the given step picks."""


class Run:
    """The tables of some captures, each made once, when it is first asked for.

    A table that no stage makes was given, or it is a stored one. Stages that do not need one another run side by side,
    where there is room for that (decision 0012). A private table is let go once every stage that takes it has run.
    """

    def __init__(self, stages: Iterable[Stage], inputs: Inputs, config: Config, profile: Profile | None = None) -> None:
        """Start from these inputs; `config` has the `settings` of stages.

        `profile` is told what each of them costs: they run one after the other then.
        """
        self._profile = profile
        self._stages = {stage.name: stage for stage in stages}
        self._inputs, self._hold, self._config = inputs, inputs.hold, config
        self._tables = dict(inputs.given)
        self._takers = _takers(self._stages.values())
        self._asked: set[str] = set()
        self._without_rows: set[str] = set()
        """Private tables that are known to be empty, and that nobody needed for more than that."""
        self._narrowing: dict[tuple[str, str], Step] = {}
        self._one_at_a_time = threading.Lock()

    def __getitem__(self, name: str) -> DataFrame:
        """Return one table."""
        return self.tables(name)[name]

    def tables(self, *names: str) -> dict[str, DataFrame]:
        """Return these tables. Raises BrokenDeclaration if a stage gives other columns than it declares."""
        self._reach(names, wanted=True)
        return {name: self._tables[name] for name in names}

    def with_rows(self, *names: str) -> dict[str, DataFrame]:
        """Return those of these tables that are not known to be empty."""
        self._reach(names, wanted=False)
        return self.tables(*[name for name in names if not self.is_empty(name)])

    def give(self, name: str, rows: DataFrame | None) -> None:
        """Add a table that stages take, and that is known only now; None: it has no rows."""
        if rows is None:
            self._without_rows.add(name)
        else:
            self._tables[name] = rows

    def is_here(self, name: str) -> bool:
        """Return whether the table was made or given."""
        return name in self._tables

    def is_empty(self, name: str) -> bool:
        """Return whether the table is known to have no rows: made without one, or not made for want of any."""
        return name in self._without_rows or (name in self._tables and self._hold.is_empty(self._tables[name]))

    def leave_out(self, stage: Stage) -> None:
        """Note that a stage is not run, since its table has no rows."""
        if stage.declared is not None:
            self._tables[stage.name] = self._hold.nothing(stage.declared)
        else:
            self._without_rows.add(stage.name)

    def _reach(self, names: Sequence[str], *, wanted: bool) -> None:
        """Make these tables and what they need; unless they are `wanted`, to know that one is empty will do."""
        self._asked.update(names)
        if self._hold.at_once > 1 and self._profile is None:
            self._side_by_side(names, wanted=wanted)
            return
        while ready := self._ready(names, (), at_once=1, wanted=wanted):
            self._take(ready[0], self._made(ready[0]))

    def _side_by_side(self, names: Sequence[str], *, wanted: bool) -> None:
        running: dict[Future[DataFrame], Stage] = {}
        with ThreadPoolExecutor(self._hold.at_once) as pool:
            while True:
                for stage in self._ready(names, running.values(), at_once=self._hold.at_once, wanted=wanted):
                    running[pool.submit(self._made, stage)] = stage
                if not running:
                    return
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    self._take(running.pop(done), done.result())

    def _ready(self, names: Sequence[str], busy: Collection[Stage], *, at_once: int, wanted: bool) -> list[Stage]:
        walk = Walk(self._stages, self, busy, at_once)
        walk.reached(names, wanted=wanted)
        return walk.ready

    def _take(self, stage: Stage, rows: DataFrame) -> None:
        self._tables[stage.name] = rows
        for name in stage.inputs:
            self._takers[name].discard(stage.name)
            made = self._stages.get(name)
            private = made is not None and made.declared is None and name not in self._asked
            if private and not self._takers[name]:
                if self.is_empty(name):
                    self._without_rows.add(name)
                self._tables.pop(name, None)

    def _made(self, stage: Stage) -> DataFrame:
        """Return the table of a stage whose inputs are all here."""
        return self._profile.measured(stage, lambda: self._make(stage)) if self._profile else self._make(stage)

    def _make(self, stage: Stage) -> DataFrame:
        if not stage.reads:
            return self._inputs.read(stage.name)
        nothing = all(map(self.is_empty, stage.reads))
        if nothing and stage.otherwise is not None:
            return self._passed_on(stage, stage.otherwise)
        reads, beside = ([self._narrowed(stage, name) for name in names] for names in (stage.reads, stage.beside))
        settings = [operator.attrgetter(name)(self._config) for name in stage.settings]

        def make(only: Step) -> DataFrame:
            rows = stage.make(*[only(table) for table in reads], *beside, *settings)
            if self._profile:
                self._profile.see_plan(stage, rows)
            return rows

        if nothing:
            return self._hold.nothing(stage.table) if stage.table else self._hold.emptied(make(_all))
        hold = self._hold.over(self._tables[name] for name in (*stage.reads, *stage.beside))
        if stage.kept is Kept.FACTS:
            facts, computed = reads
            return hold.keep_with_facts(facts, computed, stage.table)
        if stage.shared_by is not None:
            return _in_shares(hold, stage, stage.shared_by, make)
        return _kept(hold, stage, make(_all))

    def _passed_on(self, stage: Stage, name: str) -> DataFrame:
        """Return another table as that of this stage; if nobody has computed it yet, it is kept as this one is."""
        rows, other = self._tables[name], self._stages.get(name)
        if other is not None and other.kept is Kept.PLAN:
            return _kept(self._hold.over([rows]), stage, rows)
        if stage.declared is not None:
            hold_to(stage.declared, rows)
        return rows

    def _narrowed(self, stage: Stage, name: str) -> DataFrame:
        """Return an input of a stage. The values that it is narrowed to are asked for once, whoever needs them."""
        if name not in stage.narrowed:
            return self._tables[name]
        few, column = stage.narrowed[name]
        with self._one_at_a_time:
            if (few, column) not in self._narrowing:
                self._narrowing[few, column] = self._hold.narrowing(self._tables[few], column)
        return self._narrowing[few, column](self._tables[name])


def _kept(hold: Hold, stage: Stage, rows: DataFrame) -> DataFrame:
    keep = {Kept.SETTLED: hold.settle, Kept.STORED: hold.keep}
    return keep.get(stage.kept, hold.planned)(rows, stage.table)


def _in_shares(hold: Hold, stage: Stage, column: str, make: Make) -> DataFrame:
    if stage.combine is not None:
        return _kept(hold, stage, stage.combine(hold.in_shares(column, make, None)))
    shares = hold.by_shares if stage.kept is Kept.SETTLED else hold.in_shares
    return shares(column, make, stage.table)


def _takers(stages: Iterable[Stage]) -> dict[str, set[str]]:
    """Return which stages take each table."""
    takers: dict[str, set[str]] = defaultdict(set)
    for stage in stages:
        for name in stage.inputs:
            takers[name].add(stage.name)
    return takers


def _all(rows: DataFrame) -> DataFrame:
    return rows
