"""Tells two copies of a log apart whose files do not say whose they are, by what they hold (RULES A 1)."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import pyarrow as pa
from pyspark.sql import DataFrame, Window, functions as F

from analyzer.lifecycles.placing import LOG, numbered, placed
from analyzer.tables import NO_REPLICA
from analyzer.tables.frames import frame_of

APART = pa.schema(
    [("capture", pa.string()), ("path", pa.string()), ("section", pa.int32()), ("copy", pa.string()),
     ("apart_from", pa.string())]
)  # fmt: skip
_DIGITS = re.compile(r"\d{20}")


class Shown(NamedTuple):
    """One dump in a file, or a raw segment: the log and segment that it shows, and where it is."""

    capture: str
    topic: str
    partition: int
    replica: str
    segment: int
    path: str
    section: int


Label = Callable[[Shown], str]


def doubtful(places: DataFrame) -> DataFrame:
    """Return the sections of logs that may be here in two copies: a segment twice, or in several folders or names."""
    stem = F.regexp_replace("path", r"\d{20}[^/]*$", "")
    logs = places.where("kind = 'log' AND topic IS NOT NULL AND partition IS NOT NULL")
    odd = logs.groupBy(*LOG).agg(
        F.count("*").alias("sections"),
        F.count_distinct("segment").alias("segments"),
        F.count_distinct(stem).alias("stems"),
    )
    return logs.join(odd.where("sections > segments OR stems > 1").select(*LOG), list(LOG))


def contradictions(sections: DataFrame, batches: DataFrame) -> DataFrame:
    """Return the pairs of `doubtful` sections that cannot be of one copy, as structs of `Shown`: one, other.

    A segment has one batch at a position, and ends before the next segment's name (LogSegment). A damaged batch, one
    that was put together from its records, and one that does not continue the one before it prove nothing.
    """
    sound = batches.where("batch_source = 'batch' AND crc IS NOT NULL AND coalesce(crc_valid, true)")
    rows = placed(sound, sections).select(
        *LOG, F.struct(*Shown._fields).alias("shown"), "segment", "position", "crc", "base_offset", "last_offset",
        (F.col("position") + F.col("size")).alias("end"),
    )  # fmt: skip
    return _other_bytes(rows).unionByName(_overlapping(rows, sections)).distinct()


def _other_bytes(rows: DataFrame) -> DataFrame:
    """Return the pairs that show different batches at one position of a segment."""
    place = [*LOG, "segment", "position"]
    batches = rows.select(*place, "crc", "shown").distinct()
    differing = batches.groupBy(*place).agg(F.min("crc").alias("least"), F.max("crc").alias("most"))
    these = batches.join(differing.where("least <> most").select(*place), place)
    others = these.select(*place, F.col("crc").alias("other_crc"), F.col("shown").alias("other"))
    return these.join(others, place).where("crc < other_crc").select(F.col("shown").alias("one"), "other")


def _overlapping(rows: DataFrame, sections: DataFrame) -> DataFrame:
    """Return the pairs of which one goes on at or beyond the name of the other's segment."""
    ends = rows.groupBy(*LOG, "segment", "shown").agg(F.max("last_offset").alias("reach"))
    names = sections.select(*LOG, F.col("segment").alias("name"), F.struct(*Shown._fields).alias("other"))
    beyond = ends.join(names, list(LOG)).where("name > segment AND name <= reach").select("shown", "name", "other")
    order = Window.partitionBy("shown").orderBy("position")
    going_on = (
        rows.join(beyond.select("shown").distinct(), "shown", "left_semi")
        .withColumn("after", F.lag("last_offset").over(order) + 1)
        .withColumn("behind", F.lag("end").over(order))
        .where("base_offset = after AND position = behind")
        .groupBy("shown")
        .agg(F.max("base_offset").alias("reach"))
    )
    return beyond.join(going_on, "shown").where("name <= reach").select(F.col("shown").alias("one"), "other")


def told_apart(places: DataFrame, batches: DataFrame) -> DataFrame:
    """Return the places, those of two copies of a log as two replicas; `apart_from` is a path that contradicts theirs.

    `places` are `capture_sections`. Batches are read only where some log may be here twice; the few pairs that
    contradict one another come to the driver.
    """
    sections = doubtful(places)
    pairs = contradictions(sections, batches).collect() if sections.take(1) else []
    if not pairs:
        return places
    both = [(Shown(*pair.one), Shown(*pair.other)) for pair in pairs]
    names = sorted({one.capture for one, _ in both})
    every = places.where(F.col("capture").isin(names)).select(*Shown._fields).collect()
    apart = frame_of(places.sparkSession, copies_of(both, [Shown(*row) for row in every]), APART)
    joined = F.broadcast(apart).join(places.drop("log_no", "apart_from"), ["capture", "path", "section"], "right")
    return numbered(joined.withColumn("replica", F.coalesce("copy", "replica")).drop("copy"))


def copies_of(pairs: Iterable[tuple[Shown, Shown]], sections: Iterable[Shown]) -> list[dict[str, object]]:
    """Return rows of APART: which copy each section is of that another one contradicts, and that one's path.

    `sections` are all of the captures. Folders that hold two copies of one log hold two of every log, and so do names;
    where neither tells the pairs apart, each file is a copy of its own if two show the same segment, and the others
    stay together.
    """
    of_capture: dict[str, list[tuple[Shown, Shown]]] = defaultdict(list)
    for one, other in pairs:
        of_capture[one.capture] += [(one, other), (other, one)]
    held: dict[str, list[Shown]] = defaultdict(list)
    for section in sections:
        held[section.capture].append(section)
    return [row for name, both in of_capture.items() for row in _apart(both, held[name])]


def _apart(pairs: Sequence[tuple[Shown, Shown]], sections: Sequence[Shown]) -> Iterable[dict[str, object]]:
    labels: tuple[Label, ...] = (_folder, _name)
    found = [label for label in labels if all(label(one) != label(two) for one, two in pairs)]
    if found:
        label = found[0]
    else:
        pairs = [(one, other) for one, other in pairs if one.segment == other.segment]
        logs = {one[:4] for one, _ in pairs}
        sections = [one for one in sections if one[:4] in logs]
        label = _file(sections)
    told = {label(one): other.path for one, other in sorted(pairs, reverse=True)}
    for one in sections:
        if (name := label(one)) in told:
            copy = name if one.replica == NO_REPLICA else f"{one.replica} ({name})"
            place = {"capture": one.capture, "path": one.path, "section": one.section}
            yield {**place, "copy": copy, "apart_from": told[name]}


def _folder(one: Shown) -> str:
    return one.path.rpartition("/")[0] or "."


def _name(one: Shown) -> str:
    """Return the path up to where the name tells the partition or the segment."""
    folder, slash, name = one.path.rpartition("/")
    before = _DIGITS.split(name)[0].split(f"{one.topic}-{one.partition}")[0].rstrip("-_. ")
    return f"{folder}{slash}{before}" if before else folder or "."


def _file(sections: Iterable[Shown]) -> Label:
    """Return what names a copy by its file, and of a file that shows a log several times, by which time it is."""
    laps: dict[Shown, str] = {}
    last: dict[tuple[object, ...], tuple[int, int]] = {}
    for one in sorted(sections, key=lambda one: (one.path, one.section)):
        key = (*one[:4], one.path)
        segment, lap = last.get(key, (-1, 1))
        lap += one.segment <= segment
        last[key] = (one.segment, lap)
        laps[one] = f" #{lap}" if lap > 1 else ""
    return lambda one: f"{_DIGITS.sub('', one.path)}{laps[one]}"
