"""Since when each finding of a document has been in the case: the same fault has the same id in every capture."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analyzer.storage.reading.rows import StoredRows

Row = dict[str, Any]


def with_history(documents: Sequence[Row], read: StoredRows) -> list[Row]:
    """Return these documents with `first_seen` (epoch ms) and `status` (opened, still) for each finding.

    The status is against the capture before, by the moments that captures are judged at.
    """
    ids = {finding["id"] for document in documents for finding in document["findings"]}
    if not ids:
        return list(documents)
    taken = {row["capture"]: row["captured_at"] for row in read("summaries", {}, ("capture", "captured_at"))}
    moments = [at for at in taken.values() if at is not None]
    found = read("findings", {"id": sorted(ids)}, ("capture", "id"))
    seen = [(row["id"], taken[row["capture"]]) for row in found if taken.get(row["capture"]) is not None]
    return [{**document, "findings": list(_findings(document, seen, moments))} for document in documents]


def _findings(document: Mapping[str, Any], seen: Sequence[tuple[str, int]], taken: Sequence[int]) -> Iterator[Row]:
    now = document["capture"]["captured_at"]
    before = max((at for at in taken if now is None or at < now), default=None)
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for identity, at in seen:
        if now is None or at < now:
            first[identity] = min(at, first.get(identity, at))
            last[identity] = max(at, last.get(identity, at))
    for finding in document["findings"]:
        identity = finding["id"]
        status = "still" if before is not None and last.get(identity) == before else "opened"
        yield {**finding, "first_seen": first.get(identity, now), "status": status}
