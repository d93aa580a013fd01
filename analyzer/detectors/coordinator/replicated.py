"""Whether a record of the coordinator was replicated, and what is said where it was not (RULES A 3, A 11)."""

import dataclasses

from analyzer.kafka.clocks import CHECKPOINTED_MS, COPYING_MS


@dataclasses.dataclass(frozen=True, slots=True)
class Record:
    """A decision that its state partition (`__transaction_state-N`) ends with: its offset, and how old it is, ms.

    mark: the highest high watermark of that partition, of any copy; None where none is here. marked: a marker of the
    decision is here, and a coordinator sends none before the record is replicated.
    """

    state_place: str
    offset: int
    age_ms: int
    mark: int | None
    marked: bool

    @property
    def unreplicated(self) -> bool:
        """Whether a high watermark that is younger than the record is not above it."""
        below = self.mark is not None and self.mark <= self.offset
        return below and not self.marked and self.age_ms >= COPYING_MS + CHECKPOINTED_MS

    @property
    def steps(self) -> tuple[str, ...]:
        """What shows that it was not replicated."""
        told = f"the high watermark of {self.state_place} is {self.mark}, not above this record at {self.offset}"
        return (f"{told}: it was not on every replica in sync",) if self.unreplicated else ()

    @property
    def causes(self) -> tuple[str, ...]:
        """Why it is not carried out then."""
        told = (
            f"replicas of {self.state_place} are down or not in sync (min.insync.replicas): its coordinator takes back "
            "a decision that is not replicated in time, and the transaction runs until its timeout"
        )
        return (told,) if self.unreplicated else ()

    @property
    def settled_by(self) -> str | None:
        """The file that would tell."""
        if self.mark is None and not self.marked:
            leaders = f"replication-offset-checkpoint of the leader of {self.state_place}"
            return f"{leaders}: whether this record was replicated"
        return f"the other copies of {self.state_place}" if self.unreplicated else None

    def summary(self, place: str, decision: str, again: str) -> str | None:
        """Return what to do then; `place` lacks the marker, `again` says how it comes. None where it was replicated."""
        if not self.unreplicated:
            return None
        return (
            f"BRING BACK THE REPLICAS of {self.state_place}, then the leader of {place}. DO NOT ABORT: this record "
            f"says {decision}, and once it is replicated {again} Take a new capture then: the record may be taken back."
        )
