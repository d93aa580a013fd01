"""A small cluster: partition leaders that keep transactions open or end them, and a coordinator that decides and sends markers."""

import dataclasses
import random
from collections.abc import Iterator

from dump_text import Batch, State

from analyzer.kafka.hashing import partition_for

START_MS = 1_767_261_600_000
"""2026-01-01T10:00:00Z"""
LAST_EPOCH = 32_767


@dataclasses.dataclass(slots=True)
class Log:
    """A partition as its leader keeps it; `open` has the first offset of each producer id's open transaction."""

    name: str
    timestamp_type: str = "CreateTime"
    leader_epoch: int = 0
    brokers: tuple[int, ...] = (0,)
    broker: int = 0
    batches: list[Batch] = dataclasses.field(default_factory=list)
    open: dict[int, int] = dataclasses.field(default_factory=dict)

    @property
    def end(self) -> int:
        return self.batches[-1].last_offset + 1 if self.batches else 0

    @property
    def lso(self) -> int:
        return min([self.end, *self.open.values()])

    def append(self, count: int, **fields) -> int:
        """Append a batch; a marker ends the producer id's transaction, transactional data opens one."""
        first = self.end
        batch = Batch(first, first + count - 1, leader_epoch=self.leader_epoch, **fields)
        self.batches.append(batch)
        if batch.marker is not None:
            self.open.pop(batch.producer_id, None)
        elif batch.transactional:
            self.open.setdefault(batch.producer_id, first)
        return first


@dataclasses.dataclass(slots=True)
class Entry:
    """What the coordinator knows of a transactional id, and what its client knows."""

    transactional_id: str
    producer_id: int
    version: int
    timeout_ms: int
    skew_ms: int
    events_ms: int = 0
    epoch: int = -1
    state: str = ""
    partitions: list[str] = dataclasses.field(default_factory=list)
    pending: list[str] = dataclasses.field(default_factory=list)
    started_ms: int = 0
    decided_ms: int = 0
    fenced: bool = False
    forgotten: bool = False
    sequences: dict[str, int] = dataclasses.field(default_factory=dict)


class Cluster:
    """Brokers that lead some partitions and coordinate those of `__transaction_state`, each with a clock of its own."""

    def __init__(
        self,
        rng: random.Random,
        topics: list[str],
        state_count: int,
        clocks_ms: tuple[int, ...] = (0,),
        client_skews_ms: tuple[int, ...] = (0, 0, -1500, -60_000),
        client_events_ms: tuple[int, ...] = (),
        *,
        apart: bool = False,
    ) -> None:
        """Make an empty cluster; about one partition in three stamps batches itself (LogAppendTime).

        `clocks_ms`: how far the clock of each broker is ahead; each client's clock is by one of `client_skews_ms`. Where
        there are `client_events_ms`, each gives its records the times of events from about one of these ago. `apart`:
        the first broker coordinates everything, and the others lead the rest.
        """
        self.rng = rng
        self.now = START_MS
        self.clocks_ms = clocks_ms
        self.client_skews_ms = client_skews_ms
        self.client_events_ms = client_events_ms
        self.logs = {name: Log(name, rng.choice(("CreateTime", "CreateTime", "LogAppendTime"))) for name in topics}
        self.states = {number: Log(f"__transaction_state-{number}") for number in range(state_count)}
        every = tuple(range(len(clocks_ms)))
        for turn, log in enumerate((*self.states.values(), *self.logs.values())):
            log.brokers = every if not apart else every[:1] if log in self.states.values() else every[1:]
            log.broker = log.brokers[turn % len(log.brokers)]
        self.entries: dict[str, Entry] = {}
        self.coordinator_epochs = dict.fromkeys(self.states, 0)
        self.lost: set[tuple[str, str]] = set()
        self.next_producer_id = 1

    def tick(self, most_ms: int = 40) -> None:
        """Let time pass."""
        self.now += self.rng.randint(1, most_ms)

    def by_clock_of(self, log: Log) -> int:
        """The time by the clock of the broker that leads this log."""
        return self.now + self.clocks_ms[log.broker]

    def elect(self, log: Log) -> None:
        """Let the next broker lead this log."""
        log.leader_epoch += 1
        log.broker = log.brokers[(log.brokers.index(log.broker) + 1) % len(log.brokers)]

    def state_partition(self, entry: Entry) -> int:
        return partition_for(entry.transactional_id, len(self.states))

    def init(self, transactional_id: str, version: int, timeout_ms: int, epoch: int = 0) -> Entry:
        """InitProducerId: a new id gets a producer id, a known one a higher epoch, or a new producer id at the last."""
        entry = self.entries.get(transactional_id)
        if entry is None:
            skew = self.rng.choice(self.client_skews_ms)
            events = self.rng.choice(self.client_events_ms) if self.client_events_ms else 0
            entry = Entry(transactional_id, self._new_producer_id(), version, timeout_ms, skew, events, epoch)
            self.entries[transactional_id] = entry
        else:
            if entry.state == "Ongoing":
                self.end(entry, "ABORT", by_coordinator=True)
            self.settle(entry)
            self._raise_epoch(entry)
        entry.sequences.clear()
        entry.fenced = False
        self.record(entry, "Empty")
        return entry

    def register(self, entry: Entry, name: str) -> None:
        """AddPartitionsToTxn, or what TV2 does at the first produce."""
        if entry.state == "Ongoing" and name in entry.partitions:
            return
        self.settle(entry)
        if entry.state != "Ongoing":
            entry.partitions, entry.started_ms = [], self.now
        entry.partitions.append(name)
        self.record(entry, "Ongoing")

    def produce(self, entry: Entry, name: str, count: int) -> int:
        """A batch of the id; sequences go on until the epoch changes."""
        log = self.logs[name]
        sequence = entry.sequences.get(name, 0)
        entry.sequences[name] = sequence + count
        created = self.now - self.rng.randint(0, 30) + entry.skew_ms
        if entry.events_ms:
            created -= self.rng.randint(entry.events_ms // 2, entry.events_ms * 3 // 2)
        return log.append(
            count,
            timestamp=self.by_clock_of(log) if log.timestamp_type == "LogAppendTime" else created,
            timestamp_type=log.timestamp_type,
            producer_id=entry.producer_id,
            producer_epoch=entry.epoch,
            sequence=sequence,
            transactional=True,
        )

    def noise(self, name: str) -> None:
        """Data outside of transactions."""
        log = self.logs[name]
        log.append(self.rng.randint(1, 3), timestamp=self.by_clock_of(log), timestamp_type=log.timestamp_type)

    def end(self, entry: Entry, decision: str, *, by_coordinator: bool = False) -> None:
        """EndTxn, or the coordinator's own abort: a Prepare record; TV2 and the coordinator raise the epoch."""
        if entry.version == 2 or by_coordinator:
            entry.epoch += 1
            entry.sequences.clear()
        entry.fenced = by_coordinator
        if entry.state != "Ongoing":
            entry.partitions, entry.started_ms = [], self.now
        self.record(entry, f"Prepare{decision.capitalize()}")
        entry.pending, entry.decided_ms = list(entry.partitions), self.now

    def deliver(self, entry: Entry) -> None:
        """Write one marker, or the Complete record when all are written."""
        if entry.pending:
            name = entry.pending.pop(self.rng.randrange(len(entry.pending)))
            if (entry.transactional_id, name) not in self.lost:
                self._mark(entry, self.logs[name])
            return
        decision = entry.state.removeprefix("Prepare")
        entry.partitions = []
        if entry.epoch == LAST_EPOCH:
            entry.producer_id, entry.epoch = self._new_producer_id(), 0
        self.record(entry, f"Complete{decision}")

    def settle(self, entry: Entry) -> None:
        """What a client does that is answered CONCURRENT_TRANSACTIONS: it waits until the decision is complete."""
        while entry.state.startswith("Prepare"):
            self.tick()
            self.deliver(entry)

    def expire(self) -> None:
        """Abort what is over its timeout."""
        for entry in self.entries.values():
            over = self.now > entry.started_ms + entry.timeout_ms
            if entry.state == "Ongoing" and over and not entry.forgotten:
                self.end(entry, "ABORT", by_coordinator=True)

    def restart(self, state_partition: int) -> None:
        """Elect another coordinator: what is prepared gets all its markers again."""
        self.coordinator_epochs[state_partition] += 1
        self.elect(self.states[state_partition])
        for entry in self.waiting():
            if self.state_partition(entry) == state_partition:
                entry.pending = list(entry.partitions)

    def waiting(self) -> list[Entry]:
        """The ids with a decision under way."""
        return [entry for entry in self.entries.values() if entry.state.startswith("Prepare")]

    def record(self, entry: Entry, state: str) -> None:
        """Append a record to the id's state partition and make it the id's state."""
        entry.state = state
        log = self.states[self.state_partition(entry)]
        value = State(
            entry.transactional_id,
            entry.producer_id,
            entry.epoch,
            state,
            tuple(entry.partitions) if state == "Ongoing" or state.startswith("Prepare") else (),
            self.by_clock_of(log),
            entry.timeout_ms,
        )
        log.append(1, timestamp=self.by_clock_of(log), state=value)

    def open_transactions(self) -> Iterator[tuple[str, int, int]]:
        """Partition, producer id and first offset of everything that is open."""
        for name, log in self.logs.items():
            for producer_id, first in log.open.items():
                yield name, producer_id, first

    def _mark(self, entry: Entry, log: Log) -> None:
        log.append(
            1,
            timestamp=max(entry.decided_ms, self.now - self.rng.randint(0, 3)) + self.clocks_ms[log.broker],
            producer_id=entry.producer_id,
            producer_epoch=entry.epoch,
            transactional=True,
            marker=entry.state.removeprefix("Prepare").upper(),
            coordinator_epoch=self.coordinator_epochs[self.state_partition(entry)],
        )

    def _new_producer_id(self) -> int:
        self.next_producer_id += 1
        return self.next_producer_id - 1

    def _raise_epoch(self, entry: Entry) -> None:
        entry.epoch += 1
        if entry.epoch >= LAST_EPOCH:
            entry.producer_id, entry.epoch = self._new_producer_id(), 0
