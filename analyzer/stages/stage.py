"""What a stage is: the table that it makes, the tables that it takes, and how the result is kept, as plain data."""

import dataclasses
import enum
import functools
from collections.abc import Callable, Mapping

from pyspark.sql import DataFrame

from analyzer.stages.private import private_table
from analyzer.tables import Table


class Kept(enum.Enum):
    """What becomes of the plan that a stage returns (decisions 0002 and 0012)."""

    SETTLED = enum.auto()
    """It is computed at once: everything after it starts from rows, and is left out if there are none."""
    STORED = enum.auto()
    """Its rows are kept for their next use, on disk if need be: the tables with a row per batch or id."""
    FACTS = enum.auto()
    """The first of `reads` are stored facts, which are not copied where reading them in place is as fast."""
    PLAN = enum.auto()
    """It is left as it is: whoever reads it computes it."""


@dataclasses.dataclass(frozen=True, slots=True)
class Stage:
    """One step of the lifecycles: a function from tables to a table.

    makes: the declaration of its table, or the name of a private one, which only stages read.
    reads: the tables whose rows it makes its own of. If all of them are empty, it is not run and its table is empty.
    beside: the tables that these are compared with. `make` takes both in this order, then the values of `settings`,
    which are names in the configuration.
    otherwise: the table that is taken unchanged, instead of an empty one, if all of `reads` are empty.
    shared_by: the number in whose ranges `reads` are cut where there are many rows (see `Hold.by_shares`); `combine`
    puts together what several shares have made of one row.
    narrowed: of which rows alone a table is taken: those with one of the values that a few other rows have in a column.
    That leaves out what a join with the few would drop anyway (see `Hold.narrowing`).
    """

    makes: Table | str
    make: Callable[..., DataFrame]
    reads: tuple[str, ...]
    beside: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    kept: Kept = Kept.SETTLED
    shared_by: str | None = None
    combine: Callable[[DataFrame], DataFrame] | None = None
    narrowed: Mapping[str, tuple[str, str]] = dataclasses.field(default_factory=dict)
    otherwise: str | None = None

    @property
    def name(self) -> str:
        """The name of its table."""
        return self.makes if isinstance(self.makes, str) else self.makes.name

    @property
    def declared(self) -> Table | None:
        """What its table is declared as; None for a private one."""
        return None if isinstance(self.makes, str) else self.makes

    @property
    def table(self) -> Table | None:
        """What its table has, declared or private; None where that is not written down."""
        return self.declared or private_table(self.name)

    @property
    def is_large(self) -> bool:
        """Whether it has a row for each transaction, batch or id: two of them at once need the memory of both."""
        return self.shared_by is not None or self.kept is Kept.STORED

    @property
    def inputs(self) -> tuple[str, ...]:
        """Every table that it takes in any way, each once."""
        few = [name for name, _ in self.narrowed.values()]
        last = [self.otherwise] if self.otherwise else []
        return tuple(dict.fromkeys((*self.reads, *self.beside, *few, *last)))


planned = functools.partial(Stage, kept=Kept.PLAN)
"""A stage whose table is left as a plan."""


def rows_of(rows: DataFrame) -> DataFrame:
    """Return the table that a stage reads, which only keeps it or narrows it."""
    return rows


def of_others(make: Callable[..., DataFrame], reads: int = 1) -> Callable[..., DataFrame]:
    """Return the step that makes its table of what is beside alone: without rows in `reads` there is none to make."""
    return lambda *tables: make(*tables[reads:])
