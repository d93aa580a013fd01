"""The settings of a run, read from a TOML file; unknown keys and wrong types are refused by name."""

import dataclasses
import difflib
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from analyzer.errors import ConfigError
from analyzer.kafka.reaching.reach import UNKNOWN, Reach


@dataclasses.dataclass(frozen=True, slots=True)
class SparkConfig:
    """How the Spark session is started if none is active."""

    engine: str = "auto"
    """The engine: `spark`, `sail`, or `auto`, which takes Sail if it is installed and the input is small and local."""
    sail_limit_mb: int = 25_000
    """`auto` never takes Sail for more megabytes of input than this."""
    master: str = "local[*]"
    """Spark's master URL."""
    driver_memory: str = "2g"
    """Heap of the driver; with a local master, all of Spark runs in it."""
    shuffle_partitions: int = 0
    """`spark.sql.shuffle.partitions`; 0: as many as a local master has cores (four times as many for large
    input), Spark's own default on a cluster."""
    snapshot_partitions: int = 1
    """`spark.databricks.delta.snapshotPartitions`; Delta's own default of 50 costs seconds for small tables."""
    jars_dir: str = ""
    """A folder with the Delta jars; empty: $TXN_FORENSICS_JARS, otherwise what fetch-jars put into the cache."""
    ivy_settings: str = ""
    """An ivysettings.xml; empty: $TXN_FORENSICS_IVY_SETTINGS, otherwise Ivy's defaults."""
    extra: Mapping[str, str] = dataclasses.field(default_factory=lambda: MappingProxyType({}))
    """Other settings of Spark, by full name; they override all above."""


@dataclasses.dataclass(frozen=True, slots=True)
class LimitsConfig:
    """How much is written out; the rest is only counted."""

    findings_per_code: int = 1000
    """Findings of one code in a report."""
    open_transactions: int = 10_000
    """Open transactions in a report."""
    fetch_files: int = 1000
    """Segments in the list of what to collect next."""
    kept_cases: int = 20
    """Cases of runs without --case that are kept, the newest; 0: such a run keeps nothing."""


@dataclasses.dataclass(frozen=True, slots=True)
class VerdictsConfig:
    """Times between two verdicts, in milliseconds."""

    marker_delivery_min_ms: int = 1_000
    """Lower bound of the time that the delivery of markers may take."""
    marker_delivery_max_ms: int = 30_000
    """Upper bound of that time."""
    marker_delivery_factor: int = 10
    """That time is this many times the 95th percentile of the capture's own marker latencies, within the bounds."""


@dataclasses.dataclass(frozen=True, slots=True)
class Config:
    """All settings of a run."""

    spark: SparkConfig = SparkConfig()
    limits: LimitsConfig = LimitsConfig()
    verdicts: VerdictsConfig = VerdictsConfig()
    reach: Reach = UNKNOWN
    """How commands reach the brokers: from the command line, or as the case has it; a settings file does not tell."""


RETIRED = {
    ("limits", "evidence_lines"): "a report quotes 8 pieces of evidence, the JSON document has all",
    ("verdicts", "grace_ms"): "a transaction hangs for certain a minute after its timeout",
}
"""Keys that were shipped and never read, and what holds whatever they say: files that have them are taken."""

_said: set[str] = set()
"""What was said of retired keys: a command reads its settings more than once."""


def load_config(path: str | Path | None = None) -> Config:
    """Return the settings of this TOML file on top of the defaults; None: the defaults.

    A key that is retired is named on stderr, once. Raises ConfigError if the file cannot be read, is not TOML, or has
    an unknown key or a value of the wrong type.
    """
    if path is None:
        return Config()
    document = _read(Path(path))
    for line in retired(document, str(path)):
        if line not in _said:
            sys.stderr.write(f"{line}\n")
            _said.add(line)
    return parse_config(document, str(path))


def retired(document: Mapping[str, Any], where: str) -> list[str]:
    """Return a line for each retired key of a parsed TOML document: that it does nothing, and what holds."""
    return [
        f"note: {where} [{section}] {key} was never read and is gone: {holds}. Remove it."
        for (section, key), holds in RETIRED.items()
        if isinstance(document.get(section), Mapping) and key in document[section]
    ]


def parse_config(document: Mapping[str, Any], where: str) -> Config:
    """Return the settings of a parsed TOML document; `where` names it in messages. Raises ConfigError."""
    sections: dict[str, type] = {"spark": SparkConfig, "limits": LimitsConfig, "verdicts": VerdictsConfig}
    _refuse_unknown(document, list(sections), where, "section")
    built = {}
    for name, wanted in sections.items():
        values = document.get(name, {})
        if not isinstance(values, Mapping):
            raise ConfigError(f"{where}: {name} is {values!r}", wanted=f"a section [{name}] with keys")
        given = {key: value for key, value in values.items() if (name, key) not in RETIRED}
        built[name] = _section(wanted, given, f"{where} [{name}]")
    return Config(**built)


def _section(wanted: type, values: Mapping[str, Any], where: str) -> Any:  # noqa: ANN401 - one of three dataclasses
    """Return the section's dataclass, each key checked against its field's type."""
    fields = {field.name: field for field in dataclasses.fields(wanted)}
    _refuse_unknown(values, list(fields), where, "key")
    return wanted(**{key: _value(value, fields[key].type, f"{where} {key}") for key, value in values.items()})


def _value(value: object, wanted: Any, where: str) -> object:  # noqa: ANN401 - a field's annotation
    """Return the value if it has the field's type; numbers are whole and not negative."""
    if wanted is int:
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise ConfigError(f"{where} = {value!r}", wanted="a whole number, 0 or more")
        return value
    if wanted is str:
        if not isinstance(value, str):
            raise ConfigError(f"{where} = {value!r}", wanted="a text in quotes")
        return value
    if not isinstance(value, Mapping) or not all(isinstance(item, str) for item in value.values()):
        raise ConfigError(f"{where} = {value!r}", wanted='a table of Spark settings, "spark.name" = "value"')
    return MappingProxyType(dict(value))


def _refuse_unknown(given: Mapping[str, Any], known: list[str], where: str, what: str) -> None:
    for key in given:
        if key not in known:
            nearest = difflib.get_close_matches(key, known, n=1, cutoff=0.0)[0]
            raise ConfigError(
                f"{where}: unknown {what} {key!r}",
                wanted=f"one of {', '.join(known)}",
                do=f"did you mean {nearest!r}?",
            )


def _read(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as stream:
            return tomllib.load(stream)
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}", do="give a readable file to --conf") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not TOML: {error}", do="correct it; conf/default.toml shows the form") from error
