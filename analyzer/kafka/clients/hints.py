"""Which client several ids hint at, by their structure; one id alone never does: `a-1-2` may be anybody's.

orders-agg-3f2b8c1e-...-9d41-2      Kafka Streams v2: application, UUID of the process, thread
orders-agg-0_3                      Kafka Streams v1: application, subtopology, partition
connect-cluster-mirror, mirror-orders-0   Connect: the leader of a cluster, and a task of one of its connectors
sink-0-41, sink-0-42, sink-1-42     Flink: prefix, subtask, checkpoint or number in the pool
txn-billing.orders.3                Spring Kafka before 3.0, in a listener: prefix, group, topic, partition
"""

import dataclasses
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from analyzer.kafka.clients.kinds import CONNECT, FLINK, SPRING, STREAMS, Client

_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_STREAMS = re.compile(rf"(?P<app>.+)-(?P<process>{_UUID})-(?P<thread>\d+)")
_STREAMS_V1 = re.compile(r"(?P<app>.+)-(?P<sub>\d+)_(?P<partition>\d+)")
_FLINK = re.compile(r"(?P<prefix>.+)-(?P<subtask>\d+)-(?P<number>\d+)")
_SPRING = re.compile(r"(?P<before>.+)\.(?P<topic>[A-Za-z0-9._-]+)\.(?P<partition>\d+)")
_LEADER = "connect-cluster-"
_STORES = ("-changelog", "-repartition")
LEAST = 3
"""So many ids of one prefix, with as many numbers, hint at checkpoints."""


@dataclasses.dataclass(frozen=True, slots=True)
class Hint:
    """Whose an id may be: the client, its name in words, and the ground."""

    client: Client
    words: str
    ground: str


def hints(ids: Iterable[str], groups: Iterable[str], topics: Iterable[str]) -> dict[str, Hint]:
    """Return which client owns which id, as far as the names of a capture hint at one."""
    names, known, logs = sorted(set(ids)), set(groups), sorted(set(topics))
    found: dict[str, Hint] = {}
    for part in (_connect(names), _streams(names, known, logs), _spring(names, known, logs), _flink(names)):
        found = part | found
    return found


def _connect(ids: list[str]) -> dict[str, Hint]:
    clusters = [one.removeprefix(_LEADER) for one in ids if one.startswith(_LEADER)]
    found = {}
    for group in filter(None, clusters):
        ground = f"{_LEADER}{group} is the id of a Connect cluster's leader"
        found[f"{_LEADER}{group}"] = Hint(CONNECT, f"the leader of the Connect cluster {group}", ground)
        for one in ids:
            connector, _, task = one.removeprefix(f"{group}-").rpartition("-")
            if one.startswith(f"{group}-") and connector and task.isdigit():
                found[one] = Hint(CONNECT, f"Kafka Connect, task {task} of connector {connector}", ground)
    return found


def _streams(ids: list[str], groups: set[str], topics: list[str]) -> dict[str, Hint]:
    found = {}
    for form, last in ((_STREAMS, "thread"), (_STREAMS_V1, "partition")):
        matches = [match for one in ids if (match := form.fullmatch(one))]
        alike: Mapping[str, int] = _counts(match["app"] for match in matches)
        for match in matches:
            ground = _of_application(match["app"], alike[match["app"]], groups, topics)
            if ground:
                words = f"Kafka Streams application {match['app']}, {last} {match[last]}"
                found[match[0]] = Hint(STREAMS, words, ground)
    return found


def _of_application(app: str, alike: int, groups: set[str], topics: list[str]) -> str:
    """Return what else in the capture has the application's name, empty for nothing."""
    stores = [one for one in topics if one.startswith(f"{app}-") and one.endswith(_STORES)]
    if stores:
        return f"topic {stores[0]} is of an application with this name"
    if app in groups:
        return f"group {app} has the application's name"
    return f"{alike} ids of {app} have this form" if alike > 1 else ""


def _spring(ids: list[str], groups: set[str], topics: list[str]) -> dict[str, Hint]:
    found = {}
    for one in ids:
        match = _SPRING.fullmatch(one)
        for topic in topics if match else ():
            head, middle, _ = one.rpartition(f".{topic}.")
            group = next((name for name in sorted(groups) if middle and head.endswith(name)), None)
            if group is not None:
                ground = f"it ends in group {group}, topic {topic} and a partition"
                found[one] = Hint(SPRING, f"a Spring Kafka listener of group {group}", ground)
    return found


def _flink(ids: list[str]) -> dict[str, Hint]:
    together: dict[str, list[re.Match[str]]] = defaultdict(list)
    for match in filter(None, map(_FLINK.fullmatch, ids)):
        together[match["prefix"]].append(match)
    found = {}
    for prefix, matches in together.items():
        numbers = {int(match["number"]) for match in matches}
        if len(numbers) < LEAST:
            continue
        ground = f"{len(matches)} ids of {prefix} end in a subtask and a rising number"
        for match in matches:
            words = f"a Flink KafkaSink with prefix {prefix}, subtask {match['subtask']}"
            found[match[0]] = Hint(FLINK, words, ground)
    return found


def _counts(names: Iterable[str]) -> Mapping[str, int]:
    counts: dict[str, int] = defaultdict(int)
    for name in names:
        counts[name] += 1
    return counts
