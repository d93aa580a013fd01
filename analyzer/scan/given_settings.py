"""Settings of brokers that a capture's files tell: a server.properties, or a manifest.txt of collect.sh."""

from collections.abc import Iterable
from pathlib import Path

from analyzer.kafka.settings import TIMEOUTS, settings_of
from analyzer.scan import listing
from analyzer.scan.recognise import PROPERTIES
from analyzer.scan.walking import Found

MOST_BYTES = 1_000_000

Settings = dict[str, dict[str, str]]
"""Values by the file that tells them, then by name."""


def given_settings(found: Iterable[Found]) -> Settings:
    """Return the watched settings of each file that tells some; what is no number and no switch is never kept."""
    told = {one.relative: settings_of(text) for one in found if (text := _text(one)) is not None}
    return {path: settings for path, settings in sorted(told.items()) if settings}


def timeouts_of(settings: Settings) -> dict[str, int]:
    """Return the timeouts in these settings by their names in capture.toml, the longest where brokers differ."""
    told: dict[str, int] = {}
    for values in settings.values():
        for name in TIMEOUTS:
            if values.get(name, "").isdigit():
                key = name.replace(".", "_")
                told[key] = max(told.get(key, 0), int(values[name]))
    return told


def _text(one: Found) -> str | None:
    """Return the file's settings in the form of a server.properties, None if it is another file."""
    try:
        if one.problem is None and one.path.name in PROPERTIES and one.path.stat().st_size <= MOST_BYTES:
            return _read(one.path)
        if one.problem is None and listing.is_listing(one.path):
            lines = (line.split("\t") for line in _read(one.path).splitlines())
            return "\n".join(f"{cells[1]}={cells[2]}" for cells in lines if cells[0] == "setting" and len(cells) > 2)  # noqa: PLR2004 - setting, name, value
    except OSError:
        return None
    return None


def _read(path: Path) -> str:
    return path.read_text("utf-8", "replace")
