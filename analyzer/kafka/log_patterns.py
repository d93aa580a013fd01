"""The lines of logs that say something about a transaction or a partition, each with what it proves (RULES F 5).

A pattern is searched in the line, whatever stands before it: a container's name, a time, a prompt.
"""

import dataclasses
import re

PLACE = r"(?P<topic>[A-Za-z0-9._-]{1,249})-(?P<partition>\d{1,10})"


@dataclasses.dataclass(frozen=True, slots=True)
class Pattern:
    """A line: its name, who writes it, how it reads, and what it proves. Groups are named after columns.

    `kafka` names the releases in whose classes its words are, of those that `make words` reads: `2.8 to 4.3`,
    `from 3.5`, or `other program`.
    """

    says: str
    source: str
    kafka: str
    regex: re.Pattern[str]
    proves: str


def _pattern(says: str, source: str, kafka: str, regex: str, proves: str) -> Pattern:
    return Pattern(says, source, kafka, re.compile(regex), proves)


EVERY, ZOOKEEPER, KRAFT, OTHER = "2.8 to 4.3", "2.8 to 3.9", "from 3.5", "other program"
ID = r"(?P<transactional_id>.{1,300}?)"
PRODUCER = r"(?P<producer_id>\d{1,19})"
EPOCH = r"(?P<producer_epoch>-?\d{1,10})"

ALL: tuple[Pattern, ...] = (
    _pattern(
        "initialized", "broker", EVERY,
        rf"Initialized transactionalId {ID} with producerId {PRODUCER} and producer epoch {EPOCH} on partition "
        r"__transaction_state-(?P<number>\d{1,10})",
        "the id had this producer id and epoch from then on, and lies in that state partition",
    ),
    _pattern(
        "rolled_back", "broker", EVERY,
        rf"Completed rollback of ongoing transaction for transactionalId {ID} due to timeout",
        "the coordinator ended the id's transaction, which its client had left open beyond its timeout",
    ),
    _pattern(
        "count_changed", "broker", EVERY,
        r"\bTransaction topic number of partitions has changed from (?P<offset>\d{1,10}) to (?P<number>\d{1,10})\b",
        "this broker saw the number of state partitions change while it ran",
    ),
    _pattern(
        "out_of_order", "broker", EVERY,
        rf"Out of order sequence number for producer {PRODUCER} at offset (?P<offset>\d{{1,19}}) in partition {PLACE}",
        "the leader refused a batch: one before it is missing",
    ),
    _pattern(
        "old_epoch", "broker", EVERY,
        rf"Epoch of producer {PRODUCER} (?:at offset (?P<offset>\d{{1,19}}) in {PLACE} )?is {EPOCH}",
        "the leader refused a batch of a lower epoch: the producer was fenced",
    ),
    _pattern(
        "append_failed", "broker", EVERY, rf"Error processing append operation on partition {PLACE}",
        "the leader refused a batch; the next line says why",
    ),
    _pattern(
        "invalid_transition", "broker", EVERY,
        rf"(?:TransactionalId |TransactionMetadata\(transactionalId=){ID}"
        r"(?: failed transition to state |, producerId=.*'s transition to )"
        r"|Preparing transaction state transition to \w{1,40} (?:failed since|while it already)",
        "the state of the id in the coordinator's cache does not allow what it was about to write",
    ),
    _pattern(
        "marker_refused", "broker", EVERY,
        rf"Sending {ID}'s transaction marker for partition {PLACE} has (?:permanently )?failed with error",
        "the leader of that partition does not take the marker",
    ),
    _pattern(
        "marker_without_leader", "broker", EVERY,
        rf"Couldn't find leader endpoint for partitions .* while trying to send transaction markers for {ID}, these ",
        "the marker of a decided transaction has nowhere to go",
    ),
    _pattern(
        "no_leader", "broker", ZOOKEEPER,
        rf"(?:Failed to elect leader|failed to change state) for partition {PLACE}"
        r"(?: under strategy Offline| from (?:New|Offline)Partition to OnlinePartition)",
        "the partition had no leader then",
    ),
    _pattern(
        "unclean_election", "broker", KRAFT,
        rf"Triggering unclean leader election for offline partition {PLACE}\."
        r"|Setting new leader for topicId \S{1,40}, partition \d{1,10} to \d{1,10} using an unclean election",
        "a replica that was not in sync leads from then on: what it lacked is gone",
    ),
    _pattern(
        "leads", "broker", EVERY,
        rf"\[Broker id=(?P<number>\d{{1,10}})\W.{{0,40}}Leader {PLACE} (?:with topic id \S{{1,40}} )?"
        r"starts at leader epoch (?P<offset>\d{1,10}) from offset ",
        "which broker leads that leader epoch: it ranks copies that know the same one",
    ),
    _pattern(
        "follows", "broker", KRAFT,
        rf"Follower {PLACE} starts at leader epoch (?P<offset>\d{{1,10}}) from offset .{{1,120}}"
        r"Current leader is (?P<number>\d{1,10})\b",
        "which broker leads that leader epoch: it ranks copies that know the same one",
    ),
    _pattern(
        "truncated", "broker", EVERY,
        rf"(?:\[\w+ partition={PLACE}\W.*)?Truncating to offset (?P<offset>\d{{1,19}})",
        "this replica dropped everything from that offset on",
    ),
    _pattern(
        "stable_offset", "broker", EVERY,
        r"topic=(?P<topic>[A-Za-z0-9._-]{1,249}), partition=(?P<partition>\d{1,10}), highWatermark="
        r"(?P<number>\d{1,19}), lastStableOffset=(?P<offset>\d{1,19})",
        "where the LSO and the high watermark stood then: what is equal has nothing open below it",
    ),
    _pattern(
        "cleaned", "broker", EVERY,
        rf"cleaned log {PLACE} \(dirty section = \[(?P<offset>\d{{1,19}}), (?P<number>\d{{1,19}})\]\)",
        "the cleaner came that far: an open transaction stops it at its first offset",
    ),
    _pattern(
        "epoch_exhausted", "broker", EVERY,
        rf"(?:(?:Fencing|Aborting) producer {ID} (?=\d{{1,19}} with epoch equal to Short\.MaxValue)"
        rf"|Cannot allocate any more producer epochs for producerId ){PRODUCER}\b"
        r"|Cannot fence producer with epoch equal to Short\.MaxValue",
        "a producer id's epochs are used up (KAFKA-20090)",
    ),
    _pattern(
        "unstable_offsets", "client", EVERY,
        rf"partitions still have unstable offsets which are not cleared on the broker side: \[{PLACE}",
        "the client waits for offset commits of an open transaction in that partition's log or that topic's positions",
    ),
    _pattern(
        "open_for", "client", OTHER,
        rf"\[transactionalId={ID}, producerId={PRODUCER}, epoch={EPOCH}\] has been open for (?P<number>\d{{1,19}}) ms",
        "the client believes its transaction open for so long; beyond its timeout the coordinator has ended it",
    ),
    _pattern(
        "producer_id_set", "client", EVERY,
        rf"\[Producer clientId=[^\]]*?(?:transactionalId={ID})?\] ProducerId set to {PRODUCER} with epoch {EPOCH}",
        "the client had this producer id and epoch from then on",
    ),
    _pattern(
        "client_fenced", "client", EVERY,
        rf"\[Producer clientId=[^\]]*?transactionalId={ID}\].*"
        r"(?:ProducerFenced|PRODUCER_FENCED|fenced by another|InvalidProducerEpoch|INVALID_PRODUCER_EPOCH)",
        "another instance, or the coordinator after a timeout, has taken the id over",
    ),
    _pattern(
        "client_timeout", "client", EVERY,
        r"TimeoutException: Timeout expired after .{1,40} while awaiting (?:EndTxn|InitProducerId|AddOffsetsToTxn)\b",
        "the client was not answered: it does not know what was decided",
    ),
    _pattern(
        "late_transactions", "metric", OTHER,
        r"(?i)partitions_?with_?late_?transactions_?count\w*(?:[\"{][^}]{0,300}\})?\s+(?P<number>\d{1,10})(?:\.\d+)?\b",
        "so many partitions of this broker have a transaction open beyond transaction.max.timeout.ms",
    ),
    _pattern(
        "stable_offset_lag", "metric", OTHER,
        r"(?i)(?:last_?stable_?offset_?lag(?:_value)?|_partition_value(?=\{[^}]*\"laststableoffsetlag\"))\{(?=[^}]*topic=\"(?P<topic>[A-Za-z0-9._-]{1,249})\")"
        r"(?=[^}]*partition=\"(?P<partition>\d{1,10})\")[^}]*\}\s+(?P<number>\d{1,19})(?:\.\d+)?\b",
        "so many offsets of the partition are above its LSO",
    ),
)  # fmt: skip
CLIENT_STATE = "what the client believes of its own transaction"
"""What the statistics of librdkafka prove of a producer; `client_state` has no pattern."""
PROVES: dict[str, str] = {pattern.says: pattern.proves for pattern in ALL} | {"client_state": CLIENT_STATE}
"""What a line proves, by what it says."""
