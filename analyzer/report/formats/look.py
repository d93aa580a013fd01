"""How a reader wants a report to look, whatever its format."""

import dataclasses
from collections.abc import Mapping

from analyzer.report.formats.page import Page
from analyzer.report.sentences.times import Clock

CELLS = 100
"""Cells of a line where no terminal says how many it has."""


@dataclasses.dataclass(frozen=True, slots=True)
class Look:
    """The clock that tells moments, whether a terminal shows colors, pages of `explain` by code, seconds of stages.

    `full`: a text report tells everything, not only what comes first. `cells`: its width.
    """

    clock: Clock
    color: bool = False
    pages: Mapping[str, Page] = dataclasses.field(default_factory=dict)
    took: Mapping[str, float] = dataclasses.field(default_factory=dict)
    full: bool = False
    cells: int = CELLS
