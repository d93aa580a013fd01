"""What each stage of a run costs: how long it takes, how many rows go in and come out, how large its plan is."""

import contextlib
import dataclasses
import io
import time
from collections.abc import Callable, Iterator

from pyspark.sql import DataFrame

from analyzer.stages.stage import Kept, Stage

LEFT_AS_PLANS = frozenset({Kept.PLAN, Kept.FACTS})
"""What is computed by whoever reads it: counting its rows would compute it once more."""


@dataclasses.dataclass(frozen=True, slots=True)
class Cost:
    """What one table took: seconds of the clock, CPU seconds of this process in that time, rows, nodes of its plan.

    Rows are None where they are not known.
    """

    table: str
    seconds: float
    cpu_seconds: float
    rows_in: int | None
    rows_out: int | None
    plan_nodes: int


class Profile:
    """The costs of a run's stages, in their order. Counting rows and explaining plans makes only the run slower."""

    def __init__(self) -> None:
        """Begin without any."""
        self.costs: list[Cost] = []
        self._rows: dict[str, int] = {}
        self._plans: dict[str, int] = {}
        self._looking = (0.0, 0.0)
        """Seconds, and CPU seconds, that the plans of the stage that runs took to explain."""

    def measured(self, stage: Stage, make: Callable[[], DataFrame]) -> DataFrame:
        """Make the table of a stage, and note what that takes; the rows are counted afterwards."""
        self._looking = (0.0, 0.0)
        began, cpu = time.perf_counter(), time.process_time()
        made = make()
        seconds, cpu_seconds = time.perf_counter() - began, time.process_time() - cpu
        rows = None if stage.kept in LEFT_AS_PLANS and stage.reads else made.count()
        known = [self._rows[name] for name in stage.reads if name in self._rows]
        rows_in = sum(known) if len(known) == len(stage.reads) else None
        took = (seconds - self._looking[0], cpu_seconds - self._looking[1])
        self.costs.append(Cost(stage.name, *took, rows_in, rows, self._plans.pop(stage.name, 0)))
        if rows is not None:
            self._rows[stage.name] = rows
        return made

    def see_plan(self, stage: Stage, rows: DataFrame) -> None:
        """Note how large the plan of a stage is before it is computed; of several shares the first is taken."""
        if stage.name in self._plans:
            return
        began, cpu = time.perf_counter(), time.process_time()
        with contextlib.redirect_stdout(io.StringIO()) as printed:  # what explains a plan only prints it
            rows.explain()
        self._plans[stage.name] = len(printed.getvalue().splitlines())
        self._looking = (time.perf_counter() - began, time.process_time() - cpu)

    def lines(self) -> Iterator[str]:
        """Yield the costs as a table, the largest first, and their sum."""
        yield f"{'table':<32}{'s':>8}{'CPU s':>8}{'rows in':>12}{'rows out':>12}{'plan':>7}"
        for one in sorted(self.costs, key=lambda cost: -cost.seconds):
            rows = [f"{'-' if count is None else f'{count:,}':>12}" for count in (one.rows_in, one.rows_out)]
            yield f"{one.table:<32}{one.seconds:>8.2f}{one.cpu_seconds:>8.2f}{''.join(rows)}{one.plan_nodes:>7}"
        total = (sum(one.seconds for one in self.costs), sum(one.cpu_seconds for one in self.costs))
        yield f"{f'{len(self.costs)} stages':<32}{total[0]:>8.2f}{total[1]:>8.2f}"
