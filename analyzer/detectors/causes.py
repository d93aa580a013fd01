"""Causes that depend on the brokers' version: only those that are possible in it are told."""

import dataclasses
from collections.abc import Iterable

from analyzer.kafka.topics import OFFSETS_TOPIC
from analyzer.kafka.versions import CLEANS_SAFELY, VERIFIES_COMMITS, VERIFIES_DATA, Brokers, Version


@dataclasses.dataclass(frozen=True, slots=True)
class Cause:
    """A cause that is possible from one version on, or before one."""

    text: str
    since: Version | None = None
    before: Version | None = None

    def possible(self, brokers: Brokers) -> bool:
        """Return whether brokers of this version can have had it; of an unknown version they can."""
        return (self.since is None or brokers.may_be(self.since)) and (
            self.before is None or brokers.may_precede(self.before)
        )


def told(causes: Iterable[Cause | str], brokers: Brokers) -> list[str]:
    """Return the causes that are possible, in words."""
    kept = [one for one in causes if isinstance(one, str) or one.possible(brokers)]
    return [one if isinstance(one, str) else one.text for one in kept]


def unverified(topic: str) -> tuple[Cause, ...]:
    """Return why a leader appended records of a partition that was in no running transaction (KIP-890)."""
    since, release = (VERIFIES_COMMITS, "3.7") if topic == OFFSETS_TOPIC else (VERIFIES_DATA, "3.6")
    what = "offset commits" if topic == OFFSETS_TOPIC else "transactional records"
    return (
        Cause(f"brokers before {release} do not verify {what} with the coordinator (KIP-890)", before=since),
        Cause("transaction.partition.verification.enable is false, so leaders do not verify (KIP-890)", since=since),
        Cause(
            f"the leader was still on a version before {release} then, in the middle of an upgrade (KIP-890)",
            since=since,
        ),
    )


def delayed(topic: str) -> str:
    """Return what came late."""
    request = "TxnOffsetCommit" if topic == OFFSETS_TOPIC else "Produce"
    return f"a {request} request was delayed and appended after the transaction's marker (KAFKA-12671)"


def unlisted(topic: str) -> str:
    """Return what the client left out."""
    if topic == OFFSETS_TOPIC:
        return "the client sent TxnOffsetCommit without a successful AddOffsetsToTxn"
    return "the client produced without a successful AddPartitionsToTxn"


CLEANED = (
    Cause(
        "KAFKA-13727: brokers up to 2.8.1, 3.0.0, 3.0.1 and 3.1.0; fixed in 2.8.2, 3.0.2, 3.1.1 and 3.2.0",
        before=CLEANS_SAFELY,
    ),
    Cause(
        "the log was cleaned before an upgrade, by brokers up to 2.8.1, or of 3.0.0, 3.0.1 or 3.1.0 (KAFKA-13727)",
        since=CLEANS_SAFELY,
    ),
)
"""Why the cleaner removed a marker before its data."""
