"""Reads a capture once for its names, and for the partition counts under which ids and keys keep their places."""

import dataclasses
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from analyzer.kafka.hashing import routing_hash
from analyzer.kafka.topics import INTERNAL_TOPICS, METADATA_TOPIC, OFFSETS_TOPIC, STATE_TOPIC
from analyzer.lifecycles.keyed import counts as key_counts
from analyzer.lifecycles.keyed.best_counts import Pairs
from analyzer.lifecycles.routing.counts import DEFAULT_COUNT, Counts, Known, infer
from analyzer.parse.reading import read_facts
from analyzer.scan.capture import Capture, scan_capture
from analyzer.scan.request import CaptureRequest
from analyzer.tables import Source

Row = dict[str, Any]
_TOPIC_COLUMNS = ("topic", "dumped_topic")
_ID_COLUMNS = ("transactional_id", "group")
_NAME_COLUMNS = (*_ID_COLUMNS, "leader")
_LISTS = {"partitions": True, "members": False}
"""Columns with several names, and whether these are partitions."""
_READ = ["table", "section", *_TOPIC_COLUMNS, *_NAME_COLUMNS, *_LISTS, "partition", "dumped_partition", "observed",
         "name", "text", "number", "fields", "key_murmur2", "key_crc32", "key_digest"]  # fmt: skip
_UUIDS = frozenset({"topic_id", "cluster_id"})
_NAMELESS = pa.array(["batches", "producer_states", "aborted_ranges", "damaged_ranges", "unparsed_lines"])
_MOST_KEYS = 100_000
"""Distinct keys of a topic that its counts are looked for in."""


@dataclasses.dataclass(slots=True)
class Collected:
    """What a capture tells before anything is replaced."""

    names: set[str] = dataclasses.field(default_factory=set)
    ids: set[str] = dataclasses.field(default_factory=set)
    """Transactional ids and groups among them."""
    uuids: set[str] = dataclasses.field(default_factory=set)
    bounds: dict[str, int] = dataclasses.field(default_factory=lambda: defaultdict(int))
    """The highest partition seen of each topic, plus one."""
    told: dict[str, set[int]] = dataclasses.field(default_factory=lambda: defaultdict(set))
    """Counts of partitions that files name."""
    places: dict[str, dict[str, set[int]]] = dataclasses.field(default_factory=lambda: defaultdict(dict))
    """By internal topic: the partitions that each id lies in."""
    keys: dict[str, dict[str, tuple[int, int, int]]] = dataclasses.field(default_factory=lambda: defaultdict(dict))
    """By topic and digest of the key: murmur2, CRC32 and partition."""

    def id_counts(self) -> list[int]:
        """Return the counts of partitions under which ids keep their places, the most important first."""
        found = [DEFAULT_COUNT]
        rivals: list[int] = []
        for topic in (STATE_TOPIC, OFFSETS_TOPIC):
            inferred = self.routing(topic, self.places[topic])
            found += [*sorted(self.told[topic]), *filter(None, (inferred.old, inferred.new)), self.bounds[topic]]
            rivals += [count for pair in inferred.rivals for count in pair]
        return list(dict.fromkeys(count for count in [*found, *rivals] if count > 0))

    def routing(self, topic: str, places: dict[str, set[int]]) -> Counts:
        """Return which counts explain where these ids of an internal topic lie."""
        pairs = [(routing_hash(name), partition) for name, those in places.items() for partition in those]
        hashes, partitions = np.array(pairs, np.int64).reshape(-1, 2).T
        told = self.told[topic]
        bound = max([self.bounds[topic], *told])
        return infer(hashes, partitions, Known(bound, exact=bool(told)))

    def key_counts(self) -> tuple[tuple[int, ...], bool]:
        """Return the counts of partitions under which keys keep their places, and whether by CRC32."""
        sure: list[int] = []
        rest: list[int] = []
        crc32 = 0
        for topic, keys in sorted(self.keys.items()):
            rows = np.array(list(keys.values()), np.int64).reshape(-1, 3)
            told = max(self.told[topic], default=None)
            bound = max(self.bounds[topic], 1)
            found = key_counts.infer(Pairs(rows[:, 0], rows[:, 1], rows[:, 2]), bound, told)
            known = found.counts[::-1]
            (sure if known else rest).extend([*known, *self.told[topic], bound])
            crc32 += {"crc32": 1, "murmur2": -1}.get(found.partitioner or "", 0)
        return tuple(dict.fromkeys(count for count in [*sure, *rest] if count > 1)), crc32 > 0


def scanned(paths: Sequence[str]) -> Capture:
    """Return the capture with the keys of every topic that its folders name."""
    first = scan_capture(CaptureRequest(tuple(paths)))
    topics = {file["folder_topic"] for file in first.files} | {file["given_topic"] for file in first.files}
    keyed = sorted(topic for topic in topics if topic and topic not in (*INTERNAL_TOPICS, METADATA_TOPIC))
    return scan_capture(CaptureRequest(tuple(paths), keys=tuple({*keyed, *first.manifest.keys})))


def collect(capture: Capture) -> Collected:
    """Return the names, ids and places that the files of a capture tell."""
    found = Collected()
    places = {file["file_id"]: file for file in reversed(capture.files) if file["file_id"]}
    for file in capture.files:
        for kind in ("folder", "given"):
            _see(found, file[f"{kind}_topic"], file[f"{kind}_partition"])
    for topic, count in capture.manifest.partition_counts.items():
        found.told[topic].add(count)
    found.names.update(capture.manifest.keys)
    for source in capture.sources():
        for row in _rows_of(source):
            _take(found, row, places[source.file_id])
    return found


def _rows_of(source: Source) -> Iterator[Row]:
    """Yield the facts of a file that name something; a section's row comes after those of its contents."""
    dumped: dict[int, Row] = {}
    held: list[Row] = []
    for batch in read_facts(source):
        table = pa.Table.from_batches([batch]).select(_READ)
        table = table.filter(pc.invert(pc.is_in(table["table"], _NAMELESS)))
        for row in table.to_pylist():
            if row["table"] == "sections":
                dumped[row["section"]] = row
            held.append(row)
    for row in held:
        section = dumped.get(row["section"], {})
        yield row | {"of_topic": section.get("dumped_topic"), "of_partition": section.get("dumped_partition")}


def _take(found: Collected, row: Row, file: Row) -> None:
    for name in _TOPIC_COLUMNS:
        if row[name]:
            _see(found, row[name], row["partition"] if name == "topic" else row["dumped_partition"])
    found.names.update(row[name] for name in _NAME_COLUMNS if row[name])
    found.ids.update(row[name] for name in _ID_COLUMNS if row[name])
    for name, are_partitions in _LISTS.items():
        for one in row[name] or ():
            topic, _, number = one.rpartition("-")
            if are_partitions and topic and number.isdigit():
                _see(found, topic, int(number))
            else:
                found.names.add(one)
    place = (
        file["given_topic"] or row["of_topic"] or file["folder_topic"],
        file["given_partition"] if file["given_topic"] else
        row["of_partition"] if row["of_topic"] else file["folder_partition"],
    )  # fmt: skip
    _place(found, row, *place)
    if row["table"] == "observations":
        _observe(found, row)
    if row["fields"]:
        _fields(found, json.loads(row["fields"]))


def _place(found: Collected, row: Row, topic: str | None, partition: int | None) -> None:
    """Take in where an id or a key lies."""
    name = {"coordinator_states": row["transactional_id"], "group_metadata": row["group"],
            "offset_commits": row["group"]}.get(row["table"])  # fmt: skip
    if name and topic in INTERNAL_TOPICS and partition is not None:
        found.places[topic].setdefault(name, set()).add(partition)
    if row["table"] == "keyed_records" and topic and partition is not None:
        keys = found.keys[topic]
        if len(keys) < _MOST_KEYS:
            keys.setdefault(f"{row['key_digest']} {partition}", (row["key_murmur2"], row["key_crc32"], partition))


def _observe(found: Collected, row: Row) -> None:
    if row["observed"] in _UUIDS and row["text"]:
        found.uuids.add(row["text"])
    elif row["observed"] in {"group_position", "share_position", "terminated"} and row["name"]:
        found.names.add(row["name"])
        found.ids.add(row["name"])
    elif row["observed"] == "partition_count" and row["number"]:
        found.told[row["topic"]].add(row["number"])
    elif row["observed"] == "count_changed":
        found.told[STATE_TOPIC].update(count for count in (row["number"],) if count)


def _fields(found: Collected, fields: Any, *, of_topic: bool = False) -> None:  # noqa: ANN401 - a JSON value
    """Take in the names and ids of a record of the quorum."""
    if isinstance(fields, dict):
        topic = of_topic or "topicId" in fields
        for name, value in fields.items():
            if isinstance(value, str) and len(value) == 22 and name.endswith(("Id", "Dirs", "directories")):  # noqa: PLR2004
                found.uuids.add(value)
            elif isinstance(value, str) and topic and name == "name":
                found.names.add(value)
            else:
                _fields(found, value)
    elif isinstance(fields, list):
        for value in fields:
            _fields(found, value)


def _see(found: Collected, topic: str | None, partition: int | None) -> None:
    if topic:
        found.names.add(topic)
        found.bounds[topic] = max(found.bounds[topic], (partition if partition is not None else -1) + 1)
