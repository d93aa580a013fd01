"""Notes on what a capture does not show or what could not be read, each with the file that would help."""

from pyspark.sql import DataFrame, functions as F

from analyzer.kafka.pasting.escaped_text import ESCAPED, PAGE, PIECES, SEARCHED
from analyzer.kafka.topics import STATE_TOPIC, UNOPENED
from analyzer.lifecycles.coverage.note import note, number_of, some_of, worded
from analyzer.lifecycles.coverage.states import DEFAULT_COUNT
from analyzer.lifecycles.logs.cleaning import holes_between
from analyzer.lifecycles.logs.segments import torn
from analyzer.lifecycles.placing import LOG, PARTITION
from analyzer.tables.unions import union_all

DAMAGED = {
    "cut_tail": "the file ends inside a batch or entry: it was copied while the broker was writing to it",
    "zero_tail": "the file ends in zeros: space that was allocated ahead, or never written",
    "bad_crc": "the checksum is wrong; nothing from this file was used",
    "bad_count": "the file's size does not fit its number of entries; nothing from this file was used",
    "unknown_version": "the file has an unknown version; the rest of it was not used",
    "empty_file": "the file is empty, but should not be",
}
"""Damage that is a note, not a finding: in segments the marks of a live copy, in other files any damage."""

DUMP = "kafka-dump-log.sh --deep-iteration --files"


def broken_dumps(places: DataFrame) -> DataFrame:
    """Return the dumps that end before their log does, or out of which lines were cut; and tools that failed."""
    broken = places.where("ending IN ('cut', 'died', 'excerpt') AND last_line IS NOT NULL")
    died, pasted = F.col("ending") == "died", F.col("kind") == "admin"
    word = (
        F.when(pasted & died, worded("a tool printed an error in the place of an answer: {path}"))
        .when(died, "the dump tool failed here")
        .when(F.col("ending") == "excerpt", "this is an excerpt of a dump: lines were cut out before its last one")
        .otherwise("the dump ends in the middle of a line or batch")
    )
    text = worded("{word}, line {last_line}{said}", word=word, said=F.coalesce(worded(": {note}"), F.lit("")))
    fetch = (
        F.when(F.col("ending") == "excerpt", "the whole dump of this segment")
        .when(pasted & died, "the answer of that command, if no later one here has it")
        .otherwise("a new dump of this segment, with stderr in a file of its own: 2> dump.err")
    )
    broken = broken.withColumn("replica", F.when(~pasted, F.col("replica")))
    return note(broken, "cut_dump", text, fetch, file="path", number="last_line")


def unopened(logs: DataFrame) -> DataFrame:
    """Return a note for each of Kafka's own topics of which only batches are read, not what their records say."""
    held = logs.where(F.col("topic").isin(*UNOPENED)).groupBy("capture", "topic").agg(F.count("*").alias("copies"))
    words = F.create_map(*[F.lit(word) for pair in UNOPENED.items() for word in pair])
    text = worded("{topic} is read as a log; its records are not opened: {why}", why=words[F.col("topic")])
    return note(held, "unopened_topic", text, number="copies")


def shown_lines(files: DataFrame) -> DataFrame:
    """Return the texts of which a line that is named is not the one that an editor shows under its number."""
    other = files.where(F.col("encoding").rlike(f"{ESCAPED}|{PAGE}|{SEARCHED}|{PIECES}"))
    text = F.lit("line numbers of this file count the lines that it shows, not those that it has")
    return note(other, "shown_lines", text, file="path")


def told_apart(places: DataFrame) -> DataFrame:
    """Return the partitions of which only contents tell two copies apart: nobody said which brokers they are of."""
    apart = places.where("apart_from IS NOT NULL AND kind = 'log'")
    files = apart.groupBy(*PARTITION).agg(F.min("path").alias("path"), F.max("path").alias("other"))
    alone = F.col("path") == F.col("other")
    text = worded(
        "{which} different batches at one place of {topic}-{partition}: they are of two brokers or of two moments, and "
        "are judged as two copies",
        which=F.when(alone, worded("{path} shows")).otherwise(worded("{path} and {other} show")),
    )
    fetch = "which broker each is of: put its files into a folder broker-<id>"
    return note(files, "told_apart", text, fetch, file="path")


def damaged(damage: DataFrame) -> DataFrame:
    """Return the damaged places that are not corruption: what a copy of a live file looks like, or a broken index."""
    words = F.create_map(*[F.lit(word) for pair in DAMAGED.items() for word in pair])
    text = worded("{what} ({bytes} bytes from position {position})", what=words[F.col("damage")])
    fetch = F.when(F.col("damage") != "zero_tail", F.lit("a new copy of this file"))
    broken = damage.where(F.col("damage").isin(*DAMAGED))
    return note(broken, "damaged_file", text, fetch, file="path", number="position")


def shallow(segments: DataFrame, places: DataFrame) -> DataFrame:
    """Return the logs with control batches whose type no dump printed."""
    untyped = segments.where("untyped_markers > 0")
    counted = untyped.groupBy(*LOG).agg(F.sum("untyped_markers").alias("markers"))
    shallow = places.where("kind = 'log' AND NOT coalesce(deep, false)").groupBy(*LOG).agg(F.min("path").alias("path"))
    one = "control batch was dumped without saying whether it is COMMIT or ABORT"
    text = number_of("markers", one, "control batches were dumped without saying whether they are COMMIT or ABORT")
    fetch = worded(f"{DUMP} <segment>.log of {{topic}}-{{partition}}")
    joined = counted.join(shallow, list(LOG), "left")
    return note(joined, "shallow_dump", text, fetch, file="path", number="markers")


def missing_states(moments: DataFrame, held: DataFrame, never: DataFrame) -> DataFrame:
    """Return the state partitions that are not here; where some of them hold records, a Prepare may be stuck there.

    `held` are those that hold some, `never` the captures whose cluster has no such topic.
    """
    lacking = moments.where("size(missing_states) > 0").join(held, "capture", "left").join(never, "capture", "left")
    counted = lacking.withColumn("missing", F.size("missing_states")).withColumn(
        "holding", F.size(F.array_intersect("missing_states", F.coalesce("held", F.array().cast("array<int>"))))
    )
    counted_ones = worded(
        f"{{missing}} of the {{state_count}} partitions of {STATE_TOPIC} {{are}} not here: {{some}}",
        are=F.when(F.col("missing") == 1, "is").otherwise("are"),
        some=some_of("missing_states", more=", ..."),
    )
    here = F.col("state_count") - F.col("missing")
    several = worded("{here} partitions", here=here)
    untold = worded(
        f"the records of {{read}} of {STATE_TOPIC} are read here, and nothing tells how many there are "
        f"({DEFAULT_COUNT} by default{{then}})",
        read=F.when(here == 0, "no partition").when(here == 1, "1 partition").otherwise(several),
        then=F.when(here > 0, worded(": then {missing} are missing")).otherwise(""),
    )
    gone = F.when(F.col("state_count_told"), counted_ones).otherwise(untold)
    holding = worded(
        "{gone}; {holding} of {which} {hold} records, as {held_told} says",
        gone=gone,
        which=F.when(F.col("state_count_told"), "them").otherwise("those that are not read"),
        hold=F.when(F.col("holding") == 1, "holds").otherwise("hold"),
    )
    none = worded(
        f"the cluster has no topic {STATE_TOPIC}, by {{never_told}}: Kafka creates it for the first transactional "
        "producer, so no transaction was ever begun here"
    )
    fetch = f"kafka-dump-log.sh --deep-iteration --transaction-log-decoder --files {STATE_TOPIC}-<n>/*.log"
    of_topic = {"topic": F.lit(STATE_TOPIC)}
    return union_all(
        [
            note(counted.where("never_told IS NULL AND holding = 0"), "missing_coordinator", gone, fetch,
                 number="missing", **of_topic),
            note(counted.where("never_told IS NULL AND holding > 0"), "missing_state", holding, fetch,
                 number="missing", **of_topic),
            note(counted.where("never_told IS NOT NULL"), "no_state_topic", none, **of_topic),
        ]
    )  # fmt: skip


def unread_bytes(segments: DataFrame) -> DataFrame:
    """Return the segments of which bytes are missing, with their offsets or before these: damage, or lost lines."""
    missing = number_of("missing_offsets", "offset")
    some = (F.col("begins_at") > 0) & (F.col("missing_bytes") > F.col("begins_at"))
    text = worded(
        "{first}{offsets}{missing_bytes} bytes of segment {segment}{among} are in no line or batch that can be read "
        "here: what was there is not judged",
        first=F.when(F.col("missing_bytes") == F.col("begins_at"), "the first ").otherwise(""),
        offsets=F.when(F.col("missing_offsets") > 0, worded("{some} and ", some=missing)).otherwise(""),
        among=F.when(some, worded(", the first {begins_at} among them,")).otherwise(""),
    )
    fetch = worded("a new copy of this segment of {topic}-{partition}")
    return note(torn(segments), "unread_bytes", text, fetch, number="missing_bytes")


def missing_offsets(segments: DataFrame, logs: DataFrame, cut: DataFrame) -> DataFrame:
    """Return the holes between segments that are not the cleaner's: a file is missing, or the end of one is."""
    known = cut.select(*LOG, "segment", F.lit(True).alias("cut"))
    return offset_hole(holes_between(segments, logs).join(known, [*LOG, "segment"], "left").where("uncleaned OR cut"))


def offset_hole(rows: DataFrame, by: str = "") -> DataFrame:
    """Return a note on each hole of a log, from gap_offset to the one before gap_end; `by` is what tells it."""
    text = worded(f"offsets {{gap_offset}}..{{last}} are not in any file here{by}", last=F.col("gap_end") - 1)
    fetch = worded("the segments of {topic}-{partition} that hold them")
    return note(rows, "offset_hole", text, fetch, number=F.col("gap_end") - F.col("gap_offset"))
