r"""Reads where groups are, as JSON of pages' APIs and of others tells it; none of them tells of transactions.

{"id":"readers","offsets":[{"topic":"orders","partition":3,"offset":87,"lastOffset":1042}]}                     (AKHQ)
{"groupId":"readers","partitions":[{"topic":"orders","partition":3,"currentOffset":87,"endOffset":1042}]}
                                                                                           (Kafka UI, kafbat UI)
{"kind":"KafkaConsumerLag","consumer_group_id":"readers","topic_name":"orders","partition_id":3,"current_offset":87,
  "log_end_offset":1042,"lag":955}                                                                    (REST Proxy v3)
{"Group":{"Name":"readers"},"Topics":[{"Name":"orders","Partitions":[{"Partition":3,"newestOffset":1042,
  "consumerOffset":87,"Lag":955}]}]}                                                                        (kafkactl)
{"error":false,"message":"consumer status returned","status":{"group":"readers","status":"ERR","partitions":[
  {"topic":"orders","partition":3,"status":"STALL","end":{"offset":88123,"lag":10877},"current_lag":10877}]}}  (Burrow)

Sources: `ConsumerGroup` of AKHQ, the contract of kafbat UI, the specification of REST Proxy v3,
`consumerGroupDescription` of kafkactl, `httpResponseConsumerStatus` of Burrow 1.0 to 1.9.
"""

import json
from collections.abc import Iterator
from typing import Any

from analyzer.parse.answers.objects import Place, listed, lowered, place_of
from analyzer.parse.answers.told import Observation
from analyzer.parse.logs.line import MOST_TEXT, LogLine
from analyzer.parse.rows import json_number

OF_BURROW = "consumer status returned"
_FORMS = (
    ({"topic", "partition", "offset", "lastoffset"}, "topic", "partition", "offset", "lastoffset"),
    ({"topic", "partition", "currentoffset", "endoffset"}, "topic", "partition", "currentoffset", "endoffset"),
    ({"consumer_group_id", "topic_name", "partition_id", "current_offset", "log_end_offset"},
     "topic_name", "partition_id", "current_offset", "log_end_offset"),
    ({"partition", "newestoffset", "consumeroffset"}, "topic", "partition", "consumeroffset", "newestoffset"),
)  # fmt: skip
"""Names that an object has, in lower case; those of its topic, its partition, the position and the log's end."""


def positions_told(value: object) -> list[Observation | LogLine]:
    """Return the positions of groups that a value tells."""
    if not isinstance(value, dict):
        return [row for one in listed(value) for row in positions_told(one)]
    if value.get("message") == OF_BURROW and isinstance(value.get("status"), dict):
        return list(_status(value["status"]))
    low = lowered(value)
    if "consumer_group_id" in low:
        return list(_position(low, low["consumer_group_id"], None))
    if isinstance(group := low.get("group"), dict):
        topics = listed(low.get("topics"))
        return [row for topic in map(lowered, topics) for one in listed(topic.get("partitions"))
                for row in _position(lowered(one), lowered(group).get("name"), topic.get("name"))]  # fmt: skip
    rows = [*listed(low.get("offsets")), *listed(low.get("partitions"))]
    group = low.get("groupid") or low.get("id")
    told: list[Observation | LogLine] = [row for one in rows for row in _position(lowered(one), group, None)]
    return told or [row for one in listed(low.get("data")) for row in positions_told(one)]


def _position(low: dict[str, Any], group: object, topic: object) -> Iterator[Observation]:
    """Yield a position; below 0 it stands for none."""
    form = next((form for form in _FORMS if form[0] <= low.keys()), None)
    if form is None or not isinstance(group, str):
        return
    place = place_of(low.get(form[1], topic), low[form[2]])
    position, end = (json_number(low[name], "bigint") for name in form[3:])
    if place is None:
        return
    position = position if position is not None and position >= 0 else None
    end = end if end is not None and end >= 0 else None
    yield ("group_position", *place, group, position, end, json.dumps(low)[:MOST_TEXT])


def _status(status: dict[str, Any]) -> Iterator[Observation | LogLine]:
    """Yield the positions of a group that Burrow has seen, and where it lags."""
    told = set[Place]()
    for one in listed([*listed(status.get("partitions")), status.get("maxlag")]):
        place, end = place_of(one.get("topic"), one.get("partition")), one.get("end")
        if place is None or place in told or not isinstance(end, dict):
            continue
        told.add(place)
        position, lag = json_number(end.get("offset"), "bigint"), json_number(one.get("current_lag"), "bigint")
        text = f"Burrow: {one.get('status')}, offset {position}, current_lag {lag}"[:MOST_TEXT]
        if isinstance(status.get("group"), str) and position is not None and position > 0:
            yield ("group_position", *place, status["group"], position, None, text)
        if lag is not None and lag > 0:
            line: LogLine = {"says": "group_lag", "source": "metric", "topic": place[0], "partition": place[1]}
            yield line | {"number": lag, "text": text}
