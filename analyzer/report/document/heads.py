"""The heads of folds: which findings stand for themselves, and what is folded under each, at any depth."""

from collections.abc import Mapping, Sequence

from analyzer.report.document.types import Finding


def folds(findings: Sequence[Finding]) -> tuple[list[Finding], dict[str, list[Finding]]]:
    """Return the heads in their order, and under each head's id all findings folded under it, at any depth."""
    known = {one["id"] for one in findings}
    above = {one: head["id"] for head in findings for one in head["consequences"] if one != head["id"]}
    above |= {one["id"]: one["folded_under"] for one in findings if one.get("folded_under")}  # type: ignore[misc]
    heads: list[Finding] = []
    under: dict[str, list[Finding]] = {one["id"]: [] for one in findings}
    for one in findings:
        root = _root(one["id"], above, known)
        if root == one["id"]:
            heads.append(one)
        else:
            under[root].append(one)
    return heads, under


def _root(start: str, above: Mapping[str, str], known: set[str]) -> str:
    """Return the head of a finding: itself, if the head is not in the document or the folds form a circle."""
    seen, one = {start}, start
    while one in above:
        one = above[one]
        if one not in known or one in seen:
            return start
        seen.add(one)
    return one
