"""Known bugs of Kafka and its clients as data: detectors ask it, pages, reports and `explain ISSUE` print from it."""

from analyzer.kafka.known_bugs import clients, coordinator, groups, logs
from analyzer.kafka.known_bugs.bug import KnownBug

__all__ = ["ALL", "BY_ISSUE", "KnownBug", "explaining"]

ALL: tuple[KnownBug, ...] = (*coordinator.ALL, *logs.ALL, *groups.ALL, *clients.ALL)
"""Every known bug."""
BY_ISSUE = {one.issue: one for one in ALL}
"""Them by their issues."""


def explaining(code: str) -> tuple[KnownBug, ...]:
    """Return the known bugs that can explain a finding of this code."""
    return tuple(one for one in ALL if code in one.findings)
