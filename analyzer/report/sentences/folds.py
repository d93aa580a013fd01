"""What is folded under an incident in other places, and the orphaned transactions that must be ended by hand."""

from collections.abc import Iterator

from analyzer.report.document.types import Document, Finding, OpenTransaction
from analyzer.report.sentences.cells import name, visible
from analyzer.report.sentences.gaps import open_words
from analyzer.report.sentences.triage import Incident

SHOWN = 20
_SEVERITIES = {"critical": 0, "warning": 1, "info": 2}
_ABOUT = ("topic", "partition", "transactional_id", "group")
ORPHANED = "Orphaned: neither their clients nor a timeout can end these"


def folded_elsewhere(incident: Incident) -> tuple[list[str], int]:
    """Return a line for each folded finding about another place or id than its head, and the number of those left out.

    The gravest come first. What is folded in the head's own place is named by its code alone.
    """
    others = [one for one in incident.folded if _differs(one, incident.finding)]
    others.sort(key=lambda one: (_SEVERITIES[one["severity"]], one["code"], one["topic"] or "", one["partition"] or 0))
    lines = [f"{name(one['name'])}: {visible(one['headline']).strip()} ({name(one['id'])})" for one in others[:SHOWN]]
    return lines, len(others) - len(lines)


def _differs(one: Finding, head: Finding) -> bool:
    return any(one.get(field) is not None and one.get(field) != head.get(field) for field in _ABOUT)


def orphaned(document: Document) -> list[OpenTransaction]:
    """Return the open transactions that are orphaned, of the replicas that are judged."""
    return [one for one in document["open_transactions"] if one["authority"] and one["verdict"] == "orphaned"]


def orphan_lines(document: Document) -> Iterator[str]:
    """Yield each orphaned open transaction with what to do about it."""
    actions = {one["id"]: one["action"]["kind"] for one in document["findings"]}
    words = {"abort": "abort", "save_then_abort": "DO NOT ABORT", "fetch": "cannot tell"}
    for one in orphaned(document):
        kind = actions.get(one.get("finding") or "")
        told = words.get(kind or "", f"see {one.get('finding') or 'its finding'}")
        yield f"{told}  {open_words(one)}"
