"""The brokers' version, and since when they can do what findings and commands depend on."""

import dataclasses
import re

OLDEST_MAJOR, NEWEST_MAJOR = 0, 4
_VERSION = re.compile(r"(\d+)\.(\d+)(?!\d)(?:\.(\d{1,9})(?!\d))?(?:[.\-+].*)?")
Version = tuple[int, int]

LISTS_PRODUCERS: Version = (2, 8)
"""Brokers answer DescribeProducers, so an abort can name the start offset (KAFKA-12238)."""
DESCRIBES_IDS: Version = (3, 0)
"""Brokers answer DescribeTransactions (KAFKA-12267)."""
READS_COMMITTED_SHARES: Version = (4, 1)
"""Share groups may read committed data only (KIP-932)."""
TERMINATES: Version = (4, 1)
"""The tool has forceTerminateTransaction (KIP-939)."""
TWO_PHASE_COMMIT: Version = (4, 1)
"""Brokers know transactions without a timeout (KIP-939)."""
LSO_OF_BATCH: Version = (4, 0)
"""An LSO that a log's start pushes up is at the begin of the batch that holds that start (KAFKA-17803)."""
RENAMES_OPTIONS: Version = (4, 2)
"""Console tools have --formatter-property and --command-config; the older names go in 5.0 (KIP-1147)."""
OWN_EXPIRATION: Version = (3, 4)
"""Producer ids expire by a setting of their own, not by that of transactional ids (KIP-854)."""
VERIFIES_DATA: Version = (3, 6)
"""Brokers ask the coordinator about the first batch of a transaction (KIP-890)."""
VERIFIES_COMMITS: Version = (3, 7)
"""They do so for TxnOffsetCommit too (KIP-890)."""
ALTER_SUFFICES: Version = (3, 9)
"""Writing markers needs no more than Alter on the cluster (KIP-1037)."""

METADATA_LEVELS: dict[Version, int] = {(3, 2): 3, (3, 3): 4, VERIFIES_DATA: 12, VERIFIES_COMMITS: 15}
"""The first metadata.version that only brokers of these releases and newer support (`MetadataVersion`)."""


@dataclasses.dataclass(frozen=True, slots=True)
class Brokers:
    """The brokers' version, None if the capture does not say or it is none of Apache Kafka's.

    If it is not `exact`, they are of this version or newer. `patch`: the third number of an exact one, None if unknown.
    `redpanda`: they are Redpanda's, which answer what Kafka's of 3.0 do about transactions, and write no marker.
    """

    version: Version | None
    exact: bool = True
    patch: int | None = None
    redpanda: bool = False

    def are(self, since: Version) -> bool | None:
        """Return whether they are of this version or newer, None if unknown."""
        if self.redpanda:
            return since <= DESCRIBES_IDS or None
        if self.version is None:
            return None
        return self.version >= since or (False if self.exact else None)

    def may_be(self, since: Version) -> bool:
        """Return whether they can be of this version or newer."""
        return self.are(since) is not False

    def may_precede(self, since: Version) -> bool:
        """Return whether they can be older than this version."""
        return self.are(since) is not True


def brokers_of(told: str | None) -> Brokers:
    """Return the brokers of a capture that tells this version: `3.5.2`, `4.1.0-SNAPSHOT`; `7.6.1-ccs` is unknown."""
    found = _VERSION.fullmatch(told.strip()) if told else None
    if found is None or not OLDEST_MAJOR <= int(found[1]) <= NEWEST_MAJOR:
        return Brokers(None)
    return Brokers((int(found[1]), int(found[2])), patch=None if found[3] is None else int(found[3]))


def brokers_with(metadata_version: str) -> Brokers:
    """Return the brokers of a cluster that finalized this metadata.version: all support it (`4.1-IV1`, or a level)."""
    if not metadata_version.isdigit():
        return dataclasses.replace(brokers_of(metadata_version.partition("-")[0]), exact=False, patch=None)
    releases = [release for release, level in METADATA_LEVELS.items() if int(metadata_version) >= level]
    return Brokers(max(releases, default=None), exact=False)
