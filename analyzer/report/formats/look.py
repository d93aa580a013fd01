"""How a reader wants a report to look, whatever its format."""

import dataclasses

from analyzer.report.sentences.times import Clock


@dataclasses.dataclass(frozen=True, slots=True)
class Look:
    """The clock that tells moments, and whether a terminal shows colors."""

    clock: Clock
    color: bool = False
