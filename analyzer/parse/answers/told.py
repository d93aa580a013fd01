"""What readers of answers tell of a partition or group, as rows without their place in a file.

{"brokers":[{"broker":1,"logDirs":[{"partitions":[{"partition":"orders-0","size":485,"offsetLag":0,
  "isFuture":false}],"error":null,"logDir":"/data"}]}],"version":1}                                 (kafka-log-dirs.sh)
"""

import re
from collections.abc import Iterator

from analyzer.kafka.topics import TOPIC_NAME
from analyzer.parse.answers.objects import every_object
from analyzer.parse.logs.line import LogLine
from analyzer.parse.rows import json_number, within

Observation = tuple[str, str | None, int | None, str | None, int | None, int | None, str | None]
"""A row of `observations`: observed, topic, partition, name, number, other_number, text."""

_PLACE = re.compile(rf"({TOPIC_NAME})-(\d{{1,9}})")
_MOST_REPLICAS, _MOST_WORDS = 200_000, 500


def led(
    topic: str, partition: int | None, leader: int | None, replicas: str | None, in_sync: str | None
) -> Observation:
    """Return who leads a partition; whatever told it, who holds it stands as kafka-topics.sh prints it, None untold."""
    number = None if leader is None or leader < 0 else leader
    held = [f"{name}: {one}" for name, one in (("Replicas", replicas), ("Isr", in_sync)) if one is not None]
    return ("partition_leader", topic, partition, None, number, None, " ".join(held))


def log_end(topic: str, partition: int | None, offset: int, text: str) -> Observation:
    """Return how far a log reached when somebody asked for its end."""
    number = None if partition is None else within(partition, "int")
    return ("log_end", topic, number, None, within(offset, "bigint"), None, text)


def stable_offset(topic: str, partition: int, stable: int, end: int | None, line: str) -> LogLine:
    """Return a row that tells an LSO and, if known, the high watermark above it."""
    return {
        "says": "stable_offset",
        "source": "tool",
        "topic": topic,
        "partition": within(partition, "int"),
        "offset": within(stable, "bigint"),
        "number": None if end is None else within(end, "bigint"),
        "text": " ".join(line.split())[:500],
    }


def replicas_held(brokers: object) -> Iterator[Observation]:
    """Yield `replica_held` for each replica but future ones, and `log_dir_failed` for each log dir with an error.

    `name` is the broker, `number` the bytes of its copy, `other_number` how many offsets that lacks up to the high
    watermark which the broker knows. A copy that is moved to another log dir is not the one that counts.
    """
    left = _MOST_REPLICAS
    for broker in every_object(brokers):
        number = json_number(broker.get("broker"), "int")
        if number is None:
            continue
        for log_dir in every_object(broker.get("logDirs")):
            if error := log_dir.get("error"):
                words = f"{log_dir.get('logDir')}: {error}"[:_MOST_WORDS]
                yield ("log_dir_failed", None, None, str(number), None, None, words)
            for one in every_object(log_dir.get("partitions")):
                place = _PLACE.fullmatch(str(one.get("partition")))
                if place is None or one.get("isFuture") or left <= 0:
                    continue
                left -= 1
                size, lag = (json_number(one.get(name), "bigint") for name in ("size", "offsetLag"))
                yield ("replica_held", place[1], int(place[2]), str(number), size, lag, None)
