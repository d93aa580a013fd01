"""Which copies of a log are of another topic of the same name, by the topic ids of their folders (RULES A 18)."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow as pa
from pyspark.sql import DataFrame, functions as F

from analyzer.kafka.topics import METADATA_TOPIC
from analyzer.lifecycles.controller.records import of_type, text
from analyzer.lifecycles.placing import LOG, placed
from analyzer.tables.frames import frame_of

OTHER_TOPICS = pa.schema(
    [("capture", pa.string()), ("topic", pa.string()), ("partition", pa.int32()), ("replica", pa.string()),
     ("topic_id", pa.string()), ("living_id", pa.string()), ("told", pa.string())]
)  # fmt: skip
_PRINTED_ID = re.compile(r"TopicId:\s*([A-Za-z0-9_-]{22})(?:\s|$)")
Row = Mapping[str, Any]


class Copy(NamedTuple):
    """A copy of a log, and the topic id that its folder tells."""

    capture: str
    topic: str
    partition: int
    replica: str
    topic_id: str


class Living(NamedTuple):
    """Which id a topic has, and the file that tells it; None for what nothing tells."""

    topic_id: str | None = None
    told: str | None = None
    removed: Mapping[str, str] = {}
    """The ids of topics of this name that were deleted, with the file that tells it."""
    until_ms: int | None = None
    """The time of the last record of the controllers' log; a topic that it does not know may be later."""


def other_topics(places: DataFrame, seen: DataFrame, records: DataFrame, batches: DataFrame) -> list[dict[str, object]]:
    """Return rows of OTHER_TOPICS: the copies of topics that do not exist any more, though their name does.

    `seen`, `records` and `batches` are the fact tables of observations, the controllers' log and batches. The few ids
    come to the driver; batches are read only where two topics of one name are here. `told` is null where only what was
    written last tells which of them lives.
    """
    told = _observed(places, seen)
    copies = copies_of(told)
    if not copies:
        return []
    living = living_ids(told, _controllers(places, records))
    doubtful = in_doubt(copies, living)
    newest = _newest(places, batches, doubtful) if doubtful else {}
    return list(set_aside(doubtful, living, newest))


def _observed(places: DataFrame, seen: DataFrame) -> list[Row]:
    printed = (F.col("observed") == "partition_count") & F.col("text").contains("TopicId:")
    wanted = (F.col("observed") == "topic_id") | printed
    rows = placed(seen.where(wanted & F.col("text").isNotNull()), places)
    names = ("observed", "topic", "text", "log_topic", "log_partition", "replica", "capture", "path", "line")
    return [row.asDict() for row in rows.select(*names).collect()]


def copies_of(seen: Sequence[Row]) -> list[Copy]:
    """Return the copies whose folder tells one topic id."""
    ids: dict[tuple[str, str, int, str], set[str]] = defaultdict(set)
    for row in seen:
        if row["observed"] == "topic_id" and row["log_partition"] is not None:
            ids[row["capture"], row["log_topic"], row["log_partition"], row["replica"]].add(row["text"])
    return [Copy(*log, *found) for log, found in sorted(ids.items()) if len(found) == 1 and log[1] != METADATA_TOPIC]


def _controllers(places: DataFrame, records: DataFrame) -> list[Row]:
    """Return the creations and removals of topics in the controllers' log, each with the time of its newest record."""
    rows = placed(records, places.where(F.col("topic") == METADATA_TOPIC))
    ended = rows.groupBy("capture").agg(F.max("timestamp").alias("until_ms"))
    named = of_type(rows, "TOPIC_RECORD", "REMOVE_TOPIC_RECORD").select(
        "capture", "record_type", text("name").alias("name"), text("topicId").alias("topic_id"), "path"
    )
    return [row.asDict() for row in named.where("topic_id IS NOT NULL").join(ended, "capture").collect()]


def living_ids(seen: Sequence[Row], records: Sequence[Row]) -> dict[tuple[str, str], Living]:
    """Return which id each topic has, by the controllers' log or else by kafka-topics.sh --describe."""
    found: dict[tuple[str, str], Living] = {}
    printed: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for row in seen:
        match = _PRINTED_ID.search(row["text"]) if row["observed"] == "partition_count" else None
        if match:
            printed[row["capture"], row["topic"]][match[1]] = f"{row['path']}:{row['line']}"
    for key, ids in printed.items():
        if len(ids) == 1:
            found[key] = Living(*next(iter(ids.items())))
    removed = {(row["capture"], row["topic_id"]) for row in records if row["record_type"] == "REMOVE_TOPIC_RECORD"}
    created: dict[tuple[str, str], dict[str, Row]] = defaultdict(dict)
    for row in records:
        if row["name"] is not None:
            created[row["capture"], row["name"]][row["topic_id"]] = row
    for key, rows in created.items():
        gone = {one: row["path"] for one, row in rows.items() if (key[0], one) in removed}
        alive = [one for one in rows if one not in gone]
        if len(alive) == 1:
            found[key] = Living(alive[0], rows[alive[0]]["path"], gone, rows[alive[0]]["until_ms"])
        else:
            found[key] = found.get(key, Living())._replace(removed=gone)
    return found


def in_doubt(copies: Sequence[Copy], living: Mapping[tuple[str, str], Living]) -> list[Copy]:
    """Return the copies of topics that do not have one id, or not the one that is told."""
    here: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in copies:
        here[one.capture, one.topic].add(one.topic_id)
    told = {key: living.get(key, Living()) for key in here}
    odd = {
        key for key, ids in here.items()
        if len(ids) > 1 or ids & told[key].removed.keys() or told[key].topic_id not in (None, *ids)
    }  # fmt: skip
    return [one for one in copies if (one.capture, one.topic) in odd]


def _newest(places: DataFrame, batches: DataFrame, copies: Iterable[Copy]) -> dict[tuple[str, str], int]:
    """Return the newest timestamp of each capture's and topic id's batches."""
    schema = pa.schema([field for field in OTHER_TOPICS if field.name not in ("living_id", "told")])
    asked = F.broadcast(frame_of(places.sparkSession, [one._asdict() for one in copies], schema))
    logs = places.where("kind = 'log'").join(asked.drop("topic_id"), list(LOG), "left_semi")
    rows = placed(batches.select("file_id", "section", "max_timestamp"), logs).join(asked, list(LOG))
    ends = rows.groupBy("capture", "topic_id").agg(F.max("max_timestamp").alias("newest"))
    return {(row.capture, row.topic_id): row.newest for row in ends.where("newest IS NOT NULL").collect()}


def set_aside(
    copies: Iterable[Copy], living: Mapping[tuple[str, str], Living], newest: Mapping[tuple[str, str], int]
) -> Iterator[dict[str, object]]:
    """Yield rows of OTHER_TOPICS for the doubtful copies of topics that do not exist any more."""
    topics: dict[tuple[str, str], list[Copy]] = defaultdict(list)
    for one in copies:
        topics[one.capture, one.topic].append(one)
    for key, held in topics.items():
        told = living.get(key, Living())
        left = {one.topic_id for one in held} - told.removed.keys()
        written = {one: newest.get((key[0], one), -1) for one in left}
        until = told.until_ms
        later = [one for one in left if one != told.topic_id and until is not None and written[one] > until]
        alive, by = (None, None) if later else told[:2]
        if alive is None and left:
            alive = max(sorted(left), key=written.__getitem__)
        for one in held:
            if one.topic_id != alive:
                yield {**one._asdict(), "living_id": alive, "told": told.removed.get(one.topic_id, by)}


def without_others(others: DataFrame, rows: DataFrame) -> DataFrame:
    """Return the rows that are not of a copy in `others`, by the names of LOG."""
    return rows.join(F.broadcast(others.select(*LOG)), list(LOG), "left_anti")
