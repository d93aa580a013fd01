r"""Turns printed records of `__cluster_metadata` into rows of `metadata_records`.

payload: {"type":"TOPIC_RECORD","version":0,"data":{"name":"orders","topicId":"CP_A11TWSbaniC6eSgiIhA"}}
payload: Error at 24, skipping. Failed to deserialize record with type 3
payload: Error at 1, skipping. org.apache.kafka.common.errors.UnsupportedVersionException: Unknown metadata id 23
LeaderChange: {"version":0,"leaderId":2,...}      (4.0 and later; before: controlType: LEADER_CHANGE(2))
SnapshotHeader {"version":0,...}                  (3.9 and later also KRaftVersion, KRaftVoters; before: UNKNOWN(5))
"""

import json
import re
from typing import Any

from analyzer.kafka.metadata_schemas import RecordType, record_types, types_by_name
from analyzer.kafka.topics import METADATA_TOPIC
from analyzer.parse.contents.metadata_sizes import value_size
from analyzer.parse.rows import Row, json_number, within

TABLE = "metadata_records"
NOT_PRINTED = "the tool that printed it does not know this record"
NO_CONTENTS = "the tool that printed it shows no contents of this control record"

_DATA = re.compile(r"\] payload: (?:(\{\"type\":.*\})|(Error at -?\d+, skipping\. .*))", re.DOTALL)
_UNKNOWN = re.compile(r"(?:with type|Unknown metadata id) (\d{1,9})")
_CONTROL = re.compile(
    r"\] (?:controlType: (\w+)\((\d{1,9})\)|(LeaderChange|Snapshot\w+|KRaft\w+):? (\{.*\}))", re.DOTALL
)
_PRINTED_NAMES = {
    "LeaderChange": "LEADER_CHANGE",
    "SnapshotHeader": "SNAPSHOT_HEADER",
    "SnapshotFooter": "SNAPSHOT_FOOTER",
    "KRaftVersion": "KRAFT_VERSION",
    "KRaftVoters": "KRAFT_VOTERS",
}
_EPOCH = re.compile(rb" partitionLeaderEpoch: (-?\d{1,10}) ")
_SPELLINGS = {"lastKnownELR": "lastKnownElr"}
"""How 3.7 and 3.8 print names that later tools print otherwise."""

Fields = dict[str, Any]
Meaning = tuple[object, ...]
"""is_control, type_id, record_type, version, fields, whole, undecoded."""


def may_be_metadata(topic: str | None) -> bool:
    """Whether records of a section whose Dumping line names this topic, or none, may be those of the quorum's log."""
    return topic is None or topic == METADATA_TOPIC


def data_row(rest: str, value_bytes: int, batch_line: bytes, offset: int, timestamp: int | None) -> Row | None:
    """Return the row of a data record, None if it is no metadata record; `rest` follows `headerKeys: [` on its line."""
    match = _DATA.fullmatch(rest)
    if match is None:
        return None
    meaning = _printed(match[1], value_bytes) if match[1] else _refused(match[2])
    return None if meaning is None else (TABLE, (offset, timestamp, _quorum_epoch(batch_line), *meaning))


def control_row(rest: str, batch_line: bytes, offset: int, timestamp: int | None) -> Row | None:
    """Return the row of a control record of the quorum, None for another one."""
    match = _CONTROL.fullmatch(rest)
    if match is None:
        return None
    if match[3] is None:
        meaning = meaning_of(int(match[2]), None, None, control=True, undecoded=NO_CONTENTS)
    else:
        kind = types_by_name(control=True).get(_PRINTED_NAMES.get(match[3], ""))
        fields = _object(match[4])
        if kind is None or fields is None:
            return None
        version = json_number(fields.get("version"), "int")
        meaning = meaning_of(kind.type_id, version, fields, control=True)
    return (TABLE, (offset, timestamp, _quorum_epoch(batch_line), *meaning))


def meaning_of(
    type_id: int | None,
    version: int | None,
    fields: Fields | None,
    *,
    control: bool = False,
    whole: bool | None = None,
    undecoded: str | None = None,
) -> Meaning:
    """Return the columns of a record that do not depend on where it stands; an unknown type has its number as name."""
    kind = record_types(control=control).get(-1 if type_id is None else type_id)
    name = kind.name if kind else None if type_id is None else f"UNKNOWN({type_id})"
    text = None if fields is None else json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    return (control, within(type_id, "int"), name, within(version, "int"), text, whole, undecoded)


def _printed(text: str, value_bytes: int) -> Meaning | None:
    """Return what a printed record says; it is whole if its fields take as many bytes as the value has."""
    record = _object(text)
    if record is None or not isinstance(record.get("data"), dict):
        return None
    name, version = str(record.get("type")), json_number(record.get("version"), "int")
    fields = {_SPELLINGS.get(key, key): value for key, value in record["data"].items()}
    kind = types_by_name().get(name)
    if kind is None:
        return (False, None, name, version, json.dumps(fields, ensure_ascii=False), None, None)
    return meaning_of(kind.type_id, version, fields, whole=_whole(kind, version, fields, value_bytes))


def _whole(kind: RecordType, version: int | None, fields: Fields, value_bytes: int) -> bool | None:
    shape = kind.versions.get(-1 if version is None else version)
    size = None if shape is None else value_size(kind.type_id, version or 0, shape, fields)
    return None if size is None else size == value_bytes


def _refused(text: str) -> Meaning:
    """Return what is left of a record that the tool could not read: its type, if it says so."""
    unknown = _UNKNOWN.search(text)
    return meaning_of(int(unknown[1]) if unknown else None, None, None, undecoded=NOT_PRINTED)


def _quorum_epoch(batch_line: bytes) -> int | None:
    match = _EPOCH.search(batch_line)
    return within(int(match[1]), "int") if match else None


def _object(text: str) -> Fields | None:
    """Return a JSON object, None for anything else."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
