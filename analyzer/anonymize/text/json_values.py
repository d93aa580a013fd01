"""Replaces names in JSON that Kafka's tools print, and writes it again as they do."""

import base64
import json
from typing import Any

from analyzer.anonymize.raw.field_edits import member_content
from analyzer.anonymize.replacing import Replacing

_NAMES = frozenset(
    {
        "transactionalId", "group", "groupId", "topic", "topicName", "resourceName", "memberId", "leader", "clientId",
        "clientHost", "groupInstanceId", "host", "rack", "entityName", "userName", "principalName", "client_id",
    }
)  # fmt: skip
"""Fields whose strings nobody at Kafka chose."""
_FREE = frozenset({"metadata", "message", "msg"})
_UUIDS = frozenset({"topicId", "incarnationId", "logDirs", "directories", "directoryId", "voterDirectoryId"})
_CONTENTS = {"subscription": True, "assignment": False}
"""Bytes of the consumer protocol in base64: subscriptions, and assignments."""


def replaced_json(value: Any, to: Replacing, field: str = "") -> Any:  # noqa: ANN401 - a JSON value
    """Return the value with other names; `field` is what it is the value of."""
    if isinstance(value, dict):
        of_topic = "topicId" in value
        return {
            name: replaced_json(one, to, "topicName" if of_topic and name == "name" else name)
            for name, one in value.items()
        }
    if isinstance(value, list):
        return [replaced_json(one, to, field) for one in value]
    return _text(value, to, field) if isinstance(value, str) else value


def printed_json(value: object) -> str:
    """Return a value as Kafka's tools print it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _text(text: str, to: Replacing, field: str) -> str:
    if field in _CONTENTS:
        return _of_member(text, to, subscription=_CONTENTS[field])
    if field in _FREE:
        return to.printed(text.encode()).decode()
    if field in _UUIDS:
        return to.printed_uuid(text)
    return to.word(text, own=field in _NAMES)


def _of_member(text: str, to: Replacing, *, subscription: bool) -> str:
    """Return base64 of other topics, or what 3.8 prints as the assignment of a whole group: `{m1=[t-0]}`."""
    try:
        content = base64.b64decode(text, validate=True)
    except ValueError:
        return to.assignment(text)
    return base64.b64encode(member_content(content, to, subscription=subscription)).decode()
