"""The causes of a finding: each with its alternatives, of which one is true, and sentences on the first."""

from collections.abc import Sequence

from analyzer.report.document.types import Finding
from analyzer.report.sentences.action_words import only_possible
from analyzer.report.sentences.cells import visible

REASONS = "for one of these reasons"
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


def cause_sentence(finding: Finding) -> str:
    """Return the cause of a finding, no surer than the finding itself: all that remain if one of several is true."""
    told, several = _causes(finding)
    if not told:
        return ""
    if several:
        return f"Possible causes: {told}"
    return f"{'Possible cause' if only_possible(finding, 'why') else 'Cause'}: {told}"


def cause_words(finding: Finding) -> str:
    """Return the cause of a finding for a line that says how sure it is: no label where one alone is possible."""
    told, several = _causes(finding)
    if several or not told:
        return f"{REASONS}: {told}" if told else "no file of this capture shows why"
    return f"these files do not show it; possible: {told}" if only_possible(finding, "why") else told


def _causes(finding: Finding) -> tuple[str, bool]:
    """Return the first cause with its alternatives, and whether it has any."""
    first = causes_of(finding)[:1]
    return "".join(map(either, first)), any(len(one) > 1 for one in first)
