"""What a loop prints above each of its tables: the partition that it asked about (RULES F 1).

$ for p in 6 7; do echo "== orders-$p"; kafka-transactions.sh describe-producers --topic orders --partition $p; done
== orders-6
ProducerId	ProducerEpoch	...
"""

import functools
import re

_LOOP = re.compile(
    r"\becho\b.*\bkafka-transactions\b.*\bdescribe-?producers\b(?=.*--partition[= ]+[\"']?\$)", re.DOTALL
)
"""The label comes before the answer, and a variable is asked about."""
_TOPIC = re.compile(r"--topic[= ]+[\"']?([A-Za-z0-9._-]{1,249})[\"']?(?=[\s;]|$)")
_MARKS = r"[\s=#*:>_|-]*"
_LABEL = re.compile(
    rf"{_MARKS}(?:(?i:topic|partition)[\s=:#]+)?(?:([A-Za-z0-9._-]{{0,200}}[A-Za-z][A-Za-z0-9._-]{{0,48}})[-: ])?"
    rf"(\d{{1,9}}){_MARKS}"
)
_LONGEST = 300


@functools.lru_cache(maxsize=16)
def labels_its_tables(command: str) -> bool:
    """Return whether a command prints something above each of its tables; asked for each line below it."""
    return _LOOP.search(command) is not None


def labelled(command: str, label: str) -> tuple[str, int] | None:
    """Return the partition that a label names; None if it is none, or if the command does not ask about it."""
    found = _LABEL.fullmatch(label) if len(label) <= _LONGEST else None
    if found is None:
        return None
    asked = _TOPIC.search(command)
    topic = found[1] or (asked and asked[1])
    if topic is None:
        return None
    of_topic = asked is not None and topic == asked[1]
    named = re.search(rf"(?<![\w.-]){re.escape(topic)}-{found[2]}(?![\w.-])", command)
    return (topic, int(found[2])) if of_topic or named else None
