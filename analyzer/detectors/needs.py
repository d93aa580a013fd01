"""What a cause needs of the cluster, so that one that cannot have been is not told (RULES E 8)."""

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from analyzer.detectors.cluster import Cluster, Period
from analyzer.kafka.settings import ELR_VERSION, METADATA_VERSION, MIN_ISR, VERIFICATION
from analyzer.tables.moments import moment

Proof = tuple[str, Mapping[str, Any]]
"""A sentence, and the reference to the record or line that shows it."""


class Need(Protocol):
    """Something without which a cause is impossible; the period is one that the controllers' log covers."""

    def met(self, cluster: Cluster, period: Period) -> bool:
        """Return False only where it is shown that it was not so at any time of the period."""

    def shown(self, cluster: Cluster, period: Period) -> Iterator[Proof]:
        """Yield what shows that it was so."""


@dataclasses.dataclass(frozen=True, slots=True)
class Had:
    """A setting of the brokers or the topic had this value."""

    name: str
    value: str

    def met(self, cluster: Cluster, period: Period) -> bool:
        """Return whether some value is this one, or is decided by files of brokers that may have changed since."""
        return any(one.setting in (None, self.value) for one in cluster.values(self.name, period))

    def shown(self, cluster: Cluster, period: Period) -> Iterator[Proof]:
        """Yield the records that set it so."""
        for one in cluster.values(self.name, period):
            if one.setting == self.value and one.ref is not None:
                whose = f"{one.resource_type} {one.resource}" if one.resource else "all brokers"
                since = "" if one.since_ms is None else f" since {moment(one.since_ms)}"
                yield f"{self.name} was {one.setting} for {whose}{since}", one.ref


@dataclasses.dataclass(frozen=True, slots=True)
class _Finalized:
    """A feature was finalized at levels that `_fits`."""

    feature: str
    level: int

    def met(self, cluster: Cluster, period: Period) -> bool:
        """Return whether it had such a level at any time."""
        return any(self._fits(_level(one.setting)) for one in cluster.values(self.feature, period))

    def shown(self, cluster: Cluster, period: Period) -> Iterator[Proof]:
        """Yield the records of such levels."""
        for one in cluster.values(self.feature, period):
            if self._fits(_level(one.setting)) and one.ref is not None and one.since_ms is not None:
                yield f"{self.feature} was {one.setting} since {moment(one.since_ms)}", one.ref

    def _fits(self, level: int) -> bool:
        raise NotImplementedError


class Below(_Finalized):
    """A feature was finalized below this level."""

    __slots__ = ()

    def _fits(self, level: int) -> bool:
        return level < self.level


class Reached(_Finalized):
    """A feature was finalized at this level or above; unlike other needs, it counts only where it is known."""

    __slots__ = ()

    def _fits(self, level: int) -> bool:
        return level >= self.level


@dataclasses.dataclass(frozen=True, slots=True)
class Happened:
    """The controllers' log has this event of the partition; `words` say so, with the place, the broker and the time.

    `known`: it counts only where an event shows it, not where some were left out.
    """

    event: str
    words: str
    known: bool = False

    def met(self, cluster: Cluster, period: Period) -> bool:
        """Return whether there was one."""
        return any(cluster.happened((self.event,), period)) or not (self.known or cluster.whole)

    def shown(self, cluster: Cluster, period: Period) -> Iterator[Proof]:
        """Yield each."""
        place = f"{period.topic}-{period.partition}"
        for one in cluster.happened((self.event,), period):
            if one["ref"] is not None:
                at = moment(one["changed_ms"])
                yield self.words.format(place=place, broker=one.get("broker"), at=at), one["ref"]


UNCLEAN_LED = Happened("unclean_election", "unclean election: broker {broker} led from {at}")
LEADERLESS = Happened("no_leader", "{place} had no leader from {at}", known=True)


@dataclasses.dataclass(frozen=True, slots=True)
class Crash:
    """So many brokers restarted that a crash can have taken what in-sync copies had not flushed.

    What is acknowledged is on as many copies as min.insync.replicas says, but the last copy in sync may have become so
    later. With eligible leader replicas (KIP-966) all of them have to crash.
    """

    def met(self, cluster: Cluster, period: Period) -> bool:
        """Return whether enough brokers started again."""
        started = {one["broker"] for one in cluster.happened(("restarted", "registered"), period)}
        levels = [_level(one.setting) for one in cluster.values(ELR_VERSION, period)]
        eligible = bool(levels) and min(levels) > 0
        copies = [_level(one.setting) for one in cluster.values(MIN_ISR, period)]
        least = min(copies, default=1) if eligible else 1
        return len(started) >= max(least, 1) or not cluster.whole

    def shown(self, cluster: Cluster, period: Period) -> Iterator[Proof]:
        """Yield the restarts that no controlled shutdown came before."""
        stopped = set()
        events = cluster.happened(("controlled_shutdown", "restarted"), dataclasses.replace(period, since_ms=0))
        for one in sorted(events, key=lambda event: event["offset"]):
            if one["event"] == "controlled_shutdown":
                stopped.add(one["broker"])
            elif one["broker"] in stopped:
                stopped.remove(one["broker"])
            elif one["changed_ms"] >= (period.since_ms or 0) and one["ref"] is not None:
                start = moment(one["changed_ms"])
                yield f"broker {one['broker']} restarted at {start}, without a controlled shutdown before", one["ref"]


@dataclasses.dataclass(frozen=True, slots=True)
class AnyOf:
    """One of several needs."""

    needs: tuple[Need, ...]

    def met(self, cluster: Cluster, period: Period) -> bool:
        """Return whether one of them is met."""
        return any(need.met(cluster, period) for need in self.needs)

    def shown(self, cluster: Cluster, period: Period) -> Iterator[Proof]:
        """Yield what shows any of them."""
        for need in self.needs:
            yield from need.shown(cluster, period)


UNVERIFIED = Had(VERIFICATION, "false")
"""Leaders do not ask the coordinator whether a transaction runs (KIP-890)."""
CUT = AnyOf((UNCLEAN_LED, Crash()))
"""A log lost its newest records with an election or a crash."""


@dataclasses.dataclass(frozen=True, slots=True)
class Untouched:
    """The partition had no unclean election and no broker restarted."""

    def met(self, cluster: Cluster, period: Period) -> bool:
        """Return whether that is known."""
        return not CUT.met(cluster, period)

    def shown(self, _cluster: Cluster, _window: Period) -> Iterator[Proof]:
        """Yield nothing: there is no record of what did not happen."""
        return iter(())


def before_release(level: int) -> Below:
    """Return the need that some broker is older than the release that brought this metadata.version."""
    return Below(METADATA_VERSION, level)


def _level(text: str | None) -> int:
    """Return a number that is written in a setting, 0 for none."""
    return int(text) if text and text.isdigit() else 0
