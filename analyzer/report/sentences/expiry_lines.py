"""From the document's expiry report to the sentences that a reader needs: what outlived its id, and what is due."""

from analyzer.report.document.group_rows import Expiry
from analyzer.report.document.types import Document
from analyzer.report.sentences.cells import name
from analyzer.report.sentences.quantities import counted, moment

SHOWN = 10


def expiry_sentences(document: Document) -> list[str]:
    """Return a sentence for each producer that outlived its id, and one for each id whose time has come; at most 10."""
    rows = document.get("expiry") or []
    told = [_sentence(row) for row in rows if row["outlived"] or row["id_status"] in {"due", "expired"}]
    more = len(told) - SHOWN
    return told[:SHOWN] + ([f"and {counted(more, 'id')} more, in the JSON document"] if more > 0 else [])


def _sentence(row: Expiry) -> str:
    who = f"producer {row['producer_id']}"
    transactional_id = row.get("transactional_id")
    if transactional_id is not None:
        who = f"{name(transactional_id)} ({who})"
    if row["outlived"]:
        left = counted(row["open_transactions"], "open transaction")
        return f"{who}: no coordinator knows it any more; only an administrator ends its {left}"
    expires = row.get("id_expires_ms")
    when = f" on {moment(expires)}" if expires is not None else ""
    return f"{who}: its transactional.id {'was deleted' if row['id_status'] == 'expired' else 'could expire'}{when}"
