"""The known bugs of a finding: those that its causes name, then those that its brokers' release makes possible."""

from collections.abc import Collection
from typing import Any

from analyzer.detectors.cluster import Cluster, Period
from analyzer.detectors.needs import Had
from analyzer.kafka.known_bugs import KnownBug, explaining


def known_bugs(code: str, shown: Collection[KnownBug], cluster: Cluster, period: Period | None) -> list[dict[str, Any]]:
    """Return the known bugs of a finding as the document has them, those that something in the files speaks for first.

    `shown` are those that the finding names as its cause. What the brokers' version rules out, or a setting that the
    controllers' log shows for the whole time, is left out.
    """
    possible = [bug for bug in explaining(code) if bug not in shown and _possible(bug, cluster, period)]
    others = [bug for bug in possible if bug.by_release or _switched_on(bug, cluster, period)]
    return [*(_entry(bug, shown=True) for bug in shown), *(_entry(bug, shown=False) for bug in others)]


def _possible(bug: KnownBug, cluster: Cluster, period: Period | None) -> bool:
    """Return whether the bug can be here: of an unknown version it is not named for its release alone."""
    brokers = cluster.brokers
    if (bug.software == "brokers" and brokers.version is None) or not bug.may_affect(brokers):
        return False
    covered = cluster.covered(period)
    return covered is None or all(Had(name, value).met(cluster, covered) for name, value in bug.only_with)


def _switched_on(bug: KnownBug, cluster: Cluster, period: Period | None) -> bool:
    """Return whether the settings that it needs are known to be so now: off by default, they speak for it."""
    topic = "" if period is None else period.topic
    known = [[one.setting for one in cluster.now(name, topic)] for name, _ in bug.only_with]
    return bool(known) and all(value in told for (_, value), told in zip(bug.only_with, known, strict=True))


def _entry(bug: KnownBug, *, shown: bool) -> dict[str, Any]:
    told = {
        "issue": bug.issue,
        "shown": shown,
        "mechanism": bug.mechanism,
        "affected": bug.affected(),
        "speaks": bug.speaks,
        "against": bug.against,
        "remedy": bug.remedy,
        "sure": bug.ranges_read,
    }
    return told | ({"step": bug.step} if bug.step else {})
