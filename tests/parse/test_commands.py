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
