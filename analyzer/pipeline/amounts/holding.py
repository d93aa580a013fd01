"""How an analysis keeps the tables that it computes: at once, for later, in shares, or not at all."""

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext

from pyspark.sql import DataFrame, Row, functions as F

from analyzer.pipeline.amounts import one_task_or_many
from analyzer.pipeline.amounts.one_task_or_many import Amount, Fitting, gathered
from analyzer.pipeline.amounts.shares import Share
from analyzer.stages.inputs import Step
from analyzer.storage.engines.apache_spark import ApacheSpark
from analyzer.tables import Table

MOST_VALUES = 2_000
"""How many values `Hold.narrowing` writes into a plan."""


@dataclasses.dataclass(frozen=True, slots=True)
class Parts:
    """A table that was made in shares, and what was made of each."""

    whole: DataFrame
    parts: Sequence[DataFrame]


@dataclasses.dataclass(frozen=True, slots=True)
class Holding:
    """What `Hold` promises, on this engine and for this amount.

    kept: tables to release at the end; empty: tables known to have no rows, by their identity; shares: those that
    `by_shares` takes one after the other, by the column that it is given; parts: what it made of them, by that column
    and the identity of the whole; small: the tables of a large capture that the driver holds, and plans over these
    alone, by their identity; fitting: the settings for each amount. Copies of it by `dataclasses.replace` share these.
    """

    engine: ApacheSpark
    amount: Amount
    kept: list[DataFrame] = dataclasses.field(default_factory=list)
    empty: dict[int, DataFrame] = dataclasses.field(default_factory=dict)
    shares: Mapping[str, Sequence[Share]] = dataclasses.field(default_factory=dict)
    parts: dict[tuple[str, int], Parts] = dataclasses.field(default_factory=dict)
    at_once: int = 2
    small: dict[int, DataFrame] = dataclasses.field(default_factory=dict)
    fitting: Fitting | None = None

    def over(self, tables: Iterable[DataFrame]) -> "Holding":
        """See `Hold.over`."""
        known = self.amount == Amount.MANY and all(id(one) in self.small or self.is_empty(one) for one in tables)
        return dataclasses.replace(self, amount=Amount.TINY) if known and self.engine.driver_holds else self

    def collected(self, rows: DataFrame) -> list[Row]:
        """See `Hold.collected`."""
        with self._computing():
            return gathered(rows, self.amount).collect()

    def _computing(self) -> AbstractContextManager[None]:
        return self.fitting.to(self.amount) if self.fitting else nullcontext()

    def settle(self, rows: DataFrame, table: Table | None = None) -> DataFrame:
        """See `Hold.settle`."""
        asked = gathered(rows, self.amount)
        with self._computing():
            if self.amount == Amount.MANY:
                settled, is_small = self.engine.settle_many(asked, table, one_task_or_many.TINY_ROWS)
            else:
                settle = self.engine.settle_tiny if self.amount == Amount.TINY else self.engine.settle_any
                settled, is_small = settle(asked, table), self.amount == Amount.TINY
        if settled is None:
            return self.nothing(table) if table else self.emptied(asked)
        if is_small:
            self.small[id(settled)] = settled
        return settled

    def keep(self, rows: DataFrame, table: Table | None = None) -> DataFrame:
        """See `Hold.keep`."""
        if self.amount == Amount.TINY:
            return self.settle(rows, table)
        self.kept.append(self.engine.keep(gathered(rows, self.amount), table))
        return self.kept[-1]

    def planned(self, rows: DataFrame, table: Table | None = None) -> DataFrame:
        """See `Hold.planned`."""
        plan = self.engine.held_to(rows, table)
        if self.amount == Amount.TINY:
            self.small[id(plan)] = plan
        return plan

    def keep_with_facts(self, facts: DataFrame, computed: DataFrame, table: Table | None = None) -> DataFrame:
        """See `Hold.keep_with_facts`."""
        if self.amount != Amount.MANY or not self.engine.reads_facts_in_place:
            return self.keep(facts.unionByName(computed), table)
        rest = self.settle(computed, table)
        return facts if self.is_empty(rest) else facts.unionByName(rest)

    def narrowing(self, few: DataFrame, column: str) -> Step:
        """See `Hold.narrowing`. The values are collected, and written into the plan if there are not too many."""
        if self.amount != Amount.MANY:
            return _all
        asked = few.select(column).where(F.col(column).isNotNull()).distinct().limit(MOST_VALUES + 1)
        rows = self.over([few]).collected(asked)
        values = [row[0] for row in rows]
        if len(values) > MOST_VALUES:
            return _all
        wanted = F.col(column).isin(*values) if values else F.lit(False)
        return lambda many: many.where(wanted)

    def by_shares(self, column: str, step: Callable[[Step], DataFrame], table: Table | None = None) -> DataFrame:
        """See `Hold.by_shares`. What was made in shares of the same column is taken share by share, not searched."""
        if len(self.shares[column]) == 1:
            return self.settle(step(lambda rows: rows), table)
        return self.in_shares(column, step, table)

    def in_shares(self, column: str, step: Callable[[Step], DataFrame], table: Table | None = None) -> DataFrame:
        """See `Hold.in_shares`."""
        shares = self.shares[column]
        if len(shares) == 1:
            rows = step(lambda rows: rows)
            # Where the other column has shares, each of these would compute the plan again.
            if any(len(others) > 1 for others in self.shares.values()):
                return self.settle(rows, table)
            return self.planned(rows, table)
        whole, parts = self.engine.settle_parts((step(self._only(share, at)) for at, share in enumerate(shares)), table)
        if whole is None:
            return self._remembered(self.engine.empty(parts[0]))
        self.parts[column, id(whole)] = Parts(whole, parts)
        return whole

    def _only(self, share: Share, at: int) -> Step:
        def only(rows: DataFrame) -> DataFrame:
            made = self.parts.get((share.column, id(rows)))
            return made.parts[at] if made else share.only(rows)

        return only

    def pieces(self, rows: DataFrame) -> Sequence[DataFrame]:
        """See `Hold.pieces`."""
        made = (self.parts.get((column, id(rows))) for column in self.shares)
        return next((one.parts for one in made if one), [rows])

    def nothing(self, table: Table) -> DataFrame:
        """See `Hold.nothing`."""
        return self._remembered(self.engine.nothing(table.columns))

    def emptied(self, rows: DataFrame) -> DataFrame:
        """See `Hold.emptied`."""
        return self._remembered(self.engine.empty(rows))

    def is_empty(self, rows: DataFrame) -> bool:
        """See `Hold.is_empty`."""
        return id(rows) in self.empty

    def _remembered(self, none: DataFrame) -> DataFrame:
        # The planner drops everything that depends on a table it knows to be empty; it need not know of what.
        self.empty[id(none)] = none
        return none


def _all(rows: DataFrame) -> DataFrame:
    return rows
