"""What readers of JSON ask of its values: objects of a list, names in any case, the partition that one names."""

import re
from collections.abc import Iterable
from typing import Any

from analyzer.kafka.topics import TOPIC_NAME
from analyzer.parse.rows import json_number

Place = tuple[str, int]
"""A topic and one of its partitions."""
_MOST_OBJECTS = 100_000


def every_object(value: object) -> list[dict[str, Any]]:
    """Return all objects of a JSON list, none for another value."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def listed(value: object) -> list[dict[str, Any]]:
    """Return the first objects of a JSON list, none for another value."""
    return every_object(value)[:_MOST_OBJECTS]


def lowered(value: dict[str, Any]) -> dict[str, Any]:
    """Return an object with its names in lower case: Go writes `Name` in JSON and `name` in YAML."""
    return {str(name).lower(): one for name, one in value.items()}


def place_of(topic: object, partition: object) -> Place | None:
    """Return a partition, None where one of the two is none."""
    number = json_number(partition, "int")
    named = isinstance(topic, str) and re.fullmatch(TOPIC_NAME, topic) and number is not None and number >= 0
    return (str(topic), int(str(number))) if named else None


def ids_of(brokers: Iterable[object]) -> str:
    """Return ids of brokers as kafka-topics.sh lists them."""
    return ",".join(str(one) for broker in brokers if (one := json_number(broker, "int")) is not None)
