"""What a document says of the transactions that its pictures draw."""

import dataclasses
from collections.abc import Mapping

from analyzer.report.document.types import Document
from analyzer.report.sentences.action_words import impact_of

Begin = tuple[str, int, int, int | None]
"""Topic, partition, producer id and first offset of a transaction."""


@dataclasses.dataclass(frozen=True, slots=True)
class Known:
    """What a document says of the transactions that are drawn.

    `verdicts`: of open ones. `exposed`: those whose aborted records readers were shown. `lost`: producers of committed
    transactions of which nothing is left, by topic and partition. `saved`: committed data that only this replica still
    has, by topic, partition, replica, producer id and first offset.
    """

    verdicts: Mapping[Begin, str]
    exposed: frozenset[Begin]
    lost: frozenset[tuple[str, int, int]]
    saved: frozenset[tuple[str, int, str, int, int]] = frozenset()


NOTHING = Known({}, frozenset(), frozenset())


def known_of(document: Document) -> Known:
    """Return what the document says of the transactions that its timelines draw."""
    harmed = [one for one in document["findings"] if one["producer_id"] is not None]
    return Known(
        {
            (one["topic"], one["partition"], one["producer_id"], one["first_offset"]): one["verdict"]
            for one in document["open_transactions"]
            if one["authority"]
        },
        frozenset(
            (one["topic"] or "", one["partition"] or 0, one["producer_id"] or 0, one["first_offset"])
            for one in harmed
            if impact_of(one) == "wrong_data"
        ),
        frozenset(
            (one["topic"] or "", one["partition"] or 0, one["producer_id"] or 0)
            for one in harmed
            if impact_of(one) == "lost_data"
        ),
        frozenset(
            (one["topic"], one["partition"], one["replica"], one["producer_id"], one["first_offset"])
            for one in document.get("rescuable") or []
        ),
    )
