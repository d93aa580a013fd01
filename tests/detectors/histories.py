"""From a seed to a history: clients that take random turns on a small cluster, legally or with one fault."""

import dataclasses
import random
from collections.abc import Callable, Generator

from cluster import Cluster, Entry

Steps = Generator[None, None, None]
TOPICS = ["orders-0", "orders-1", "pay-ments-0"]


@dataclasses.dataclass(slots=True)
class History:
    """A cluster after its run, and what must be found in it: code, partition, first and last offset of each finding."""

    name: str
    cluster: Cluster
    captured_at: int = 0
    expected: set[tuple[str, str, int, int]] = dataclasses.field(default_factory=set)
    fault_open: tuple[str, int] | None = None


def client(cluster: Cluster, transactional_id: str, version: int, transactions: int) -> Steps:
    """A healthy client: registers, produces, ends, waits for the end; now and then it stalls and is timed out."""
    rng = cluster.rng
    epoch = rng.choice((0, 0, 0, 32_760)) if transactions > 3 else 0
    entry = cluster.init(transactional_id, version, rng.choice((400, 60_000, 60_000)), epoch)
    yield
    for _ in range(transactions):
        if entry.fenced or rng.random() < 0.1:
            cluster.init(transactional_id, version, entry.timeout_ms)
            yield
        yield from transaction(cluster, entry, rng.sample(TOPICS, rng.randint(1, len(TOPICS))))
        yield from settled(entry)


def transaction(
    cluster: Cluster, entry: Entry, names: list[str], decision: str | None = None, *, batches: int | None = None
) -> Steps:
    """One transaction over these partitions, each with a batch unless it is to be empty."""
    rng = cluster.rng
    empty = decision is None and rng.random() < 0.1
    early = rng.random() < 0.5
    for name in names if early or (empty and entry.version < 2) else ():
        cluster.register(entry, name)
        yield
    turns = [] if empty else names + rng.choices(names, k=rng.randint(0, 3) if batches is None else batches)
    for name in turns:
        if entry.fenced:
            return
        cluster.register(entry, name)
        yield
        if entry.fenced:
            return
        cluster.produce(entry, name, rng.randint(1, 4))
        yield
    if not entry.fenced and (entry.state == "Ongoing" or entry.version == 2):
        cluster.end(entry, decision or ("ABORT" if empty else rng.choice(("COMMIT", "COMMIT", "ABORT"))))


def settled(entry: Entry) -> Steps:
    """Wait until the coordinator has completed the id's transaction."""
    yield
    while entry.state.startswith("Prepare"):
        yield


def run(cluster: Cluster, clients: list[Steps], steps: int, *, elections: bool = True) -> None:
    """Let clients, coordinator and other traffic take random turns."""
    rng = cluster.rng
    living = list(clients)
    for _ in range(steps):
        cluster.tick()
        cluster.expire()
        waiting = cluster.waiting()
        if waiting and rng.random() < 0.4:
            cluster.deliver(rng.choice(waiting))
        elif rng.random() < 0.03:
            cluster.restart(rng.choice(list(cluster.states)))
        elif rng.random() < 0.05:
            cluster.noise(rng.choice(TOPICS))
        elif elections and rng.random() < 0.01:
            cluster.elect(cluster.logs[rng.choice(TOPICS)])
        elif living:
            turn = rng.choice(living)
            if next(turn, "done") == "done":
                living.remove(turn)


def finish(cluster: Cluster, one: Steps) -> None:
    """Let one client go on to its end, with the coordinator at work, before anything else happens."""
    for _ in one:
        cluster.tick()
        for entry in cluster.waiting():
            cluster.deliver(entry)


def legal(
    seed: int,
    clocks_ms: tuple[int, ...] = (0,),
    *,
    calm: bool = False,
    events: tuple[int, ...] = (),
    apart: bool = False,
) -> History:
    """A history without a fault, cut at any moment: some transactions are still running.

    `clocks_ms`: how far the clock of each broker is ahead, `apart`: that of the only coordinator first. `calm`: all clients' clocks are right and no partition
    changes its leader. `events`: how long ago those events were, ms, of which clients give their records the times.
    """
    rng = random.Random(f"legal {seed}")
    skews = (0,) if calm else (0, 0, -1500, 1500, -60_000)
    cluster = Cluster(rng, TOPICS, rng.choice((1, 3, 5)), clocks_ms, skews, events, apart=apart)
    clients = [client(cluster, f"app-{number}", rng.choice((0, 2)), rng.randint(1, 6)) for number in range(4)]
    run(cluster, clients, rng.randint(20, 220), elections=not calm)
    cluster.expire()
    return History(f"legal-{seed}", cluster, cluster.now)


Fault = Callable[[Cluster, Entry, str], set[tuple[str, str, int, int]]]


def faulty(fault: Fault, seed: int, clocks_ms: tuple[int, ...] = (0,)) -> History:
    """A legal history of three ids, one more id with the fault, and legal traffic after it."""
    rng = random.Random(f"{fault.__name__} {seed}")
    cluster = Cluster(rng, TOPICS, rng.choice((1, 3, 5)), clocks_ms)
    clients = [client(cluster, f"app-{number}", rng.choice((0, 2)), 12) for number in range(3)]
    run(cluster, clients, rng.randint(20, 80))
    victim = cluster.init("victim", 0, 60_000)
    for _ in range(rng.randint(0, 2)):
        finish(cluster, transaction(cluster, victim, rng.sample(TOPICS, 2), rng.choice(("COMMIT", "ABORT"))))
        finish(cluster, settled(victim))
        run(cluster, clients, rng.randint(0, 20))
    name = rng.choice(TOPICS)
    history = History(f"{fault.__name__}-{seed}", cluster)
    history.expected = fault(cluster, victim, name)
    if victim.producer_id in cluster.logs[name].open:
        history.fault_open = (name, victim.producer_id)
    run(cluster, clients, rng.randint(60, 120))
    if victim.forgotten or seed % 2:
        cluster.now += 200_000
        cluster.expire()
        drain(cluster)
    history.captured_at = cluster.now
    return history


def drain(cluster: Cluster) -> None:
    """Let the coordinator complete everything that is decided."""
    for entry in cluster.waiting():
        while entry.state.startswith("Prepare"):
            cluster.tick()
            cluster.deliver(entry)
