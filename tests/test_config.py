"""Configuration files: the shipped defaults, refused keys and types, and what the messages say."""

import ast
import dataclasses
import itertools
import tomllib
from pathlib import Path

import pytest

from analyzer.config import Config, load_config, parse_config
from analyzer.errors import ConfigError

ROOT = Path(__file__).parent.parent
DEFAULT = ROOT / "conf" / "default.toml"


def sections_of_a_file() -> list[dataclasses.Field]:
    """The sections of a settings file: how commands reach the brokers is told by options and pastes alone."""
    return [section for section in dataclasses.fields(Config) if section.name != "reach"]


def test_the_shipped_file_holds_every_key_with_its_default() -> None:
    shipped = tomllib.loads(DEFAULT.read_text(encoding="utf-8"))
    assert load_config(DEFAULT) == Config()
    for section in sections_of_a_file():
        keys = {field.name for field in dataclasses.fields(getattr(Config(), section.name))}
        assert set(shipped[section.name]) == keys


def test_every_setting_is_read_by_somebody() -> None:
    """A key that nothing reads promises what is not done: each is an attribute of its section, `limits.x`, or declared by a stage."""
    sections = {type(getattr(Config(), one.name)).__name__: one.name for one in dataclasses.fields(Config)}
    read = set()
    for path in (ROOT / "analyzer").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        given = {
            node.arg: sections.get(ast.unparse(node.annotation))
            for node in ast.walk(tree)
            if isinstance(node, ast.arg) and node.annotation is not None
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                owner = ast.unparse(node.value).rpartition(".")[2]
                read.add((given.get(owner) or owner, node.attr))
            if isinstance(node, ast.keyword) and node.arg == "settings" and isinstance(node.value, ast.Tuple):
                read |= {tuple(name.split(".")) for name in ast.literal_eval(node.value)}
    shipped = {
        (section.name, field.name)
        for section in sections_of_a_file()
        for field in dataclasses.fields(getattr(Config(), section.name))
    }
    assert shipped <= read, sorted(shipped - read)


def test_a_file_with_a_retired_key_is_taken_and_says_so_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "old.toml"
    path.write_text(
        "[limits]\nevidence_lines = 20\nfindings_per_code = 7\n[verdicts]\ngrace_ms = 1\n", encoding="utf-8"
    )
    assert load_config(path) == load_config(path)
    assert load_config(path).limits.findings_per_code == 7
    said = capsys.readouterr().err.splitlines()
    assert said == [
        f"note: {path} [limits] evidence_lines was never read and is gone: a report quotes 8 pieces of evidence, the JSON document has all. Remove it.",
        f"note: {path} [verdicts] grace_ms was never read and is gone: a transaction hangs for certain a minute after its timeout. Remove it.",
    ]


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
    with pytest.raises(ConfigError, match="is not TOML"):
        load_config(path)
