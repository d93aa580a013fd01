"""A document without the findings that are less certain than a reader asks for."""

from collections.abc import Iterable

from analyzer.report.document.types import Document

CONFIDENCES = ("certain", "likely", "possible")
"""How sure a finding is, the surest first."""


def least(answers: Iterable[str]) -> str:
    """Return the least sure of these answers, of which at least one is a confidence; other words do not count."""
    return max((one for one in answers if one in CONFIDENCES), key=CONFIDENCES.index)


def at_least(document: Document, confidence: str) -> Document:
    """Return the document with the findings that are at least so certain; `omitted.less_certain` counts the others.

    The verdict stays: what is not shown was found all the same.
    """
    kept = CONFIDENCES[: CONFIDENCES.index(confidence) + 1]
    findings = [one for one in document["findings"] if one["confidence"] in kept]
    left_out = len(document["findings"]) - len(findings)
    if not left_out:
        return document
    shown = {one["id"] for one in findings}
    omitted = document.get("omitted") or {"findings": 0, "open_transactions": 0}
    heads = [
        {**one, "heads": [head for head in one["heads"] if head in shown],
         "findings": [each for each in one["findings"] if each in shown]}
        for one in document.get("incidents") or []
    ]  # fmt: skip
    told = {"findings": findings, "incidents": [one for one in heads if one["heads"]]}
    return {**document, **told, "omitted": {**omitted, "less_certain": left_out}}  # type: ignore[typeddict-item]
