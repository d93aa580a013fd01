"""Producers whose transactional id is gone, and ids that are due to expire, as sentences."""

from analyzer.report.document.group_rows import Expiry
from analyzer.report.document.types import Document
from analyzer.report.sentences.cells import name
from analyzer.report.sentences.quantities import counted
from analyzer.report.sentences.times import Clock

SHOWN = 10


def expiry_sentences(document: Document, clock: Clock) -> list[str]:
    """Return a sentence for each producer that outlived its id, and one for each id that is due or gone; at most 10."""
    rows = document.get("expiry") or []
    told = [_sentence(row, clock) for row in rows if row["id_status"] in {"due", "expired"}]
    more = len(told) - SHOWN
    return told[:SHOWN] + ([f"and {counted(more, 'id')} more, in the JSON document"] if more > 0 else [])


def _sentence(row: Expiry, clock: Clock) -> str:
    """Return one producer's sentence."""
    who = f"producer {row['producer_id']}"
    transactional_id = row.get("transactional_id")
    if transactional_id is not None:
        who = f"{name(transactional_id)} ({who})"
    if row["outlived"]:
        left = "open transaction" if row["open_transactions"] == 1 else f"{row['open_transactions']} open transactions"
        return f"{who}: no coordinator knows it any more, so its {left} must be aborted by hand"
    expires = row.get("id_expires_ms")
    when = f" at {clock.moment(expires)}" if expires is not None else ""
    return f"{who}: its transactional.id {'was deleted' if row['id_status'] == 'expired' else 'could expire'}{when}"
