"""How an analysis keeps the tables that it computes: at once, for later, in shares, or not at all."""

import dataclasses
from collections.abc import Mapping

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analyzer.lifecycles import Hold
from analyzer.lifecycles.both import in_turn, side_by_side
from analyzer.lifecycles.inputs import Step
from analyzer.pipeline.one_task_or_many import Amount, gathered
from analyzer.storage.engines.differences import ApacheSpark
from analyzer.tables import Table
from analyzer.tables.unions import union_all


@dataclasses.dataclass(frozen=True, slots=True)
class Holding:
    """What `Hold` promises, on this engine and for this amount.

    kept: tables to release at the end; empty: tables known to have no rows, by their identity; shares: into how many
    shares `by_shares` splits rows, for each column that it may be given. Copies that `dataclasses.replace` makes share
    `kept` and `empty`.
    """

    engine: ApacheSpark
    amount: Amount
    kept: list[DataFrame] = dataclasses.field(default_factory=list)
    empty: dict[int, DataFrame] = dataclasses.field(default_factory=dict)
    shares: Mapping[str, int] = dataclasses.field(default_factory=dict)

    def hold(self) -> Hold:
        """Return it as the `Hold` that stages take."""
        here = self.amount == Amount.MANY and self.engine.tasks_are_here()
        return Hold(
            settle=self.settle,
            keep=self.keep,
            keep_with_facts=self.keep_with_facts,
            few=self.few,
            nothing=self.nothing,
            is_empty=self.is_empty,
            both=in_turn if here else side_by_side,
            by_shares=self.by_shares,
        )

    def settle(self, rows: DataFrame) -> DataFrame:
        """See `Hold.settle`."""
        if self.amount == Amount.TINY:
            tiny = self.engine.settle_tiny(gathered(rows, self.amount))
            return self._remembered(self.engine.empty(rows)) if tiny is None else tiny
        settled = self.engine.settle(gathered(rows, self.amount))
        return self._remembered(self.engine.empty(settled)) if settled.isEmpty() else settled

    def keep(self, rows: DataFrame) -> DataFrame:
        """See `Hold.keep`."""
        if self.amount == Amount.TINY:
            return self.settle(rows)
        self.kept.append(self.engine.keep(gathered(rows, self.amount)))
        return self.kept[-1]

    def keep_with_facts(self, facts: DataFrame, computed: DataFrame) -> DataFrame:
        """See `Hold.keep_with_facts`."""
        if self.amount != Amount.MANY or not self.engine.reads_facts_in_place:
            return self.keep(facts.unionByName(computed))
        rest = self.settle(computed)
        return facts if self.is_empty(rest) else facts.unionByName(rest)

    def few(self, rows: DataFrame) -> DataFrame:
        """See `Hold.few`."""
        return self.settle(rows) if self.amount == Amount.MANY else rows

    def by_shares(self, rows: DataFrame, number: str, step: Step) -> DataFrame:
        """See `Hold.by_shares`."""
        count = self.shares[number]
        mine = F.pmod(F.coalesce(number, F.lit(0)), F.lit(count))
        parts = [self.settle(step(rows if count == 1 else rows.where(mine == share))) for share in range(count)]
        return union_all([part for part in parts if not self.is_empty(part)] or parts[:1])

    def nothing(self, table: Table) -> DataFrame:
        """See `Hold.nothing`."""
        return self._remembered(self.engine.nothing(table.columns))

    def is_empty(self, rows: DataFrame) -> bool:
        """See `Hold.is_empty`."""
        return id(rows) in self.empty

    def _remembered(self, none: DataFrame) -> DataFrame:
        # The planner drops everything that depends on a table it knows to be empty; it need not know of what.
        self.empty[id(none)] = none
        return none
