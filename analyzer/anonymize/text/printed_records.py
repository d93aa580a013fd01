"""Replaces names in the printed key and value of a record of an internal topic, in the forms of every version.

The forms are those of `parse.contents.transaction_state`, `consumer_offsets` and `metadata`, and of `parse.console`.
"""

import json
import re

from analyzer.anonymize.replacing import Replacing
from analyzer.anonymize.text.json_values import printed_json, replaced_json
from analyzer.parse.console import kcl
from analyzer.parse.console.forms import old_form
from analyzer.parse.contents.transaction_state import DELETED

_STATE_KEY = re.compile(r"((?:transaction_metadata::)?transactionalId=)(.*)", re.DOTALL)
_COMMIT_KEY = re.compile(r"(offset_commit::group=)(.*)(,partition=)(.*)(-\d{1,10})", re.DOTALL)
_OLD_COMMIT_KEY = re.compile(r"(offset::)(.*)(:)([^:]*)(:\d{1,10})", re.DOTALL)
_GROUP_KEY = re.compile(r"((?:group_)?metadata::(?:group=)?|\{\"metadata\":\")(.*?)((?:\"\})?)", re.DOTALL)
_PARTITIONS = re.compile(r"(partitions=(?:\[|\w*Set\(|\w+\()|topicPartitions=(?:\[|\w*Set\())([^)\]]*)")
_COMMIT = re.compile(r"(offset=-?\d{1,19}(?:,metadata=)?)(.*)", re.DOTALL)
_OLD_COMMIT = re.compile(r"(-?\d{1,19}(?::)?)(.*)", re.DOTALL)
_OLD_GROUP = re.compile(r"([^:]*)(:)(.*)(:-?\d{1,10}:)(\{.*\})", re.DOTALL)
_OLD_MEMBERS = re.compile(r"([^{}=, ][^=]*?)=([0-9A-F]+)(?=[,}])")
_CONSOLE_STATE = re.compile(r"(?P<id>.*)::(TransactionMetadata\(transactionalId=)(?P=id)(, [^/#]*).*", re.DOTALL)
"""A comment at the end of the line is left out."""
_CONSOLE_PARTITIONS = re.compile(r"(\b(?:topicP|p)artitions=(?:\w*Set\(|\[))([^)\]]*)")
_KCL_FIELD = re.compile(
    r"\s+\w*(?:Producer(?:ID|Epoch)|Millis|State|Timestamp|Version)\s+(?:-?\d{1,19}|[A-Z][A-Za-z]{3,20})\s*"
)
"""A field of kcl's that is a number or a state."""
_KCL_TOPICS = re.compile(r"(\s+Topics\s+)(.*)")
_CONSOLE_COMMIT = re.compile(r"\[(.*),([A-Za-z0-9._-]+),(\d{1,10})\]::(.*)", re.DOTALL)
_CONSOLE_METADATA = re.compile(
    r"(.*?(?:metadata=|OffsetMetadata\[-?\d{1,19},))(.*?)((?:, commitTimestamp=|\],CommitTime ).*)", re.DOTALL
)


def replaced_record(key: str, value: str | None, to: Replacing) -> tuple[str, str | None] | None:
    """Return a printed key and value with other names, None if they have none of the forms."""
    if key.startswith('{"type"'):
        return _json_record(key, value, to)
    new_key = _key(key, to)
    if new_key is None:
        return None
    if value is None or value == DELETED:
        return new_key, value
    new_value = _value(key, value, to)
    return None if new_value is None else (new_key, new_value)


def replaced_console_line(line: str, to: Replacing) -> str | None:
    """Return a line of the console formatters up to 3.9, or of kcl, with other names; None if it has no such form."""
    state = _CONSOLE_STATE.fullmatch(line)
    if state and old_form(line):
        name = to.names.of(state["id"])
        rest = _CONSOLE_PARTITIONS.sub(lambda match: match[1] + _partitions(match[2], to), state[3])
        return f"{name}::{state[2]}{name}{rest}"
    commit = _CONSOLE_COMMIT.fullmatch(line)
    if commit:
        value = commit[4]
        told = _CONSOLE_METADATA.fullmatch(value)
        if told:
            free = told[2] if told[2] == "NO_METADATA" else _free(told[2], to)
            value = told[1] + free + told[3]
        elif value != "NULL":
            return None
        return f"[{to.names.of(commit[1])},{to.names.of(commit[2])},{commit[3]}]::{value}"
    key, mark, rest = line.rpartition("::NULL")
    return f"{to.names.of(key)}::NULL" if mark and not rest else _kcl_line(line, to)


def _kcl_line(line: str, to: Replacing) -> str | None:
    if kcl.HEAD.fullmatch(line) or kcl.VALUE.fullmatch(line) or _KCL_FIELD.fullmatch(line):
        return line
    if key := kcl.KEY.fullmatch(line):
        return line[: key.start(1)] + to.names.of(key[1])
    topics = _KCL_TOPICS.fullmatch(line)
    if topics is None or kcl.TOPIC.sub("", topics[2]).strip():
        return None
    return topics[1] + kcl.TOPIC.sub(lambda one: f"{to.names.of(one[1])}=>[{one[2]}]", topics[2])


def _json_record(key: str, value: str | None, to: Replacing) -> tuple[str, str | None] | None:
    try:
        new_key = printed_json(replaced_json(json.loads(key), to))
        if value is None or value == DELETED:
            return new_key, value
        return new_key, printed_json(replaced_json(json.loads(value), to))
    except (ValueError, RecursionError):
        return None


def _key(key: str, to: Replacing) -> str | None:
    state = _STATE_KEY.fullmatch(key)
    if state:
        return state[1] + to.names.of(state[2])
    commit = _COMMIT_KEY.fullmatch(key) or _OLD_COMMIT_KEY.fullmatch(key)
    if commit:
        return commit[1] + to.names.of(commit[2]) + commit[3] + to.names.of(commit[4]) + commit[5]
    group = _GROUP_KEY.fullmatch(key)
    return group[1] + to.names.of(group[2]) + group[3] if group else None


def _value(key: str, value: str, to: Replacing) -> str | None:
    if _STATE_KEY.fullmatch(key):
        changed, count = _PARTITIONS.subn(lambda match: match[1] + _partitions(match[2], to), value)
        return changed if count == 1 else None
    if key.startswith("offset"):
        commit = _COMMIT.fullmatch(value) or _OLD_COMMIT.fullmatch(value)
        return commit[1] + _free(commit[2], to) if commit else None
    if value.startswith("{"):
        try:
            told = json.loads(value)
        except (ValueError, RecursionError):
            return None
        return printed_json(replaced_json(told, to))
    old = _OLD_GROUP.fullmatch(value)
    if old is None:
        return None
    members = _OLD_MEMBERS.sub(lambda match: f"{to.names.of(match[1])}={'0' * len(match[2])}", old[5])
    return to.word(old[1]) + old[2] + to.word(old[3]) + old[4] + to.assignment(members)


def _partitions(listed: str, to: Replacing) -> str:
    return re.sub(r"[^, ]+", lambda match: to.partition(match[0]), listed)


def _free(text: str, to: Replacing) -> str:
    return to.printed(text.encode()).decode("utf-8", "replace")
