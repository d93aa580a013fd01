"""Notes on what was found and not read: files, folders, segments left on brokers, lines that no reader takes."""

from pyspark.sql import DataFrame, functions as F

from analyzer.lifecycles.coverage.note import file_line, note, number_of, some_of, worded
from analyzer.tables import MAY_MATTER, NO_EVIDENCE, UNREAD_KINDS


def unparsed_runs(lines: DataFrame, places: DataFrame) -> DataFrame:
    """Return the runs of lines that no reader takes, each with its capture, path and file_kind."""
    named = places.select("capture", "path", "file_id", "section", "file_kind")
    return lines.join(named, ["file_id", "section"])


def broken(files: DataFrame) -> DataFrame:
    """Return the files and folders that could not be read."""
    broken = files.where("problem IS NOT NULL")
    what = F.when(F.col("file_kind") == "folder", "folder with all that is in it").otherwise("file")
    fetch = worded("a copy of this {what}, made by a user who may read it (the broker's, or root)", what=what)
    return note(broken, "unread_file", worded("cannot be read: {problem}"), fetch, file="path", number="bytes")


def set_aside(files: DataFrame) -> DataFrame:
    """Return the folders of log dirs that are no replicas."""
    aside = files.where("file_kind = 'set_aside'")
    folders = aside.select("capture", F.regexp_extract("path", "^(.*)/[^/]*$", 1).alias("folder")).distinct()
    words = (
        F.when(F.col("folder").endswith("-future"), "a replica on its way to another log dir")
        .when(F.col("folder").endswith("-delete"), "a partition that is being deleted")
        .otherwise("a stray partition, of which the broker is no replica any more")
    )
    return note(folders, "set_aside", worded("{words}; it was not read", words=words), file="folder")


def notes_of_others(others: DataFrame) -> DataFrame:
    """Return a note for each copy that is of another topic of the same name (RULES A 18)."""
    gone = worded(
        "this copy of {topic}-{partition} is of a topic that does not exist any more ({topic_id} by its "
        "partition.metadata{now} by {told}); it is not judged",
        now=F.coalesce(worded(", {topic} is now {living_id}"), F.lit("")),
    )
    guessed = worded(
        "copies of two topics named {topic} are here, by their partition.metadata; {living_id} was written last and is "
        "judged, this copy ({topic_id}) is not"
    )
    ask = worded("kafka-topics.sh --describe --topic {topic}: its TopicId tells which one exists")
    return note(others.where("told IS NOT NULL"), "set_aside", gone).unionByName(
        note(others.where("told IS NULL"), "other_topic", guessed, ask)
    )


def left_unread(unread: DataFrame) -> DataFrame:
    """Return how much is known to be on each broker and was not read."""
    counted = unread.groupBy("capture", "replica").agg(
        F.count("*").alias("segments"), F.sum("bytes").alias("bytes"),
        F.countDistinct("topic", "partition").alias("partitions"),
    )  # fmt: skip
    text = worded(
        "{read} of {of}, {bytes} bytes, {were} not read: what is only there is not judged",
        read=number_of("segments", "segment"),
        of=number_of("partitions", "partition"),
        were=F.when(F.col("segments") == 1, "was").otherwise("were"),
    )
    fetch = "txn-forensics fetch says which of them matter"
    return note(counted, "left_unread", text, fetch, replica="replica", number="segments")


def unknown(files: DataFrame) -> DataFrame:
    """Return a note for each kind of file that no reader knows and that may hold evidence."""
    unknown = files.where(F.col("file_kind").isin(*MAY_MATTER))
    folded = unknown.groupBy("capture", "file_kind").agg(
        F.count("*").alias("count"), F.array_sort(F.collect_set("path")).alias("paths")
    )
    why = F.create_map(*[F.lit(word) for kind in MAY_MATTER for word in (kind, UNREAD_KINDS[kind])])
    several = worded("{count} files: {some}", some=some_of("paths"))
    what = F.when(F.col("count") == 1, F.col("paths")[0]).otherwise(several)
    text = worded("not read: {what} ({why})", what=what, why=why[F.col("file_kind")])
    fetch = F.create_map(*[F.lit(word) for pair in MAY_MATTER.items() for word in pair])[F.col("file_kind")]
    return note(folded, "unknown_file", text, fetch, number="count")


def lines(unparsed: DataFrame) -> DataFrame:
    """Return a note for each capture on the lines that no reader takes and that may be evidence."""
    first = F.min(F.struct("line", "path"))
    matters = (F.col("reason") != NO_EVIDENCE) & (F.col("file_kind") != "metadata")
    by_file = unparsed.where(matters).groupBy("capture", "path").agg(
        F.sum("lines").alias("lines"), first["line"].alias("line")
    )  # fmt: skip
    folded = by_file.groupBy("capture").agg(
        F.sum("lines").alias("lines"), F.array_sort(F.collect_list(file_line())).alias("places")
    )
    text = worded(
        "{lines} {were} not understood and may be evidence: {some}",
        were=F.when(F.col("lines") == 1, "line was").otherwise("lines were"),
        some=some_of("places"),
    )
    fetch = "the output as the tool printed it, one command a file"
    return note(folded, "unread_lines", text, fetch, number="lines")
