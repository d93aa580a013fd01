"""Both sides put together: decisions with their markers, and what is known of each open transaction, stage by stage."""

import dataclasses

from pyspark.sql import DataFrame


@dataclasses.dataclass(frozen=True, slots=True)
class Matched:
    """The moments judged at, each decision in each log, what is open, what slipped, and data without its own marker."""

    moments: DataFrame
    decisions: DataFrame
    opens: DataFrame
    slips: DataFrame
    unmarked: DataFrame
    state_copies: DataFrame
    unseen: DataFrame
