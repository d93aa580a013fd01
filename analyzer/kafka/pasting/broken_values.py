r"""What the console's formatters and other tools print on one line and mail broke into several, whole again.

pay-1::TransactionMetadata(transactionalId=pay-1, producerId=5000,
producerEpoch=3, txnTimeoutMs=60000, state=Ongoing, pendingState=None,
topicPartitions=HashSet(orders-0, payments-1),
txnStartTimestamp=1650000000000, txnLastUpdateTimestamp=1650000000100)

Topic: orders   TopicId: q6eP   PartitionCount: 4   ReplicationFactor: 1
Configs: min.insync.replicas=2

kafka-transactions.sh --bootstrap-server b:9092 describe-producers
--topic orders --partition 1
"""

import itertools
import json
import re
from collections.abc import Callable, Sequence

Whole = tuple[str, int]
"""A line that was broken, and how many pieces it had."""

_JAVA = re.compile(r"\S::(?:TransactionMetadata|OffsetAndMetadata|GroupMetadata)\(")
_OBJECT = re.compile(r'\{"key":')
_LABELS = (
    r"(?:TopicId|PartitionCount|ReplicationFactor|Configs|Partition|Leader|Replicas|Isr|Elr|LastKnownElr|Offline"
    r"|Adding Replicas|Removing Replicas)"
)
_DESCRIBED = re.compile(r"\s*Topic:\s*[\w.-]{1,249}(?:\s+\S.*)?")
_LABEL = re.compile(rf"\s*({_LABELS}):")
_OPEN_LABEL = re.compile(rf"\b(?:{_LABELS}|Topic):\s*$")
_VALUE = re.compile(r"[\w,.=/-]{1,400}(?=\s|$)(?!\s*:)")
_COMMAND = re.compile(r"\bkafka-[a-z-]{1,40}(?:\.sh|\.bat)?(?:\s|$)")
_OPTION = re.compile(r"--[a-z][a-z.-]{1,40}(?:[= ]|$)")
_OPEN_OPTION = re.compile(
    r"--(?:bootstrap-server|command-config|topic|partition|start-offset|transactional-id|broker-id|group|files|broker)$"
)
_SUBCOMMAND = re.compile(r"(?:describe-producers|describe|find-hanging|list|abort)(?=\s+--|$)")
_REST_OF_WORD = re.compile(r"[\w.:/,-]{1,80}(?:\s+\S+){0,4}\s+--[a-z]\S*(?:\s.*)?")
"""What follows a word of a command that a terminal broke."""
_KEYS = frozenset(
    {
        *("key", "value", "type", "version", "data", "transactionalId", "producerId", "previousProducerId"),
        *("nextProducerId", "producerEpoch", "transactionTimeoutMs", "transactionStatus", "transactionPartitions"),
        *("topic", "topicId", "partitionIds", "transactionLastUpdateTimestampMs", "transactionStartTimestampMs"),
        *("clientTransactionVersion", "group", "partition", "offset", "leaderEpoch", "metadata", "commitTimestamp"),
        "expireTimestamp",
    }
)
"""Those of a state and of a commit: any other shows that a line between two others is missing."""
_MOST_PIECES, _WIDEST, _NARROWEST = 20, 400, 60
"""Lines that one line may have become; how wide a line that was broken is."""


def whole_value(pieces: Sequence[str]) -> Whole | None:
    """Return the line that these pieces begin with, whole; None if it is none of these, or is not broken."""
    if len(pieces[0]) > _WIDEST:
        return None
    first = pieces[0]
    if _JAVA.search(first):
        return _java(pieces)
    if _OBJECT.match(first):
        return _json(pieces)
    if _DESCRIBED.fullmatch(first):
        return _grown(pieces, _seam_of_description)
    return _grown(pieces, _seam_of_command) if _COMMAND.search(first) else None


def _grown(pieces: Sequence[str], seam: Callable[[str, str], str | None]) -> Whole | None:
    """Join the pieces as long as `seam` tells what stood between the line so far and the next one, None for no more."""
    whole, count = pieces[0].rstrip(), 1
    while count < min(_MOST_PIECES, len(pieces)):
        rest = pieces[count].strip()
        between = seam(whole, rest)
        if between is None:
            break
        whole, count = f"{whole}{between}{rest}", count + 1
    return (whole, count) if count > 1 else None


def _seam_of_description(line: str, rest: str) -> str | None:
    if _OPEN_LABEL.search(line):
        goes_on = _VALUE.match(rest) is not None and (not line.endswith("Configs:") or "=" in rest)
    else:
        label = _LABEL.match(rest)
        goes_on = label is not None and f"{label[1]}:" not in line
    return " " if goes_on else None


def _seam_of_command(line: str, rest: str) -> str | None:
    if line.endswith("\\"):
        return None
    if _OPEN_OPTION.search(line):
        return " " if re.match(r"[\w./'\"$]", rest) else None
    if _OPTION.match(rest) or _SUBCOMMAND.match(rest):
        return " "
    if _COMMAND.search(rest):
        return None
    return "" if len(line) >= _NARROWEST and _REST_OF_WORD.fullmatch(rest) else None


def _java(pieces: Sequence[str]) -> Whole | None:
    """Join the pieces of a Java object: lines break after a comma, or anywhere where all of them are equally wide.

    One that stands upright breaks at its brackets, too.
    """
    whole, count = pieces[0], 1
    while not _closed(whole):
        if count == min(_MOST_PIECES, len(pieces)) or _JAVA.search(pieces[count]):
            return None
        before, after = pieces[count - 1], pieces[count]
        between = before.rstrip().endswith(",") or before[-1:].isspace() or after[:1].isspace()
        if _at_bracket(before, after):
            whole = whole.rstrip() + after.strip()
        else:
            whole = f"{whole.rstrip()} {after.strip()}" if between else whole + after
        count += 1
    broken = itertools.pairwise(pieces[:count])
    within = not all(before.rstrip().endswith(",") or _at_bracket(before, after) for before, after in broken)
    if count == 1 or (within and not _equally_wide(pieces[:count])):
        return None
    return whole, count


def _at_bracket(before: str, after: str) -> bool:
    return before.rstrip().endswith(("(", "[")) or after.lstrip().startswith((")", "]"))


def _closed(text: str) -> bool:
    opened = text[text.index("::") :]
    return opened.count("(") + opened.count("[") == opened.count(")") + opened.count("]")


def _equally_wide(pieces: Sequence[str]) -> bool:
    """Return whether a terminal may have broken them: all but the last end at the width, but for spaces cut off."""
    width = max(map(len, pieces[:-1]))
    return len(pieces[-1]) <= width and all(
        len(piece) == width or (len(piece) == width - 1 and piece.endswith(",")) for piece in pieces[:-1]
    )


def _json(pieces: Sequence[str]) -> Whole | None:
    """Join the pieces of an object that was broken within words; between them JSON may have line ends."""
    for count in range(2, min(_MOST_PIECES, len(pieces)) + 1):
        if pieces[count - 1].rstrip().endswith("}") and _equally_wide(pieces[:count]):
            whole = "".join(pieces[:count])
            try:
                value = json.loads(whole)
            except (ValueError, RecursionError):
                continue
            return (whole, count) if _keys_of(value) <= _KEYS else None
        if _OBJECT.match(pieces[count - 1]):
            break
    return None


def _keys_of(value: object) -> frozenset[str]:
    """Return the keys of a JSON value, at any depth."""
    if isinstance(value, dict):
        return frozenset(value).union(*map(_keys_of, value.values()))
    return frozenset().union(*map(_keys_of, value)) if isinstance(value, list) else frozenset()
