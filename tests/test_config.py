"""Configuration files: the shipped defaults, refused keys and types, and what the messages say."""

import dataclasses
import itertools
import tomllib
from pathlib import Path

import pytest

from analyzer.config import Config, load_config, parse_config
from analyzer.errors import ConfigError

DEFAULT = Path(__file__).parent.parent / "conf" / "default.toml"


def test_the_shipped_file_holds_every_key_with_its_default() -> None:
    shipped = tomllib.loads(DEFAULT.read_text(encoding="utf-8"))
    assert load_config(DEFAULT) == Config()
    for section in dataclasses.fields(Config):
        keys = {field.name for field in dataclasses.fields(getattr(Config(), section.name))}
        assert set(shipped[section.name]) == keys


def test_each_key_of_the_shipped_file_has_a_comment_above_it() -> None:
    lines = DEFAULT.read_text(encoding="utf-8").splitlines()
    for above, line in itertools.pairwise(lines):
        if "=" in line and not line.startswith("#"):
            assert above.startswith("#") or above.split("=")[0].startswith("marker_delivery"), line


def test_no_file_gives_the_defaults() -> None:
    assert load_config() == Config()


def test_a_file_changes_only_what_it_names(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[spark]\nmaster = "local[1]"\n[spark.extra]\n"spark.executor.memory" = "4g"\n', encoding="utf-8")
    config = load_config(path)
    assert config.spark.master == "local[1]"
    assert dict(config.spark.extra) == {"spark.executor.memory": "4g"}
    assert config.limits == Config().limits


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[spark]\nmastr = 'local'",
            """error: x.toml [spark]: unknown key 'mastr'
wanted: one of engine, sail_limit_mb, master, driver_memory, shuffle_partitions, snapshot_partitions, jars_dir, ivy_settings, extra
do: did you mean 'master'?""",
        ),
        (
            "[limit]\nfindings_per_code = 1",
            "error: x.toml: unknown section 'limit'\nwanted: one of spark, limits, verdicts\ndo: did you mean 'limits'?",
        ),
        (
            "[limits]\nfindings_per_code = '7'",
            "error: x.toml [limits] findings_per_code = '7'\nwanted: a whole number, 0 or more",
        ),
        (
            "[limits]\nfindings_per_code = true",
            "error: x.toml [limits] findings_per_code = True\nwanted: a whole number, 0 or more",
        ),
        (
            "[limits]\nopen_transactions = -1",
            "error: x.toml [limits] open_transactions = -1\nwanted: a whole number, 0 or more",
        ),
        ("[spark]\nmaster = 2", "error: x.toml [spark] master = 2\nwanted: a text in quotes"),
        (
            "[spark.extra]\na = 1",
            'error: x.toml [spark] extra = {\'a\': 1}\nwanted: a table of Spark settings, "spark.name" = "value"',
        ),
        ("spark = 3", "error: x.toml: spark is 3\nwanted: a section [spark] with keys"),
    ],
)
def test_what_is_wrong_is_named_with_the_nearest(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        parse_config(tomllib.loads(text), "x.toml")
    assert raised.value.message() == message


def test_a_missing_file_and_one_that_is_no_toml_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read .*No such file"):
        load_config(tmp_path / "absent.toml")
    path = tmp_path / "odd.toml"
    path.write_bytes(b"[spark\n\xff")
    with pytest.raises(ConfigError, match="is no TOML"):
        load_config(path)
