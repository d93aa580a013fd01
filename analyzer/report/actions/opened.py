"""The open transactions of a document by partition and by finding, so that thousands of findings ask for theirs."""

from collections import defaultdict
from collections.abc import Sequence

from analyzer.report.document.types import Document, OpenTransaction, Partition


class Opened:
    """What the judged replicas (`authority`) of a document hold open, in the document's order."""

    def __init__(self, document: Document) -> None:
        """Sort the open transactions and the partitions of this document by where they are."""
        self._source = document["open_transactions"], document["partitions"]
        self._here = defaultdict[tuple[str | None, int | None], list[OpenTransaction]](list)
        self._judged = defaultdict[str | None, list[OpenTransaction]](list)
        self._health = dict[tuple[str, int], Partition]()
        for one in document["open_transactions"]:
            if one["authority"]:
                self._here[one["topic"], one["partition"]].append(one)
                self._judged[one.get("finding")].append(one)
        for health in document["partitions"]:
            if health["authority"]:
                self._health.setdefault((health["topic"], health["partition"]), health)

    def is_of(self, document: Document) -> bool:
        """Return whether these are the open transactions and partitions of this very document."""
        opened, partitions = self._source
        return opened is document["open_transactions"] and partitions is document["partitions"]

    def beside(self, topic: str | None, partition: int | None) -> Sequence[OpenTransaction]:
        """Return what a partition holds open."""
        return self._here.get((topic, partition), ())

    def judged_by(self, finding: str) -> Sequence[OpenTransaction]:
        """Return the open transactions whose verdict rests on the finding with this id."""
        return self._judged.get(finding, ())

    def health_of(self, topic: str, partition: int) -> Partition | None:
        """Return the bounds of a partition, None if they are not known."""
        return self._health.get((topic, partition))


_newest: list[Opened] = []


def opened_of(document: Document) -> Opened:
    """Return the document's open transactions; sorted once, as long as the same document is asked for."""
    if not _newest or not _newest[0].is_of(document):
        _newest[:] = [Opened(document)]
    return _newest[0]
