r"""Parses a line of the console formatters up to 3.9 (Java `toString` forms) into a row of its table.

t::TransactionMetadata(transactionalId=t, producerId=1, producerEpoch=0, txnTimeoutMs=60000, state=Ongoing, ...)
[g,t,0]::OffsetAndMetadata(offset=5, leaderEpoch=Optional[3], metadata=note, commitTimestamp=1, expireTimestamp=None)
[g,t,0]::[OffsetMetadata[5,note],CommitTime 1,ExpirationTime 2]                                  (to 2.0)
g::GroupMetadata(groupId=g, generation=3, protocolType=Some(consumer), currentState=Stable, members=Map(...))
"""

import re

from analyzer.parse.contents.transaction_state import TOMBSTONE
from analyzer.parse.rows import Row, within

_STATE = re.compile(
    r"(?P<id>.*)::TransactionMetadata\(transactionalId=(?P=id), producerId=(?P<producer>-?\d{1,19})(?:, \w+=-?\d+)*?, "
    r"producerEpoch=(?P<epoch>-?\d{1,10})(?:, \w+=-?\d+)*?, txnTimeoutMs=(?P<timeout>-?\d{1,19}), "
    r"state=(?P<state>\w+), pendingState=[^,]*, topicPartitions=(?:\w*Set\(|\[)(?P<partitions>[^)\]]*)[)\]], "
    r"txnStartTimestamp=(?P<start>-?\d{1,19}), txnLastUpdateTimestamp=(?P<updated>-?\d{1,19})(?:, .*)?\)"
)
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
    state = _STATE.fullmatch(line)
    return _state_row(state) if state else _commit_row(line) or _group_row(line)


def _state_row(match: re.Match[str]) -> Row:
    partitions = sorted(filter(None, re.split(r", ?", match["partitions"])))
    values = (
        False,
        None,
        within(int(match["producer"]), "bigint"),
        within(int(match["epoch"]), "int"),
        within(int(match["timeout"]), "bigint"),
        match["state"],
        partitions,
        within(int(match["updated"]), "bigint"),
        within(int(match["start"]), "bigint"),
        None,
        None,
        None,
    )
    return ("coordinator_states", (None, None, match["id"], *values))


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
