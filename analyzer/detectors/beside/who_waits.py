"""What an open transaction holds up beside the groups that the capture shows: share groups, the local disk."""

from collections.abc import Iterator

from analyzer.detectors.cluster import Cluster
from analyzer.kafka.settings import REMOTE_STORAGE, SHARE_ISOLATION
from analyzer.kafka.versions import READS_COMMITTED_SHARES

COMMITTED = "read_committed"


def also_waits(cluster: Cluster, topic: str) -> list[str]:
    """Return what waits for the LSO of a topic's partition, and who may and is not seen, a sentence each."""
    return [*_tiered(cluster, topic), *_share_groups(cluster)]


def _tiered(cluster: Cluster, topic: str) -> Iterator[str]:
    told = [one for one in cluster.now(REMOTE_STORAGE, topic) if one.resource_type == "topic"]
    if any(one.setting == "true" for one in told):
        yield (
            f"the local disk: {topic} has tiered storage, nothing from the LSO on is uploaded, and what is not "
            "uploaded is not deleted locally, whatever retention says"
        )


def _share_groups(cluster: Cluster) -> Iterator[str]:
    """Yield the share groups that read committed data, or that there may be some (KIP-932)."""
    rows = [row for row in cluster.settings if row["config"] == SHARE_ISOLATION and row["until_ms"] is None]
    waiting = sorted({row["resource"] for row in rows if row["setting"] == COMMITTED})
    if waiting:
        yield f"share groups with {SHARE_ISOLATION}={COMMITTED}, if they read it: {', '.join(waiting)}"
        return
    known = cluster.brokers.version is not None and cluster.brokers.may_be(READS_COMMITTED_SHARES)
    if known and not cluster.log_is_whole:
        yield f"share groups with {SHARE_ISOLATION}={COMMITTED}: only the controllers' log shows whether any has it"
