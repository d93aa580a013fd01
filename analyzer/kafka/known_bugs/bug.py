"""What a known bug is: its issue, what it does, which releases have it, and what a report says because of it."""

import dataclasses
from collections.abc import Sequence
from typing import Literal

from analyzer.kafka.versions import METADATA_LEVELS, Brokers

Release = tuple[int, int, int]


@dataclasses.dataclass(frozen=True, slots=True)
class KnownBug:
    """A bug of brokers or clients, by its issue.

    `fixed`: the first release without it in each branch that has the fix, in ascending order; empty: none is known.
    `since`: the first release with it. A branch without a fix of its own keeps the bug if it is older than the last
    of `fixed`.
    """

    issue: str
    mechanism: str
    """What it does, in one sentence."""
    fixed: tuple[Release, ...]
    findings: tuple[str, ...]
    """Codes of the findings that it can explain."""
    speaks: str
    """What in the files speaks for it."""
    against: str
    """What in the files rules it out, beside the version."""
    remedy: str
    """What to do about it."""
    since: Release = (0, 0, 0)
    software: Literal["brokers", "Java producer", "Kafka Streams", "Flink connector"] = "brokers"
    """Whose releases are meant: the brokers' version tells nothing of a client's."""
    step: str = ""
    """The step of a plan that it changes, and how."""
    only_with: tuple[tuple[str, str], ...] = ()
    """Settings that it needs, each with its value: another value rules it out."""
    by_release: bool = True
    """A release that has it is ground enough to name it; otherwise only where something in the files speaks for it."""
    cure: str = ""
    """What ends it where no release alone does."""
    prevention: str | None = None
    """How it does not happen again where that is not the remedy; empty where only what serves always helps."""
    ranges_read: bool = True
    """The releases were read in the code of the branches; otherwise only an excerpt of the issue tells them."""

    def prevented(self) -> str:
        """Return how it does not happen again, empty where nothing of its own helps."""
        return self.remedy if self.prevention is None else self.prevention

    def affects(self, release: Release) -> bool:
        """Return whether the release has the bug: 3.1.1 has one that is fixed in 3.1.2, 3.3.0 and later have not."""
        if release < self.since:
            return False
        branch = next((one for one in self.fixed if one[:2] == release[:2]), None)
        if branch is not None:
            return release < branch
        return not self.fixed or release[:2] < self.fixed[-1][:2]

    def may_affect(self, brokers: Brokers) -> bool:
        """Return whether it can be here: with an unknown version or patch it can if any such release has it."""
        if self.software != "brokers" or brokers.version is None:
            return True
        if brokers.exact:
            patches = [brokers.patch or 0] if brokers.patch is not None else self._patches(brokers.version)
            return any(self.affects((*brokers.version, patch)) for patch in patches)
        branches = [one[:2] for one in (self.since, *self.fixed) if one[:2] > brokers.version]
        later = [(*branch, patch) for branch in (brokers.version, *branches) for patch in self._patches(branch)]
        return any(self.affects(release) for release in later)

    def may_spare(self, brokers: Brokers) -> bool:
        """Return whether brokers can be without it."""
        if self.software != "brokers" or brokers.version is None or not brokers.exact:
            return True
        if brokers.patch is not None:
            return not self.affects((*brokers.version, brokers.patch))
        return any(not self.affects((*brokers.version, patch)) for patch in self._patches(brokers.version))

    def named(self) -> str:
        """Return `KAFKA-14055, fixed in 3.0.2, 3.1.2, 3.2.1 and 3.3.0`."""
        return f"{self.issue}, {self.cured()}"

    def cured(self) -> str:
        """Return `fixed in 3.0.2, 3.1.2, 3.2.1 and 3.3.0`, or that no release is known to be without it."""
        if not self.fixed:
            return self.cure or "fixed in no release that is known"
        *most, last = [".".join(map(str, one)) for one in self.fixed]
        return f"fixed in {', '.join(most)} and {last}" if most else f"fixed in {last}"

    def affected(self) -> str:
        """Return the releases that have it: `2.8.0 and newer, before 3.9.2, 4.0.2, 4.1.2 and 4.2.0`."""
        whose = "" if self.software == "brokers" else f" of the {self.software}"
        begin = "all" if self.since == (0, 0, 0) else f"{'.'.join(map(str, self.since))} and newer"
        until = f", {self.cured()}"
        return f"{begin}{whose}{until}"

    def level(self) -> int:
        """Return the first metadata.version that only brokers of branches without the bug support."""
        return METADATA_LEVELS[self.fixed[-1][:2]]

    def _patches(self, branch: Sequence[int]) -> list[int]:
        """Return numbers of a branch's releases that stand for all: its first, and those where something changes."""
        return sorted({0, *(one[2] for one in (self.since, *self.fixed) if one[:2] == tuple(branch))})
