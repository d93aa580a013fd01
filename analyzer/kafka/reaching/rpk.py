"""Commands of Kafka's tools as rpk has them, for a reader whose paste shows rpk.

It is Redpanda's client, and asks any brokers that speak Kafka's protocol. It aborts nothing.
Source: rpk's reference, `rpk cluster txn`, `rpk topic describe`, `rpk group describe`.
"""

import itertools
import re
from collections.abc import Sequence

_BROKERS = re.compile(r"brokers=(.+)")


def by_rpk(tool: str, words: Sequence[str]) -> list[str] | None:
    """Return the words of rpk that ask what this command of `admin_tools` asks, None if rpk cannot.

    `words` follow the tool and its brokers, quoted for a shell as they stay.
    """
    given = _options(words)
    topic, partition = given.get("--topic"), given.get("--partition")
    verb = words[0] if words else ""
    match (tool, verb):
        case ("kafka-transactions", "describe") if whose := given.get("--transactional-id"):
            return ["cluster", "txn", "describe", "--print-partitions", *_dashed(whose), whose]
        case ("kafka-transactions", "list"):
            return ["cluster", "txn", "list"]
        case ("kafka-transactions", "describe-producers") if topic and partition and "--broker-id" not in given:
            return ["cluster", "txn", "describe-producers", "--topics", topic, "--partitions", partition]
        case ("kafka-topics", "--describe") if topic:
            return ["topic", "describe", topic, "--print-partitions"]
        case ("kafka-topics", ""):
            return ["topic", "list"]
        case ("kafka-consumer-groups", "--describe") if group := given.get("--group"):
            return ["group", "describe", *_dashed(group), group]
    return None


def brokers_of(words: Sequence[str]) -> str:
    """Return the brokers that a command of rpk names, empty if its profile names them."""
    for word, value in itertools.pairwise(words):
        if word == "--brokers":
            return value
        if word in {"-X", "--config-opt"} and (named := _BROKERS.fullmatch(value)):
            return named[1]
    return ""


def _options(words: Sequence[str]) -> dict[str, str]:
    """Return options with their values, joined by `=` or following."""
    found = dict[str, str]()
    for word, following in itertools.pairwise([*words, ""]):
        name, joined, value = word.partition("=")
        if name.startswith("--"):
            found.setdefault(name, value if joined else following)
    return found


def _dashed(quoted: str) -> list[str]:
    """Return what keeps a name from being taken for an option."""
    return ["--"] if quoted.lstrip("'").startswith("-") else []
