"""An incident: a finding that stands for itself, what is folded under it, what to do, what waits, and where it is."""

import dataclasses
from collections.abc import Mapping, Sequence

from analyzer.report.document.action_types import ENDS_IT
from analyzer.report.document.types import Finding, OpenTransaction
from analyzer.tables.action_words import Impact

NOT_OPEN = frozenset({"none", "rescue"})
"""Kinds of actions of findings that hold nothing back."""


@dataclasses.dataclass(frozen=True, slots=True)
class Incident:
    """A head finding with its number in the report, its action in words, and what waits for it (None: not known).

    `impacts`: what readers were given, by the finding and by what is folded under it; `also`: of the latter, those
    whose action comes beside its own. `apart`: it has no impact and is not about a stuck partition. `head`: where
    another incident's plan ends it, that one's finding, and `head_number` its number. `holds`: of all that is open in
    its partition, it is the first: the LSO stands there, and all that waits waits for it; otherwise `after` is what
    stands before it there, if the document has it. `number` counts transactions: `3`, or `3.1` and `3.2` where one is
    open in two partitions.
    """

    number: str
    finding: Finding
    action: str
    impacts: frozenset[Impact]
    lso: int | None
    records: int | None
    bytes: int | None
    since: int | None
    folded: tuple[Finding, ...]
    also: tuple[Finding, ...] = ()
    apart: bool = False
    head: Finding | None = None
    head_number: str = ""
    holds: bool = True
    after: OpenTransaction | None = None

    @property
    def discards(self) -> int | None:
        """Records that the abort which it asks for discards; None if it asks for none, or the number is not known."""
        action = self.finding["action"]
        return action.get("discards") if action["kind"] in ENDS_IT else None


def where(finding: Finding) -> str:
    """Return `topic-partition`, or the group or the code's name where a finding has no partition."""
    if finding["topic"] is None:
        return finding.get("group") or finding["name"]
    return finding["topic"] if finding["partition"] is None else f"{finding['topic']}-{finding['partition']}"


def subject(finding: Finding) -> str | None:
    """Return whose a finding is: its transactional id, else its group or its key; None where it has none of them."""
    return finding["transactional_id"] or finding.get("group") or finding.get("key")


def names_its_place(finding: Finding) -> bool:
    """Return whether the headline begins with the place, so that a title need not."""
    return finding["headline"].startswith(where(finding))


def is_open(finding: Finding) -> bool:
    """Return whether the finding is about data that is open, also where no file of its partition is here."""
    return finding["first_offset"] is not None and finding["action"]["kind"] not in NOT_OPEN


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
