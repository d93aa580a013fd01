"""Reads capture.toml, in which every line is optional."""

import dataclasses
import datetime
import difflib
import tomllib
from pathlib import Path
from typing import Any

from analyzer.errors import ConfigError
from analyzer.kafka.clients.kinds import KINDS
from analyzer.kafka.settings import WATCHED

FILE_NAME = "capture.toml"
EARLIEST_MS = 1_262_304_000_000
"""2010-01-01, before Kafka existed; a smaller number must be in seconds."""


@dataclasses.dataclass(frozen=True, slots=True)
class SourceRule:
    """`[[source]]`: the files under `path` belong to this replica, topic, partition."""

    path: str
    replica: str | None = None
    topic: str | None = None
    partition: int | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Manifest:
    """The contents of capture.toml; times are epoch ms."""

    captured_at: int | None = None
    kafka_version: str | None = None
    keys: tuple[str, ...] = ()
    expanded_at: int | None = None
    partition_counts: dict[str, int] = dataclasses.field(default_factory=dict)
    timeouts: dict[str, int] = dataclasses.field(default_factory=dict)
    settings: dict[str, dict[str, str]] = dataclasses.field(default_factory=dict)
    """Settings of brokers by the file that tells them."""
    owners: dict[str, str] = dataclasses.field(default_factory=dict)
    """The client that owns the ids of a pattern: `orders-sink-*` is `flink`."""
    sources: tuple[SourceRule, ...] = ()


_KEYS = (
    "captured_at",
    "kafka_version",
    "keys",
    "expanded_at",
    "partition_counts",
    "timeouts",
    "settings",
    "owners",
    "source",
)


def read_manifest(folder: Path) -> Manifest:
    """Return what the folder's capture.toml says, an empty Manifest if there is none.

    Raises ConfigError for invalid TOML, for an unknown key (it names the nearest) and for a wrong value.
    """
    path = folder / FILE_NAME
    if not path.is_file():
        return Manifest()
    try:
        data = tomllib.loads(path.read_text("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise ConfigError(f"{path} is not valid TOML: {fault}", do="correct that line, or remove the file") from fault
    for key in data:
        if key not in _KEYS:
            near = difflib.get_close_matches(key, _KEYS, 1)
            hint = f'; nearest: "{near[0]}"' if near else ""
            raise ConfigError(f'{path} has an unknown key "{key}"{hint}', wanted="one of " + ", ".join(_KEYS))
    return Manifest(
        captured_at=_moment(path, "captured_at", data.get("captured_at")),
        kafka_version=_typed(path, "kafka_version", data.get("kafka_version"), str),
        keys=tuple(_typed(path, "keys", data.get("keys", []), list)),
        expanded_at=_moment(path, "expanded_at", data.get("expanded_at")),
        partition_counts=_typed(path, "partition_counts", data.get("partition_counts", {}), dict),
        timeouts=_typed(path, "timeouts", data.get("timeouts", {}), dict),
        settings=_settings(path, _typed(path, "settings", data.get("settings", {}), dict)),
        owners=_owners(path, _typed(path, "owners", data.get("owners", {}), dict)),
        sources=tuple(_source(path, rule) for rule in data.get("source", [])),
    )


def moment(what: str, value: int | str | datetime.datetime) -> int:
    """Return epoch ms for ms, an ISO 8601 text or a datetime (UTC unless it names a zone).

    Raises ConfigError for a text that is no time and for a number that must be in seconds.
    """
    if isinstance(value, str):
        if value.isdigit():
            return moment(what, int(value))
        try:
            value = datetime.datetime.fromisoformat(value)
        except ValueError as fault:
            raise ConfigError(f"{what} {value} is not a time", wanted="epoch ms, or 2026-11-21T09:45:55Z") from fault
    if isinstance(value, datetime.datetime):
        zoned = value if value.tzinfo else value.replace(tzinfo=datetime.UTC)
        return round(zoned.timestamp() * 1000)
    if value < EARLIEST_MS:
        day = datetime.datetime.fromtimestamp(value / 1000, datetime.UTC).date()
        raise ConfigError(f"{what} {value} is {day}: seconds? Kafka's times are milliseconds ({value}000).")
    return value


def _moment(path: Path, key: str, value: object) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | str | datetime.datetime):
        raise ConfigError(f"{path}: {key} = {value!r} is not a time", wanted="epoch ms or a TOML datetime")
    return moment(key, value)


def _typed(path: Path, key: str, value: Any, wanted: type) -> Any:  # noqa: ANN401 - TOML values
    if value is not None and not isinstance(value, wanted):
        raise ConfigError(f"{path}: {key} = {value!r} is not of type {wanted.__name__}")
    return value


def _settings(path: Path, given: dict[str, Any]) -> dict[str, dict[str, str]]:
    """Return the `[settings]` section as `given_settings` has those of other files: names are quoted, as Kafka's."""
    for name, value in given.items():
        if name not in WATCHED or not isinstance(value, int | str):
            raise ConfigError(f'{path}: [settings] has "{name}" = {value!r}', wanted="one of " + ", ".join(WATCHED))
    told = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in given.items()}
    return {FILE_NAME: told} if told else {}


def _owners(path: Path, given: dict[str, Any]) -> dict[str, str]:
    """Return the `[owners]` section: patterns of transactional ids, quoted, with the client that owns them."""
    for pattern, kind in given.items():
        if kind not in KINDS:
            raise ConfigError(f'{path}: [owners] has "{pattern}" = {kind!r}', wanted="one of " + ", ".join(KINDS))
    return dict(given)


def _source(path: Path, rule: dict[str, Any]) -> SourceRule:
    names = [field.name for field in dataclasses.fields(SourceRule)]
    for key in rule:
        if key not in names:
            raise ConfigError(f'{path}: [[source]] has an unknown key "{key}"', wanted="one of " + ", ".join(names))
    if "path" not in rule:
        raise ConfigError(f"{path}: a [[source]] lacks its path", wanted='path = "folder-or-file"')
    replica = rule.get("replica")
    return SourceRule(rule["path"], None if replica is None else str(replica), rule.get("topic"), rule.get("partition"))
