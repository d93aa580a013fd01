"""Known faults of Kafka's releases: a fix is released branch by branch, so its first release has a number in each."""

import dataclasses

from analyzer.kafka.versions import METADATA_LEVELS, Brokers

Release = tuple[int, int, int]


@dataclasses.dataclass(frozen=True, slots=True)
class Fault:
    """A fault by its issue; `fixed`: the first release without it in each branch that has the fix, in ascending order.

    `since`: the first release with it. A branch without a fix of its own keeps the fault if it is older than
    the last of `fixed`.
    """

    issue: str
    fixed: tuple[Release, ...]
    since: Release = (0, 0, 0)

    def affects(self, release: Release) -> bool:
        """Return whether the release has the fault: 3.1.1 has one that is fixed in 3.1.2, 3.3.0 and later have not."""
        if release < self.since:
            return False
        branch = next((one for one in self.fixed if one[:2] == release[:2]), None)
        return release[:2] < self.fixed[-1][:2] if branch is None else release < branch

    def may_affect(self, brokers: Brokers) -> bool:
        """Return whether brokers can have it: of an unknown version or patch, they can if any such release has it."""
        if brokers.version is None:
            return True
        if brokers.exact:
            return self.affects((*brokers.version, brokers.patch or 0))
        branches = [brokers.version, *(one[:2] for one in self.fixed if one[:2] > brokers.version)]
        return any(self.affects((*branch, 0)) for branch in branches)

    def may_spare(self, brokers: Brokers) -> bool:
        """Return whether brokers can be without it."""
        if brokers.version is None or not brokers.exact:
            return True
        if brokers.patch is not None:
            return not self.affects((*brokers.version, brokers.patch))
        return any(one[:2] == brokers.version for one in self.fixed) or not self.affects((*brokers.version, 0))

    def named(self) -> str:
        """Return `KAFKA-14055, fixed in 3.0.2, 3.1.2, 3.2.1 and 3.3.0`."""
        *most, last = [".".join(map(str, one)) for one in self.fixed]
        return f"{self.issue}, fixed in {', '.join(most)} and {last}" if most else f"{self.issue}, fixed in {last}"

    def level(self) -> int:
        """Return the first metadata.version that only brokers of branches without the fault support."""
        return METADATA_LEVELS[self.fixed[-1][:2]]


MARKER_BEFORE_DATA = Fault("KAFKA-13727", ((2, 8, 2), (3, 0, 2), (3, 1, 1), (3, 2, 0)))
"""The cleaner forgets an aborted transaction beyond its offset map, and removes the ABORT marker before the data."""
MARKER_BY_KEY = Fault("KAFKA-14055", ((3, 0, 2), (3, 1, 2), (3, 2, 1), (3, 3, 0)))
"""The cleaner removes a marker if a later record has the marker's key: 4 bytes, 0 for ABORT and 1 for COMMIT."""
PENDING_MARKERS_LOST = Fault("KAFKA-16352", ((3, 8, 0),))
"""The coordinator drops what it waits for when an answer to an older epoch's markers comes: Prepare* for ever."""
WRONG_TOPIC = Fault("KAFKA-19012", ((3, 9, 2), (4, 0, 2), (4, 1, 2), (4, 2, 0)), since=(2, 8, 0))
"""The Java producer uses a pooled buffer again before the request with it is sent: a batch goes to another topic."""
