"""Which pasted commands describe every topic, so that what their answer lacks is not there."""

import pytest

from analyzer.parse.small_files.commands import Commands

DESCRIBES = "kafka-topics.sh --bootstrap-server b:9092 --describe"


def asked(text: str) -> list[str | None]:
    """What is known of the command after each of its lines."""
    commands = Commands()
    return [commands.every_topic for line in text.split("\n") if commands.take(line)]


@pytest.mark.parametrize(
    "text",
    [
        f"$ {DESCRIBES}",
        f"$ kubectl exec -n obs kafka-0 -- bin/{DESCRIBES}",
        "docker exec kafka-1 /opt/kafka/bin/kafka-topics.sh \\\n  --bootstrap-server b:9092 \\\n  --describe",
    ],
)
def test_every_topic_is_described(text):
    said = asked(text)
    assert said[:-1] == [None] * (len(said) - 1)
    assert said[-1] is not None
    assert said[-1].startswith("kafka-topics.sh ")


@pytest.mark.parametrize(
    "text",
    [
        f"$ {DESCRIBES} --topic orders",
        f"$ {DESCRIBES} --exclude-internal",
        f"$ {DESCRIBES} --under-replicated-partitions",
        f"$ {DESCRIBES} | grep -v __",
        f"$ {DESCRIBES} \\\n  --topic orders",
        f"$ {DESCRIBES.replace('--describe', '--list')}",
    ],
)
def test_some_topics_are_left_out(text):
    said = asked(text)
    assert said
    assert set(said) == {None}


def test_a_later_command_counts():
    assert asked(f"$ {DESCRIBES}\n$ {DESCRIBES} --topic orders")[-1] is None


PRODUCERS = "--bootstrap-server b:9092 describe-producers --topic orders --partition 3"


@pytest.mark.parametrize(
    "before",
    [
        "$ ",
        "root@kafka-1:/opt/kafka# bin/",
        "(venv) bob@kafka-1:~$ ",
        "[2026-01-01 03:12:07] bob@kafka-1:~$ ",
        "bob@mac kafka % bin/",
        "\u276f ",
        "\u279c  kafka git:(main) \u2717 bin/",
        "+ ",
        "++ /opt/kafka/bin/",
        "> ",
    ],
)
def test_prompts_of_many_shells(before):
    commands = Commands()
    assert commands.take(f"{before}kafka-transactions.sh {PRODUCERS}")
    assert commands.place == ("orders", 3)


@pytest.mark.parametrize(
    "text",
    [
        f"PS C:\\kafka_2.13-3.7.0\\bin\\windows> .\\kafka-transactions.bat {PRODUCERS}",
        f"PS> .\\bin\\windows\\kafka-transactions.bat {PRODUCERS}",
        f"C:\\kafka\\bin\\windows>kafka-transactions.bat {PRODUCERS}",
        f"D:\\Program Files\\kafka>bin\\windows\\kafka-transactions.bat {PRODUCERS}",
        f".\\bin\\windows\\kafka-transactions.bat {PRODUCERS}",
        "PS D:\\> .\\kafka-transactions.bat `\n  " + PRODUCERS.replace(" --topic", " `\n  --topic"),
        "D:\\>kafka-transactions.bat ^\n  " + PRODUCERS,
    ],
)
def test_commands_of_windows(text):
    commands = Commands()
    assert all(commands.take(line) for line in text.split("\n"))
    assert (commands.place, commands.ended) == (("orders", 3), 1)


@pytest.mark.parametrize(
    "text",
    [
        "I would run kafka-transactions.sh abort --topic orders --partition 3 --start-offset 9 now",
        "INFO kafka-transactions.sh: done",
        "C: kafka-topics.sh is what you want",
    ],
)
def test_plain_words_are_no_command(text):
    assert not Commands().take(text)


@pytest.mark.parametrize("prompt", ["PS C:\\>", "C:\\kafka\\bin\\windows>", "$", "bob@mac kafka %", "\u276f"])
def test_an_empty_prompt_says_nothing(prompt):
    commands = Commands()
    assert commands.take(prompt)
    assert commands.ended == 0


@pytest.mark.parametrize("number", ["  512  ", " 1024* ", "   12  2026-11-25 03:12:07 "])
def test_what_history_lists_tells_the_way_alone(number):
    """It was typed at some time: no table below answers it, and what it ended may be open again."""
    commands = Commands()
    assert commands.take(f"{number} kafka-transactions.sh --bootstrap-server b:9092 {PRODUCERS}")
    assert (commands.place, commands.typed, commands.aborts) == ((None, None), False, None)
    assert commands.way
    commands.take(f"{number} kafka-transactions.sh abort --topic orders --partition 3 --start-offset 9")
    assert commands.aborts is None


def test_what_an_abort_of_any_form_ends():
    form = "$ kafka-transactions.sh abort --topic orders --partition 3 {}"
    for options, told in (
        ("--start-offset 9", ("orders", 3, 9, None)),
        ("--producer-id 7 --producer-epoch 3 --coordinator-epoch 5", ("orders", 3, None, 7)),
        ("--producer-epoch 3", None),
    ):
        commands = Commands()
        commands.take(form.format(options))
        assert commands.aborts == told


@pytest.mark.parametrize(
    ("pipe", "piped", "known"),
    [
        ("| grep -i ongoing", True, True),
        ("2>&1 | grep -v None | head -20", True, True),
        ("| tail -n +2", True, True),
        ("| awk '{print $1,$4}'", True, False),
        ("| grep pay | cut -f1-4", True, False),
        ("| tee list.txt", False, False),
        ("| column -t", False, False),
        ("2>/dev/null", False, False),
    ],
)
def test_answers_that_go_on_into_another_program(pipe, piped, known):
    commands = Commands()
    assert commands.take(f"$ kafka-transactions.sh --bootstrap-server b:9092 list {pipe}")
    assert (commands.piped, commands.header.split()[:1]) == (piped, ["TransactionalId"] if known else [])


def test_a_loop_over_time_asks_about_its_partition():
    commands = Commands()
    assert commands.take(f"$ while true; do date; kafka-transactions.sh {PRODUCERS}; sleep 60; done")
    assert commands.place == ("orders", 3)
    assert Commands().take(f"Every 2.0s: kafka-transactions.sh {PRODUCERS}   kafka-1: Sun Sep 20 05:47:32 2026")


@pytest.mark.parametrize(
    "line", ["$ date -u", "date -u", "C:\\kafka>date /t", "[root@b ~]# TZ=UTC date '+%s'", "$ date +%FT%T", "date"]
)
def test_who_asks_for_the_time_alone_asks_no_tool(line):
    commands = Commands()
    assert commands.take(line)
    assert not commands.text


@pytest.mark.parametrize("line", ["date of the outage: monday", "the date", "date,value", "$ dates"])
def test_words_about_a_date_are_no_command(line):
    assert not Commands().take(line)
