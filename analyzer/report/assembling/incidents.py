"""The incidents of a document: findings of one cause together, the gravest first, each with its timeline."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from analyzer.report.document.parts import Parts, grouped
from analyzer.report.document.timelines import timeline
from analyzer.report.document.types import SEVERITIES, Finding
from analyzer.report.sentences.quantities import few
from analyzer.report.triage.incident import folds, names_its_place, where

MOST = 100
"""Incidents with a timeline; `findings` has all."""
NAMED = 4
"""Places that a headline names."""
_DANGER = {"rescue": -1, "save_then_abort": 0, "abort": 1}


def incidents(findings: Sequence[Mapping[str, Any]], parts: Parts) -> list[dict[str, Any]]:
    """Return the incidents: heads of one code and one cause are one, most dangerous first, as a report shows them."""
    heads, under = folds(cast("Sequence[Finding]", findings))
    together = grouped(sorted(heads, key=_order), lambda head: (head["code"], (head["cause"] or [""])[0]))
    return [_incident(cause, of_one, under, parts) for (_, cause), of_one in list(together.items())[:MOST]]


def _incident(cause: str, heads: list[Finding], under: Mapping[str, list[Finding]], parts: Parts) -> dict[str, Any]:
    members = [*heads, *sorted((one for head in heads for one in under[head["id"]]), key=_order)]
    return {
        "id": heads[0]["id"],
        "headline": _headline(heads),
        "cause": cause,
        "heads": [one["id"] for one in heads],
        "findings": [one["id"] for one in members],
        "timeline": timeline(members, parts),
    }


def _headline(heads: Sequence[Finding]) -> str:
    """Return the head's own headline, or the name of what happened with the first places."""
    if len(heads) == 1 and names_its_place(heads[0]):
        return heads[0]["headline"]
    named = few(sorted(set(map(where, heads))), NAMED)
    return f"{named}: " + (heads[0]["headline"] if len(heads) == 1 else f"{heads[0]['name']}, {len(heads)} findings")


def _order(one: Finding) -> tuple[int, int, str, str, int, int]:
    place = (one["topic"] or "", one["partition"] or 0, one["first_offset"] or 0)
    return (_DANGER.get(one["action"]["kind"], 2), SEVERITIES[one["severity"]], one["code"], *place)
