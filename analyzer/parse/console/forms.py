r"""Parses a line of the console formatters up to 3.9 (Java `toString` forms) into a row of its table.

t::TransactionMetadata(transactionalId=t, producerId=1, producerEpoch=0, txnTimeoutMs=60000, state=Ongoing, ...)
[g,t,0]::OffsetAndMetadata(offset=5, leaderEpoch=Optional[3], metadata=note, commitTimestamp=1, expireTimestamp=None)
[g,t,0]::[OffsetMetadata[5,note],CommitTime 1,ExpirationTime 2]                                  (to 2.0)
g::GroupMetadata(groupId=g, generation=3, protocolType=Some(consumer), currentState=Stable, members=Map(...))
key: transactionalId=t payload: producerId:1,producerEpoch:0,state=Ongoing,partitions=[a-0],...   (of a dump's line)
"""

import re

from analyzer.parse.contents.transaction_state import TOMBSTONE, text_state
from analyzer.parse.rows import Row, within

_STATE = "::TransactionMetadata(transactionalId="
_FIELD = re.compile(r"(\w+)=([^,()\[\]=]*)(?:[(\[]([^()\[\]]*)[)\]])?(?:, |(\)?)\s*(?:(?://|#).*)?$)")
"""A field of a state: later releases have more of them, and some have them in another order."""
_NO_EQUALS = re.compile(r"producerId(?=\d)")
"""Some release prints `producerId15`."""
_BEFORE = 300
"""Characters that may stand before a record: a quote's mark, a comment's, a container's name."""
_CLOSED = re.compile(r"-?\d{13}|-1")
"""A time that is not cut, where the line has lost its last bracket."""
_NUMBERS = ("producerId", "producerEpoch", "txnTimeoutMs", "txnLastUpdateTimestamp", "txnStartTimestamp")
_NUMBER = re.compile(r"-?\d{1,19}")
_COMMIT_KEY = re.compile(r"\[(.*),([A-Za-z0-9._-]+),(\d{1,10})\]")
_COMMIT = re.compile(
    r"OffsetAndMetadata\(offset=(?P<offset>-?\d{1,19}), leaderEpoch=Optional(?:\.empty|\[(?P<epoch>-?\d{1,10})\]), "
    r"metadata=(?P<metadata>.*), commitTimestamp=(?P<time>-?\d{1,19}), expireTimestamp=.*\)"
)
_OLD_COMMIT = re.compile(
    r"\[OffsetMetadata\[(?P<offset>-?\d{1,19}),(?P<metadata>.*)\],CommitTime (?P<time>-?\d{1,19}),ExpirationTime .*\]"
)
_GROUP = re.compile(
    r"(?P<group>.*)::GroupMetadata\(groupId=(?P=group), generation=(?P<generation>-?\d{1,10}), "
    r"protocolType=(?:None|Some\((?P<type>.*?)\)), .*\)"
)
_MEMBER = re.compile(r"(?:Map\(|\), )(\S+) -> MemberMetadata\(")
_DUMPED = "transactionalId="
_BEFORE_KEY = re.compile(r"(?!.*\boffset: )(?:.{0,300}\s)?(?:\S{0,200}:)?")
"""What may stand before it: `key: ` and `transaction_metadata::`, and what a search or a person put there."""
NO_METADATA = "NO_METADATA"
"""What versions up to 2.0 print for empty metadata."""


def old_form(line: str) -> Row | None:
    """Return the table and its columns from `offset` on, None if the line has none of these forms."""
    key, sep, value = line.rpartition("::NULL")
    if sep and value == "":
        commit = _COMMIT_KEY.fullmatch(key)
        if commit is None:
            return ("coordinator_states", (None, None, key, *TOMBSTONE))
        place = (commit[1], commit[2], within(int(commit[3]), "int"))
        return ("offset_commits", (None, None, *place, None, None, None, None, True, None, None, None))
    return _state_row(line) or _dumped_row(line) or _commit_row(line) or _group_row(line)


def _state_of(line: str) -> tuple[str, dict[str, str]] | None:
    """Return the id and the fields of a state by name; None if the line is none, or may be cut."""
    before, found, text = line.partition(_STATE)
    transactional_id, found, text = text.partition(", producerId")
    if not found or not before.endswith(transactional_id):
        return None
    prefix = before.removesuffix(transactional_id)
    if len(prefix) > _BEFORE or not (prefix == "" or prefix[-1].isspace()):
        return None
    text = _NO_EQUALS.sub("producerId=", f"producerId{text}", count=1)
    fields: dict[str, str] = {}
    at = 0
    while match := _FIELD.match(text, at):
        fields[match[1]] = match[2] if match[3] is None else match[3]
        at = match.end()
        if at == len(text) and match[4] is not None:
            return (transactional_id, fields) if match[4] or _CLOSED.fullmatch(match[2]) else None
    return None


def _state_row(line: str) -> Row | None:
    transactional_id, fields = _state_of(line) or ("", {})
    numbers = [fields.get(name, "") for name in _NUMBERS]
    listed = fields.get("topicPartitions", fields.get("partitions"))
    if listed is None or not fields.get("state") or not all(_NUMBER.fullmatch(one) for one in numbers):
        return None
    producer, epoch, timeout, updated, start = map(int, numbers)
    values = (
        False,
        None,
        within(producer, "bigint"),
        within(epoch, "int"),
        within(timeout, "bigint"),
        fields["state"],
        sorted(filter(None, re.split(r", ?", listed))),
        within(updated, "bigint"),
        within(start, "bigint"),
        None,
        None,
        None,
    )
    return ("coordinator_states", (None, None, transactional_id, *values))


def _dumped_row(line: str) -> Row | None:
    """Return the state of a record that DumpLogSegments printed as text, cut off from what stood before its key."""
    key, found, value = line.rpartition(" payload: ")
    before, named, transactional_id = key.partition(_DUMPED)
    if not found or not named or _BEFORE_KEY.fullmatch(before) is None:
        return None
    state = text_state(value)
    return None if state is None else ("coordinator_states", (None, None, transactional_id, *state))


def _commit_row(line: str) -> Row | None:
    key, sep, value = line.partition("]::")
    place = _COMMIT_KEY.fullmatch(key + "]") if sep else None
    match = place and (_COMMIT.fullmatch(value) or _OLD_COMMIT.fullmatch(value))
    if not place or not match:
        return None
    fields = match.groupdict()
    epoch = fields.get("epoch")
    metadata = fields["metadata"] if fields["metadata"] != NO_METADATA else ""
    values = (
        place[1],
        place[2],
        within(int(place[3]), "int"),
        within(int(fields["offset"]), "bigint"),
        within(int(epoch), "int") if epoch else None,
        metadata,
        within(int(fields["time"]), "bigint"),
        False,
    )
    return ("offset_commits", (None, None, *values, None, None, None))


def _group_row(line: str) -> Row | None:
    match = _GROUP.fullmatch(line)
    if not match:
        return None
    members = sorted(_MEMBER.findall(line))
    generation = within(int(match["generation"]), "int")
    return ("group_metadata", (None, None, match["group"], False, generation, match["type"], None, members))
