"""The causes of a finding: each with its alternatives, of which one is true."""

from collections.abc import Sequence

from analyzer.report.document.types import Finding
from analyzer.report.sentences.cells import visible

OR = "or "
"""How an alternative begins in a document."""


def causes_of(finding: Finding) -> list[list[str]]:
    """Return the causes, each a list of alternatives without `or`, with control characters written out.

    Where an older program did not tell the alternatives, any of the causes may be one: no first one is surer.
    """
    told = finding.get("alternatives")
    causes: list[list[str]] = []
    for place, text in enumerate(finding["cause"]):
        if causes and (told is None or place in told):
            causes[-1].append(visible(text.removeprefix(OR)))
        else:
            causes.append([visible(text)])
    return causes


def either(alternatives: Sequence[str]) -> str:
    """Return alternatives in one sentence."""
    return f", {OR}".join(alternatives)
