"""How the stages hold on to what they computed: on the executors, until the analysis is over."""

from pyspark.sql import DataFrame

from analyzer.lifecycles import Hold


def holding(kept: list[DataFrame]) -> Hold:
    """Return the two ways to hold a table; what is kept is added to the list, for the caller to let go."""

    def settle(rows: DataFrame) -> DataFrame:
        settled = rows.localCheckpoint(eager=True)
        # An empty table that the planner knows to be empty takes everything that hangs on it out of later plans.
        return settled.limit(0) if settled.isEmpty() else settled

    def keep(rows: DataFrame) -> DataFrame:
        kept.append(rows.persist())
        return kept[-1]

    return Hold(settle, keep)
