"""Writes checkpoints, metadata and capture.toml again, line by line; a line of no known form is left out."""

import json
import re
import tomllib
from typing import Any

from analyzer.anonymize.replacing import Replacing
from analyzer.anonymize.text.paths import Paths
from analyzer.kafka.settings import WATCHED

_OFFSET = re.compile(r"(\S+)(\s+\d{1,10}\s+-?\d{1,19}\s*)")
_NUMBERS = re.compile(r"[\s\d-]*")
_PLAIN = re.compile(r"version\s*[=:]\s*\d+\s*|(?:broker|node)\.id\s*[=:]\s*-?\d+\s*|\s*")
_ID = re.compile(r"((?:topic_id|cluster\.id|directory\.id)\s*[=:]\s*)(\S+)(\s*)")
_COMMENT = re.compile(r"#\w{3} \w{3} \d\d [\d:]{8} \w{3,5} \d{4}")
"""The moment that Java writes above properties."""
_SETTING = re.compile(r"\s*([A-Za-z0-9._-]+)\s*[=:]\s*(\d{1,18}|true|false)\s*")


def checkpoint_line(line: str, to: Replacing) -> str:
    """Return a line of a checkpoint with another topic; one of no known form has its letters masked."""
    if _NUMBERS.fullmatch(line):
        return line
    match = _OFFSET.fullmatch(line)
    return to.names.of(match[1]) + match[2] if match else re.sub(r"\w", "x", line)


def metadata_line(line: str, to: Replacing) -> str:
    """Return a line of partition.metadata or meta.properties with other ids; one of no known form is a comment."""
    if _PLAIN.fullmatch(line) or _COMMENT.fullmatch(line):
        return line
    match = _ID.fullmatch(line)
    return match[1] + to.printed_uuid(match[2]) + match[3] if match else "#"


def settings_text(text: str) -> str:
    """Return of a server.properties only the settings that bear on transactions, which are numbers and switches."""
    lines = [line for line in text.splitlines() if (match := _SETTING.fullmatch(line)) and match[1] in WATCHED]
    return "".join(f"{line}\n" for line in lines)


def manifest_text(text: str, to: Replacing, paths: Paths) -> str:
    """Return capture.toml with other names. Raises ValueError if it is no TOML."""
    data = tomllib.loads(text)
    sources = data.pop("source", [])
    lines = [
        f"{name} = {_value(data[name])}" for name in ("captured_at", "kafka_version", "expanded_at") if name in data
    ]
    if "keys" in data:
        lines.append(f"keys = {json.dumps([to.names.of(topic) for topic in data['keys']])}")
    counts = {to.names.of(topic): count for topic, count in data.get("partition_counts", {}).items()}
    for section, values in (
        ("partition_counts", counts),
        *((name, data.get(name)) for name in ("timeouts", "settings")),
    ):
        if values:
            lines += ["", f"[{section}]", *(f"{json.dumps(name)} = {_value(value)}" for name, value in values.items())]
    for source in sources:
        lines += ["", "[[source]]", f"path = {json.dumps(paths.of(source['path']))}"]
        if "topic" in source:
            lines.append(f"topic = {json.dumps(to.names.of(source['topic']))}")
        lines += [f"{name} = {_value(source[name])}" for name in ("replica", "partition") if name in source]
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:  # noqa: ANN401 - a TOML value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value)
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def listing_line(line: str, paths: Paths) -> str | None:
    """Return a line of manifest.txt with other names, None for one that is not read."""
    match line.split("\t"):
        case ["file" | "there", name, *rest]:
            return "\t".join([line.partition("\t")[0], paths.of(name), *(one for one in rest if one.isdigit())])
        case ["collect.sh", *rest]:
            return "\t".join(["collect.sh", *(one for one in rest if re.fullmatch(r"[\d.]+", one))])
        case ["captured_at", *rest]:
            return "\t".join(
                ["captured_at", *(one if re.fullmatch(r"[\dA-Z:.+-]+|running|stopped", one) else "-" for one in rest)]
            )
        case ["setting", name, value, *_] if name in WATCHED:
            return f"setting\t{name}\t{value}"
    return None
