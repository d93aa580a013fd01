"""What the findings of a capture say of a record: which are about it, and where they contradict its marker."""

import dataclasses
import json
from collections.abc import Sequence

from analyzer.lookups.asking import Asking, Row
from analyzer.lookups.logs import Copy
from analyzer.lookups.outcome import Outcome, Visible
from analyzer.tables.moments import moments_of, template

TOLD = ("id", "code", "name", "severity", "confidence", "headline", "first_offset", "last_offset")


def findings_at(asked: Asking, copy: Copy, offset: int, span: Row | None) -> list[Row]:
    """Return the findings about this offset, or about the transaction that it belongs to, those about it first.

    `impact`: what readers were given wrongly (wrong_data, lost_data), null where nothing is known.
    """
    low = offset if span is None or span["first_offset"] is None else min(offset, span["first_offset"])
    ends = (None, None) if span is None else (span["last_offset"], span["marker_offset"])
    high = max(offset, *(end for end in ends if end is not None), offset)
    rows = asked.few("findings", topic=copy.topic, partition=copy.partition)
    about = [one for one in rows if one["first_offset"] is not None and one["replica"] in {None, copy.replica}]
    here = [one for one in about if one["first_offset"] <= high and _last(one) >= low]
    told = [{**{name: one[name] for name in TOLD}, **_more(json.loads(one["detail"]))} for one in here]
    return sorted(told, key=lambda one: (not covers(one, offset), one["id"]))


def _last(finding: Row) -> int:
    return int(finding["first_offset"] if finding["last_offset"] is None else finding["last_offset"])


def _more(finding: Row) -> Row:
    readers, moments = finding.get("readers"), moments_of(finding, "/headline")
    return {"impact": readers["impact"] if readers else None, **({"moments": moments} if moments else {})}


def covers(finding: Row, offset: int) -> bool:
    """Return whether a finding is about this very offset."""
    return bool(finding["first_offset"] <= offset <= _last(finding))


def with_findings(outcome: Outcome, visible: Visible, found: Sequence[Row], offset: int) -> tuple[Outcome, Visible]:
    """Return what became of a record, and who is given it, with what findings say against its marker.

    A marker may be that of another transaction, and the cleaner may have kept aborted records: then readers are given
    what was aborted, or not what was committed.
    """
    told = next((one for one in found if one["impact"] and covers(one, offset)), None)
    if told is None:
        return outcome, visible
    headline = template(told["headline"], moments_of(told, "/headline"))
    said = dataclasses.replace(outcome, why=f"{outcome.why}. But {told['id']} ({told['confidence']}): {headline}")
    if told["impact"] == "wrong_data" and outcome.word in {"aborted", "unknown"}:
        return said, Visible(to_read_committed=True, why=f"although it was not committed: {told['id']}")
    return said, visible
