r"""Reads answers in JSON, on one line or several: what brokers, coordinators and leaders told tools and pages.

{"topic":"orders","partition":0,"offset":17,"tstype":"create","ts":1650000000000,"broker":1,"key":null,"payload":"x"}
                                                                                                        (kcat -C -J)
[{"broker":1,"transaction_id":"pay-1","producer_id":5017,"state":"Ongoing"}]        (rpk, kafbat UI; see `table_rows`)
{"orders:3": {"active_producers": [...]}}                                  (kafka-python, Redpanda; `nested_answers`)
{"name":"orders","partitions":[...]}                  (kcat -L -J, rpk, AKHQ, Kafdrop and others; `partitions_told`)
{"groupId":"readers","partitions":[...]}                              (Burrow, kafkactl, pages; `positions_told`)

Source: `fmt_msg_output_json` of kcat 1.7.
"""

import json
import re
from collections.abc import Iterable
from typing import Any

from analyzer.kafka.log_lines.heads import LOG_DIRS_LINES
from analyzer.kafka.log_lines.of_metrics import SILENT_RECORD, UNDECODED_RECORD
from analyzer.kafka.topics import INTERNAL_TOPICS
from analyzer.parse.answers.nested_answers import flat_answers
from analyzer.parse.answers.objects import Place, listed, place_of
from analyzer.parse.answers.partitions_told import partitions_told
from analyzer.parse.answers.positions_told import OF_BURROW, positions_told
from analyzer.parse.answers.table_rows import Answer, answer_from, columns, is_header
from analyzer.parse.answers.told import Observation, replicas_held
from analyzer.parse.logs.line import MOST_TEXT, LogLine
from analyzer.parse.rows import json_number

_OF_KCL = ("producers", "transactions")
"""Under which of these names kcl answers."""
_MARKS = tuple(f'"{name}"' for name in (
    "summary", "originating_broker", "tstype", OF_BURROW, "producerId", "producer_id", "tx_seq", "lso_bound",
    "inSyncReplicas", "lastOffset", "offsetMax", "endOffset", "newestOffset", "log_end_offset", "partition_id",
    "in-sync",
))  # fmt: skip
"""Of these one stands in each answer that is read, but those of kafka-log-dirs.sh."""
_MOST_PLACES, _MOST_INTERNAL = 20, 200
_OF_LOG_DIRS = re.compile(LOG_DIRS_LINES)
_BEFORE = 80
"""Characters that may stand before an answer: a quote's mark, a container's name."""

_HEAD = 300

Told = list[Observation | LogLine | Answer]
"""What an answer tells; rows of `answers` have `asked`."""


class JsonAnswers:
    """The records so far, by partition: each partition is told once."""

    def __init__(self) -> None:
        """Begin without any."""
        self._seen = set[Place]()
        self.undecoded: dict[Place, LogLine] = {}
        """The first record of each partition of an internal topic, and how many there are."""
        self.asked: tuple[str | None, int | None] = (None, None)
        """Of which topic and partition a command asked; an answer need not name them."""

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
        of_one_table = (of_kcl, flat_answers(value) or value)
        rows: list[Any] = next((one for one in of_one_table if isinstance(one, list)), [value])
        if all(isinstance(one, dict) for one in rows) and (told := _answers(rows, self.asked)):
            return told
        if isinstance(value, dict) and "tstype" in value and "payload" in value:
            return self._record(value)
        if isinstance(value, dict) and any("logDirs" in one for one in listed(value.get("brokers"))):
            return list(replicas_held(value["brokers"]))
        return [*partitions_told(value), *positions_told(value)] or None

    def _record(self, value: dict[str, Any]) -> Told | None:
        place = place_of(value.get("topic"), value.get("partition"))
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


def _answers(rows: list[dict[str, Any]], asked: tuple[str | None, int | None]) -> Told | None:
    """Return what objects answer that are rows of one table of transactions, None if they are not."""
    found: list[Answer] = []
    refused: Told = []
    for row in rows:
        if (answer := _answer(row, asked)) is not None:
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


def _answer(value: dict[str, Any], asked: tuple[str | None, int | None]) -> Answer | None:
    """Return what an object answers whose names are all columns of one table; None for any other."""
    header = columns(list(value))
    if not (all(header) and is_header(header)) or value.get("error") or value.get("message"):
        return None
    given = {name: _cell(one) for name, one in zip(header, value.values(), strict=True)}
    answer = answer_from(header, given, (None, None), json.dumps(value))
    if answer is None or answer["topic"] is not None:
        return answer
    if answer["asked"] != "describe_producers" or asked[0] is None:
        return answer | {"partition": None}
    partition = asked[1] if answer["partition"] is None else answer["partition"]
    return answer | {"topic": asked[0], "partition": partition}


def _cell(value: object) -> str:
    """Return a value as a table prints it: kcl lists `{"topic":"orders","partitions":[0,3]}`, others each partition."""
    if not isinstance(value, list):
        return "" if value is None else str(value)
    parts = listed(value)
    if parts and all("partition" in one for one in parts):
        return ",".join(f"{one.get('topic')}-{one['partition']}" for one in parts)
    return ",".join(f"{one.get('topic')}{one.get('partitions')}".replace(",", ";") for one in parts) or (
        str(value) if value else ""
    )


def _refused(row: dict[str, Any]) -> LogLine:
    topic, partition = place_of(row.get("topic"), row.get("partition")) or (None, None)
    line: LogLine = {"says": "not_answered", "source": "tool", "topic": topic, "partition": partition}
    return line | {"text": json.dumps(row)[:MOST_TEXT]}


def _of_record(says: str, place: Place, value: dict[str, Any]) -> LogLine:
    line: LogLine = {"says": says, "source": "tool", "topic": place[0], "partition": place[1]}
    return line | {"offset": json_number(value.get("offset"), "bigint"), "text": json.dumps(value)[:MOST_TEXT]}
