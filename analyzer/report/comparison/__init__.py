"""Two reports of one cluster side by side: what is new, what is gone, what is not shown any more, what moved."""

from analyzer.report.comparison.changes import Changes, compare, grows
from analyzer.report.comparison.outline import COMPARISONS, render_comparison

__all__ = ["COMPARISONS", "Changes", "compare", "grows", "render_comparison"]
