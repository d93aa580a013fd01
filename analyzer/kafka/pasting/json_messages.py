"""The message of a log's line that a program wrapped in JSON, as shippers and viewers of logs name it."""

import json
import re
from collections.abc import Iterator
from typing import Any

MESSAGES = (
    "message", "msg", "log", "textPayload", "line", "_raw", "MESSAGE", "@message", "Message", "RenderedMessage",
    "full_message", "short_message", "LogEntry", "LogMessage",
)  # fmt: skip
HOLDERS = ("jsonPayload", "_source", "attributes", "content", "result", "log", "event", "fields")
"""Where viewers of logs keep the line: Google's, Grafana, Splunk; Elastic's and Datadog's in an object of its own."""
_ORIGINAL = "original"
"""The line as it was, in ECS."""
_ERRORS = re.compile(
    r"(?:error|exception|thrown|cause|throwable)(?:[._](?:message|stack_?trace|type|name))?|err|exc_info|stack(?:_?trace)?",
    re.IGNORECASE,
)
"""What programs call the error that they log, with its stack trace or without."""
_MOST_ERRORS = 200
_IDS = {
    "transactional_id": ("transactional_id", "transactionalId", "transactional.id"),
    "producer_id": ("producer_id", "producerId"),
    "producer_epoch": ("producer_epoch", "producerEpoch"),
}
"""What franz-go and others call these in a line of JSON, by column."""
_FIELD = {"field", "value"}
"""What CloudWatch's Insights makes of each field of a line."""
_LISTS = (
    "tables", "streams", "data", "hits", "results", "result", "events", "logEvents", "logs", "entries", "items",
    "messages", "values",
)  # fmt: skip
_STREAMED = re.compile(r"\d{10,19}")
_DEEPEST = 6
MOST_OF_JSON = 1 << 18
"""Characters of a line of JSON that are read."""


def message_of(value: dict[str, Any]) -> str | None:
    """Return the message in a JSON line of a log, None where it has none."""
    held = [one for name in HOLDERS if isinstance(one := value.get(name), dict)]
    found = (one[name] for one in (value, *held) for name in MESSAGES if isinstance(one.get(name), str))
    original = (one[_ORIGINAL] for one in held if isinstance(one.get(_ORIGINAL), str))
    return next(found, None) or next(original, None)


def errors_of(value: dict[str, Any], depth: int = 0) -> Iterator[str]:
    """Yield the lines of the error that a JSON line of a log has beside its message, its class before its words."""
    for name, error in list(value.items())[:_MOST_ERRORS]:
        if not _ERRORS.fullmatch(name):
            continue
        if isinstance(error, str):
            yield from error.splitlines()[:_MOST_ERRORS]
        elif isinstance(error, dict) and depth < _DEEPEST:
            told = [one for key in ("type", "name", "class", "message") if isinstance(one := error.get(key), str)]
            yield ": ".join(told)
            yield from errors_of(error, depth + 1)


def ids_of(value: dict[str, Any]) -> dict[str, str | int]:
    """Return the transactional id, producer id and epoch that a JSON line has beside its message, by column."""
    found = {column: next((value[name] for name in names if name in value), None) for column, names in _IDS.items()}
    return {
        column: one
        for column, one in found.items()
        if isinstance(one, str if column == "transactional_id" else int) and not isinstance(one, bool) and one != ""
    }


def message_in(text: str) -> str | None:
    """Return the message of a JSON line, on one line; None for any other line."""
    stripped = text.strip()
    if not stripped.startswith("{") or not any(f'"{name}"' in stripped for name in (*MESSAGES, _ORIGINAL)):
        return None
    try:
        value, end = json.JSONDecoder().raw_decode(stripped)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or stripped[end:].strip() not in {"", "]"}:
        return None
    message = message_of(value)
    return None if message is None else re.sub(r"[\r\n]+", " ", message.rstrip("\r\n"))


def lines_in(value: object, depth: int = 0) -> Iterator[dict[str, Any]]:
    """Yield the lines of logs in the answer of a search: objects with a message, and Loki's pairs of time and line."""
    if depth > _DEEPEST:
        return
    if isinstance(value, dict):
        if message_of(value) is not None or next(errors_of(value), None) is not None:
            yield value
            return
        yield from lines_in(_of_table(value), depth + 1)
        for name in _LISTS:
            yield from lines_in(value.get(name), depth + 1)
    elif isinstance(value, list):
        if value and all(isinstance(one, dict) and one.keys() >= _FIELD for one in value):
            fields = {str(one["field"]): one["value"] for one in value}
            yield from lines_in(fields, depth + 1)
        for one in value:
            if _is_streamed(one):
                yield {"timestamp": one[0], "line": one[1]}
            else:
                yield from lines_in(one, depth + 1)


def _of_table(value: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of a table as Azure's logs answer: names of columns, and rows of cells."""
    columns, rows = value.get("columns"), value.get("rows")
    if not isinstance(columns, list) or not isinstance(rows, list):
        return []
    names = [str(one.get("name")) if isinstance(one, dict) else str(one) for one in columns]
    return [dict(zip(names, row, strict=False)) for row in rows if isinstance(row, list)]


def _is_streamed(value: object) -> bool:
    """Return whether this is an entry of a stream of Loki's: nanoseconds since the epoch, and the line."""
    return (
        isinstance(value, list)
        and len(value) == 2  # noqa: PLR2004 - a pair
        and all(isinstance(one, str) for one in value)
        and _STREAMED.fullmatch(value[0]) is not None
    )
