"""How a finding does not happen again: a setting, a release, the client's practice, and the brokers' own alert."""

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

from analyzer.kafka.known_bugs import BY_ISSUE
from analyzer.kafka.known_bugs.coordinator import PARTITION_COUNT
from analyzer.kafka.settings import MIN_ISR, TRANSACTION_VERSION, UNCLEAN_ELECTION, VERIFICATION
from analyzer.kafka.versions import VERIFIES_COMMITS, VERIFIES_DATA, Brokers, Version


@dataclasses.dataclass(frozen=True, slots=True)
class Measure:
    """One thing to do, in one sentence without its full stop; `before`: only where brokers can be older than this.

    `anywhere`: it asks nothing of the brokers, so it serves with any that speak Kafka's protocol.
    """

    text: str
    before: Version | None = None
    anywhere: bool = False


LATE = Measure(
    "alert on PartitionsWithLateTransactionsCount above 0: partitions with a transaction open for longer than "
    "transaction.max.timeout.ms plus 5 min"
)
LAG = Measure("alert on a LastStableOffsetLag that keeps growing: read_committed readers are waiting")
UNCLEAN = Measure("alert on UncleanLeaderElectionsPerSec above 0: each may lose markers and committed records")
VERIFIED = Measure(f"upgrade the brokers to 3.6 and keep {VERIFICATION}=true", VERIFIES_DATA)
COMMITS_VERIFIED = Measure(f"upgrade the brokers to 3.7: they verify offset commits, too ({VERIFICATION})",
                           VERIFIES_COMMITS)  # fmt: skip
NEW_EPOCHS = Measure(
    f"clients of 4.0 and {TRANSACTION_VERSION}=2 give each transaction an epoch of its own, so late data is refused"
)
DURABLE = Measure(
    f"{UNCLEAN_ELECTION}=false, {MIN_ISR}=2 and a replication factor of 3 for the topic, for __transaction_state and "
    "for __consumer_offsets"
)
NOT_BY_HAND = Measure(
    "take a capture and ask the id's coordinator before kafka-transactions.sh abort: it writes ABORT into one partition"
)
FIXED_COUNT = Measure(PARTITION_COUNT.remedy)
SHORT = Measure(
    "a transaction.timeout.ms as short as the application's longest transaction, and a low transaction.max.timeout.ms"
)
ONE_OWNER = Measure(
    "give each running instance a transactional.id of its own, and the same one after a restart", anywhere=True
)
RESTART = Measure("restart a stopped job from its last checkpoint within the transaction timeout", anywhere=True)
RIGHTS = Measure("grant WRITE on TransactionalId resources by name, so that no other client uses an id")
PARTITIONER = Measure(
    "for topics whose keys have an order, write to a new topic instead of adding partitions, and move readers over",
    anywhere=True,
)
DISKS = Measure("watch the disks' errors, and copy log segments with a checksum", anywhere=True)
FENCED_COMMITS = Measure(
    "send offsets with the consumer's group metadata (sendOffsetsToTransaction with ConsumerGroupMetadata, KIP-447): a "
    "member of an old generation is then refused",
    anywhere=True,
)
CLEANER = Measure(
    "alert on uncleanable-partitions-count above 0, and compact no topic on brokers with a known bug of the cleaner"
)

_HANG = (LATE, LAG)
_LATE_DATA = (VERIFIED, NEW_EPOCHS, *_HANG)
_CUT = (DURABLE, UNCLEAN)

PREVENTION: dict[str, tuple[Measure, ...]] = {
    "GRP001": (FENCED_COMMITS, ONE_OWNER),
    "GRP002": (COMMITS_VERIFIED, SHORT, LATE),
    "LOG001": _CUT,
    "LOG002": (DISKS,),
    "ORD001": (PARTITIONER,),
    "ORD002": (PARTITIONER,),
    "ORD003": (PARTITIONER,),
    "PID001": (RIGHTS, VERIFIED, LATE),
    "PID002": (RIGHTS, ONE_OWNER),
    "PID003": (RIGHTS, DISKS),
    "PID004": (ONE_OWNER, LATE),
    "RTE001": (FIXED_COUNT,),
    "RTE002": (FIXED_COUNT,),
    "RTE003": (FIXED_COUNT,),
    "RTE004": (FIXED_COUNT, LATE),
    "TXN001": (SHORT, RESTART, *_HANG),
    "TXN002": _LATE_DATA,
    "TXN003": _LATE_DATA,
    "TXN004": (*_CUT, *_HANG),
    "TXN005": (*_CUT, *_HANG),
    "TXN006": (DURABLE, *_HANG),
    "TXN007": (CLEANER, *_HANG),
    "TXN008": (*_CUT, *_HANG),
    "TXN009": (SHORT, *_HANG),
    "TXN010": (NOT_BY_HAND, *_CUT),
    "TXN011": (NEW_EPOCHS, VERIFIED),
    "TXN012": (FIXED_COUNT, *_CUT),
    "TXN013": _LATE_DATA,
    "TXN014": (*_CUT, LATE),
    "TXN015": _CUT,
}
"""What prevents a finding, by its code, the most effective first."""


def prevention(code: str, brokers: Brokers, bugs: Sequence[dict[str, Any]], *, of_kafka: bool = True) -> list[str]:
    """Return how a finding does not happen again: the bugs that its files speak for first, then what serves always.

    `of_kafka`: nothing shows that the brokers are another program's.
    """
    own = dict(_of_bugs(bugs))
    served = (one for one in PREVENTION[code] if one.anywhere or (of_kafka and _serves(one, brokers)))
    always = (one.text for one in served if one.text not in own)
    return [*(f"{text} ({issue})" for text, issue in own.items()), *always]


def _serves(measure: Measure, brokers: Brokers) -> bool:
    return measure.before is None or brokers.may_precede(measure.before)


def _of_bugs(bugs: Sequence[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield what prevents each bug that the files speak for, with its issue."""
    for bug in bugs:
        if bug["shown"] and (text := BY_ISSUE[bug["issue"]].prevented()):
            yield text, bug["issue"]
