"""The lines of logs that say something about a transaction or a partition, each with what it proves (RULES F 5).

A pattern is searched in the line, whatever stands before it: a container's name, a time, a prompt.
"""

import dataclasses
import re

from analyzer.kafka.topics import OFFSETS_TOPIC, STATE_TOPIC

PLACE = r"(?P<topic>[A-Za-z0-9._-]{1,249})-(?P<partition>\d{1,10})"


@dataclasses.dataclass(frozen=True, slots=True)
class Pattern:
    """A line: its name, who writes it, how it reads, and what it proves. Groups are named after columns."""

    says: str
    source: str
    regex: re.Pattern[str]
    proves: str


def _pattern(says: str, source: str, regex: str, proves: str) -> Pattern:
    return Pattern(says, source, re.compile(regex), proves)


ID = r"(?P<transactional_id>.{1,300}?)"
PRODUCER = r"(?P<producer_id>\d{1,19})"
EPOCH = r"(?P<producer_epoch>-?\d{1,10})"

ALL: tuple[Pattern, ...] = (
    _pattern(
        "initialized", "broker",
        rf"Initialized transactionalId {ID} with producerId {PRODUCER} and producer epoch {EPOCH} on partition "
        r"__transaction_state-(?P<number>\d{1,10})",
        "the id had this producer id and epoch from then on, and lies in that state partition",
    ),
    _pattern(
        "rolled_back", "broker",
        rf"Completed rollback of ongoing transaction for transactionalId {ID} due to timeout",
        "the coordinator ended the id's transaction, which its client had left open beyond its timeout",
    ),
    _pattern(
        "count_changed", "broker",
        r"\b(?P<topic>[\w-]{1,60}(?= topic number of partitions )|__?\w{1,60}(?= .*partition count ))"
        r" .*?(?:number of partitions|partition count) has changed from "
        r"(?P<offset>\d{1,10}) to (?P<number>\d{1,10})\b",
        "this broker saw an internal topic's partition count change while it ran",
    ),
    _pattern(
        "out_of_order", "broker",
        rf"Out of order sequence number for producer {PRODUCER} at offset (?P<offset>\d{{1,19}}) in partition {PLACE}",
        "the leader refused a batch: one before it is missing",
    ),
    _pattern(
        "old_epoch", "broker",
        rf"[Ee]poch of producer {PRODUCER} at offset (?P<offset>\d{{1,19}}) in {PLACE} is {EPOCH}",
        "the leader refused a batch of a lower epoch: the producer was fenced",
    ),
    _pattern(
        "append_failed", "broker", rf"Error processing append operation on partition {PLACE}",
        "the leader refused a batch; the next line says why",
    ),
    _pattern(
        "invalid_transition", "broker",
        rf"TransactionalId {ID} (?:prepare transition from|failed transition to state) ",
        "the coordinator's cache and its log disagree about the id",
    ),
    _pattern(
        "marker_refused", "broker",
        rf"Sending {ID}'s transaction marker for partition {PLACE} has (?:permanently )?failed with error",
        "the leader of that partition does not take the marker",
    ),
    _pattern(
        "marker_without_leader", "broker",
        rf"Couldn't find leader endpoint for partitions .* while trying to send transaction markers for {ID}\b",
        "the marker of a decided transaction has nowhere to go",
    ),
    _pattern(
        "no_leader", "broker", rf"(?:Failed to elect leader|failed to change state) for partition {PLACE}\b",
        "the partition had no leader then",
    ),
    _pattern(
        "unclean_election", "broker", rf"[Uu]nclean leader election.*\b{PLACE}\b",
        "a replica that was not in sync leads from then on: what it lacked is gone",
    ),
    _pattern(
        "truncated", "broker",
        rf"(?:\[\w+ partition={PLACE}\W.*)?Truncating (?:to|partition \S+ to) (?:offset )?(?P<offset>\d{{1,19}})",
        "this replica dropped everything from that offset on",
    ),
    _pattern(
        "stable_offset", "broker",
        r"topic=(?P<topic>[A-Za-z0-9._-]{1,249}), partition=(?P<partition>\d{1,10}), highWatermark="
        r"(?P<number>\d{1,19}), lastStableOffset=(?P<offset>\d{1,19})",
        "where the LSO and the high watermark stood then: what is equal has nothing open below it",
    ),
    _pattern(
        "cleaned", "broker",
        rf"cleaned log {PLACE} \(dirty section = \[(?P<offset>\d{{1,19}}), (?P<number>\d{{1,19}})\]\)",
        "the cleaner came that far: an open transaction stops it at its first offset",
    ),
    _pattern(
        "epoch_exhausted", "broker", rf"epoch .{{0,80}}exhausted.*\b{ID}\b|Exhausted .{{0,40}}epoch",
        "a producer id's epochs are used up (KAFKA-20090)",
    ),
    _pattern(
        "unstable_offsets", "client",
        rf"partitions still have unstable offsets which are not cleared on the broker side: \[{PLACE}",
        "the client waits for offset commits of an open transaction in that partition's log or that topic's positions",
    ),
    _pattern(
        "open_for", "client",
        rf"\[transactionalId={ID}, producerId={PRODUCER}, epoch={EPOCH}\] has been open for (?P<number>\d{{1,19}}) ms",
        "the client believes its transaction open for so long; beyond its timeout the coordinator has ended it",
    ),
    _pattern(
        "producer_id_set", "client",
        rf"\[Producer clientId=[^\]]*?(?:transactionalId={ID})?\] ProducerId set to {PRODUCER} with epoch {EPOCH}",
        "the client had this producer id and epoch from then on",
    ),
    _pattern(
        "client_fenced", "client",
        rf"\[Producer clientId=[^\]]*?transactionalId={ID}\].*(?:fenced|InvalidProducerEpoch|INVALID_PRODUCER_EPOCH)",
        "another instance, or the coordinator after a timeout, has taken the id over",
    ),
    _pattern(
        "client_timeout", "client", r"TimeoutException: .*(?:EndTxn|InitProducerId|AddOffsetsToTxn|AddPartitionsToTxn)",
        "the client was not answered: it does not know what was decided",
    ),
    _pattern(
        "late_transactions", "metric",
        r"(?i)partitions_?with_?late_?transactions_?count\S*\s+(?P<number>\d{1,10})(?:\.\d+)?\b",
        "so many partitions of this broker have a transaction open beyond transaction.max.timeout.ms",
    ),
    _pattern(
        "stable_offset_lag", "metric",
        r"(?i)last_?stable_?offset_?lag\{(?=[^}]*topic=\"(?P<topic>[A-Za-z0-9._-]{1,249})\")"
        r"(?=[^}]*partition=\"(?P<partition>\d{1,10})\")[^}]*\}\s+(?P<number>\d{1,19})(?:\.\d+)?\b",
        "so many offsets of the partition are above its LSO",
    ),
)  # fmt: skip
_COORDINATED = ((STATE_TOPIC, ("transaction",)), (OFFSETS_TOPIC, ("offset", "group", "consumer")))
"""Each internal topic, and words by which its coordinator calls it: TransactionStateManager says `Transaction`."""
CLIENT_STATE = "what the client believes of its own transaction"
"""What the statistics of librdkafka prove of a producer; `client_state` has no pattern."""
PROVES: dict[str, str] = {pattern.says: pattern.proves for pattern in ALL} | {"client_state": CLIENT_STATE}
"""What a line proves, by what it says."""


def counted_topic(word: str) -> str | None:
    """Return the internal topic of which `count_changed` speaks, None if the word is none of a coordinator's."""
    named = word.lower()
    return next((topic for topic, words in _COORDINATED if any(one in named for one in words)), None)
