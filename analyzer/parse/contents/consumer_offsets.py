r"""Parses a printed record of `__consumer_offsets` into a row of `offset_commits` or `group_metadata`.

key: offset::g:t:0 payload: 5:note                                                            (0.9.0.1 to 2.4.0)
key: offset_commit::group=g,partition=t-0 payload: offset=5,metadata=note                     (2.4.1 to 3.7)
key: {"type":"1","data":{"group":"g","topic":"t","partition":0}} payload: {"version":"3","data":{...}}    (3.8 on)
key: metadata::g payload: consumer:range:3:{m1=[t-0]}                                         (to 0.11)
key: {"metadata":"g"} payload: {"protocolType":"consumer","protocol":"range","generationId":3,...} (1.0 to 2.4.0)
key: group_metadata::group=g payload: the same JSON                                           (2.4.1 to 3.7)
key: {"type":"3","data":{"groupId":"g"}} payload: {"version":"0","data":{"epoch":5}}          (4.0 on, newer protocols)
"""

import json
import re
from typing import Any

from analyzer.kafka.group_records import EPOCHS, GENERATION, protocol_of
from analyzer.parse.contents.transaction_state import DELETED
from analyzer.parse.rows import json_number, within

COMMIT_PREFIXES = (b"offset::", b"offset_commit::group=")
GROUP_PREFIXES = (b"metadata::", b"group_metadata::group=", b'{"metadata":"')
COMMIT_KEY_OVERHEAD = 10
"""Bytes of a stored OffsetCommitKey without group and topic: version, two lengths, partition."""
GROUP_KEY_OVERHEAD = 4
COMMIT_VALUE_OVERHEADS = (24, 28, 20)
"""Bytes of a stored OffsetCommitValue without its metadata: versions 3 and 4, version 1, versions 0 and 2."""

_OLD_KEY = re.compile(r"offset::(.*):([^:]*):(\d{1,10})", re.DOTALL)
_KEY = re.compile(r"offset_commit::group=(.*),partition=([A-Za-z0-9._-]*)-(\d{1,10})", re.DOTALL)
_OLD_VALUE = re.compile(r"(-?\d{1,19})(?::(.*))?", re.DOTALL)
_VALUE = re.compile(r"offset=(-?\d{1,19})(?:,metadata=(.*))?", re.DOTALL)
_OLD_GROUP = re.compile(r"([^:]*):(.*):(-?\d{1,10}):\{(.*)\}", re.DOTALL)
_MEMBER = re.compile(r"(.+?)=(?:\[[^\]]*\](?::[0-9A-F]*)?|[0-9A-F]*)(?:, ?|$)", re.DOTALL)

Commit = tuple[object, ...]
"""group, topic, partition, committed_offset, leader_epoch, metadata, commit_ms, tombstone"""
Group = tuple[object, ...]
"""group, tombstone, generation, protocol_type, leader, members, key_type"""


def text_commit(key: str, value: str | None) -> Commit | None:
    """Return the commit of the text forms, None if it is none; a value of None or `<DELETE>` is a tombstone."""
    match = _KEY.fullmatch(key) or _OLD_KEY.fullmatch(key)
    if not match:
        return None
    place = (match[1], match[2], within(int(match[3]), "int"))
    if value is None or value == DELETED:
        return (*place, None, None, None, None, True)
    printed = _VALUE.fullmatch(value) or _OLD_VALUE.fullmatch(value)
    if not printed:
        return None
    return (*place, within(int(printed[1]), "bigint"), None, printed[2] or "", None, False)


def text_group(key: str, value: str | None) -> Group | None:
    """Return the group of the text forms, None if it is none; a value of None or `<DELETE>` is a tombstone."""
    if key.startswith('{"metadata":"'):
        group = _json_group_name(key)
    else:
        group = key.removeprefix("group_metadata::group=").removeprefix("metadata::")
    if value is None or value == DELETED:
        return (group, True, None, None, None, None, GENERATION)
    if value.startswith("{"):
        try:
            data = json.loads(value)
            return (
                group,
                False,
                json_number(data["generationId"], "int"),
                data["protocolType"],
                None,
                _members(data["assignment"]),
                GENERATION,
            )
        except (ValueError, KeyError, TypeError):
            return None
    old = _OLD_GROUP.fullmatch(value)
    return old and (group, False, json_number(old[3], "int"), old[1], None, _members("{" + old[4] + "}"), GENERATION)


def _json_group_name(key: str) -> str:
    """Return the name in `{"metadata":"g"}`; 1.0 printed it without escapes."""
    try:
        return str(json.loads(key)["metadata"])
    except (ValueError, KeyError, TypeError):
        return key.removeprefix('{"metadata":"').removesuffix('"}')


def _members(assignment: str) -> list[str]:
    """Return the member ids of `{m1=[t-0],m2=[]}`, sorted."""
    return sorted(match[1] for match in _MEMBER.finditer(assignment[1:-1]))


def json_commit(key: dict[str, Any], value: dict[str, Any] | None) -> Commit | None:
    """Return the commit of `{"type":"1","data":{...}}` and `{"version":"3","data":{...}}`, None if it is none."""
    data = key["data"]
    place = (data.get("group"), data.get("topic"), json_number(data.get("partition"), "int"))
    if value is None:
        return (*place, None, None, None, None, True)
    read = value.get("data")
    if not isinstance(read, dict) or "offset" not in read:
        return None
    return (
        *place,
        json_number(read["offset"], "bigint"),
        json_number(read.get("leaderEpoch"), "int"),
        read.get("metadata"),
        json_number(read.get("commitTimestamp"), "bigint"),
        False,
    )


def json_group(key: dict[str, Any], value: dict[str, Any] | None) -> Group | None:
    """Return the group of `{"type":"2","data":{"group":"g"}}` and its value, None if it is none."""
    group = key["data"].get("group")
    if value is None:
        return (group, True, None, None, None, None, GENERATION)
    read = value.get("data")
    if not isinstance(read, dict) or "generation" not in read:
        return None
    members = [member.get("memberId") for member in read.get("members") or [] if isinstance(member, dict)]
    return (
        group,
        False,
        json_number(read["generation"], "int"),
        read.get("protocolType"),
        read.get("leader"),
        sorted(filter(None, members)),
        GENERATION,
    )


def json_newer(key: dict[str, Any], value: dict[str, Any] | None, kind: int) -> Group | None:
    """Return what a newer protocol keeps of a group: `{"type":"3","data":{"groupId":"g"}}` and its value, if any.

    None for a type of no protocol.
    """
    protocol, data = protocol_of(kind), key["data"]
    if protocol is None or not isinstance(data.get("groupId"), str):
        return None
    read = (value or {}).get("data")
    field = EPOCHS.get(kind)
    epoch = json_number(read.get(field), "int") if isinstance(read, dict) and field else None
    member = data.get("memberId")
    return (data["groupId"], value is None, epoch, protocol, None, [member] if isinstance(member, str) else [], kind)
