"""The faults that are put into a legal history, one at a time, and the findings that each must give."""

from cluster import Cluster, Entry
from histories import TOPICS, finish, settled, transaction

Findings = set[tuple[str, str, int, int]]


def late_after_abort(cluster: Cluster, victim: Entry, name: str) -> Findings:
    """A batch comes after the ABORT marker of its transaction."""
    return _late(cluster, victim, name, "ABORT")


def late_after_commit(cluster: Cluster, victim: Entry, name: str) -> Findings:
    """A batch comes after the COMMIT marker of its transaction."""
    return _late(cluster, victim, name, "COMMIT")


def unregistered(cluster: Cluster, victim: Entry, name: str) -> Findings:
    """The id's last transaction writes to a partition that it never added."""
    others = [other for other in TOPICS if other != name]
    cluster.register(victim, others[0])
    cluster.tick()
    first = cluster.produce(victim, name, 3)
    finish(cluster, transaction(cluster, victim, others, "COMMIT"))
    finish(cluster, settled(victim))
    return {("TXN003", name, first, first + 2)}


def lost_commit(cluster: Cluster, victim: Entry, name: str) -> Findings:
    """The COMMIT marker of the id's last transaction is not in one of its partitions."""
    return _lost_for_good(cluster, victim, name, "COMMIT", "TXN004")


def lost_abort(cluster: Cluster, victim: Entry, name: str) -> Findings:
    """The ABORT marker of the id's last transaction is not in one of its partitions."""
    return _lost_for_good(cluster, victim, name, "ABORT", "TXN005")


def overdue(cluster: Cluster, victim: Entry, name: str) -> Findings:
    """The coordinator forgets to end a transaction."""
    victim.forgotten = True
    cluster.register(victim, name)
    cluster.tick()
    first = cluster.produce(victim, name, 2)
    return {("TXN001", name, first, first + 1)}


def late_then_next(cluster: Cluster, victim: Entry, name: str) -> Findings:
    """A late batch is ended by the marker of the id's next transaction in the same partition."""
    ((_, _, first, last),) = _late(cluster, victim, name, "ABORT")
    _pass(cluster, name)
    finish(cluster, transaction(cluster, victim, TOPICS, "COMMIT"))
    finish(cluster, settled(victim))
    return {("TXN011", name, first, last)}


def lost_then_next(cluster: Cluster, victim: Entry, name: str) -> Findings:
    """A marker is lost, and the marker of the id's next transaction ends the data of both."""
    ((_, _, first, last),) = _lost(cluster, victim, name, "COMMIT", "")
    cluster.lost.clear()
    _pass(cluster, name)
    finish(cluster, transaction(cluster, victim, TOPICS, "ABORT"))
    finish(cluster, settled(victim))
    return {("TXN011", name, first, last)}


def skipped_sequences(cluster: Cluster, victim: Entry, name: str) -> Findings:
    """Five sequences of the id are nowhere in a log from which nothing was taken."""
    cluster.register(victim, name)
    cluster.produce(victim, name, 2)
    victim.sequences[name] += 5
    cluster.tick()
    first = cluster.produce(victim, name, 3)
    cluster.tick()
    cluster.end(victim, "COMMIT")
    finish(cluster, settled(victim))
    return {("PID003", name, first, first + 2)}


def forged_epoch(cluster: Cluster, victim: Entry, name: str) -> Findings:
    """Somebody writes with the id's producer id and a higher epoch; the id goes on elsewhere with its own."""
    log = cluster.logs[name]
    first = log.append(
        2,
        timestamp=cluster.by_clock_of(log),
        timestamp_type=log.timestamp_type,
        producer_id=victim.producer_id,
        producer_epoch=victim.epoch + 3,
        sequence=0,
        transactional=True,
    )
    cluster.now += 2_000
    others = [other for other in TOPICS if other != name]
    finish(cluster, transaction(cluster, victim, others, "COMMIT"))
    finish(cluster, settled(victim))
    return {(code, name, first, first + 1) for code in ("PID001", "PID002")}


ALL = (
    late_after_abort, late_after_commit, unregistered, lost_commit, lost_abort, overdue, late_then_next, lost_then_next,
    skipped_sequences, forged_epoch,
)  # fmt: skip


def _late(cluster: Cluster, victim: Entry, name: str, decision: str) -> Findings:
    finish(cluster, transaction(cluster, victim, [name], decision))
    finish(cluster, settled(victim))
    cluster.tick()
    first = cluster.produce(victim, name, 2)
    return {("TXN002", name, first, first + 1)}


def _lost(cluster: Cluster, victim: Entry, name: str, decision: str, code: str) -> Findings:
    cluster.lost.add((victim.transactional_id, name))
    cluster.register(victim, name)
    cluster.tick()
    first = cluster.produce(victim, name, 2)
    cluster.tick()
    cluster.end(victim, decision)
    finish(cluster, settled(victim))
    return {(code, name, first, first + 1)}


def _lost_for_good(cluster: Cluster, victim: Entry, name: str, decision: str, code: str) -> Findings:
    found = _lost(cluster, victim, name, decision, code)
    _pass(cluster, name)
    return found


def _pass(cluster: Cluster, name: str) -> None:
    """Let another id write, be decided and complete behind the fault, so that time can be told."""
    other = cluster.init("witness", 0, 60_000)
    finish(cluster, transaction(cluster, other, [name], "COMMIT", batches=0))
    finish(cluster, settled(other))
    cluster.now += cluster.rng.choice((100, 5_000))
