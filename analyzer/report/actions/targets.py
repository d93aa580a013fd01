"""The open transactions of a document, those that an action ends, and what their partitions do afterwards."""

import dataclasses
from collections import defaultdict
from collections.abc import Sequence

from analyzer.kafka.topics import OFFSETS_TOPIC, STATE_TOPIC
from analyzer.report.document.types import Document, Finding, OpenTransaction, Partition
from analyzer.report.sentences.cells import name
from analyzer.report.sentences.quantities import span

ORPHAN = "RTE004"
"""Findings on states that no broker looks for."""


@dataclasses.dataclass(frozen=True, slots=True)
class Target:
    """One open transaction in one partition; `epoch` is the producer epoch that the broker should show.

    `id_state`: the newest state of its id in the capture, what its coordinator should answer; None if unknown.
    `last_offset` is None where no batch of it is here: an answer or snapshot tells where it begins, not where it ends.
    """

    topic: str
    partition: int
    replica: str | None
    transactional_id: str | None
    producer_id: int | None
    epoch: int | None
    coordinator_epoch: int | None
    first_offset: int
    last_offset: int | None
    id_state: str | None = None

    @property
    def place(self) -> str:
        """`topic-partition`."""
        return f"{self.topic}-{self.partition}"

    @property
    def owner(self) -> str:
        """The transactional id as a reader types it, or the producer id."""
        return owner(self.transactional_id, self.producer_id)

    @property
    def records(self) -> str:
        """What an abort discards, by its offsets; records of others that lie between stay."""
        what = "offset commits" if self.holds_positions else "records"
        if self.last_offset is None:
            return f"all its {what} from {self.first_offset} on"
        return f"its {what} at {span(self.first_offset, self.last_offset)}"

    @property
    def holds_positions(self) -> bool:
        """Whether its records are offset commits, which no client can produce."""
        return self.topic == OFFSETS_TOPIC


def owner(transactional_id: str | None, producer_id: int | None) -> str:
    """Return whose a transaction is: its id as a reader types it, else its producer."""
    return name(transactional_id) if transactional_id else f"producer {producer_id}"


class Opened:
    """What the judged replicas (`authority`) hold open, in the document's order: every finding asks for its own."""

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


def targets_of(finding: Finding, document: Document) -> tuple[Target, ...]:
    """Return what must be ended: the open transaction at the finding's place, else those whose verdict it is."""
    opened = opened_of(document)
    here = opened.beside(finding["topic"], finding["partition"])
    own = [one for one in here if one["producer_id"] == finding["producer_id"]]
    found = tuple(_target(one, finding) for one in own or opened.judged_by(finding["id"]))
    return found or _alone(finding)


def _target(one: OpenTransaction, finding: Finding) -> Target:
    epoch = one.get("highest_data_epoch")
    return Target(
        topic=one["topic"],
        partition=one["partition"],
        replica=one["replica"],
        transactional_id=one.get("transactional_id") or finding["transactional_id"],
        producer_id=one["producer_id"],
        epoch=one["producer_epoch"] if epoch is None else epoch,
        coordinator_epoch=one.get("coordinator_epoch"),
        first_offset=one["first_offset"],
        last_offset=None if epoch is None else one["last_offset"],
        id_state=one.get("id_state") or _known_state(finding),
    )


def _known_state(finding: Finding) -> str | None:
    """Return the state that a finding names; that of an orphan is not what its id's coordinator answers."""
    return None if finding["code"] == ORPHAN else finding["action"].get("state")


def _alone(finding: Finding) -> tuple[Target, ...]:
    """Return the finding's own place, where the document lists no open transaction for it."""
    topic, partition, first = finding["topic"], finding["partition"], finding["first_offset"]
    if topic is None or partition is None or first is None or topic == STATE_TOPIC:
        return ()
    last = first if finding["last_offset"] is None else finding["last_offset"]
    epoch, whose = finding["producer_epoch"], finding["transactional_id"]
    state = _known_state(finding)
    replica, producer_id = finding["replica"], finding["producer_id"]
    return (Target(topic, partition, replica, whose, producer_id, epoch, None, first, last, state),)


def stable(
    target: Target, document: Document, ended: Sequence[Target] = ()
) -> tuple[int | None, OpenTransaction | None]:
    """Return the LSO of the target's partition, and the open transaction that holds it there, once `ended` are.

    No transaction: it is the log's end. None as the LSO if no bounds of the partition are known. Where the data of a
    transaction has left the log, the LSO stands at the log's start.
    """
    gone = {(one.topic, one.partition, one.producer_id) for one in ended}
    opened = opened_of(document)
    here = opened.beside(target.topic, target.partition)
    others = [one for one in here if (one["topic"], one["partition"], one["producer_id"]) not in gone]
    first = min(others, key=lambda one: one["first_offset"], default=None)
    health = opened.health_of(target.topic, target.partition)
    if first is None:
        return (health["log_end_offset"] if health else None), None
    return max(first["first_offset"], health["log_start_offset"] if health else 0), first
