r"""Reads answers in JSON of kcat and Burrow, which tell nothing of transactions, of kafka-log-dirs.sh, rpk and of UIs.

{"originating_broker":{...},"query":{"topic":"*"},...,"topics":[{"topic":"orders","partitions":[{"partition":0,
  "leader":1,"replicas":[{"id":1},{"id":2}],"isrs":[{"id":1}]}]}]}                                    (kcat -L -J)
{"topic":"orders","partition":0,"offset":17,"tstype":"create","ts":1650000000000,"broker":1,"key":null,"payload":"x"}
                                                                                                        (kcat -C -J)
{"error":false,"message":"consumer status returned","status":{"group":"readers","status":"ERR","partitions":[
  {"topic":"orders","partition":3,"status":"STALL","end":{"offset":88123,"lag":10877},"current_lag":10877}]}}  (Burrow)
[{"broker":1,"transaction_id":"pay-1","producer_id":5017,"state":"Ongoing"}]           (rpk, kafbat UI; see `answers`)
[{"summary":{"name":"orders",...},"partitions":[{"partition":3,"leader":1,"replicas":[1,2],"last_stable_offset":1042,
  "high_watermark":1059}]}]                                                                        (rpk topic describe)

Sources: `metadata_print_json` and `fmt_msg_output_json` of kcat 1.7,
`httpResponseConsumerStatus` of Burrow 1.0 to 1.9, `describedTopic` of rpk.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from analyzer.kafka.log_lines.heads import LOG_DIRS_LINES
from analyzer.kafka.log_lines.of_metrics import SILENT_RECORD, UNDECODED_RECORD
from analyzer.kafka.topics import INTERNAL_TOPICS, TOPIC_NAME
from analyzer.parse.logs.line import MOST_TEXT, LogLine
from analyzer.parse.rows import json_number, within
from analyzer.parse.small_files.answers import Answer, answer_from, columns, is_header
from analyzer.parse.small_files.checkpoints import Observation
from analyzer.parse.small_files.cluster_tools import replicas_held
from analyzer.parse.small_files.kcat import led
from analyzer.parse.small_files.stable_offsets import stable_offset

_OF_BURROW = "consumer status returned"
_OF_KCL = ("producers", "transactions")
"""Under which of these names kcl answers."""
_OF_RPK = {"summary", "partitions"}
_MARKS = ('"summary"', '"originating_broker"', '"tstype"', f'"{_OF_BURROW}"', '"producerId"', '"producer_id"')
_MOST_PLACES, _MOST_INTERNAL, _MOST_PARTITIONS = 20, 200, 100_000
_OF_LOG_DIRS = re.compile(LOG_DIRS_LINES)
_BEFORE = 80
"""Characters that may stand before an answer: a quote's mark, a container's name."""

_HEAD = 300

Place = tuple[str, int]
Told = list[Observation | LogLine | Answer]
"""What an answer tells; rows of `answers` have `asked`."""


class JsonAnswers:
    """The records so far, by partition: each partition is told once."""

    def __init__(self) -> None:
        """Begin without any."""
        self._seen = set[Place]()
        self.undecoded: dict[Place, LogLine] = {}
        """The first record of each partition of an internal topic, and how many there are."""

    def take(self, text: str) -> Told | None:
        """Return what a line tells that is such an answer, perhaps nothing; None for any other line."""
        of_log_dirs = "log" in text and _OF_LOG_DIRS.search(text, 0, _HEAD)
        at = text.find("{", 0, _BEFORE)
        if at < 0 or not (of_log_dirs or any(mark in text for mark in _MARKS)):
            return [] if of_log_dirs else None
        at -= text[max(at - 1, 0) : at] == "["
        try:
            return self.told(json.loads(text[at:]))
        except (ValueError, RecursionError):
            return [] if of_log_dirs else None

    def told(self, value: object) -> Told | None:
        """Return what a JSON value tells, None if it is none of these."""
        of_kcl = next((value[name] for name in _OF_KCL if name in value), None) if isinstance(value, dict) else None
        rows: list[Any] = next((one for one in (of_kcl, value) if isinstance(one, list)), [value])
        if all(isinstance(one, dict) for one in rows) and (told := _answers(rows) or _topics(rows)):
            return told
        if not isinstance(value, dict):
            return None
        if "originating_broker" in value and isinstance(value.get("topics"), list):
            return list(_metadata(value))
        if isinstance(value.get("brokers"), list) and any("logDirs" in one for one in _listed(value["brokers"])):
            return list(replicas_held(value["brokers"]))
        if value.get("message") == _OF_BURROW and isinstance(value.get("status"), dict):
            return list(_status(value["status"]))
        return self._record(value) if "tstype" in value and "payload" in value else None

    def _record(self, value: dict[str, Any]) -> Told | None:
        place = _place(value)
        if place is None:
            return None
        if place[0] in INTERNAL_TOPICS:
            self._count(place, value)
            return []
        if place in self._seen or len(self._seen) >= _MOST_PLACES:
            return []
        self._seen.add(place)
        return [_of_record(SILENT_RECORD, place, value)]

    def _count(self, place: Place, value: dict[str, Any]) -> None:
        if place in self.undecoded:
            self.undecoded[place]["number"] += 1
        elif len(self.undecoded) < _MOST_INTERNAL:
            self.undecoded[place] = _of_record(UNDECODED_RECORD, place, value) | {"number": 1}


def _answers(rows: list[dict[str, Any]]) -> Told | None:
    """Return what objects answer that are rows of one table of transactions, None if they are not."""
    found: list[Answer] = []
    refused: Told = []
    for row in rows:
        if (answer := _answer(row)) is not None:
            found.append(answer)
        elif row.get("error"):
            refused.append(_refused(row))
        else:
            return None
    return [*_joined(found), *refused] or None


def _joined(answers: list[Answer]) -> Iterable[Answer]:
    """Return one answer for each transaction: what rpk describes has a row for each partition of it."""
    found: dict[tuple[object, ...], Answer] = {}
    parts: dict[tuple[object, ...], set[str]] = {}
    for number, one in enumerate(answers):
        if one["asked"] != "describe_transaction" or one["partition"] is None:
            found[(number,)] = one
            continue
        whose = tuple(one[name] for name in ("transactional_id", "producer_id", "producer_epoch", "state"))
        found.setdefault(whose, one | {"topic": None, "partition": None})
        parts.setdefault(whose, set()).add(f"{one['topic']}-{one['partition']}")
    for whose, named in parts.items():
        found[whose]["partitions"] = sorted(named)
    return found.values()


def _answer(value: dict[str, Any]) -> Answer | None:
    """Return what an object answers whose names are all columns of one table; None for any other."""
    header = columns(list(value))
    if not (all(header) and is_header(header)) or value.get("error") or value.get("message"):
        return None
    given = {name: _cell(one) for name, one in zip(header, value.values(), strict=True)}
    answer = answer_from(header, given, (None, None), json.dumps(value))
    return answer and answer | ({"partition": None} if answer["topic"] is None else {})


def _cell(value: object) -> str:
    """Return a value as a table prints it: kcl lists `{"topic":"orders","partitions":[0,3]}`."""
    if not isinstance(value, list):
        return "" if value is None else str(value)
    parts = _listed(value)
    return ",".join(f"{one.get('topic')}{one.get('partitions')}".replace(",", ";") for one in parts) or str(value)


def _refused(row: dict[str, Any]) -> LogLine:
    topic, partition = _place(row) or (None, None)
    line: LogLine = {"says": "not_answered", "source": "tool", "topic": topic, "partition": partition}
    return line | {"text": json.dumps(row)[:MOST_TEXT]}


def _of_record(says: str, place: Place, value: dict[str, Any]) -> LogLine:
    line: LogLine = {"says": says, "source": "tool", "topic": place[0], "partition": place[1]}
    return line | {"offset": json_number(value.get("offset"), "bigint"), "text": json.dumps(value)[:MOST_TEXT]}


def _place(value: dict[str, Any]) -> Place | None:
    topic, partition = value.get("topic"), json_number(value.get("partition"), "int")
    named = isinstance(topic, str) and re.fullmatch(TOPIC_NAME, topic) and partition is not None and partition >= 0
    return (str(topic), int(str(partition))) if named else None


def _listed(value: object) -> list[dict[str, Any]]:
    """Return the objects of a JSON list, none for another value."""
    return [one for one in value if isinstance(one, dict)][:_MOST_PARTITIONS] if isinstance(value, list) else []


def _metadata(value: dict[str, Any]) -> Iterator[Observation]:
    """Yield what `kcat -L` tells, in the form in which kafka-topics.sh prints it."""
    query = value.get("query")
    if isinstance(query, dict) and query.get("topic") == "*":
        yield ("all_topics", None, None, None, None, None, "kcat -L -J")
    for topic in _listed(value["topics"]):
        partitions = [
            (place, one)
            for one in _listed(topic.get("partitions"))
            if (place := _place(one | {"topic": topic.get("topic")}))
        ]
        if partitions and "error" not in topic:
            name, count = partitions[0][0][0], len(partitions)
            text = f'topic "{name}" with {count} partitions'
            yield ("partition_count", name, None, None, within(count, "int"), None, text)
        for place, one in partitions:
            leader = json_number(one.get("leader"), "int")
            if leader is not None:
                yield led(*place, leader, _ids(one.get("replicas")), _ids(one.get("isrs")))


def _topics(values: list[dict[str, Any]]) -> Told:
    """Return what `rpk topic describe` tells of topics."""
    return [told for one in values if one.keys() >= _OF_RPK for told in _topic(one)]


def _topic(value: dict[str, Any]) -> Iterator[Observation | LogLine]:
    """Yield who leads, and each LSO: rpk prints none that nobody asked for, nor 0; see `stable_offsets` for its end."""
    name = value["summary"].get("name") if isinstance(value["summary"], dict) else None
    for one in _listed(value["partitions"]):
        place = _place(one | {"topic": name})
        stable, leader = (json_number(one.get(key), "bigint") for key in ("last_stable_offset", "leader"))
        if place is None:
            continue
        if stable is not None and stable > 0 and not one.get("error"):
            yield stable_offset(*place, stable, None, json.dumps(one))
        if leader is not None and isinstance(replicas := one.get("replicas"), list):
            number = leader if leader >= 0 else None
            yield ("partition_leader", *place, None, number, None, "Replicas: " + ",".join(map(str, replicas)))


def _ids(brokers: object) -> str:
    return ",".join(
        str(one) for broker in _listed(brokers) if (one := json_number(broker.get("id"), "int")) is not None
    )


def _status(status: dict[str, Any]) -> Iterator[Observation | LogLine]:
    """Yield the positions of a group that Burrow has seen, and where it lags."""
    told = set[tuple[str, int]]()
    for one in _listed([*_listed(status.get("partitions")), status.get("maxlag")]):
        place, end = _place(one), one.get("end")
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
