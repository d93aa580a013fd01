"""Commands on several lines: a shell must read the same words as from the one line of the document."""

import shlex
import subprocess

import pytest
from hypothesis import given, settings, strategies as st

from analyzer.report.sentences.cells import is_safe, width
from analyzer.report.sentences.commands import UNSAFE, command_lines

ABORT = "kafka-transactions.sh --bootstrap-server $BOOTSTRAP abort --topic orders --partition 0 --start-offset 18"


def words(command):
    """Return the words that a POSIX shell makes of a command."""
    script = f"set -- {command}\nprintf '%s\\0' \"$@\""
    answer = subprocess.run(["sh", "-c", script], capture_output=True, check=True, env={"BOOTSTRAP": "host:1"})
    return answer.stdout.decode().split("\0")[:-1]


def test_a_command_breaks_before_its_subcommand():
    assert command_lines(ABORT, indent=8) == [
        "        kafka-transactions.sh --bootstrap-server $BOOTSTRAP \\",
        "          abort --topic orders --partition 0 --start-offset 18",
    ]


def test_an_option_keeps_its_value_and_a_file_its_arrow():
    command = (
        "txn-forensics rescue --case /cases/of-an-incident-with-a-long-name --finding TXN002-0123456789ab -o saved"
    )
    assert command_lines(f"{command} > kept.txt", indent=8) == [
        "        txn-forensics rescue --case /cases/of-an-incident-with-a-long-name \\",
        "          --finding TXN002-0123456789ab -o saved > kept.txt",
    ]


@pytest.mark.parametrize("name", ["a\u202eb", "a\x1b[1mb", "a\nb", "a\u200bb", "a\udc80"])
def test_a_name_that_a_shell_cannot_carry_gives_a_sentence(name):
    lines = command_lines(f"tool --transactional-id {shlex.quote(name)}", cells=200)
    assert lines == [UNSAFE]


def test_an_open_quote_is_never_printed():
    assert command_lines("tool 'open", cells=200) == [UNSAFE]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=120), max_size=5
    )
)
def test_a_shell_reads_the_same_words(names):
    command = " ".join(["tool", *(f"--id {shlex.quote(name)}" for name in names)])
    lines = command_lines(command, indent=8)
    assert max(map(width, lines)) <= 80
    if is_safe(command):
        assert words("\n".join(lines)) == words(command)
