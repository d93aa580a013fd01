r"""Reads who leads partitions and how far their logs reach, as JSON of kcat, rpk, pages' APIs and others tells it.

{"originating_broker":{...},"topics":[{"topic":"orders","partitions":[{"partition":0,"leader":1,...}]}]} (kcat -L -J)
[{"summary":{"name":"orders"},"partitions":[{"partition":3,"leader":1,"replicas":[1,2],"last_stable_offset":1042,
  "high_watermark":1059}]}]                                                                        (rpk topic describe)
{"name":"orders","partitions":[{"id":3,"topic":"orders","nodes":[{"id":1,"leader":true,"inSyncs":true}],
  "firstOffset":0,"lastOffset":1042}]}                                                                          (AKHQ)
{"name":"orders","partitions":[{"id":3,"size":1042,"firstOffset":0,"leader":{"id":1},"replicas":[{"id":1}]}]}  (Kafdrop)
{"name":"orders","partitions":[{"partition":3,"leader":1,"replicas":[{"broker":1}],"offsetMin":0,"offsetMax":1042}]}
                                                                                           (Kafka UI, kafbat UI)
{"Name":"orders","Partitions":[{"ID":3,"oldestOffset":0,"newestOffset":1042,"Leader":"k1:9092"}]}          (kafkactl)
{"kind":"KafkaPartition","topic_name":"orders","partition_id":3,"leader":{"related":".../replicas/1"}}  (REST Proxy v3)
{"topic":"orders","partition":3,"leader":-1,"replicas":[1,2],"in-sync":[],"offline":[1,2]}          (Cruise Control)
{"ns":"kafka","topic":"orders","partition_id":3,"leader_id":1,"replicas":[{"node_id":1}]}       (Redpanda's Admin API)

None of them tells of transactions. Sources: `metadata_print_json` of kcat, `describedTopic` of rpk, the classes
`Partition` of AKHQ, `TopicPartitionVO` of Kafdrop, `Topic` of kafkactl, `PartitionState` of Cruise Control, and
`partition.json` of Redpanda.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from analyzer.parse.answers.objects import ids_of, listed, lowered, place_of
from analyzer.parse.answers.told import Observation, led, log_end, stable_offset
from analyzer.parse.logs.line import MOST_TEXT, LogLine
from analyzer.parse.rows import json_number, within

Told = list[Observation | LogLine]
_OF_RPK = {"summary", "partitions"}
_RELATED = re.compile(r".*/replicas/(\d{1,9})")
_UNKNOWN = object()
"""A leader of whom nothing is told, where None is none."""
_DEEPEST = 4


def partitions_told(value: object, topic: object = None, depth: int = 0) -> Told:
    """Return what a value tells of partitions, wherever its lists hold some; `topic` is the one that it is about."""
    if isinstance(value, list):
        rows = listed(value)
        of_rows: Told = [row for one in rows for row in _told_of(one, topic)]
        return of_rows or [row for one in rows if depth < _DEEPEST for row in partitions_told(one, topic, depth + 1)]
    if not isinstance(value, dict) or depth > _DEEPEST:
        return []
    if "originating_broker" in value and isinstance(value.get("topics"), list):
        return list(_metadata(value))
    if value.keys() >= _OF_RPK:
        return list(_topic_of_rpk(value))
    told: Told = [*_told_of(value, topic)]
    if told:
        return told
    low = lowered(value)
    named = low.get("name") if isinstance(low.get("name"), str) else topic
    told = [row for one in value.values() if isinstance(one, list | dict)
            for row in partitions_told(one, named, depth + 1)]  # fmt: skip
    return [*_count(low, named), *told] if told else []


def _told_of(value: dict[str, Any], topic: object) -> Iterator[Observation]:
    """Yield who leads the partition that an object describes, and how far its log reached."""
    low = lowered(value)
    form = next((form for form in _FORMS if form[0] <= low.keys()), None)
    if form is None:
        return
    _, of_topic, of_partition, of_end, leader_of = form
    place = place_of(low.get(of_topic, topic), low[of_partition])
    if place is None:
        return
    text = json.dumps(value)[:MOST_TEXT]
    end = json_number(low.get(of_end), "bigint")
    if end is not None and end >= 0:
        yield log_end(*place, end, text)
    leader, replicas, in_sync = leader_of(low)
    number = json_number(leader, "int")
    if leader is None or number is not None:
        yield led(*place, number, *(None if one is None else ids_of(one) for one in (replicas, in_sync)))


Leader = tuple[Any, list[Any] | None, list[Any] | None]
"""The leader, None for none or `_UNKNOWN`; the replicas; those in sync; None where they are not told."""


def _of_akhq(low: dict[str, Any]) -> Leader:
    nodes = listed(low["nodes"])
    leader = next((one.get("id") for one in nodes if one.get("leader") is True), _UNKNOWN)
    return leader, [one.get("id") for one in nodes], [one.get("id") for one in nodes if one.get("inSyncs") is True]


def _of_kafdrop(low: dict[str, Any]) -> Leader:
    leader = low["leader"].get("id", _UNKNOWN) if isinstance(low["leader"], dict) else low["leader"]
    replicas, in_sync = ([one.get("id") for one in listed(low[name])] for name in ("replicas", "insyncreplicas"))
    return leader, replicas, in_sync


def _of_kafka_ui(low: dict[str, Any]) -> Leader:
    replicas = listed(low["replicas"])
    in_sync = [one.get("broker") for one in replicas if one.get("inSync") is True]
    return low["leader"], [one.get("broker") for one in replicas], in_sync


def _of_rest(low: dict[str, Any]) -> Leader:
    related = low["leader"].get("related") if isinstance(low["leader"], dict) else None
    found = _RELATED.fullmatch(related) if isinstance(related, str) else None
    return int(found[1]) if found else _UNKNOWN, None, None


def _of_cruise_control(low: dict[str, Any]) -> Leader:
    replicas, in_sync = (one if isinstance(one, list) else [] for one in (low["replicas"], low["in-sync"]))
    return low["leader"], replicas, in_sync


def _of_redpanda(low: dict[str, Any]) -> Leader:
    """Below 0 its leader is not known to the broker that answered, which another one may be all the same."""
    leader = json_number(low["leader_id"], "int")
    known = leader is not None and leader >= 0 and low["ns"] == "kafka"
    return leader if known else _UNKNOWN, [one.get("node_id") for one in listed(low["replicas"])], None


def _of_none(_: dict[str, Any]) -> Leader:
    return _UNKNOWN, None, None


Form = tuple[set[str], str, str, str, Callable[[dict[str, Any]], Leader]]
_FORMS: tuple[Form, ...] = (
    ({"id", "topic", "nodes", "firstoffset", "lastoffset"}, "topic", "id", "lastoffset", _of_akhq),
    ({"id", "size", "firstoffset", "leader", "replicas", "insyncreplicas"}, "topic", "id", "size", _of_kafdrop),
    ({"partition", "leader", "replicas", "offsetmin", "offsetmax"}, "topic", "partition", "offsetmax", _of_kafka_ui),
    ({"id", "oldestoffset", "newestoffset"}, "topic", "id", "newestoffset", _of_none),
    ({"kind", "topic_name", "partition_id", "leader"}, "topic_name", "partition_id", "", _of_rest),
    ({"topic", "partition", "leader", "replicas", "in-sync"}, "topic", "partition", "", _of_cruise_control),
    ({"ns", "topic", "partition_id", "leader_id", "replicas"}, "topic", "partition_id", "", _of_redpanda),
)
"""Names that an object has, in lower case; those of its topic, partition and end; what tells its leader."""


def _count(low: dict[str, Any], topic: object) -> Iterator[Observation]:
    """Yield how many partitions a topic has whose object says so, or lists all of them as AKHQ and Kafdrop do."""
    count = json_number(low.get("partitioncount"), "int")
    rows = [lowered(one) for one in listed(low.get("partitions"))]
    if count is None and rows and all(_FORMS[0][0] <= one.keys() or _FORMS[1][0] <= one.keys() for one in rows):
        count = len(rows) if sorted(str(one["id"]) for one in rows) == sorted(map(str, range(len(rows)))) else None
    place = place_of(topic, 0)
    if count and place:
        yield ("partition_count", place[0], None, None, count, None, f"{place[0]}: {count} partitions")


def _metadata(value: dict[str, Any]) -> Iterator[Observation]:
    """Yield what `kcat -L` tells, in the form in which kafka-topics.sh prints it."""
    query = value.get("query")
    if isinstance(query, dict) and query.get("topic") == "*":
        yield ("all_topics", None, None, None, None, None, "kcat -L -J")
    for topic in listed(value["topics"]):
        rows = listed(topic.get("partitions"))
        partitions = [(place, one) for one in rows if (place := place_of(topic.get("topic"), one.get("partition")))]
        if partitions and "error" not in topic:
            name, count = partitions[0][0][0], len(partitions)
            text = f'topic "{name}" with {count} partitions'
            yield ("partition_count", name, None, None, within(count, "int"), None, text)
        for place, one in partitions:
            leader = json_number(one.get("leader"), "int")
            if leader is not None:
                replicas, in_sync = ([id_.get("id") for id_ in listed(one.get(name))] for name in ("replicas", "isrs"))
                yield led(*place, leader, ids_of(replicas), ids_of(in_sync))


def _topic_of_rpk(value: dict[str, Any]) -> Iterator[Observation | LogLine]:
    """Yield who leads, and each LSO: rpk prints none that nobody asked for, nor 0; see `stable_offsets` for its end."""
    name = value["summary"].get("name") if isinstance(value["summary"], dict) else None
    for one in listed(value["partitions"]):
        place = place_of(name, one.get("partition"))
        stable, leader = (json_number(one.get(key), "bigint") for key in ("last_stable_offset", "leader"))
        if place is None:
            continue
        if stable is not None and stable > 0 and not one.get("error"):
            yield stable_offset(*place, stable, None, json.dumps(one))
        if leader is not None and isinstance(replicas := one.get("replicas"), list):
            yield led(*place, within(leader, "int"), ids_of(replicas), None)
