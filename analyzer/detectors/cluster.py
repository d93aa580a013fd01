"""What is known of a capture's cluster beside its logs: version, settings and features over time, what happened."""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from analyzer.kafka.clocks import SKEW_MS
from analyzer.kafka.settings import FEATURES
from analyzer.kafka.versions import Brokers
from analyzer.tables.moments import foreign


@dataclasses.dataclass(frozen=True, slots=True)
class Period:
    """The time in which the cause of a finding must lie, and its partition; `since_ms` is None where it is not known.

    Only times that brokers set count, since a client may write what it likes.
    """

    topic: str
    partition: int
    since_ms: int | None
    until_ms: int


@dataclasses.dataclass(frozen=True, slots=True)
class Value:
    """A value that a setting or feature had, of whom, and where that is written; `setting` is None where it is unset.

    `resource` is a topic's name, a broker's id, or empty for all.
    """

    resource_type: str
    resource: str
    setting: str | None
    since_ms: int | None = None
    ref: Mapping[str, Any] | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Cluster:
    """The brokers' version, and rows of `known_settings`, `quorum_summary` and `quorum_events` of one capture.

    `given` are settings by the file that tells them, then by name: those of the files when they were copied. `whole`
    says that no event was left out.
    """

    brokers: Brokers
    captured_at: int | None = None
    settings: Sequence[Mapping[str, Any]] = ()
    log: Mapping[str, Any] | None = None
    events: Sequence[Mapping[str, Any]] = ()
    given: Mapping[str, Mapping[str, str]] = dataclasses.field(default_factory=dict)
    whole: bool = True
    named_in: Mapping[str, frozenset[str]] = dataclasses.field(default_factory=dict)
    """The ids of clusters by the file that names them."""
    redpanda: bool = False
    """Whether a file here shows that the brokers are Redpanda's, which have neither Kafka's settings nor its bugs."""

    @property
    def log_is_whole(self) -> bool:
        """Whether the controllers' log tells the state of everything: it is complete, and all of it was understood."""
        return self.log is not None and bool(self.log["complete"]) and not self.log["undecoded_records"]

    def covered(self, period: Period | None) -> Period | None:
        """Return the period if there is one and the controllers' log tells of all of it, with a margin for clocks.

        Where its begin is not known, that of the topic serves.
        """
        log = self.log
        if period is None or log is None or not self.log_is_whole or log.get("first_ms") is None:
            return None
        since = self._created(period.topic) if period.since_ms is None else period.since_ms
        if since is None or since - SKEW_MS < log["first_ms"] or period.until_ms > log["last_ms"] + SKEW_MS:
            return None
        return dataclasses.replace(period, since_ms=since - SKEW_MS)

    def values(self, name: str, period: Period) -> Iterator[Value]:
        """Yield what the setting or feature was anywhere in a covered period; a feature that is unset has level 0.

        A dynamic default of all brokers that was unset at a time is yielded as None: each broker's own file decides.
        """
        since, kind = period.since_ms or 0, "feature" if name in FEATURES else "broker"
        dated = [row for row in self.settings if row["config"] == name and row["dated"]]
        rows = [row for row in dated if _overlaps(row, since, period.until_ms)]
        of_topic = [row for row in rows if row["resource_type"] == "topic" and row["resource"] == period.topic]
        yield from (_value(row) for row in of_topic if row["setting"] is not None)
        if any(row["setting"] is not None and _spans(row, since, period.until_ms) for row in of_topic):
            return
        of_all = [row for row in rows if row["resource_type"] == kind and not row["resource"]]
        yield from map(_value, of_all)
        if all(row["from_ms"] is not None and row["from_ms"] > since for row in of_all):
            yield Value(kind, "", "0" if kind == "feature" else None)
        yield from (_value(row) for row in rows if row["resource_type"] == kind and row["resource"] and row["setting"])

    def now(self, name: str, topic: str) -> list[Value]:
        """Return what is known of the setting as of the capture, the topic's own first; empty where nothing is."""
        rows = [row for row in self.settings if row["config"] == name and row["until_ms"] is None]
        told = [row for row in rows if row["setting"] is not None]
        of_topic = [_value(row) for row in told if row["resource_type"] == "topic" and row["resource"] == topic]
        if of_topic:
            return of_topic
        of_brokers = [_value(row) for row in told if row["resource_type"] != "topic"]
        return of_brokers or [
            Value("file", path, foreign(values[name])) for path, values in sorted(self.given.items()) if name in values
        ]

    def happened(self, kinds: Iterable[str], period: Period) -> Iterator[Mapping[str, Any]]:
        """Yield the events of these kinds in a covered period; those of another partition are left out."""
        wanted = frozenset(kinds)
        for event in self.events:
            inside = (period.since_ms or 0) <= event["changed_ms"] <= period.until_ms + SKEW_MS
            place = event.get("topic"), event.get("partition")
            if event["event"] in wanted and inside and place in ((None, None), (period.topic, period.partition)):
                yield event

    def _created(self, topic: str) -> int | None:
        """Return when the topic was created: no record of it is older, unless the cluster came from ZooKeeper."""
        if self.log is None or self.log.get("migrated"):
            return None
        times = [one["changed_ms"] for one in self.events if one["event"] == "topic_created" and one["topic"] == topic]
        return max(times, default=None) if self.whole else None


def _value(row: Mapping[str, Any]) -> Value:
    return Value(row["resource_type"], foreign(row["resource"]), foreign(row["setting"]), row["from_ms"], row["ref"])


def _overlaps(row: Mapping[str, Any], since_ms: int, until_ms: int) -> bool:
    ended = row["until_ms"] is not None and row["until_ms"] < since_ms
    return not ended and (row["from_ms"] is None or row["from_ms"] <= until_ms + SKEW_MS)


def _spans(row: Mapping[str, Any], since_ms: int, until_ms: int) -> bool:
    begun = row["from_ms"] is None or row["from_ms"] <= since_ms
    return begun and (row["until_ms"] is None or row["until_ms"] > until_ms + SKEW_MS)
