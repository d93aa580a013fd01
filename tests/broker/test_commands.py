"""Every command that a report can print, parsed by the tools of four Kafka releases."""

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "report"))

from plans import plans
from test_plans import HOSTILE

from analyzer.kafka.reaching.reach import given_way

RELEASES = ("3.5.2", "3.9.1", "4.1.1", "4.3.0")
SINCE = {"forceTerminateTransaction": (4, 1), "--formatter-property": (4, 2)}
"""The first tools that take a word."""


@pytest.fixture(scope="module", params=RELEASES)
def tools(request):
    """The parsers of one release, and its name."""
    if not request.config.getoption("--kafka"):
        pytest.skip("needs the jars of real Kafka releases: make broker, or pytest --kafka")
    from tools import Tools

    return request.param, Tools(request.param)


def in_shell(command: str) -> list[str]:
    """Return the words that a POSIX shell makes of a command, without the file that its output goes to."""
    script = f"set -- {command.partition(' > ')[0]}\nprintf '%s\\0' \"$@\""
    answer = subprocess.run(["sh", "-c", script], capture_output=True, check=True, env={"BOOTSTRAP": "h:1"}, cwd="/")
    return answer.stdout.decode().split("\0")[:-1]


def commands(release: str, **named: str) -> set[str]:
    """Return the commands for tools of a release."""
    every = {c.text for one in plans(**named) for step in one.steps for c in step.commands if c.text}
    kafkas = {text for text in every if text.startswith("kafka-")}
    version = tuple(map(int, release.split(".")[:2]))
    return {text for text in kafkas if all(word not in text or version >= since for word, since in SINCE.items())}


def test_every_command_is_parsed_as_it_is_meant(tools):
    release, parsers = tools
    wanted = commands(release)
    assert len(wanted) > 15
    for text in sorted(wanted):
        words = in_shell(text)
        parsed = parsers.parse(words)
        for option, key in (("--topic", "topic"), ("--partition", "partition"), ("--start-offset", "start_offset"),
                            ("--producer-id", "producer_id"), ("--producer-epoch", "producer_epoch"),
                            ("--coordinator-epoch", "coordinator_epoch")):  # fmt: skip
            if option in words:
                value = words[words.index(option) + 1]
                told = parsed[key] if isinstance(parsed[key], list) else [str(parsed[key])]
                assert value in told, text


def test_a_configuration_of_the_reader_is_taken_by_every_tool(tools, tmp_path):
    release, parsers = tools
    settings = tmp_path / "client.properties"
    settings.write_text("security.protocol=PLAINTEXT\n")
    reach = given_way("a:1,b:2", str(settings), None)
    asking = [text for text in sorted(commands(release)) if "$BOOTSTRAP" in text]
    assert len(asking) > 10
    for text in asking:
        parsed = parsers.parse(in_shell(reach.command(text)))
        assert {"a:1,b:2", "['a:1,b:2']"} & set(map(str, parsed.values())), text
        assert any(str(settings) in str(value) for value in parsed.values()), text


@pytest.mark.parametrize("name", [name for name in HOSTILE if name])
def test_a_hostile_name_reaches_the_tool_as_it_is(tools, name):
    release, parsers = tools
    found = 0
    for text in sorted(commands(release, owner=name, group=name)):
        parsed = parsers.parse(in_shell(text))
        if "--transactional-id" in text or "--transactionalId" in text:
            assert name in {parsed.get("transactional_id"), parsed.get("transactionalId")}, text
            found += 1
        if "--group" in text:
            assert parsed["group"] == [name], text
            found += 1
    assert found


def test_a_wrong_option_is_refused(tools):
    _, parsers = tools
    with pytest.raises(Exception, match=r"unrecognized arguments|ArgumentParserException"):
        parsers.parse(["kafka-transactions.sh", "--bootstrap-server", "h:1", "abort", "--topic", "t", "--partition", "0",
                       "--offset", "3"])  # fmt: skip
